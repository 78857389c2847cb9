import { quote } from '../../../definitions/quote.ts'
import { accepts } from '../accepts.ts'
import type { Judged } from '../judged.ts'
import { defineRule } from '../rule.ts'

export const acceptRule = defineRule({
  id: 'accept',
  about: 'headers',
  finds: 'an `Accept` that excludes the reply: JSON, or events for a stream',
  check(judged, problems) {
    const value = judged.request.headers['accept']
    if (value === undefined) return
    const type = toReplyType(judged)
    const text = typeof value === 'string' ? value : value.join(', ')
    if (type === undefined || accepts(text, type)) return
    problems.add(() => `Accept is ${quote(text)}, which excludes the reply: ${type}.`)
  },
})

function toReplyType({ operation, sent }: Judged): string | undefined {
  if (operation?.stream && sent?.['stream'] === true) return 'text/event-stream'
  return operation?.result && 'application/json'
}
