import { toYamlText } from '../fixtures/yaml-text.ts'
import { stepActions } from './format.ts'
import type { Case, CaseStep } from './generated/case.ts'

const head = `# A case of Greenhouse. Play it again: npx greenhouse-mock case replay FILE
# Look at it: npx greenhouse-mock case show FILE, or npx greenhouse-mock serve --case FILE
`

/** Members that take several lines. Everything else takes one line. */
const open = new Set(['start', 'steps', 'records', 'own_scenarios', 'reply', 'end', 'due', 'replace', 'put'])

/** Writes a case as YAML, with the parts of a step on lines of their own. 64-bit integers stay exact. */
export function toCaseText(given: Case): string {
  return head + [...members(given, '')].join('\n') + '\n'
}

function* members(value: object, indent: string): Generator<string> {
  for (const [name, part] of Object.entries(value)) {
    if (part === undefined) continue
    const key = `${indent}${toYamlText(name)}:`
    if (!open.has(name) || typeof part !== 'object' || part === null || Object.keys(part as object).length === 0)
      yield `${key} ${toYamlText(part)}`
    else {
      yield key
      yield* Array.isArray(part) ? items(part, `${indent}  `) : members(part as object, `${indent}  `)
    }
  }
}

function* items(list: readonly unknown[], indent: string): Generator<string> {
  for (const item of list) {
    if (typeof item !== 'object' || item === null || !('at' in item) || 'title' in item) {
      yield `${indent}- ${toYamlText(item)}`
      continue
    }
    const lines = [...members(item, `${indent}  `)]
    yield `${indent}- ${lines[0]!.trimStart()}`
    yield* lines.slice(1)
  }
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
