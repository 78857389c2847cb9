import type { CollectionDefinition, RecordKey } from '../store/collection.ts'
import type { WorldMemory } from '../store/data-memory.ts'
import type { RecordDifference, RecordIndex } from '../store/record-index.ts'
import { CollectionStore, type RecordChange, type RecordsListener } from '../store/records.ts'
import type { SecretFinder } from '../secrets/secret-finder.ts'
import type { WorldTemplate } from './world-template.ts'
import { awaitPending, findPending, type PendingWork } from './pending.ts'
import type { CoreWorld } from './world.ts'

export interface SavedData {
  /** The records of the collections that were used, by name. */
  readonly indexes: ReadonlyMap<string, RecordIndex<never>>
  readonly initialRecordsOf: WorldTemplate['initialRecordsOf']
}

export class WorldData implements RecordsListener {
  readonly #world: CoreWorld
  readonly #template: WorldTemplate
  readonly #memory: WorldMemory
  readonly #collections = new Map<string, CollectionStore<never>>()

  constructor(world: CoreWorld, template: WorldTemplate, memory: WorldMemory) {
    this.#world = world
    this.#template = template
    this.#memory = memory
  }

  collection<T extends object>(definition: CollectionDefinition<T>): CollectionStore<T> {
    let records = this.#collections.get(definition.name) as CollectionStore<T> | undefined
    if (!records) {
      const initialRecords = this.#template.initialRecordsOf(definition)
      records = new CollectionStore(initialRecords, this.#memory, this)
      this.#collections.set(definition.name, records as never)
    }
    return records
  }

  get isObserved(): boolean {
    return this.#template.changes.isObserved
  }

  written(collection: string, change: RecordChange, key?: RecordKey): void {
    this.#template.changes.notify({ type: 'records', world: this.#world.name, collection, change, key })
  }

  replaced(name: string, index: RecordIndex<never>): void {
    this.#await(this.#pendingOf(name), index.all())
  }

  secretFinders(): SecretFinder[] {
    return [
      ...this.#template.secretCollections.map((definition) => this.collection(definition).secretFinder()),
      this.#template.tokens.finder,
    ]
  }

  put<T extends object>(definition: CollectionDefinition<T>, index: RecordIndex<T>): void {
    this.collection(definition).adopt(index)
    this.replaced(definition.name, index as unknown as RecordIndex<never>)
    if (this.isObserved) this.written(definition.name, 'replaced')
  }

  recount(kept: readonly SavedData[]): void {
    for (const [name, records] of this.#collections)
      records.recount(new Set(kept.flatMap(({ indexes }) => indexes.get(name) ?? [])))
  }

  get counted(): number {
    let bytes = 0
    for (const records of this.#collections.values()) bytes += records.counted
    return bytes
  }

  save(): SavedData {
    const indexes = new Map(Array.from(this.#collections, ([name, records]) => [name, records.save()]))
    return { indexes, initialRecordsOf: this.#template.initialRecordsOf }
  }

  restore({ indexes, initialRecordsOf }: SavedData): void {
    // The starting records may be others since then.
    if (initialRecordsOf !== this.#template.initialRecordsOf)
      for (const definition of this.#template.collections) this.collection(definition)
    for (const [name, records] of this.#collections)
      records.restore(indexes.get(name) ?? initialRecordsOf(records.definition))
  }

  checkpoint(): () => void {
    const undo = this.#template.collections.map((definition) => this.collection(definition).checkpoint())
    return () => undo.forEach((putBack) => putBack())
  }

  restart(): void {
    this.restore({ indexes: new Map(), initialRecordsOf: this.#template.initialRecordsOf })
  }

  changesSince<T extends object>(
    { indexes, initialRecordsOf }: SavedData,
    definition: CollectionDefinition<T>,
  ): Iterable<RecordDifference<T>> {
    const before = (indexes.get(definition.name) as RecordIndex<T> | undefined) ?? initialRecordsOf(definition)
    return this.collection(definition).changesSince(before)
  }

  follow(formerRecordsOf: WorldTemplate['initialRecordsOf']): CollectionDefinition<never>[] {
    const { initialRecordsOf } = this.#template
    const stayed = [...this.#collections.values()]
      .filter((records) => !records.follow(formerRecordsOf(records.definition), initialRecordsOf(records.definition)))
      .map((records) => records.definition)
    if (initialRecordsOf !== formerRecordsOf) this.awaitInitialRecords()
    return stayed
  }

  awaitInitialRecords(): void {
    awaitPending(this.#world, this.#template.pendingRecords())
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
    return this.#template.pending.filter(({ collection }) => collection.name === name)
  }

  #await(kinds: readonly PendingWork[], records: readonly object[]): void {
    awaitPending(
      this.#world,
      findPending(kinds, () => records),
    )
  }
}
