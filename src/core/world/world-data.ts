import type { SecretFinder } from '../secrets/known-secrets.ts'
import type { CollectionDefinition, RecordKey } from '../store/collection.ts'
import type { RecordIndex } from '../store/record-index.ts'
import { CollectionStore, type RecordChange, type RecordsListener } from '../store/records.ts'
import type { NamedMemory, WorldTemplate } from './world-template.ts'

export interface SavedData {
  readonly indexes: ReadonlyMap<string, RecordIndex<object>>
  readonly initialRecordsOf: WorldTemplate['initialRecordsOf']
}

/** The world that has the data. */
interface DataOwner extends NamedMemory {
  recordsReplaced(collection: string, records: readonly object[]): void
}

export class WorldData implements RecordsListener {
  readonly #world: DataOwner
  readonly #template: WorldTemplate
  readonly #collections = new Map<string, CollectionStore<object>>()

  constructor(world: DataOwner, template: WorldTemplate) {
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
    this.#world.recordsReplaced(name, index.all())
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
    return {
      indexes,
      initialRecordsOf: this.#template.initialRecordsOf,
    }
  }

  restore({ indexes, initialRecordsOf }: SavedData): void {
    // The starting records may be others since then.
    if (initialRecordsOf !== this.#template.initialRecordsOf)
      for (const definition of this.#template.collections) this.collection(definition)
    for (const [name, records] of this.#collections)
      records.restore(indexes.get(name) ?? initialRecordsOf(records.definition))
  }

  applyReload(formerRecordsOf: WorldTemplate['initialRecordsOf']): CollectionDefinition<object>[] {
    const { initialRecordsOf } = this.#template
    return [...this.#collections.values()]
      .filter(
        (records) =>
          !records.follow(
            formerRecordsOf(records.definition),
            initialRecordsOf(records.definition),
          ),
      )
      .map((records) => records.definition)
  }
}
