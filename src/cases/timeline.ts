import { toYamlText } from '../fixtures/yaml-text.ts'
import { stepActions } from './format.ts'
import type { Case, CaseStep } from './types.ts'

interface TimelineRow {
  /** ISO 8601; empty if the step has no time. */
  readonly at: string
  readonly what: string
  readonly status: string
  readonly why: string
}

export function toTimeline({ steps = [] }: Case): TimelineRow[] {
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
