import type { Exchange } from '../../core/exchange.ts'
import type { Outcome } from '../../core/operation.ts'
import { paginate } from '../../core/pagination.ts'
import type { Entry } from '../../core/record-index.ts'
import { appAssumptions } from './assumptions.ts'

/** The reply to a list of Area B: the page that the query asks for, in the shape that `apps.list.shape` names. */
export function listReply<T>(exchange: Exchange, entries: readonly Entry<T>[], query: URLSearchParams, present: (record: Readonly<T>) => unknown): Outcome {
  const { records, hasMore, nextCursor } = paginate(entries, query)
  const data = records.map(present)
  const bare = exchange.assume(appAssumptions, 'apps.list.shape') === 'array'
  return { status: 200, body: bare ? data : { data, has_more: hasMore, next_cursor: nextCursor } }
}
