import type { CaseStep } from './generated/case.ts'
import { givenOf } from '../core/contract/options.ts'
import { splitWorld } from '../core/http/address.ts'
import { joinTarget, splitTarget } from '../core/http/request.ts'
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
  if (replies.length > 0)
    return [
      {
        title: 'Replies of the service',
        recorded: [{ replies }],
      },
    ]
  return []
}

function toRecordedReply(step: CaseStep): object {
  const { request = '', bytes: sentBytes, ...sent } = step
  const { status = 0, headers = {}, bytes, ...content } = step.reply ?? {}
  const kept = Object.entries(headers).filter(([name]) => !made.includes(name.toLowerCase()))
  const key = sentKeyOf(step)
  const [method = '', target = ''] = request.split(' ')
  const [path, search] = splitTarget(target)
  return givenOf({
    // A recording answers in whatever world it is active.
    request: `${method} ${joinTarget(splitWorld(path).path, search)}`,
    status,
    headers: Object.fromEntries(kept),
    sends_base64: sentBytes,
    sends: toBodyText(sent),
    key,
    fingerprint: key,
    base64: bytes,
    text: toBodyText(content),
  })
}

/** Returns the key of a request, or the fingerprint that the case has instead. */
function sentKeyOf({ headers = {} }: CaseStep): string | undefined {
  const [, sent] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization') ?? []
  return /^bearer +(\S+)/i.exec(String(sent))?.[1]
}
