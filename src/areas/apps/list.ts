import type { Exchange } from '../../core/exchange.ts'
import { toJson } from '../../core/json.ts'
import type { Outcome } from '../../core/operation.ts'
import { paginate } from '../../core/pagination.ts'
import type { Timeline } from '../../core/timeline.ts'
import { appAssumptions } from './assumptions.ts'

/** The reply to a list of Area B: the page that the query asks for, in the shape that `apps.list.shape` names. */
export function listReply<T>(exchange: Exchange, records: Timeline<T>, query: URLSearchParams, present: (record: Readonly<T>) => unknown): Outcome {
  const shape = exchange.assume(appAssumptions, 'apps.list.shape')
  return records.derived(JSON.stringify([shape, query.get('limit'), query.get('cursor')]), () => {
    const page = paginate(records, query)
    const data = page.records.map(present)
    const body = shape === 'array' ? data : { data, has_more: page.hasMore, next_cursor: page.nextCursor }
    return { status: 200, body, text: toJson(body) }
  })
}
