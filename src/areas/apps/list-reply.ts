import * as z from 'zod/mini'
import { ApiError } from '../../core/contract/errors.ts'
import { toJson } from '../../core/http/json.ts'
import type { Outcome } from '../../core/http/reply.ts'
import type { Endpoint, Exchange, Input } from '../../core/pipeline/exchange.ts'
import { type Listing, paginate, type QueryParameter } from '../../core/pipeline/query.ts'
import { toTimestamp } from '../../core/time/time-text.ts'
import { appAssumptions } from './assumptions.ts'

type Listed<T> = Pick<Listing<T>, 'records' | 'matches'> & { readonly present: (record: Readonly<T>) => unknown }

/** Without a filter, it is cached until the records change, so `present` must depend only on the record. */
export function listReply<T>(exchange: Exchange, input: Input<unknown>, listed: Listed<T>): Outcome {
  if (listed.matches) return pageReply(exchange, input, listed)
  const shape = exchange.assume(appAssumptions, 'apps.list.shape')
  const parameters = ['limit', 'cursor', 'order'].map((name) => input.query.get(name))
  return exchange.world.replies.get(listed.records, JSON.stringify([shape, ...parameters]), () => {
    const outcome = pageReply(exchange, input, listed)
    return { ...outcome, text: toJson(outcome.body) }
  })
}

export function pageReply<T>(
  exchange: Exchange,
  { params, query }: Input<unknown>,
  { records, matches, present }: Listed<T>,
): Outcome {
  const { id, query: known } = exchange.operation!
  const name = JSON.stringify([id, exchange.caller!.account.id, ...Object.values(params)])
  const page = paginate({ name, records, matches }, query, known!)
  const data = page.records.map(present)
  const isArray = exchange.assume(appAssumptions, 'apps.list.shape') === 'array'
  return { status: 200, body: isArray ? data : { data, has_more: page.hasMore, next_cursor: page.nextCursor } }
}

/** Returns the filter of a query parameter that asks for a value of a field. */
export function fieldFilter<T>(query: URLSearchParams, parameter: string, field: keyof T): Listed<T>['matches'] {
  const wanted = query.get(parameter)
  return wanted === null ? undefined : (record) => record[field] === wanted
}

export function listSchema<T extends z.ZodMiniType>(item: T) {
  return z.object({
    data: z.array(item),
    has_more: z.boolean(),
    /** The query parameter `cursor` of the next page; `null` on the last page. */
    next_cursor: z.nullable(z.string()),
  })
}

export function listOf(item: z.ZodMiniType): Pick<Endpoint, 'result' | 'resultUnder'> {
  const result = listSchema(item)
  return {
    result,
    resultUnder: (assume) => (assume(appAssumptions, 'apps.list.shape') === 'array' ? z.array(item) : result),
  }
}

const bareOffset = / (?=\d\d:\d\d$)/

export function timeParameter(description: string): QueryParameter {
  return {
    description,
    check: (text) =>
      toTime(text) === undefined ? 'must be a time in ISO 8601, such as 2026-01-31 or 2026-01-31T12:00:00Z' : undefined,
    findSlip: (text) =>
      bareOffset.test(text) && toTime(text) !== undefined ? 'has a "+" that is not escaped: send %2B' : undefined,
  }
}

/** Returns the time of a parameter, in milliseconds since 1970; `undefined` if it is missing or invalid. */
export function readTime(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  return text === null ? undefined : toTime(text)
}

export function assertInOrder(from: number, to: number): void {
  if (from >= to) throw new ApiError('invalid_request', 'from must be a time before "to".')
}

function toTime(text: string): number | undefined {
  const time = text.replace(bareOffset, '+')
  if (!/^\d{4}-\d\d-\d\d$/.test(time) && !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(time))
    return undefined
  try {
    return toTimestamp(time)
  } catch {
    return undefined
  }
}
