import type { CallerSource } from '../accounts/accounts.ts'
import { WorldMemory } from '../store/memory.ts'
import { type RestorableWorld, SavedStates } from './saved-states.ts'
import type { Snapshot } from './snapshot.ts'
import type { WorldData } from './world-data.ts'
import { type StateOwner, WorldState } from './world-state.ts'
import { type LiveWorldStart, parseStart, type WorldTemplate } from './world-template.ts'

/** The world whose life it is. */
interface LivingWorld extends StateOwner, RestorableWorld {
  /** Schedules the work of a new state, or goes on with that of a state that came back. */
  startWork(what: 'begin' | 'resume'): void
  tellAreas(what: 'stop'): void
}

/**
 * How the state of a world changes. There is always one state, and four ways to change it:
 * - `reset` ends the state and begins a new one.
 * - `attempt` sets the state aside and begins a new one, whose failure brings the former one back.
 * - `putBack` keeps the state, and makes it what a snapshot says.
 * - `end` ends the state with the world.
 *
 * The records stay the same objects all along, as people hold them: each way fills them again.
 */
export class WorldLife {
  readonly #world: LivingWorld
  readonly #template: WorldTemplate
  readonly #data: WorldData
  #state: WorldState
  /** The state that the last attempt set aside. */
  #former: FormerState | undefined

  /** Creates the first state. Nothing acts yet. */
  constructor(world: LivingWorld, template: WorldTemplate, data: WorldData) {
    this.#world = world
    this.#template = template
    this.#data = data
    const { name } = world
    // Whatever makes room for the first state, this world has nothing yet to give up for it.
    const memory = new WorldMemory(template.memory)
    const parsed = parseStart({ name, memory }, template, {})
    this.#state = new WorldState(world, template, parsed, new SavedStates(world))
  }

  get state(): WorldState {
    return this.#state
  }

  /**
   * Starts again. @param initialRecordsOf the records that the world gets next, by default the
   * starting ones: its scenarios may name their accounts. @throws RangeError for an invalid start;
   * then nothing has changed.
   */
  reset(start: LiveWorldStart = {}, initialRecordsOf?: CallerSource['initialRecordsOf']): void {
    const { saved } = this.#state
    // A wrong start throws here, before anything has changed.
    const next = this.#createState(start, saved, initialRecordsOf)
    // The state ends before its successor is in force: its work must not meet the new records.
    this.end('the world was reset')
    // Snapshots are of the state that ended. Only a change that runs can still take the reset back.
    saved.reset()
    this.#enter(next)
  }

  /**
   * Starts again for some work. If it fails, the world is as it was, unless another reset or attempt
   * took its place meanwhile, or the world ended.
   */
  async attempt<T>(start: LiveWorldStart, work: () => Promise<T>): Promise<T> {
    // A wrong start throws here, before anything has changed. The attempt begins without snapshots.
    const next = this.#createState(start, new SavedStates(this.#world))
    const former = this.#setAside()
    try {
      this.#enter(next)
      return await work()
    } catch (error) {
      this.#bringBack(former)
      throw error
    } finally {
      // After a success, nothing can bring the former state back.
      former.discard()
    }
  }

  save(): Snapshot {
    return this.#state.save(this.#data.save())
  }

  /**
   * Restores all but the journal and the history. @throws UnsupportedFaultError; then nothing has
   * changed. @param goesOn whether a clock that runs goes on, instead of back to its saved time
   */
  putBack(snapshot: Snapshot, goesOn: boolean): void {
    // A host that came later may lack what a saved scenario needs: this throws before any change.
    this.#state.scenarios.assertSupported(snapshot.scenarios)
    // Work that waits belongs to what the world is now; the snapshot has its own.
    this.#world.tellAreas('stop')
    this.#data.restore(snapshot.data)
    this.#state.putBack(snapshot, goesOn)
    this.#world.startWork('resume')
  }

  #createState(
    start: LiveWorldStart,
    saved: SavedStates,
    initialRecordsOf?: CallerSource['initialRecordsOf'],
  ): WorldState {
    const parsed = parseStart(this.#world, this.#template, start, initialRecordsOf)
    return new WorldState(this.#world, this.#template, parsed, saved)
  }

  /** Puts a new state in force, after the last one ended or was set aside. */
  #enter(next: WorldState): void {
    // Whatever fails from here on, this state is the one to end.
    this.#state = next
    const { initialRecordsOf } = this.#template
    this.#data.restore({
      indexes: new Map(),
      initialRecordsOf,
    })
    this.#world.startWork('begin')
    this.#world.notifyWorldChange('reset')
  }

  #setAside(): FormerState {
    const state = this.#state
    const former = new FormerState({
      state,
      snapshot: this.save(),
    })
    // One state at a time is set aside: an attempt within another makes that one final.
    this.#former?.discard()
    this.#former = former
    // Its work and its clock stop, no more: its journal and its history may have to go on.
    this.#world.tellAreas('stop')
    state.clock.stop()
    state.saved.noteReset()
    return former
  }

  #bringBack(former: FormerState): void {
    const kept = former.take()
    // A newer state took its place during the work, or the world ended: that stays.
    if (!kept) return
    this.end('the attempt failed')
    this.#state = kept.state
    // The records are those of the world, not of its state, so they come from the snapshot.
    this.#data.restore(kept.snapshot.data)
    // Its clock goes on, with the work that was due.
    kept.state.clock.restore(kept.snapshot.clock, true)
    this.#world.startWork('resume')
    this.#world.notifyWorldChange('reset')
  }

  /** Ends the state that is in force. What comes next is up to the caller. */
  end(why: string): void {
    // The state that an attempt set aside would bring back a world from before this end.
    this.#former?.discard()
    this.#world.tellAreas('stop')
    // Readers learn that the journal goes while it is still there.
    this.#world.journalCleared()
    this.#state.end(why)
  }
}

/** All that brings a world back to what it was before an attempt. */
interface KeptState {
  readonly state: WorldState
  readonly snapshot: Snapshot
}

/**
 * The state that an attempt set aside. It ends in one of two ways, once: it is taken back, or it is
 * discarded. Whatever comes later finds nothing, so that nobody needs to know what came first.
 */
class FormerState {
  #kept: KeptState | undefined

  constructor(kept: KeptState) {
    this.#kept = kept
  }

  /** Returns the state, unless it was taken or discarded already. */
  take(): KeptState | undefined {
    const kept = this.#kept
    this.#kept = undefined
    return kept
  }

  discard(): void {
    this.take()?.state.end('another state took its place')
  }
}
