import { Limiter } from '../accounts/rate-limit.ts'
import { type JournalKeeper, LiveJournal } from '../journal/journal.ts'
import { Chance } from '../time/random.ts'
import { WorldClock } from '../time/world-clock.ts'
import { History, type OutsideChange, type PastPoint } from './changes.ts'
import { toChoice } from './effective-settings.ts'
import { Idempotency } from './idempotency.ts'
import type { SavedStates } from './saved-states.ts'
import type { Snapshot } from './snapshot.ts'
import type { SavedData } from './world-data.ts'
import { type ScenarioOwner, WorldScenarios } from './world-scenarios.ts'
import type { ParsedStart, StartedFrom, WorldTemplate } from './world-template.ts'

/** The size of an empty world, and of a snapshot of it, in bytes. */
const emptySize = 7_200
const snapshotSize = 10_000

/** The world that has the state. */
export interface StateOwner extends ScenarioOwner, JournalKeeper {
  clockSet(): void
}

/** All of a world that a reset replaces, but for its records. */
export class WorldState {
  readonly clock: WorldClock
  readonly journal: LiveJournal
  limiter = new Limiter()
  idempotency = new Idempotency()
  readonly chance: Chance
  readonly scenarios: WorldScenarios
  readonly history: History
  /** Its snapshots, and the changes that can be taken back. */
  readonly saved: SavedStates
  start: StartedFrom
  /** Another one after a restore, too: work that began in an earlier epoch must not change this one. */
  epoch: object = {}
  /** Another one after each reset. */
  #origin: object = {}

  /** Creates the state that a world starts with. Nothing acts yet. */
  constructor(
    world: StateOwner,
    template: WorldTemplate,
    { seed, now, frozen, assumptions, active }: ParsedStart,
    saved: SavedStates,
  ) {
    const { restarts, initialRecordsAt } = template
    this.clock = createClock(world, now, frozen)
    this.journal = new LiveJournal(template.journal, world)
    this.chance = new Chance(seed, restarts)
    this.scenarios = new WorldScenarios(world, template, { active, assumptions })
    this.history = new History(world.memory)
    this.saved = saved
    this.start = {
      seed,
      restarts,
      now: this.clock.now(),
      frozen,
      assumptions,
      scenarios: active.map(toChoice),
      initialRecordsAt,
    }
  }

  /** The bytes that are neither in records nor in the journal. */
  get bytes(): number {
    return emptySize + this.idempotency.bytes + this.scenarios.bytes + this.saved.bytes
  }

  /** Notes that fixtures or scenarios were read again: the requests so far can't be repeated. */
  noteReload({ initialRecordsAt }: WorldTemplate): void {
    if (this.journal.lastId > 0) this.history.breakOff('fixtures or scenarios were read again')
    else this.start = { ...this.start, initialRecordsAt }
  }

  recordChange(change: OutsideChange): void {
    const { after, at } = this.point()
    this.history.add({
      after,
      at,
      change,
    })
  }

  /** Returns the present moment of its history, after which a change can be added later. */
  point(): PastPoint {
    const { history } = this
    const last = history.changes.at(-1)
    return {
      history,
      last,
      after: this.journal.lastId,
      at: this.clock.now(),
    }
  }

  /** Ends the clock with its work, the journal with its readers, and the history. */
  end(why: string): void {
    this.clock.end()
    this.journal.end()
    this.history.breakOff(why)
  }

  save(data: SavedData): Snapshot {
    let bytes = snapshotSize + this.idempotency.bytes + this.scenarios.bytes
    for (const index of data.indexes.values()) bytes += index.bytes
    return {
      data,
      chance: this.chance.save(),
      clock: this.clock.save(),
      limiter: this.limiter.clone(),
      idempotency: this.idempotency.clone(),
      scenarios: this.scenarios.save(),
      origin: this.#origin,
      bytes,
    }
  }

  putBack(
    { chance, clock, limiter, idempotency, scenarios, origin }: Snapshot,
    goesOn: boolean,
  ): void {
    this.chance.restore(chance)
    this.clock.restore(clock, goesOn)
    this.limiter = limiter.clone()
    this.idempotency = idempotency.clone()
    this.#origin = origin
    this.epoch = {}
    this.scenarios.restore(scenarios)
  }
}

/** A separate function: the callback keeps everything alive that is in scope. */
function createClock(world: StateOwner, now: number | undefined, frozen: boolean): WorldClock {
  return new WorldClock(now, () => world.clockSet(), frozen)
}
