import type * as z from 'zod/mini'
import { JsonLimitError, parseForeignJson } from '../http/json.ts'
import { replyHeader } from '../http/reply.ts'
import { type Assume, toAssume } from '../contract/assumptions.ts'
import { type Area, errorsOf } from './area.ts'
import type { Operation } from './operation.ts'
import type { Texts } from '../text/values.ts'

interface FoundReply {
  readonly status: number
  readonly headers: Texts
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
  const assume = toAssume({ assumptions })
  const type = replyHeader(headers, 'Content-Type') ?? ''
  const isError = status >= 400
  const stream = operation.stream?.(assume)
  const known = isError
    ? [...errorsOf(area, operation, assume).keys()]
    : statusesOf(operation, assume, stream)
  const found: string[] = []
  if (!known.includes(status)) found.push(`the status is ${status}, not ${known.join(' or ')}`)
  if (stream && /^text\/event-stream\b/i.test(type)) return found
  const schema = isError ? area.errorSchema : (operation.resultUnder?.(assume) ?? operation.result)
  if (!schema && text !== '') found.push('there is a body, where the document has none')
  if (!schema) return found
  return [...found, ...findTypeBreaches(type), ...findBodyBreaches(schema, text)]
}

function findTypeBreaches(type: string): string[] {
  if (type === '') return ['there is no Content-Type']
  if (/^application\/json\b/i.test(type)) return []
  return ['the Content-Type is not application/json']
}

function statusesOf(
  operation: Operation,
  assume: Assume,
  stream: { readonly status: number } | undefined,
): readonly number[] {
  const statuses = operation.statuses?.(assume) ?? [200]
  if (!stream) return statuses
  return [...statuses, stream.status]
}

function findBodyBreaches(schema: z.ZodMiniType, text: string): string[] {
  try {
    const { error } = schema.safeParse(parseForeignJson(text))
    const issues = error?.issues.slice(0, maxReported) ?? []
    return issues.map(({ path, code, ...issue }) => {
      const place = path.length === 0 ? 'the body' : path.join('.')
      if ('expected' in issue) return `${place}: expected ${String(issue.expected)}`
      return `${place} does not fit: ${code}`
    })
  } catch (error) {
    // Reading such a body would hold up all other requests.
    if (error instanceof JsonLimitError) return []
    return ['the body is not JSON']
  }
}
