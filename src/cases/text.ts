import { toYamlLines, toYamlText } from '../fixtures/yaml-text.ts'
import { stepActions } from './format.ts'
import type { Case, CaseStep } from './generated/case.ts'

const head = `# A case of Greenhouse. Play it again: npx greenhouse-mock case replay FILE
# Look at it: npx greenhouse-mock case show FILE, or npx greenhouse-mock serve --case FILE
`

/** Members that take several lines. Everything else takes one line. */
const open = new Set(['start', 'steps', 'records', 'own_scenarios', 'reply', 'end', 'due', 'replace', 'put'])

/** Writes a case as YAML, with the parts of a step on lines of their own. 64-bit integers stay exact. */
export function toCaseText(given: Case): string {
  const lines = toYamlLines(
    given,
    (name) => open.has(name),
    (item) => 'at' in item && !('title' in item),
  )
  return head + [...lines].join('\n') + '\n'
}

export function toTimeline({ steps = [] }: Case) {
  return steps.map((step) => ({
    at: step.at ?? '',
    what: describe(step),
    status: step.reply === undefined ? '' : String(step.reply.status),
    why: [step.reason, ...(step.mistakes ?? []).filter((mistake) => !mistake.endsWith(step.reason ?? '\0'))]
      .filter(Boolean)
      .join(' '),
  }))
}

function describe(step: CaseStep): string {
  if (step.request !== undefined) return step.request
  const action = stepActions.find((one) => step[one] !== undefined)!
  const words = action.replaceAll('_', ' ')
  if (step.put) return `${words} ${step.put.collection} ${toYamlText(step.put.record)}`
  if (step.replace) return `${words} ${step.replace.collection}: ${step.replace.records.length} records`
  if (step.remove) return `${words} ${step.remove.collection} ${step.remove.key}`
  if (step.clock) return `clock ${step.clock.now}${step.clock.frozen ? ', frozen' : ''}`
  if (step.answer) return `answer ${step.answer.status ?? step.answer.error} to ${step.answer.delivery}`
  if (step.clear === true) return 'clear'
  const value = step[action]
  return `${words} ${typeof value === 'string' ? value : [value].flat().map(toYamlText).join(', ')}`
}
