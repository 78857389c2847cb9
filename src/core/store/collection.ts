import type * as z from 'zod/mini'

type FieldSchemas = Readonly<Record<string, z.ZodMiniType>>

type WithFields<T, F extends FieldSchemas> = Omit<T, keyof F> & {
  readonly [Name in keyof F]: z.output<F[Name]>
}

/**
 * How fixtures write a record, where that differs from the store: with times as text, and without
 * what follows from the rest.
 */
interface FixtureForm<T, F extends FieldSchemas> {
  /**
   * The fields that differ: those that fixtures may leave out, write in another way, or have in
   * addition.
   */
  readonly fields?: F
  /**
   * Returns what follows for fields that are left out. @param now when the service starts, in
   * milliseconds since 1970.
   */
  derive?(values: WithFields<T, F>, now: number): object
  fromRecord?(record: Readonly<T>, now: number): object
  /** Returns a field that people must write in another way, and why. */
  findMistake?(values: WithFields<T, F>): readonly [field: string, message: string] | undefined
}

/** The key of a record. Integers beyond 2^53 are bigints. */
export type RecordKey = string | number | bigint

export function isRecordKey(value: unknown): value is RecordKey {
  return ['string', 'number', 'bigint'].includes(typeof value)
}

export interface CollectionDefinition<
  T extends object,
  F extends FieldSchemas = Record<never, never>,
> {
  readonly name: string
  /** True if a user defined it, or added names that its schema lists, such as scopes. */
  readonly isOwn?: boolean
  readonly fixture?: FixtureForm<T, F>
  readonly schema: z.ZodMiniType<T>
  key(record: T): RecordKey
  /** The id of the account that a record belongs to. */
  owner?(record: T): string | undefined
  /** The collection that a field names a record of, by field: `{ account: 'accounts' }`. */
  readonly refers?: Readonly<Record<string, string>>
  /** The secrets in a record, which nothing may show. */
  secrets?(record: T): readonly string[]
  /**
   * If a scenario replaces one of these collections, it replaces this one too, so that no write is
   * stored.
   */
  readonly writtenWith?: readonly string[]
  /** The key of the record that it is listed with, such as the webhook of a delivery. */
  parent?(record: T): string
  /**
   * Records that always exist. A fixture that replaces one may leave out fields; a new record takes
   * those that it lacks from the first of them.
   */
  readonly defaults?: readonly T[]
  /** Makes a record for a fixture that generates them. */
  sample?(index: number, account: string, now: number): T
}

export type AnyCollection = CollectionDefinition<object>

export function declareCollection<T extends object, F extends FieldSchemas = Record<never, never>>(
  definition: CollectionDefinition<T, F>,
): CollectionDefinition<T> {
  // Only fixtures need to know the form `F`.
  return definition as object as CollectionDefinition<T>
}

/**
 * Returns the records, completed by the defaults whose keys they lack. Those with the keys of
 * defaults come first.
 */
export function withDefaults<T extends object>(
  { key, defaults }: CollectionDefinition<T>,
  records: readonly T[],
): readonly T[] {
  if (!defaults) return records
  const byKey = new Map(records.map((record) => [key(record), record]))
  const defaultKeys = new Set(defaults.map(key))
  return [
    ...defaults.map((record) => byKey.get(key(record)) ?? record),
    ...records.filter((one) => !defaultKeys.has(key(one))),
  ]
}
