import { parseTrustedJson } from '../core/http/json.ts'
import { replyHeader } from '../core/http/reply.ts'
import type { Area, Operation } from '../core/pipeline/exchange.ts'
import { errorsOf } from '../core/pipeline/operation.ts'

interface FoundReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly assumptions: ReadonlyMap<string, string>
}

const maxReported = 5

/** Returns how a reply of a real service breaks the contract under the assumptions. They hold none of its values. */
export function findReplyViolations(area: Area, operation: Operation | undefined, reply: FoundReply): string[] {
  const { status, headers, text, assumptions } = reply
  const assume = (_: unknown, id: string) => assumptions.get(id) as never
  const isError = status >= 400
  const type = replyHeader(headers, 'Content-Type') ?? ''
  if (!operation) return []
  const found: string[] = []
  const stream = operation.stream?.(assume)
  const known = isError
    ? [...errorsOf(area, operation, assume).keys()]
    : [...(operation.statuses?.(assume) ?? [200]), ...(stream ? [stream.status] : [])]
  if (!known.includes(status)) found.push(`the status is ${status}, not ${known.join(' or ')}`)
  if (stream && /^text\/event-stream\b/i.test(type)) return found
  const schema = isError ? area.errorSchema : (operation.resultUnder?.(assume) ?? operation.result)
  if (!schema) return text === '' ? found : [...found, 'there is a body, where the contract has none']
  if (!/^application\/json\b/i.test(type))
    found.push(type === '' ? 'there is no Content-Type' : 'the Content-Type is not application/json')
  let json: unknown
  try {
    json = parseTrustedJson(text)
  } catch {
    return [...found, 'the body is not JSON']
  }
  const { error } = schema.safeParse(json, { error: () => 'it does not match' })
  for (const { path, code, ...issue } of error?.issues.slice(0, maxReported) ?? []) {
    const expected = 'expected' in issue ? `: expected ${String(issue.expected)}` : ` does not fit: ${code}`
    found.push(`${path.length === 0 ? 'the body' : path.join('.')}${expected}`)
  }
  return found
}
