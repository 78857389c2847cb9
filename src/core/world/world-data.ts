import type { CollectionDefinition, RecordKey } from '../store/collection.ts'
import type { WorldMemory } from '../store/data-memory.ts'
import type { RecordDifference, RecordIndex } from '../store/record-index.ts'
import { CollectionStore, type RecordChange, type RecordsListener } from '../store/records.ts'
import type { SecretFinder } from '../store/secret-finder.ts'
import type { WorldOrigin } from './origin.ts'
import { awaitPending, findPending, type PendingWork } from './pending.ts'
import type { CoreWorld } from './world.ts'

/** The records of all collections at one time. */
export type SharedData = ReadonlyMap<string, RecordIndex<never>>

export class WorldData implements RecordsListener {
  readonly #world: CoreWorld
  readonly #origin: WorldOrigin
  readonly #memory: WorldMemory
  readonly #collections = new Map<string, CollectionStore<never>>()

  constructor(world: CoreWorld, origin: WorldOrigin, memory: WorldMemory) {
    this.#world = world
    this.#origin = origin
    this.#memory = memory
  }

  /** Returns the records of a collection; loads the fixtures on first use. */
  collection<T extends object>(definition: CollectionDefinition<T>): CollectionStore<T> {
    let records = this.#collections.get(definition.name) as CollectionStore<T> | undefined
    if (!records) {
      const seeds = this.#origin.seedOf(definition)
      records = new CollectionStore(seeds.definition, seeds, this.#memory, this)
      this.#collections.set(definition.name, records as never)
    }
    return records
  }

  get isObserved(): boolean {
    return this.#origin.changes.isObserved
  }

  written(collection: string, change: RecordChange, key?: RecordKey): void {
    this.#origin.changes.notify({ type: 'records', world: this.#world.name, collection, change, key })
  }

  /** Schedules the work of records that replaced all others. */
  replaced(name: string, index: RecordIndex<never>): void {
    this.#await(this.#pendingOf(name), index.all())
  }

  secretFinders(): SecretFinder[] {
    return [
      ...this.#origin.secretCollections.map((definition) => this.collection(definition).secretFinder()),
      this.#origin.tokens.finder,
    ]
  }

  /** Replaces all records of a collection, and schedules the work that follows from them. */
  put<T extends object>(definition: CollectionDefinition<T>, index: RecordIndex<T>): void {
    this.collection(definition).restore(index)
    this.replaced(definition.name, index as unknown as RecordIndex<never>)
    if (this.isObserved) this.written(definition.name, 'replaced')
  }

  /** Counts only the present records and those of the snapshots that are left. */
  recount(kept: readonly SharedData[]): void {
    for (const [name, records] of this.#collections)
      records.recount(new Set(kept.flatMap((shared) => shared.get(name) ?? [])))
  }

  share(): SharedData {
    return new Map(Array.from(this.#collections, ([name, records]) => [name, records.share()]))
  }

  restore(shared: SharedData): void {
    // This opens the collections that were not used since the reset.
    for (const index of shared.values()) this.collection(index.definition)
    for (const [name, records] of this.#collections)
      records.restore(shared.get(name) ?? this.#origin.seedOf(records.definition))
  }

  /** Yields the differences of a collection from an earlier state, in no particular order. */
  changesSince<T extends object>(
    former: SharedData,
    definition: CollectionDefinition<T>,
  ): Iterable<RecordDifference<T>> {
    const before = (former.get(definition.name) as RecordIndex<T> | undefined) ?? this.#origin.seedOf(definition)
    return this.collection(definition).changesSince(before)
  }

  /** Moves collections without writes to a new origin; returns those that stayed. */
  follow(formerSeedOf: WorldOrigin['seedOf']): CollectionDefinition<never>[] {
    const { seedOf } = this.#origin
    const stayed = [...this.#collections.values()]
      .filter((records) => !records.follow(formerSeedOf(records.definition), seedOf(records.definition)))
      .map((records) => records.definition)
    if (seedOf !== formerSeedOf) this.awaitSeeds()
    return stayed
  }

  /** Schedules the work of the starting records. */
  awaitSeeds(): void {
    awaitPending(this.#world, this.#origin.pendingSeeds())
  }

  /** Schedules the work of a record, unless it is due at the same time as before the write. */
  awaitRecord<T extends object>(
    { name }: CollectionDefinition<T>,
    record: Readonly<T>,
    before: Readonly<T> | undefined,
  ): void {
    const kinds = this.#pendingOf(name).filter(
      ({ dueAt }) => before === undefined || dueAt(before as never) !== dueAt(record as never),
    )
    this.#await(kinds, [record])
  }

  #pendingOf(name: string): PendingWork[] {
    return this.#origin.pending.filter(({ collection }) => collection.name === name)
  }

  #await(kinds: readonly PendingWork[], records: readonly object[]): void {
    awaitPending(
      this.#world,
      findPending(kinds, () => records),
    )
  }
}
