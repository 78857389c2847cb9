import * as z from 'zod/mini'
import { ApiError } from '../../core/contract/errors.ts'
import { toJson } from '../../core/http/json.ts'
import type { Outcome } from '../../core/http/reply.ts'
import type { Area } from '../../core/pipeline/area.ts'
import {
  type AuthenticatedExchange,
  declareOperation,
  type Input,
  type Operation,
  type OperationDeclaration,
} from '../../core/pipeline/operation.ts'
import { explainNotFound } from '../../core/pipeline/explain-not-found.ts'
import {
  type Listing,
  type ListParameters,
  listQuery,
  paginate,
  type QueryParameters,
} from '../../core/pipeline/list-query.ts'
import type { CollectionDefinition } from '../../core/store/collection.ts'
import { quote } from '../../core/text/messages.ts'
import { newId } from '../../core/time/random.ts'
import { created, createdStatus, deletedStatus } from './assumptions.ts'
import type { Texts } from '../../core/text/values.ts'

/**
 * One resource of Area B, declared in the `index.ts` of its folder. The area combines all
 * resources.
 */
export interface Resource
  extends
    Pick<Area, 'operations' | 'lifecycles' | 'pending'>,
    Partial<Pick<Area, 'collections' | 'schemas' | 'eventSchemas'>> {}

export function defineResource<const T extends Resource>(resource: T): T {
  return resource
}

/** The prefixes of ids, by the parameter of a path that names such a record. */
export const idPrefixes = {
  app_id: 'app',
  user_id: 'usr',
  conversation_id: 'conv',
  message_id: 'msg',
  webhook_id: 'wh',
  delivery_id: 'del',
  deployment_id: 'dep',
  purchase_id: 'pur',
} as const

type Noun = keyof typeof idPrefixes extends `${infer Name}_id` ? Name : never

interface StoredRecord {
  readonly id: string
}

/** How replies carry a record: by one of these. */
interface Presented<T> {
  /**
   * Depends only on the record, because a list without a filter is cached until the records change.
   */
  present?(record: Readonly<T>): unknown
  /**
   * Returns another `present` where a record does not say everything. Then a list is not cached.
   */
  presenterFor?(exchange: AuthenticatedExchange): (record: Readonly<T>) => unknown
}

/** One kind of record: what the operations on it share. */
export interface Kind<T extends StoredRecord> extends Presented<T> {
  /** `app`: the parameter `app_id` of a path names one. */
  readonly noun: Noun
  readonly collection: CollectionDefinition<T>
  /**
   * The kind of the record that the path names before it. Without it, the record belongs to the
   * account alone.
   */
  readonly parent?: KindPlace<StoredRecord>
  /** The path of its list, if that is not the collection's name below the parent. */
  readonly path?: string
  /** The record as replies carry it. */
  readonly schema: z.ZodMiniType
}

type KindPlace<T extends StoredRecord> = Pick<Kind<T>, 'noun' | 'collection' | 'parent' | 'path'>

function listPath<T extends StoredRecord>({
  parent,
  collection,
  path = `/${collection.name}`,
}: KindPlace<T>): string {
  return parent ? recordPath(parent) + path : path
}

function recordPath<T extends StoredRecord>(kind: KindPlace<T>): string {
  return `${listPath(kind)}/{${kind.noun}_id}`
}

/**
 * Returns the caller's record that a path names.
 * @param given the record that the path names before it, if it was looked up already
 * @throws ApiError 404
 */
export function recordOfPath<T extends StoredRecord>(
  exchange: AuthenticatedExchange,
  kind: KindPlace<T>,
  params: Params,
  given?: StoredRecord,
): Readonly<T> {
  const { noun, collection } = kind
  const parent = given ?? (kind.parent && recordOfPath(exchange, kind.parent, params))
  const id = params[`${noun}_id`] ?? ''
  const record = exchange.collection(collection).get(id)
  const belongsTo = parent ? collection.parent : collection.owner
  const home = parent ?? exchange.caller.account
  if (record && belongsTo?.(record) === home.id) return record
  const notFound = kind.parent ? `The ${kind.parent.noun} has no` : 'There is no'
  throw new ApiError('not_found', `${notFound} ${noun} with the id ${quote(id)}.`).because(
    explainNotFound(exchange, collection, id, parent?.id),
  )
}

export function insertRecord<
  T extends StoredRecord & {
    readonly account: string
    readonly created_at: number
  },
>(
  exchange: AuthenticatedExchange,
  { noun, collection }: Kind<T>,
  fields: Omit<T, 'id' | 'account' | 'created_at'>,
): Readonly<T> {
  const stored = exchange.collection(collection)
  const id = newId(stored, exchange.world.random(noun), idPrefixes[`${noun}_id`])
  return stored.insert({
    id,
    account: exchange.caller.account.id,
    ...fields,
    created_at: exchange.now,
  } as T)
}

type Params = Texts

type MethodDeclaration<Body = unknown> = Omit<
  OperationDeclaration<Body>,
  'method' | 'statuses' | 'handle'
>

export function declareGet({
  read,
  ...described
}: MethodDeclaration & {
  read(exchange: AuthenticatedExchange, params: Params): unknown
}): Operation {
  return declareOperation({
    ...described,
    method: 'GET',
    handle: (exchange, { params }) => ({
      status: 200,
      body: read(exchange, params),
    }),
  })
}

/** Declares an operation that creates a record. `create` returns the reply's body. */
export function declareCreate<Body>({
  create,
  ...described
}: MethodDeclaration<Body> & {
  create(exchange: AuthenticatedExchange, input: Input<Body>): unknown
}): Operation {
  return declareOperation({
    ...described,
    method: 'POST',
    statuses: created,
    handle(exchange, input) {
      const body = create(exchange, input)
      return {
        status: createdStatus(exchange),
        body,
      }
    },
  })
}

export function declareGetRecord<T extends StoredRecord>(
  kind: Kind<T>,
  described: Omit<MethodDeclaration, 'result' | 'path'>,
): Operation {
  return declareGet({
    ...described,
    path: recordPath(kind),
    result: kind.schema,
    read: (exchange, params) => presenterOf(exchange, kind)(recordOfPath(exchange, kind, params)),
  })
}

function presenterOf<T>(
  exchange: AuthenticatedExchange,
  { present, presenterFor }: Presented<T>,
): (record: Readonly<T>) => unknown {
  return presenterFor?.(exchange) ?? present!
}

/** Declares an operation that deletes a record. `deleted` deletes what belongs to it. */
export function declareDeleteRecord<T extends StoredRecord>(
  kind: Kind<T>,
  {
    deleted,
    ...described
  }: Omit<MethodDeclaration, 'path'> & {
    deleted?(exchange: AuthenticatedExchange, record: Readonly<T>): void
  },
): Operation {
  return declareOperation({
    ...described,
    path: recordPath(kind),
    method: 'DELETE',
    statuses: (assume) => [deletedStatus({ assume })],
    handle(exchange, { params }) {
      const record = recordOfPath(exchange, kind, params)
      exchange.collection(kind.collection).delete(record.id)
      deleted?.(exchange, record)
      return { status: deletedStatus(exchange) }
    },
  })
}

type Filter<T> = Listing<T>['matches']

interface DescribedList<T> extends Omit<MethodDeclaration, 'query' | 'result' | 'resultUnder'> {
  readonly item: z.ZodMiniType
  /** The query parameters, apart from those of every list. */
  readonly filters?: QueryParameters
  records(exchange: AuthenticatedExchange, params: Params): Listing<T>['records']
  matches?(query: URLSearchParams): Filter<T>
  readonly shown: Presented<T>
}

/**
 * Declares the list of the caller's records of a kind, or of those that belong to the record that
 * the path names.
 */
export function declareListRecords<T extends StoredRecord>(
  kind: Kind<T>,
  described: Omit<DescribedList<T>, 'path' | 'item' | 'records' | 'shown'>,
): Operation {
  const { parent, collection, schema } = kind
  return declareList({
    ...described,
    path: listPath(kind),
    item: schema,
    records(exchange, params) {
      const stored = exchange.collection(collection)
      if (!parent) return stored.ownedBy(exchange.caller.account.id)
      return stored.childrenOf(recordOfPath(exchange, parent, params).id)
    },
    shown: kind,
  })
}

export function declareList<T>({
  item,
  filters,
  records: find,
  matches: toFilter,
  shown,
  ...described
}: DescribedList<T>): Operation {
  const result = listSchema(item)
  const query = listQuery(filters)
  return declareOperation({
    ...described,
    method: 'GET',
    query,
    result,
    resultUnder: (assume) => {
      if (assume('apps.list.shape') === 'array') return z.array(item)
      return result
    },
    handle(exchange, input) {
      const records = find(exchange, input.params)
      const matches = toFilter?.(input.query)
      const present = presenterOf(exchange, shown)
      const listed = {
        records,
        matches,
        present,
        query,
      }
      if (matches || present !== shown.present) return pageReply(exchange, input, listed)
      return cachedReply(exchange, input, listed)
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
    if (wanted === null) return undefined
    return (record) => record[field] === wanted
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

interface Listed<T> {
  readonly records: Listing<T>['records']
  readonly matches: Filter<T>
  /** The parameters of the list. */
  readonly query: ListParameters
  present(record: Readonly<T>): unknown
}

function cachedReply<T>(
  exchange: AuthenticatedExchange,
  input: Input<unknown>,
  listed: Listed<T>,
): Outcome {
  const shape = exchange.assume('apps.list.shape')
  const parameters = ['limit', 'cursor', 'order'].map((name) => input.query.get(name))
  return exchange.world.template.replies.get(
    listed.records.version,
    JSON.stringify([shape, ...parameters]),
    () => {
      const outcome = pageReply(exchange, input, listed)
      return {
        ...outcome,
        text: toJson(outcome.body),
      }
    },
  )
}

function pageReply<T>(
  exchange: AuthenticatedExchange,
  { params, query }: Input<unknown>,
  { records, matches, present, query: known }: Listed<T>,
): Outcome {
  const { operation, caller } = exchange
  const name = JSON.stringify([operation.id, caller.account.id, ...Object.values(params)])
  const page = paginate(
    {
      name,
      records,
      matches,
    },
    query,
    known,
  )
  const data = page.records.map((record) => present(record))
  if (exchange.assume('apps.list.shape') === 'array')
    return {
      status: 200,
      body: data,
    }
  return {
    status: 200,
    body: {
      data,
      has_more: page.hasMore,
      next_cursor: page.nextCursor,
    },
  }
}
