import type { Exchange } from '../../core/exchange.ts'
import { toJson } from '../../core/json.ts'
import type { Outcome } from '../../core/operation.ts'
import { paginate } from '../../core/pagination.ts'
import type { Timeline } from '../../core/timeline.ts'
import { appAssumptions } from './assumptions.ts'

/**
 * The reply to a list of Area B: the page that the query asks for, in the shape that `apps.list.shape` names. It is kept
 * until the records change, so what `present` shows must depend on the record alone.
 */
export function listReply<T>(exchange: Exchange, records: Timeline<T>, query: URLSearchParams, present: (record: Readonly<T>) => unknown): Outcome {
  const shape = exchange.assume(appAssumptions, 'apps.list.shape')
  return exchange.world.replies.get(records, JSON.stringify([shape, query.get('limit'), query.get('cursor')]), () => {
    const outcome = pageReply(exchange, records, query, present)
    return { ...outcome, text: toJson(outcome.body) }
  })
}

/** The same where what is shown of a record depends on more than the record. */
export function pageReply<T>(exchange: Exchange, records: Timeline<T>, query: URLSearchParams, present: (record: Readonly<T>) => unknown): Outcome {
  const page = paginate(records, query)
  const data = page.records.map(present)
  const isBare = exchange.assume(appAssumptions, 'apps.list.shape') === 'array'
  return { status: 200, body: isBare ? data : { data, has_more: page.hasMore, next_cursor: page.nextCursor } }
}
