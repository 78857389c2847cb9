import { JsonLimitError, parseForeignJson } from '../http/json.ts'
import { replyHeader } from '../http/reply.ts'
import type { Assume } from '../contract/assumptions.ts'
import type { Area, Operation } from './exchange.ts'
import { errorsOf } from './operation.ts'

export interface FoundReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const maxReported = 5

/**
 * Returns how a reply of a real service breaks the contract under the assumptions. They hold none
 * of its values.
 */
export function findContractBreaches(
  area: Area,
  operation: Operation | undefined,
  { status, headers, text }: FoundReply,
  assumptions: ReadonlyMap<string, string>,
): string[] {
  if (!operation) return []
  const assume: Assume = (_, id) => assumptions.get(id)!
  const type = replyHeader(headers, 'Content-Type') ?? ''
  const isError = status >= 400
  const stream = operation.stream?.(assume)
  const known = isError
    ? [...errorsOf(area, operation, assume).keys()]
    : [...(operation.statuses?.(assume) ?? [200]), ...(stream ? [stream.status] : [])]
  const found = known.includes(status) ? [] : [`the status is ${status}, not ${known.join(' or ')}`]
  if (stream && /^text\/event-stream\b/i.test(type)) return found
  const schema = isError ? area.errorSchema : (operation.resultUnder?.(assume) ?? operation.result)
  if (!schema)
    return text === '' ? found : [...found, 'there is a body, where the document has none']
  if (!/^application\/json\b/i.test(type))
    found.push(
      type === '' ? 'there is no Content-Type' : 'the Content-Type is not application/json',
    )
  try {
    const { error } = schema.safeParse(parseForeignJson(text), { error: () => 'it does not match' })
    for (const { path, code, ...issue } of error?.issues.slice(0, maxReported) ?? []) {
      const expected =
        'expected' in issue ? `: expected ${String(issue.expected)}` : ` does not fit: ${code}`
      found.push(`${path.length === 0 ? 'the body' : path.join('.')}${expected}`)
    }
    return found
  } catch (error) {
    // Reading such a body would hold up all other requests.
    return error instanceof JsonLimitError ? found : [...found, 'the body is not JSON']
  }
}
