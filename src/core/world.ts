import { createClock, type Clock } from './clock.ts'
import type { ActiveScenario, ScenarioSource } from './effect.ts'
import { Journal, type JournalLimits } from './journal.ts'
import type { Ledger } from './assumptions.ts'
import { createOverlay, type Overlay } from './overlay.ts'
import { createRandom, type Random } from './random.ts'
import { Limiter } from './rate-limit.ts'
import { Idempotency } from './idempotency.ts'
import type { CollectionDefinition } from './collection.ts'
import { Records } from './records.ts'
import type { RecordIndex } from './record-index.ts'

/** A scenario by name, or with options. */
export type ScenarioChoice = string | { readonly name: string; readonly options?: Readonly<Record<string, unknown>> }

/** What every world of a service starts from. */
export interface WorldOrigin {
  readonly seed: number
  /** Where the clock starts, in milliseconds since 1970; the machine's time when it is absent. */
  readonly now: number | undefined
  readonly ledger: Ledger
  readonly assumptions: Readonly<Record<string, string>>
  readonly scenarios: readonly ScenarioChoice[]
  readonly journal: JournalLimits
  readonly library: ScenarioSource
  /** The records that a collection starts with, shared between the worlds. */
  seedOf<T extends object>(collection: CollectionDefinition<T>): RecordIndex<T>
}

/** One complete service: data, clock, quotas, scenarios, journal, assumptions and seed. Nothing of it is shared with another world. */
export class World {
  readonly name: string
  readonly #origin: WorldOrigin
  readonly #collections = new Map<string, Records<never>>()
  readonly #streams = new Map<string, Random>()
  #clock!: Clock
  #limiter!: Limiter
  #journal!: Journal
  #idempotency!: Idempotency
  #assumptions!: Map<string, string>
  #active: ActiveScenario[] = []
  #overlay!: Overlay
  #last: Promise<unknown> = Promise.resolve()

  constructor(name: string, origin: WorldOrigin) {
    this.name = name
    this.#origin = origin
    this.reset()
  }

  get clock(): Clock {
    return this.#clock
  }

  get journal(): Journal {
    return this.#journal
  }

  get limiter(): Limiter {
    return this.#limiter
  }

  get idempotency(): Idempotency {
    return this.#idempotency
  }

  /** The assumptions in force and the active scenarios. */
  get overlay(): Overlay {
    return this.#overlay
  }

  /** Goes back to the start in everything: data, quotas, clock, scenarios, journal, idempotency keys, assumptions and seed. */
  reset(): void {
    const { now, ledger, journal, assumptions, scenarios } = this.#origin
    this.#collections.clear()
    this.#streams.clear()
    this.#clock = createClock(now)
    this.#limiter = new Limiter()
    this.#journal = new Journal(journal)
    this.#idempotency = new Idempotency()
    this.#assumptions = ledger.resolve(assumptions)
    this.#active = []
    for (const choice of scenarios) this.#active.push(this.activate(choice))
    this.#refresh()
  }

  /** The records of a collection; seeded from the fixtures on first use. */
  collection<T extends object>(definition: CollectionDefinition<T>): Records<T> {
    let records = this.#collections.get(definition.name) as Records<T> | undefined
    if (!records) {
      records = new Records(definition, this.#origin.seedOf(definition))
      this.#collections.set(definition.name, records as never)
    }
    return records
  }

  /** The stream of chance of one purpose. */
  random(purpose: string): Random {
    let stream = this.#streams.get(purpose)
    if (!stream) this.#streams.set(purpose, (stream = createRandom(this.#origin.seed, purpose)))
    return stream
  }

  /** Switches a scenario on until it is cleared; the same one again replaces itself. @throws RangeError when there is none of that name or an option is wrong. */
  use(name: string, options: Readonly<Record<string, unknown>> = {}): void {
    const scenario = this.activate({ name, options })
    this.#active = [...this.#active.filter((active) => active.name !== name), scenario]
    this.#refresh()
  }

  /** Switches a scenario off, or all of them. */
  clear(name?: string): void {
    this.#active = name === undefined ? [] : this.#active.filter((active) => active.name !== name)
    this.#refresh()
  }

  /** A scenario ready to be laid over this world. @throws RangeError @internal */
  activate(choice: ScenarioChoice): ActiveScenario {
    const { name, options = {} } = typeof choice === 'string' ? { name: choice } : choice
    return this.#origin.library.activate(name, options, this.#clock.now())
  }

  /** The world's overlay with more scenarios laid over it, for one request. @internal */
  overlaid(scenarios: readonly ActiveScenario[]): Overlay {
    return createOverlay([...this.#active, ...scenarios], this.#assumptions)
  }

  /** Answers a question that the reference leaves open in another way. @throws RangeError for an id or a value that is none. */
  assume(id: string, value: string): void {
    this.#assumptions = new Map(this.#assumptions).set(id, this.#origin.ledger.check(id, value))
    this.#refresh()
  }

  /** Runs `work` when nothing else that came this way is running. */
  exclusively<T>(work: () => T | Promise<T>): Promise<T> {
    const run = this.#last.then(work)
    this.#last = run.catch(() => undefined)
    return run
  }

  #refresh(): void {
    this.#overlay = createOverlay(this.#active, this.#assumptions)
  }
}
