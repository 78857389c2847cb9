import type { Limiter } from '../accounts/rate-limit.ts'
import type { SecretFinder } from '../secrets/secret-finder.ts'
import type { CollectionDefinition, RecordKey } from '../store/collection.ts'
import type { RecordIndex } from '../store/record-index.ts'
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
  /** The bytes of these records that requests wrote. */
  readonly bytes: number
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

  save(): SavedData {
    const indexes = new Map(Array.from(this.#collections, ([name, records]) => [name, records.share()]))
    const { records: bytes } = this.#world.memory.recordBytes
    return { indexes, initialRecordsOf: this.#template.initialRecordsOf, bytes }
  }

  restore({ indexes, initialRecordsOf, bytes }: SavedData): void {
    // The starting records may be others since then.
    if (initialRecordsOf !== this.#template.initialRecordsOf)
      for (const definition of this.#template.collections) this.collection(definition)
    for (const [name, records] of this.#collections)
      records.restore(indexes.get(name) ?? initialRecordsOf(records.definition))
    this.#world.memory.recordBytes = { records: bytes, own: 0 }
  }

  checkpoint(): () => void {
    const saved = this.save()
    const { recordBytes } = this.#world.memory
    return () => {
      this.restore(saved)
      this.#world.memory.recordBytes = recordBytes
    }
  }

  restart(): void {
    this.restore({ indexes: new Map(), initialRecordsOf: this.#template.initialRecordsOf, bytes: 0 })
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

export interface Snapshot {
  readonly data: SavedData
  readonly chance: ChanceState
  readonly clock: ClockState
  readonly limiter: Limiter
  readonly idempotency: Idempotency
  readonly scenarios: ScenarioState
}

interface TakenSnapshot {
  readonly snapshot: Snapshot
  /** What is counted for it: its own parts, and the records that were written since the snapshot before. */
  bytes: number
}

export class Snapshots {
  readonly #world: CoreWorld
  readonly #taken = new Map<string, TakenSnapshot>()
  bytes = 0

  constructor(world: CoreWorld) {
    this.#world = world
  }

  get names(): string[] {
    return [...this.#taken.keys()]
  }

  add(name: string, take: () => Snapshot): void {
    const replaced = this.#taken.get(name)
    if (this.#taken.size >= max && !replaced)
      throw new RangeError(
        `Failed to take the snapshot ${JSON.stringify(name)}: the world "${this.#world.name}" has ${max} snapshots already. Reuse a name to replace that snapshot, or reset the world.`,
      )
    if (replaced) this.delete(name)
    const snapshot = take()
    const { memory } = this.#world
    const { records, own } = memory.recordBytes
    const bytes = sizeOf(snapshot) + own
    memory.recordBytes = { records, own: 0 }
    this.bytes += bytes
    this.#taken.set(copied(name), { snapshot, bytes })
  }

  /** The next snapshot, or else the world, may hold the same records: at most all that it has. */
  delete(name: string): void {
    const snapshot = this.get(name, 'delete')
    const all = [...this.#taken.values()]
    const at = all.findIndex((one) => one.snapshot === snapshot)
    this.#taken.delete(name)
    this.bytes -= all[at]!.bytes
    const held = all[at]!.bytes - sizeOf(snapshot)
    const next = all[at + 1]
    if (!next) return this.#world.memory.writeRecords(held, held)
    const max = sizeOf(next.snapshot) + next.snapshot.data.bytes
    const added = Math.max(0, Math.min(held, max - next.bytes))
    next.bytes += added
    this.bytes += added
  }

  get(name: string, purpose = 'restore'): Snapshot {
    const kept = this.#taken.get(name)
    if (kept) return kept.snapshot
    throw new RangeError(
      describeProblem(
        `Failed to ${purpose} the snapshot ${JSON.stringify(name)}: the world "${this.#world.name}" has no such snapshot`,
        name,
        this.names,
      ),
    )
  }
}

function sizeOf({ idempotency, scenarios: { active, headerState } }: Snapshot): number {
  return byteSize + idempotency.bytes + inlineSizeOf(active) + (headerState?.bytes ?? 0)
}
