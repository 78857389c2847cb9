import { codedError } from '../text/error-codes.ts'
import type { Limiter } from '../accounts/rate-limit.ts'
import { describeProblem } from '../text/messages.ts'
import { copied } from '../text/values.ts'
import type { ChanceState } from '../time/random.ts'
import type { ClockState } from '../time/world-clock.ts'
import type { PastPoint } from './changes.ts'
import type { Idempotency } from './idempotency.ts'
import type { SavedData } from './world-data.ts'
import type { SavedScenarios } from './world-scenarios.ts'
import type { NamedMemory } from './world-template.ts'

/** The state of a world but for its journal. Costs nothing until the world's next write. */
export interface Snapshot {
  readonly data: SavedData
  readonly chance: ChanceState
  readonly clock: ClockState
  readonly limiter: Limiter
  readonly idempotency: Idempotency
  readonly scenarios: SavedScenarios
  /** A new object after each reset. */
  readonly origin: object
  /** The size of a copy, although it shares the records that were not written since. */
  readonly bytes: number
}

/** A change of the world by its owner that can be taken back. */
export interface KeptChange {
  /** The name by which the state before the change can be restored, like that of a snapshot. */
  readonly id: string
  readonly before: Snapshot
  /** The state that the change led to: from any other, it is not taken back. */
  readonly after: Snapshot
  /** The snapshots that it deleted, if it was a reset. */
  readonly deleted: NamedSnapshots | undefined
  /** Where the change stands in the history of the world. */
  readonly point: PastPoint | undefined
}

export type NamedSnapshots = ReadonlyMap<string, Snapshot>

const maxSnapshots = 1_000

/** The most changes of a world that are kept to be taken back. */
export const maxKeptChanges = 20

/**
 * The snapshots of a world: those with a name, and the states around the last changes, which can be
 * taken back.
 */
export class SnapshotStore {
  readonly #world: NamedMemory
  #named = new Map<string, Snapshot>()
  readonly #keptChanges: KeptChange[] = []
  bytes = 0

  constructor(world: NamedMemory) {
    this.#world = world
  }

  get named(): NamedSnapshots {
    return this.#named
  }

  /** @throws DataMemoryError if it does not fit */
  add(name: string, snapshot: Snapshot): void {
    const replaced = this.#named.get(name)
    if (this.#named.size >= maxSnapshots && !replaced)
      throw codedError(
        'GREENHOUSE_LIMIT_REACHED',
        `Failed to take the snapshot ${JSON.stringify(name)}: the world "${this.#world.name}" has ${maxSnapshots} snapshots already. Reuse a name to replace that snapshot, or reset the world.`,
      )
    const growth = snapshot.bytes - (replaced?.bytes ?? 0)
    this.#world.memory.reserve(growth)
    this.bytes += growth
    // A name that is used again moves to the end of the list.
    this.#named.delete(name)
    this.#named.set(copied(name), snapshot)
  }

  delete(name: string): void {
    this.bytes -= this.#find(name, 'delete').bytes
    this.#named.delete(name)
  }

  /** Deletes the named snapshots. Who read `named` before keeps the former map. */
  deleteAll(): void {
    for (const { bytes } of this.#named.values()) this.bytes -= bytes
    this.#named = new Map()
  }

  /** @param name that of a snapshot, or the id of a change for the state before it */
  get(name: string): Snapshot {
    return this.findChange(name)?.before ?? this.#find(name, 'restore')
  }

  #find(name: string, purpose: string): Snapshot {
    const snapshot = this.#named.get(name)
    if (snapshot) return snapshot
    throw codedError(
      'GREENHOUSE_UNKNOWN_NAME',
      describeProblem(
        `Failed to ${purpose} the snapshot ${JSON.stringify(name)}: the world "${this.#world.name}" has no such snapshot`,
        name,
        [...this.#named.keys()],
      ),
    )
  }

  /** Returns a kept change. @param id by default that of the last change */
  findChange(id: string | undefined): KeptChange | undefined {
    if (id === undefined) return this.#keptChanges.at(-1)
    return this.#keptChanges.find((kept) => kept.id === id)
  }

  keepChange(kept: KeptChange): void {
    this.#keptChanges.push(kept)
    this.bytes += sizeOfChange(kept)
    if (this.#keptChanges.length > maxKeptChanges) this.dropOldestChange()
  }

  /**
   * Notes the state that a change led to in the end, unless another change was made meanwhile.
   * Returns whether it was noted.
   */
  settle(id: string, save: () => Snapshot): boolean {
    const kept = this.#keptChanges.at(-1)
    if (kept?.id !== id) return false
    const settled = { ...kept, after: save() }
    this.#keptChanges.splice(-1, 1, settled)
    this.bytes += sizeOfChange(settled) - sizeOfChange(kept)
    return true
  }

  /** Forgets the oldest change. Returns whether there was one. */
  dropOldestChange(): boolean {
    return this.#drop(this.#keptChanges.splice(0, 1))
  }

  /**
   * Forgets a change that was taken back, and all changes after it. The snapshots that the change
   * deleted are there again, unless their names are in use.
   */
  takeBack(kept: KeptChange): void {
    this.#drop(this.#keptChanges.splice(this.#keptChanges.indexOf(kept)))
    for (const [name, snapshot] of kept.deleted ?? []) {
      if (this.#named.has(name)) continue
      this.#named.set(name, snapshot)
      this.bytes += snapshot.bytes
    }
  }

  #drop(dropped: readonly KeptChange[]): boolean {
    for (const kept of dropped) this.bytes -= sizeOfChange(kept)
    return dropped.length > 0
  }
}

function sizeOfChange({ before, after, deleted }: KeptChange): number {
  return [before, after, ...(deleted?.values() ?? [])].reduce((sum, { bytes }) => sum + bytes, 0)
}
