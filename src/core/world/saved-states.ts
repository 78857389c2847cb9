import type { CollectionDefinition } from '../store/collection.ts'
import { codedError } from '../text/error-codes.ts'
import { describeProblem } from '../text/messages.ts'
import { copied } from '../text/values.ts'
import type { WorldClock } from '../time/world-clock.ts'
import type { History, OutsideChange, PastPoint, StateChange, WorldChange } from './changes.ts'
import { type KeptChange, maxKeptChanges, type NamedSnapshots, type Snapshot } from './snapshot.ts'
import { changedSince, differencesOf, isChanged } from './state-differences.ts'
import type { NamedMemory } from './world-template.ts'

/** The world whose states are saved. */
export interface RestorableWorld extends NamedMemory {
  readonly collections: readonly CollectionDefinition<object>[]
  readonly life: {
    save(): Snapshot
    /** @param goesOn whether a clock that runs goes on, instead of back to its saved time */
    putBack(snapshot: Snapshot, goesOn: boolean): void
  }
  readonly state: {
    readonly clock: WorldClock
    readonly history: History
    /** Others while an attempt sets a state aside. */
    readonly saved: SavedStates
    point(): PastPoint
  }
  recordChange(change: OutsideChange): void
  updateSize(): void
  notifyState(type: StateChange['type']): void
  notifyWorldChange(change: WorldChange['change']): void
}

/** A change that can be taken back, while its work runs. */
interface RunningChange {
  /** The snapshots of the world before its first reset, if there was one. */
  deleted: NamedSnapshots | undefined
}

const maxSnapshots = 1_000

/**
 * The states of a world that it can go back to: snapshots with a name, and those before and after
 * the last changes, which can be taken back.
 */
export class SavedStates {
  readonly #world: RestorableWorld
  #named = new Map<string, Snapshot>()
  readonly #keptChanges: KeptChange[] = []
  #running: RunningChange | undefined
  bytes = 0

  constructor(world: RestorableWorld) {
    this.#world = world
  }

  get named(): NamedSnapshots {
    return this.#named
  }

  /** @throws DataMemoryError if it does not fit */
  add(name: string): void {
    const world = this.#world
    const snapshot = world.life.save()
    const replaced = this.#named.get(name)
    if (this.#named.size >= maxSnapshots && !replaced)
      throw codedError(
        'GREENHOUSE_LIMIT_REACHED',
        `Failed to take the snapshot ${JSON.stringify(name)}: the world "${world.name}" has ${maxSnapshots} snapshots already. Reuse a name to replace that snapshot, or reset the world.`,
      )
    const growth = snapshot.bytes - (replaced?.bytes ?? 0)
    world.memory.reserve(growth)
    this.bytes += growth
    // A name that is used again moves to the end of the list.
    this.#named.delete(name)
    this.#named.set(copied(name), snapshot)
    world.recordChange({ snapshot: name })
    this.#snapshotsChanged()
  }

  delete(name: string): void {
    this.bytes -= this.#find(name, 'delete').bytes
    this.#named.delete(name)
    this.#snapshotsChanged()
  }

  /**
   * The journal stays. If a scenario can no longer be active, it throws, and nothing has changed.
   * @param name that of a snapshot, or the id of a change for the state before it
   */
  restore(name: string): void {
    const world = this.#world
    world.life.putBack(this.findChange(name)?.before ?? this.#find(name, 'restore'), false)
    this.#recordRestore(name)
    world.notifyWorldChange('restored')
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

  /**
   * Does work that can be taken back, unless it changed nothing before it first waited. What
   * happens until it is done, such as the deliveries of a clock that was moved, belongs to it.
   */
  doChange<T>(id: string, work: () => T): T {
    const world = this.#world
    const before = world.life.save()
    const point = world.state.point()
    const running: RunningChange = { deleted: undefined }
    this.#running = running
    let result: T
    try {
      result = work()
    } finally {
      this.#running = undefined
      const after = world.life.save()
      const { deleted } = running
      // An attempt that began with the work has other saved states.
      if (isChanged(before, after, world.collections))
        world.state.saved.#keep({
          id,
          before,
          after,
          deleted,
          point,
        })
      world.updateSize()
    }
    if (result instanceof Promise) return result.finally(() => world.state.saved.#settle(id)) as T
    return result
  }

  #keep(kept: KeptChange): void {
    this.#keptChanges.push(kept)
    this.bytes += sizeOfChange(kept)
    if (this.#keptChanges.length > maxKeptChanges) this.#drop(0, 1)
  }

  /** Notes the state that a change led to in the end, unless another was made meanwhile. */
  #settle(id: string): void {
    const kept = this.#keptChanges.at(-1)
    if (kept?.id !== id) return
    this.#drop(-1)
    this.#keep({
      ...kept,
      after: this.#world.life.save(),
    })
    this.#world.updateSize()
  }

  /** Notes the snapshots of a state that a reset replaces: they come back with a running change. */
  noteReset(): void {
    if (this.#running) this.#running.deleted ??= this.#named
  }

  /** Forgets all but the changes before one that runs: only that takes the reset back. */
  reset(): void {
    this.noteReset()
    if (!this.#running) this.#drop(0)
    for (const { bytes } of this.#named.values()) this.bytes -= bytes
    this.#named = new Map()
  }

  /**
   * Takes a change back, by default the last one, and forgets it with all after it. Returns whether
   * there was one. @throws ChangedSinceError; then nothing has changed.
   */
  undo(id?: string): boolean {
    const world = this.#world
    const { clock } = world.state
    const kept = this.findChange(id)
    if (!kept) return false
    // The changes of others since would be lost.
    const since = differencesOf(kept.after, world.life.save(), world.collections)
    if (since.length > 0) throw changedSince(kept, since)
    world.life.putBack(kept.before, true)
    // A case repeats the restore, and then the clock that went on.
    this.#recordRestore(kept.id)
    if (!clock.frozen)
      world.recordChange({
        clock: {
          now: clock.now(),
          frozen: false,
        },
      })
    // If memory was short meanwhile, it is dropped already, and all that are left came after it.
    this.#drop(Math.max(0, this.#keptChanges.indexOf(kept)))
    // The snapshots that it deleted are there again, unless their names are in use.
    for (const [name, snapshot] of kept.deleted ?? []) {
      if (this.#named.has(name)) continue
      this.#named.set(name, snapshot)
      this.bytes += snapshot.bytes
    }
    world.updateSize()
    world.notifyWorldChange('restored')
    return true
  }

  /** Forgets changes, the oldest first, until there is enough room. */
  forgetChanges(isEnough: () => boolean): void {
    const { history } = this.#world.state
    while (!isEnough() && this.#keptChanges.length > 0) {
      this.#drop(0, 1)
      this.#world.updateSize()
    }
    if (!isEnough()) history.breakOff('there was no memory for its changes')
  }

  #drop(first: number, count = Infinity): void {
    for (const kept of this.#keptChanges.splice(first, count)) this.bytes -= sizeOfChange(kept)
  }

  /**
   * Adds a restore to the history, for a case to repeat. The state before a change, which undo
   * restores, is no step of the history yet: it becomes a snapshot at the point where it was.
   */
  #recordRestore(name: string): void {
    const point = this.findChange(name)?.point
    if (point) this.#world.state.history.insert(point, { snapshot: name })
    this.#world.recordChange({ restore: name })
  }

  #snapshotsChanged(): void {
    this.#world.updateSize()
    this.#world.notifyState('snapshots')
  }
}

function sizeOfChange({ before, after, deleted }: KeptChange): number {
  return [before, after, ...(deleted?.values() ?? [])].reduce((sum, { bytes }) => sum + bytes, 0)
}
