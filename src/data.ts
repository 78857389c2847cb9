import { Query as MswQuery } from '@msw/data'

/**
 * A condition on fields. A scalar matches its value, or a function that tests it. An object, or a
 * list of objects, matches a nested condition.
 */
export type QueryCondition<T> = {
  readonly [Name in keyof T]?: FieldQuery<Exclude<T[Name], undefined>>
}

type FieldQuery<V> = [NonNullable<V>] extends [readonly (infer Item)[]]
  ? (Item extends object ? QueryCondition<Item> : never) | Extract<V, null>
  : [NonNullable<V>] extends [object]
    ? QueryCondition<NonNullable<V>> | Extract<V, null>
    : V | ((value: V) => unknown)

/** A part of a query: a condition on fields, or a function. */
export type QueryPart<T> = QueryCondition<T> | ((record: T) => unknown)

/**
 * A query of `@msw/data`, for `world.records.<collection>.find(…)`. Every call returns a new query.
 * @example
 * const query = new Query<Plant>().where({ account: 'acct_pro' }).and({ name: (name) => name.startsWith('F') })
 * world.records.plants.find(query, { orderBy: { name: 'asc' }, take: 3 })
 */
export interface Query<T> {
  /** Returns whether the query matches a record. */
  test(record: T): boolean
  where(condition: QueryPart<T>): Query<T>
  /** Matches records that match this query and all of these. */
  and(...conditions: (Query<T> | QueryPart<T>)[]): Query<T>
  /** Matches records that match this query or one of these. */
  or(...conditions: (Query<T> | QueryPart<T>)[]): Query<T>
}

/** Creates a query: `new Query<Plant>().where({ tag: 'tree' })`. */
export const Query: new <T>(predicate?: (record: T) => unknown) => Query<T> = MswQuery as never
