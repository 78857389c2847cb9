import type { SecretFinder } from '../secrets/secret-finder.ts'
import type { CollectionDefinition, RecordKey } from '../store/collection.ts'
import type { RecordIndex } from '../store/record-index.ts'
import { CollectionStore, type RecordChange, type RecordsListener } from '../store/records.ts'
import { awaitInitialWork, awaitPending, findPending, type PendingWork } from './pending.ts'
import type { WorldTemplate } from './world-template.ts'
import type { CoreWorld } from './world.ts'

export interface SavedData {
  readonly indexes: ReadonlyMap<string, RecordIndex<object>>
  readonly initialRecordsOf: WorldTemplate['initialRecordsOf']
}

export class WorldData implements RecordsListener {
  readonly #world: CoreWorld
  readonly #template: WorldTemplate
  readonly #collections = new Map<string, CollectionStore<object>>()

  constructor(world: CoreWorld, template: WorldTemplate) {
    this.#world = world
    this.#template = template
  }

  collection<T extends object>(definition: CollectionDefinition<T>): CollectionStore<T> {
    let records = this.#collections.get(definition.name) as CollectionStore<T> | undefined
    if (!records) {
      const initialRecords = this.#template.initialRecordsOf(definition)
      records = new CollectionStore(initialRecords, this.#world.memory, this)
      this.#collections.set(definition.name, records)
    }
    return records
  }

  get isObserved(): boolean {
    return this.#template.changes.isObserved
  }

  written(collection: string, change: RecordChange, key?: RecordKey): void {
    this.#template.changes.notify({
      type: 'records',
      world: this.#world.name,
      collection,
      change,
      key,
    })
  }

  replaced(name: string, index: RecordIndex<object>): void {
    this.#await(this.#pendingOf(name), index.all())
  }

  secretFinders(): SecretFinder[] {
    return [
      ...this.#template.secretCollections.map((definition) =>
        this.collection(definition).secretFinder(),
      ),
      this.#template.tokens.finder,
    ]
  }

  save(): SavedData {
    const indexes = new Map(
      Array.from(this.#collections, ([name, records]) => [name, records.share()]),
    )
    return { indexes, initialRecordsOf: this.#template.initialRecordsOf }
  }

  restore({ indexes, initialRecordsOf }: SavedData): void {
    // The starting records may be others since then.
    if (initialRecordsOf !== this.#template.initialRecordsOf)
      for (const definition of this.#template.collections) this.collection(definition)
    for (const [name, records] of this.#collections)
      records.restore(indexes.get(name) ?? initialRecordsOf(records.definition))
  }

  follow(formerRecordsOf: WorldTemplate['initialRecordsOf']): CollectionDefinition<object>[] {
    const { initialRecordsOf } = this.#template
    const stayed = [...this.#collections.values()]
      .filter(
        (records) =>
          !records.follow(
            formerRecordsOf(records.definition),
            initialRecordsOf(records.definition),
          ),
      )
      .map((records) => records.definition)
    if (initialRecordsOf !== formerRecordsOf) this.awaitInitialRecords()
    return stayed
  }

  awaitInitialRecords(): void {
    awaitInitialWork(this.#world, this.#template.initialWork)
  }

  /** Schedules the work of a record, unless it is due at the same time as before the write. */
  awaitRecord<T extends object>(
    { name }: CollectionDefinition<T>,
    record: Readonly<T>,
    before: Readonly<T> | undefined,
  ): void {
    const kinds = this.#pendingOf(name).filter(
      ({ dueAt }) => before === undefined || dueAt(before) !== dueAt(record),
    )
    this.#await(kinds, [record])
  }

  #pendingOf(name: string): PendingWork[] {
    return this.#template.pending.filter(({ collection }) => collection.name === name)
  }

  #await(kinds: readonly PendingWork[], records: readonly object[]): void {
    const pending = findPending(kinds, () => records)
    awaitPending(this.#world, pending)
  }
}
