import * as z from 'zod/mini'
import { toJson } from '../../core/http/json.ts'
import type { Outcome } from '../../core/http/reply.ts'
import type { Exchange, Input } from '../../core/pipeline/exchange.ts'
import { declareOperation, type Operation, type OperationDeclaration } from '../../core/pipeline/operation.ts'
import { type Listing, listQuery, paginate, type QueryParameters } from '../../core/pipeline/query.ts'
import { appAssumptions, created, createdStatus, deletedStatus } from './assumptions.ts'

type Params = Readonly<Record<string, string>>

type Described<Body = unknown> = Omit<OperationDeclaration<Body>, 'method' | 'statuses' | 'handle'>

export function declareGet({
  read,
  ...described
}: Described & { read(exchange: Exchange, params: Params): unknown }): Operation {
  return declareOperation({
    ...described,
    method: 'GET',
    handle: (exchange, { params }) => ({ status: 200, body: read(exchange, params) }),
  })
}

/** Declares an operation that creates a record. `create` returns the reply's body. */
export function declareCreate<Body>({
  create,
  ...described
}: Described<Body> & { create(exchange: Exchange, input: Input<Body>): unknown }): Operation {
  return declareOperation({
    ...described,
    method: 'POST',
    statuses: created,
    handle(exchange, input) {
      const body = create(exchange, input)
      return { status: createdStatus(exchange), body }
    },
  })
}

/** Declares an operation that deletes a record, with what belongs to it. */
export function declareDelete({
  remove,
  ...described
}: Described & { remove(exchange: Exchange, params: Params): void }): Operation {
  return declareOperation({
    ...described,
    method: 'DELETE',
    statuses: (assume) => [deletedStatus({ assume })],
    handle(exchange, { params }) {
      remove(exchange, params)
      return { status: deletedStatus(exchange) }
    },
  })
}

type Filter<T> = Listing<T>['matches']

interface DescribedList<T> extends Omit<Described, 'query' | 'result' | 'resultUnder'> {
  readonly item: z.ZodMiniType
  /** The query parameters, apart from those of every list. */
  readonly filters?: QueryParameters
  records(exchange: Exchange, params: Params): Listing<T>['records']
  matches?(query: URLSearchParams): Filter<T>
  /** Depends only on the record, because a list without a filter is cached until the records change. */
  readonly present?: (record: Readonly<T>) => unknown
  /** Returns another `present` where a record does not say everything. Then the list is not cached. */
  presenterFor?(exchange: Exchange): (record: Readonly<T>) => unknown
}

export function declareList<T>({
  item,
  filters,
  records: find,
  matches: toFilter,
  present: shared,
  presenterFor,
  ...described
}: DescribedList<T>): Operation {
  const result = listSchema(item)
  return declareOperation({
    ...described,
    method: 'GET',
    query: listQuery(filters),
    result,
    resultUnder: (assume) => (assume(appAssumptions, 'apps.list.shape') === 'array' ? z.array(item) : result),
    handle(exchange, input) {
      const records = find(exchange, input.params)
      const matches = toFilter?.(input.query)
      const present = presenterFor?.(exchange) ?? shared!
      const listed = { records, matches, present }
      return matches || present !== shared ? pageReply(exchange, input, listed) : cachedReply(exchange, input, listed)
    },
  })
}

/** Returns the filter of a query parameter that asks for a value of a field. */
export function fieldFilter<T>(
  parameter: string,
  field: keyof T = parameter as keyof T,
): (query: URLSearchParams) => Filter<T> {
  return (query) => {
    const wanted = query.get(parameter)
    return wanted === null ? undefined : (record) => record[field] === wanted
  }
}

export function listSchema<T extends z.ZodMiniType>(item: T) {
  return z.object({
    data: z.array(item),
    has_more: z.boolean(),
    /** The query parameter `cursor` of the next page; `null` on the last page. */
    next_cursor: z.nullable(z.string()),
  })
}

type Listed<T> = Pick<Listing<T>, 'records' | 'matches'> & { readonly present: (record: Readonly<T>) => unknown }

function cachedReply<T>(exchange: Exchange, input: Input<unknown>, listed: Listed<T>): Outcome {
  const shape = exchange.assume(appAssumptions, 'apps.list.shape')
  const parameters = ['limit', 'cursor', 'order'].map((name) => input.query.get(name))
  return exchange.world.replies.get(listed.records, JSON.stringify([shape, ...parameters]), () => {
    const outcome = pageReply(exchange, input, listed)
    return { ...outcome, text: toJson(outcome.body) }
  })
}

function pageReply<T>(
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
