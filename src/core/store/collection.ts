import type * as z from 'zod/mini'

/** How fixture files write the records of a collection, where that is not how the store keeps them. */
export interface FixtureForm<F, T> {
  readonly schema: z.ZodMiniType<F>
  /** @param now when the service starts, in milliseconds since 1970. */
  toRecord(values: F, now: number): T
  /** The fields that it writes in another way, from a record; times of the store may stay as they are. @param now when the service starts. */
  fromRecord?(record: Readonly<T>, now: number): object
}

/** The key of a record. Integers beyond 2^53 are bigints. */
export type RecordKey = string | number | bigint

/** What a collection is: its name, the shape of its records, what names one, and whose it is. */
export interface CollectionDefinition<T extends object, F = T> {
  readonly name: string
  readonly fixture?: FixtureForm<F, T>
  readonly schema: z.ZodMiniType<T>
  /** What is unique of a record: its id, say. */
  readonly key: (record: T) => RecordKey
  /** The account that a record belongs to. */
  readonly owner?: (record: T) => string
  /** Fields that name a record of another collection, by the name of that collection. */
  readonly refers?: Readonly<Record<string, string>>
  /** What of a record nothing may show: a key, say. Records that have some are shown with its fingerprints. */
  readonly secrets?: (record: T) => readonly string[]
  /**
   * The collections whose writes come with writes to this one: of messages the conversations that they are parts of. Where a scenario has
   * records of its own in the place of those, it has its own of these too, so that nothing of what is pretended is stored.
   */
  readonly goesWith?: readonly string[]
  /** The id of what it is a part of: of a message its conversation. */
  readonly parent?: (record: T) => string
  /** Makes up a record of an account; the same `place` gives the same one. @param now in milliseconds since 1970. */
  readonly sample?: (place: number, account: string, now: number) => T
}

/** Declares a collection. */
export function defineCollection<T extends object, F = T>(
  definition: CollectionDefinition<T, F>,
): CollectionDefinition<T> {
  return definition as CollectionDefinition<T, never>
}
