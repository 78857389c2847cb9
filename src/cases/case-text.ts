import { toYamlLines, toYamlText } from '../output/yaml-text.ts'
import { stepActions } from './format.ts'
import type { Case, CaseStep } from './generated/case.ts'

const fileHead = [
  '# A case of Greenhouse. Play it again: npx greenhouse-mock case replay FILE',
  '# Look at it: npx greenhouse-mock case show FILE, or npx greenhouse-mock serve --case FILE',
]

/** The members that a case file writes on several lines. Everything else takes one line. */
const multilineMembers = new Set([
  'start',
  'steps',
  'records',
  'own_scenarios',
  'reply',
  'end',
  'due',
  'replace',
  'put',
])

/**
 * Writes a case as YAML, with the parts of a step on lines of their own. 64-bit integers stay
 * exact.
 */
export function toCaseText(given: Case): string {
  // The work that is due at the end has a time, too, and a title: it takes one line.
  const isStep = (item: object) => 'at' in item && !('title' in item)
  const lines = toYamlLines(given, (name) => multilineMembers.has(name), isStep)
  return [...fileHead, ...lines, ''].join('\n')
}

/** Returns a row of a table for each step of a case. */
export function toTimeline({ steps = [] }: Case) {
  return steps.map((step) => ({
    at: step.at ?? '',
    what: describeStep(step),
    status: String(step.reply?.status ?? ''),
    why: [step.reason, ...listOtherMistakes(step)].filter(Boolean).join(' '),
  }))
}

/** Leaves out a mistake that ends with the reason of the reply: the timeline has the reason. */
function listOtherMistakes({ mistakes = [], reason }: CaseStep): string[] {
  return mistakes.filter((mistake) => reason === undefined || !mistake.endsWith(reason))
}

/** Says what a step does, in one line: some actions have a shorter way than their YAML. */
function describeStep(step: CaseStep): string {
  const { request, put, replace, remove, clock, answer, clear } = step
  if (request !== undefined) return request
  if (put) return `put ${put.collection} ${toYamlText(put.record)}`
  if (replace) return `replace ${replace.collection}: ${replace.records.length} records`
  if (remove) return `remove ${remove.collection} ${remove.key}`
  if (clock) return `clock ${clock.now}${clock.frozen ? ', frozen' : ''}`
  if (answer) return `answer ${answer.status ?? answer.error} to ${answer.delivery}`
  if (clear === true) return 'clear'
  const actions = stepActions.flatMap((action) => {
    const value = step[action]
    if (value === undefined) return []
    const shown = typeof value === 'string' ? value : [value].flat().map(toYamlText).join(', ')
    return [`${action.replaceAll('_', ' ')} ${shown}`]
  })
  return actions.join('; ')
}
