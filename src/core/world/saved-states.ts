import type { LiveJournal } from '../journal/journal.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import type { WorldClock } from '../time/world-clock.ts'
import type { History, OutsideChange, StateChange, WorldChange } from './changes.ts'
import type { NamedSnapshots, Snapshot, SnapshotStore } from './snapshot-store.ts'
import { changedSince, differencesOf, isChanged } from './state-differences.ts'

/** The world whose states are saved. */
interface RestorableWorld {
  readonly clock: WorldClock
  readonly collections: readonly CollectionDefinition<object>[]
  readonly history: History
  readonly journal: LiveJournal
  readonly snapshotStore: SnapshotStore
  save(): Snapshot
  /** @param goesOn whether a clock that runs goes on, instead of back to the time of the snapshot */
  putBack(snapshot: Snapshot, goesOn: boolean): void
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

/** Saves states of a world, and goes back to them: to snapshots, and to before a change. */
export class SavedStates {
  readonly #world: RestorableWorld
  #running: RunningChange | undefined

  constructor(world: RestorableWorld) {
    this.#world = world
  }

  get names(): string[] {
    return [...this.#world.snapshotStore.named.keys()]
  }

  add(name: string): void {
    const world = this.#world
    world.snapshotStore.add(name, world.save())
    world.recordChange({ snapshot: name })
    this.#snapshotsChanged()
  }

  delete(name: string): void {
    this.#world.snapshotStore.delete(name)
    this.#snapshotsChanged()
  }

  /**
   * The journal stays. If a scenario can no longer be active, it throws, and nothing has changed.
   */
  restore(name: string): void {
    const world = this.#world
    world.putBack(world.snapshotStore.get(name), false)
    this.#recordRestore(name)
    world.notifyWorldChange('restored')
  }

  /**
   * Does work that can be taken back, unless it changed nothing before it first waited. What
   * happens until it is done, such as the deliveries of a clock that was moved, belongs to it.
   */
  doChange<T>(id: string, work: () => T): T {
    const world = this.#world
    const before = world.save()
    const point = world.history.point(world.journal.lastId, world.clock.now())
    const running: RunningChange = { deleted: undefined }
    this.#running = running
    let result: T
    try {
      result = work()
    } finally {
      this.#running = undefined
      const after = world.save()
      const { deleted } = running
      if (isChanged(before, after, world.collections))
        world.snapshotStore.keepChange({ id, before, after, deleted, point })
      world.updateSize()
    }
    if (result instanceof Promise) return result.finally(() => this.#settle(id)) as T
    return result
  }

  #settle(id: string): void {
    const world = this.#world
    if (world.snapshotStore.settle(id, () => world.save())) world.updateSize()
  }

  /** True while a change runs that can be taken back: a reset keeps the states before it. */
  get isChanging(): boolean {
    return this.#running !== undefined
  }

  /** Notes the snapshots of a state that a reset replaces: they come back with the change. */
  noteReset({ named }: SnapshotStore): void {
    if (this.#running) this.#running.deleted ??= named
  }

  canUndo(id: string): boolean {
    return this.#world.snapshotStore.findChange(id) !== undefined
  }

  /**
   * Takes a change back, by default the last one. Returns whether there was one. @throws
   * ChangedSinceError; then nothing has changed.
   */
  undo(id?: string): boolean {
    const world = this.#world
    const { clock, snapshotStore } = world
    const kept = snapshotStore.findChange(id)
    if (!kept) return false
    // The changes of others since would be lost.
    const since = differencesOf(kept.after, world.save(), world.collections)
    if (since.length > 0) throw changedSince(kept, since)
    world.putBack(kept.before, true)
    // A case repeats the restore, and then the clock that went on.
    this.#recordRestore(kept.id)
    if (!clock.frozen) world.recordChange({ clock: { now: clock.now(), frozen: false } })
    snapshotStore.takeBack(kept)
    world.updateSize()
    world.notifyWorldChange('restored')
    return true
  }

  /** Forgets changes, the oldest first, until there is enough room. */
  forgetChanges(isEnough: () => boolean): void {
    const { snapshotStore, history } = this.#world
    while (!isEnough() && snapshotStore.dropOldestChange()) this.#world.updateSize()
    if (!isEnough()) history.breakOff('there was no memory for its changes')
  }

  /**
   * Adds a restore to the history, for a case to repeat. The state before a change, which undo
   * restores, is no step of the history yet: it becomes a snapshot at the point where it was.
   */
  #recordRestore(name: string): void {
    const { snapshotStore, history } = this.#world
    const point = snapshotStore.findChange(name)?.point
    if (point) history.insert(point, { snapshot: name })
    this.#world.recordChange({ restore: name })
  }

  #snapshotsChanged(): void {
    this.#world.updateSize()
    this.#world.notifyState('snapshots')
  }
}
