import type * as z from 'zod/mini'

interface FixtureForm<F, T> {
  readonly schema: z.ZodMiniType<F>
  /** @param now when the service starts, in milliseconds since 1970. */
  toRecord(values: F, now: number): T
  /** Returns the fields that differ in this form; stored times may stay as they are. */
  fromRecord?(record: Readonly<T>, now: number): object
}

/** The key of a record. Integers beyond 2^53 are bigints. */
export type RecordKey = string | number | bigint

export function isRecordKey(value: unknown): value is RecordKey {
  return ['string', 'number', 'bigint'].includes(typeof value)
}

export interface CollectionDefinition<T extends object, F = T> {
  readonly name: string
  /** Whether a user defined it, or added names that its schema lists, such as scopes. */
  readonly isOwn?: boolean
  readonly fixture?: FixtureForm<F, T>
  readonly schema: z.ZodMiniType<T>
  key(record: T): RecordKey
  owner?(record: T): string | undefined
  readonly refers?: Readonly<Record<string, string>>
  secrets?(record: T): readonly string[]
  /** If a scenario replaces one of these collections, it replaces this one too, so that no write is stored. */
  readonly writtenWith?: readonly string[]
  parent?(record: T): string
  /** Records that always exist. A fixture that replaces one may leave out fields; a new one takes the first's. */
  readonly defaults?: readonly T[]
  /** Returns a generated record of an account; the same `index` always gives the same record. @param now in milliseconds since 1970. */
  sample?(index: number, account: string, now: number): T
}

export type AnyCollection = CollectionDefinition<object>

export function declareCollection<T extends object, F = T>(
  definition: CollectionDefinition<T, F>,
): CollectionDefinition<T> {
  return definition as CollectionDefinition<T, never>
}

/** Returns the records, completed by the defaults whose keys they lack. Those with the keys of defaults come first. */
export function withDefaults<T extends object>(
  { key, defaults }: CollectionDefinition<T>,
  records: readonly T[],
): readonly T[] {
  if (!defaults) return records
  const byKey = new Map(records.map((record) => [key(record), record]))
  const names = new Set(defaults.map(key))
  return [
    ...defaults.map((record) => byKey.get(key(record)) ?? record),
    ...records.filter((one) => !names.has(key(one))),
  ]
}
