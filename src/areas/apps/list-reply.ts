import * as z from 'zod/mini'
import { toJson } from '../../core/http/json.ts'
import type { Outcome } from '../../core/http/reply.ts'
import type { Endpoint, Exchange, Input } from '../../core/pipeline/exchange.ts'
import { type Listing, paginate } from '../../core/pipeline/query.ts'
import { appAssumptions } from './assumptions.ts'

type Listed<T> = Pick<Listing<T>, 'records' | 'matches'> & { readonly present: (record: Readonly<T>) => unknown }

/**
 * Returns the reply to a list: the requested page, in the shape of `apps.list.shape`. Without a filter, the reply is
 * cached until the records change, so `present` must depend only on the record.
 */
export function listReply<T>(exchange: Exchange, input: Input<unknown>, listed: Listed<T>): Outcome {
  if (listed.matches) return pageReply(exchange, input, listed)
  const shape = exchange.assume(appAssumptions, 'apps.list.shape')
  const parameters = ['limit', 'cursor', 'order'].map((name) => input.query.get(name))
  return exchange.world.replies.get(listed.records, JSON.stringify([shape, ...parameters]), () => {
    const outcome = pageReply(exchange, input, listed)
    return { ...outcome, text: toJson(outcome.body) }
  })
}

/** Returns the reply to a list without caching, for items that depend on more than the record. */
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
