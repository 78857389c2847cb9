import type * as z from 'zod/mini'
import type { Texts } from '../text/values.ts'

type FieldSchemas = Readonly<Record<string, z.ZodMiniType>>

type WithFields<T, F extends FieldSchemas> = Omit<T, keyof F> & {
  readonly [Name in keyof F]: z.output<F[Name]>
}

/**
 * How fixtures write a record, where that differs from the store. A delivery of a fixture has
 * times as text (`3d ago`) and the `data` of its event; a stored one has milliseconds since 1970
 * and the `payload` that is sent, which follows from the data.
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
  /** Returns the fields in which the fixture of a stored record differs from it. */
  fromRecord?(record: Readonly<T>, now: number): object
  /** Returns a field that its author must write in another way, and why. */
  findMistake?(values: WithFields<T, F>): readonly [field: string, message: string] | undefined
}

/** The key of a record. Integers beyond 2^53 are bigints. */
export type RecordKey = string | number | bigint

export function isRecordKey(value: unknown): value is RecordKey {
  return ['string', 'number', 'bigint'].includes(typeof value)
}

/** The description of a kind of records for the store, fixtures and scenarios. */
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
  /** The fields that hold a key of another record, with its collection: `{ plan: 'plans' }`. */
  readonly refers?: Texts
  /** The secrets in a record, which nothing may show. */
  secrets?(record: T): readonly string[]
  /**
   * The collections whose records are written together with this one's. If a scenario replaces one
   * of them, it replaces this one too, so that the world stores no write.
   */
  readonly writtenWith?: readonly string[]
  /** The key of the record whose list has this one, such as the webhook of a delivery. */
  parent?(record: T): string
  /**
   * Records that always exist. A fixture that replaces one of them may leave out fields; a new
   * record takes the fields that it lacks from the first.
   */
  readonly defaults?: readonly T[]
  /** Makes the record number `index` for fixtures and scenarios that generate many. */
  sample?(index: number, account: string, now: number): T
}

export type AnyCollection = CollectionDefinition<object>

export function declareCollection<T extends object, F extends FieldSchemas = Record<never, never>>(
  definition: CollectionDefinition<T, F>,
): CollectionDefinition<T> {
  // The type forgets the fields of `fixture`: only the reader of fixtures calls its functions, with
  // values that it has read by these very fields.
  return definition as object as CollectionDefinition<T>
}

/**
 * Returns the records and the defaults whose keys they lack. Records with the keys of defaults come
 * first.
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
    ...records.filter((record) => !defaultKeys.has(key(record))),
  ]
}
