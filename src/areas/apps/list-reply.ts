import type { Exchange } from '../../core/pipeline/exchange.ts'
import { toJson } from '../../core/http/json.ts'
import type { Input } from '../../core/pipeline/endpoint.ts'
import type { Outcome } from '../../core/http/outcome.ts'
import { paginate, type Listing } from '../../core/pipeline/pagination.ts'
import { appAssumptions } from './assumptions.ts'

/** The records of a list, and how one of them is shown. */
export type Listed<T> = Pick<Listing<T>, 'records' | 'matches'> & { readonly present: (record: Readonly<T>) => unknown }

/**
 * The reply to a list of Area B: the page that the query asks for, in the shape that `apps.list.shape` names. Where all
 * records are listed it is kept until they change, so what `present` shows must depend on the record alone.
 */
export function listReply<T>(exchange: Exchange, input: Input<unknown>, listed: Listed<T>): Outcome {
  if (listed.matches) return pageReply(exchange, input, listed)
  const shape = exchange.assume(appAssumptions, 'apps.list.shape')
  const asked = ['limit', 'cursor', 'order'].map((name) => input.query.get(name))
  return exchange.world.replies.get(listed.records, JSON.stringify([shape, ...asked]), () => {
    const outcome = pageReply(exchange, input, listed)
    return { ...outcome, text: toJson(outcome.body) }
  })
}

/** The same where what is shown of a record depends on more than the record. */
export function pageReply<T>(
  exchange: Exchange,
  { params, query }: Input<unknown>,
  { records, matches, present }: Listed<T>,
): Outcome {
  const { id, query: known } = exchange.operation!
  const name = JSON.stringify([id, exchange.caller!.account.id, ...Object.values(params)])
  const page = paginate({ name, records, matches }, query, known!)
  const data = page.records.map(present)
  const isBare = exchange.assume(appAssumptions, 'apps.list.shape') === 'array'
  return { status: 200, body: isBare ? data : { data, has_more: page.hasMore, next_cursor: page.nextCursor } }
}
