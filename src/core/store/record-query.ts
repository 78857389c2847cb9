import { codedError } from '../text/error-codes.ts'
import { toTest } from '../contract/expected.ts'
import { checkOptions, object, type SchemasOf, wholeNumber } from './options.ts'
import { describeProblem, quote } from '../text/messages.ts'

/** A value, a function that tests the value, or, for an object, a condition on its fields. */
type FieldCondition<V> =
  | V
  | ((value: V) => unknown)
  | (NonNullable<V> extends readonly unknown[]
      ? never
      : NonNullable<V> extends object
        ? Condition<NonNullable<V>>
        : never)

/** A condition on fields: `{ account: 'acct_pro', name: (name) => name.startsWith('F') }`. */
export type Condition<T> = { readonly [Name in keyof T]?: FieldCondition<T[Name]> | undefined }

/** An object that tests records, such as a `Query` of `greenhouse-mock/data`. */
export interface RecordTest<T> {
  test(record: T): boolean
}

/** Selects records: a condition on fields, a function, or a query. */
export type Matches<T> = Condition<T> | ((record: Readonly<T>) => unknown) | RecordTest<T>

/** The order of the result, and which part of it to return. */
export interface FindOptions<T> {
  /** Fields to sort by, in this order. By default, records are in the order of creation. */
  readonly orderBy?: { readonly [Name in keyof T]?: 'asc' | 'desc' } | undefined
  /** The largest number of records to return. */
  readonly take?: number | undefined
  /** How many records to skip at the start. */
  readonly skip?: number | undefined
}

/** Returns a function that tests records. Throws if the condition names an unknown field. */
export function toPredicate<T extends object>(
  matches: Matches<T>,
  collection: string,
  fields: readonly string[],
): (record: Readonly<T>) => boolean {
  if (typeof matches === 'function') return (record) => Boolean(matches(record))
  if (typeof matches !== 'object' || matches === null)
    throw codedError(
      'GREENHOUSE_INVALID_ARGUMENT',
      `Failed to find records of "${collection}": expected a condition such as { name: 'Ficus' }, a function or a query.`,
    )
  const query = matches as RecordTest<T>
  if (typeof query.test === 'function') return (record) => Boolean(query.test(record))
  for (const field of Object.keys(matches)) assertField(field, collection, fields)
  return toTest(matches)
}

const naturalNumber = wholeNumber('a whole number, 0 or more', 0, Infinity)

const findOptionSchemas: SchemasOf<FindOptions<object>> = {
  orderBy: object('an object of fields, such as { name: "asc" }'),
  take: naturalNumber,
  skip: naturalNumber,
}

/** Checks the options of a search, and brings what it found into their order and range. */
export function sortAndSlice<T extends object>(
  found: Readonly<T>[],
  options: FindOptions<T>,
  collection: string,
  fields: readonly string[],
): Readonly<T>[] {
  checkOptions('find', options, findOptionSchemas)
  const { orderBy, take = Infinity, skip = 0 } = options
  let sorted = found
  if (orderBy) {
    const criteria = Object.entries(orderBy) as [keyof T & string, 'asc' | 'desc'][]
    for (const [field, direction] of criteria) {
      assertField(field, collection, fields)
      if (direction !== 'asc' && direction !== 'desc')
        throw codedError(
          'GREENHOUSE_INVALID_VALUE',
          `Failed to find records of "${collection}": orderBy.${field} takes "asc" or "desc".`,
        )
    }
    sorted = found.toSorted((one, other) => compare(one, other, criteria))
  }
  return sorted.slice(skip, skip + take)
}

function assertField(field: string, collection: string, fields: readonly string[]): void {
  if (!fields.includes(field))
    throw codedError(
      'GREENHOUSE_INVALID_ARGUMENT',
      describeProblem(
        `Failed to find records of "${collection}": they have no field ${quote(field)}`,
        field,
        fields,
      ),
    )
}

/** Compares two records for sorting. A missing value is less than any other. */
function compare<T extends object>(
  one: Readonly<T>,
  other: Readonly<T>,
  criteria: readonly [keyof T, 'asc' | 'desc'][],
): number {
  for (const [field, direction] of criteria) {
    const [left, right] = [one[field], other[field]]
    if (left === right) continue
    const isLess = left === undefined || left === null || (right !== null && left < right!)
    const isFirst = direction === 'asc' ? isLess : !isLess
    return isFirst ? -1 : 1
  }
  return 0
}
