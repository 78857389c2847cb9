import type { CaseStep } from './generated/case.ts'
import { toBodyText } from './content.ts'
import { framingHeaders } from '../scenarios/language/fields.ts'

/** Headers that every reply gets again, so that the scenario leaves them out. */
const made = [...framingHeaders, 'x-greenhouse']

/**
 * Returns a scenario with the replies of a real service, if it answered, so that the case plays
 * them again without it.
 */
export function toServiceScenarios(steps: readonly CaseStep[]): object[] {
  const replies = steps.filter(({ answered_by }) => answered_by !== undefined).map(toRecordedReply)
  if (replies.length > 0) return [{ title: 'Replies of the service', recorded: [{ replies }] }]
  return []
}

function toRecordedReply(step: CaseStep): object {
  const { status = 0, headers = {}, bytes, ...content } = step.reply ?? {}
  const kept = Object.entries(headers).filter(([name]) => !made.includes(name.toLowerCase()))
  const recorded: Record<string, unknown> = {
    request: step.request,
    status,
    headers: Object.fromEntries(kept),
  }
  if (step.bytes !== undefined) recorded['sends_base64'] = step.bytes
  else if (toBodyText(step) !== undefined) recorded['sends'] = toBodyText(step)
  const key = sentKeyOf(step)
  if (key !== undefined) Object.assign(recorded, { key, fingerprint: key })
  const text = toBodyText(content)
  if (bytes !== undefined) recorded['base64'] = bytes
  else if (text !== undefined) recorded['text'] = text
  return recorded
}

/** Returns the key of a request, or the fingerprint that the case has instead. */
function sentKeyOf({ headers = {} }: CaseStep): string | undefined {
  const [, sent] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization') ?? []
  return /^bearer +(\S+)/i.exec(String(sent))?.[1]
}
