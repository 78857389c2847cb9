import type { Limiter } from '../accounts/rate-limit.ts'
import type { SecretFinder } from '../secrets/secret-finder.ts'
import type { CollectionDefinition, RecordKey } from '../store/collection.ts'
import type { RecordDifference, RecordIndex } from '../store/record-index.ts'
import { CollectionStore, type RecordChange, type RecordsListener } from '../store/records.ts'
import { describeProblem } from '../text/messages.ts'
import { copied } from '../text/values.ts'
import type { ChanceState } from '../time/random.ts'
import type { ClockState } from '../time/world-clock.ts'
import type { Idempotency } from './idempotency.ts'
import { inlineSizeOf } from './scenario-choice.ts'
import { awaitInitialWork, awaitPending, findPending, type PendingWork } from './pending.ts'
import type { ScenarioState } from './world-scenarios.ts'
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
    this.#template.changes.notify({ type: 'records', world: this.#world.name, collection, change, key })
  }

  replaced(name: string, index: RecordIndex<object>): void {
    this.#await(this.#pendingOf(name), index.all())
  }

  secretFinders(): SecretFinder[] {
    return [
      ...this.#template.secretCollections.map((definition) => this.collection(definition).secretFinder()),
      this.#template.tokens.finder,
    ]
  }

  recount(kept: readonly SavedData[]): void {
    for (const [name, records] of this.#collections)
      records.recount(new Set(kept.flatMap(({ indexes }) => indexes.get(name) ?? [])))
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

  follow(formerRecordsOf: WorldTemplate['initialRecordsOf']): CollectionDefinition<object>[] {
    const { initialRecordsOf } = this.#template
    const stayed = [...this.#collections.values()]
      .filter((records) => !records.follow(formerRecordsOf(records.definition), initialRecordsOf(records.definition)))
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
    const kinds = this.#pendingOf(name).filter(({ dueAt }) => before === undefined || dueAt(before) !== dueAt(record))
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

const max = 1_000

const byteSize = 10_000

interface Snapshot {
  readonly data: SavedData
  readonly chance: ChanceState
  readonly clock: ClockState
  readonly limiter: Limiter
  readonly idempotency: Idempotency
  readonly scenarios: ScenarioState
}

export class Snapshots {
  readonly #world: string
  readonly #taken = new Map<string, Snapshot>()
  readonly #onEnd: (kept: SavedData[]) => void

  bytes = 0

  constructor(world: string, onEnd: (kept: SavedData[]) => void) {
    this.#world = world
    this.#onEnd = onEnd
  }

  get names(): string[] {
    return [...this.#taken.keys()]
  }

  add(name: string, take: () => Snapshot): void {
    const replaced = this.#taken.get(name)
    if (this.#taken.size >= max && !replaced)
      throw new RangeError(
        `Failed to take the snapshot ${JSON.stringify(name)}: the world "${this.#world}" has ${max} snapshots already. Reuse a name to replace that snapshot, or reset the world.`,
      )
    if (replaced) this.#end(replaced)
    const snapshot = take()
    this.bytes += sizeOf(snapshot)
    this.#taken.set(copied(name), snapshot)
  }

  delete(name: string): void {
    this.#end(this.get(name, 'delete'))
    this.#taken.delete(name)
  }

  get(name: string, purpose = 'restore'): Snapshot {
    const snapshot = this.#taken.get(name)
    if (snapshot) return snapshot
    throw new RangeError(
      describeProblem(
        `Failed to ${purpose} the snapshot ${JSON.stringify(name)}: the world "${this.#world}" has no such snapshot`,
        name,
        this.names,
      ),
    )
  }

  #end(snapshot: Snapshot): void {
    this.bytes -= sizeOf(snapshot)
    const kept = [...this.#taken.values()].filter((one) => one !== snapshot)
    this.#onEnd(kept.map(({ data }) => data))
  }
}

function sizeOf({ idempotency, scenarios: { active, headerState } }: Snapshot): number {
  return byteSize + idempotency.bytes + inlineSizeOf(active) + (headerState?.bytes ?? 0)
}
