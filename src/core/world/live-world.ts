import { activate, assertProducible } from './activate.ts'
import { Background } from './background.ts'
import { createClock, toClockTime, type ClockState, type WorldClock } from '../time/clock.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import { copied } from '../store/copied.ts'
import { WorldMemory } from '../store/data-memory.ts'
import type { ActiveScenario } from './layer.ts'
import type { WorldEvent } from '../definitions/events.ts'
import { Idempotency } from './idempotency.ts'
import { Journal } from '../journal/journal.ts'
import { createOverlay, type Overlay } from './overlay.ts'
import { HeaderScenarioState } from './header-scenario-state.ts'
import { awaitPending, findPending } from './pending.ts'
import { createRandom, type Random } from '../time/random.ts'
import { Limiter } from '../accounts/rate-limit.ts'
import type { Notice } from '../journal/notices.ts'
import type { RecordIndex } from '../store/record-index.ts'
import { Records } from '../store/records.ts'
import type { ReplyCache } from '../store/reply-cache.ts'
import { toNamedScenario, type NamedScenario, type ScenarioChoice } from './scenario-choice.ts'
import type { SecretFinder } from '../store/secret-finder.ts'
import { suggest } from '../definitions/suggest.ts'
import type { WebhookTransport } from '../http/webhook-transport.ts'
import type { KeptScenario, WorldOrigin, WorldStart } from './origin.ts'
import type { World } from './world.ts'

/** What a world takes before anything is written to it, in bytes. */
const emptyWeight = 7_200

/** How many snapshots a world has at most. */
const mostSnapshots = 1_000

/** What a snapshot takes besides the records, in bytes. */
const snapshotWeight = 2_000

interface Snapshot {
  readonly headerState: HeaderScenarioState
  readonly collections: ReadonlyMap<string, RecordIndex<never>>
  readonly streams: ReadonlyMap<string, Random>
  readonly seed: number
  readonly clock: ClockState
  readonly limiter: Limiter
  readonly idempotency: Idempotency
  readonly assumptions: ReadonlyMap<string, string>
  readonly active: readonly ActiveScenario[]
}

/** A world as it runs: what requests and areas see of it, and what its owner does with it. */
export class LiveWorld implements World {
  readonly name: string
  /** Whether it stays when worlds are dropped to make room. */
  pinned = false
  readonly background = new Background()
  /** Counts what it holds. */
  readonly memory: WorldMemory
  readonly #origin: WorldOrigin
  #epoch = 0
  readonly #collections = new Map<string, Records<never>>()
  readonly #streams = new Map<string, Random>()
  /** The streams that no restore takes back. */
  readonly #onwardStreams = new Map<string, Random>()
  /** How many times it went back to a snapshot since its start. */
  #restores = 0
  readonly #snapshots = new Map<string, Snapshot>()
  #seed!: number
  #clock!: WorldClock
  #limiter!: Limiter
  #journal!: Journal
  #idempotency!: Idempotency
  #assumptions!: ReadonlyMap<string, string>
  #active: readonly ActiveScenario[] = []
  #headerState!: HeaderScenarioState
  /** What of the world's memory is counted for what the active scenarios remember. */
  #activeBytes = 0
  #overlay!: Overlay

  constructor(name: string, origin: WorldOrigin) {
    this.name = name
    this.#origin = origin
    this.memory = new WorldMemory(origin.memory)
    this.#prepare({})()
  }

  get clock(): WorldClock {
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

  get seed(): number {
    return this.#seed
  }

  get overlay(): Overlay {
    return this.#overlay
  }

  get epoch(): number {
    return this.#epoch
  }

  /** The active scenarios, in the order of their activation. */
  get active(): readonly ActiveScenario[] {
    return this.#active
  }

  /** The names of the snapshots that were taken. */
  get snapshots(): string[] {
    return [...this.#snapshots.keys()]
  }

  /**
   * Goes back to the start in everything: data, quotas, clock, scenarios, journal, idempotency keys, assumptions, seed and snapshots.
   * @param start what differs this time. @throws RangeError when something of it can't be; then nothing changed.
   */
  reset(start: WorldStart = {}): void {
    const begin = this.#prepare(start)
    this.#stop()
    this.#clock.stop()
    this.#journal.end()
    begin()
  }

  /** Remembers everything but the journal under a name, in place of what had that name. @throws RangeError when there are 1,000 of other names. */
  snapshot(name: string): void {
    if (this.#snapshots.size >= mostSnapshots && !this.#snapshots.has(name))
      throw new RangeError(
        `Failed to take the snapshot ${JSON.stringify(name)}: the world "${this.name}" has ${mostSnapshots} snapshots already. Use one of their names, or reset the world.`,
      )
    const replaced = this.#snapshots.get(name)
    if (replaced) {
      replaced.headerState.end()
      replaced.idempotency.end()
    } else this.memory.grow(snapshotWeight)
    this.#snapshots.set(copied(name), {
      collections: new Map(Array.from(this.#collections, ([collection, records]) => [collection, records.share()])),
      streams: forked(this.#streams),
      seed: this.#seed,
      clock: this.#clock.save(),
      limiter: this.#limiter.clone(),
      idempotency: this.#idempotency.clone(),
      assumptions: this.#assumptions,
      active: this.#active.map((scenario) => scenario.fork()),
      headerState: this.#headerState.clone(),
    })
  }

  /** Goes back to a snapshot; the journal goes on. @throws RangeError when there is none of that name, UnsupportedFaultError for a scenario that could not be switched on any more; then nothing changed. */
  restore(name: string): void {
    const snapshot = this.#snapshots.get(name)
    if (!snapshot)
      throw new RangeError(
        `Failed to restore the snapshot ${JSON.stringify(name)}: the world "${this.name}" has no such snapshot.${suggest(name, this.snapshots)}`,
      )
    for (const host of this.#origin.hosts) for (const scenario of snapshot.active) assertProducible(scenario, host)
    this.#stop()
    this.#epoch++
    for (const [collection, records] of this.#collections)
      records.restore(snapshot.collections.get(collection) ?? this.#origin.seedOf(records.definition))
    this.#streams.clear()
    for (const [purpose, stream] of forked(snapshot.streams)) this.#streams.set(purpose, stream)
    this.#restores++
    this.#onwardStreams.clear()
    this.#seed = snapshot.seed
    this.#clock.restore(snapshot.clock)
    this.#limiter = snapshot.limiter.clone()
    this.#idempotency.end()
    this.#idempotency = snapshot.idempotency.clone()
    this.#assumptions = snapshot.assumptions
    this.#active = snapshot.active.map((scenario) => scenario.fork())
    this.#headerState.end()
    this.#headerState = snapshot.headerState.clone()
    this.#refresh()
    for (const lifecycle of this.#origin.lifecycles) lifecycle.resume?.(this)
  }

  /** Draws all chance anew from this seed. */
  reseed(seed: number): void {
    this.#seed = seed
    this.#streams.clear()
    this.#onwardStreams.clear()
    this.#headerState.end()
    this.#headerState = this.#newHeaderState()
  }

  collection<T extends object>(definition: CollectionDefinition<T>): Records<T> {
    let records = this.#collections.get(definition.name) as Records<T> | undefined
    if (!records) {
      records = new Records(definition, this.#origin.seedOf(definition), this.memory, (index) =>
        this.#awaitPending(index as unknown as RecordIndex<never>, definition.name),
      )
      this.#collections.set(definition.name, records as never)
    }
    return records
  }

  seedOf<T extends object>(definition: CollectionDefinition<T>): RecordIndex<T> {
    return this.#origin.seedOf(definition)
  }

  secretFinders(): SecretFinder[] {
    return [
      ...this.#origin.secretCollections.map((definition) => this.collection(definition).secretFinder()),
      this.#origin.tokens.finder,
    ]
  }

  random(purpose: string): Random {
    let stream = this.#streams.get(purpose)
    if (!stream) this.#streams.set(purpose, (stream = createRandom(this.#seed, purpose)))
    return stream
  }

  onwardRandom(purpose: string): Random {
    let stream = this.#onwardStreams.get(purpose)
    if (!stream) {
      const name = this.#restores === 0 ? purpose : `${purpose} after restore ${this.#restores}`
      this.#onwardStreams.set(purpose, (stream = createRandom(this.#seed, name)))
    }
    return stream
  }

  /** Switches a scenario on until it is cleared; the same one again replaces itself. @throws RangeError when there is none of that name or an option is wrong. */
  use(choice: ScenarioChoice, options?: Readonly<Record<string, unknown>>): void {
    const { name, options: chosen } = toNamedScenario(choice)
    const scenario = this.activate({ name, options: { ...chosen, ...options } })
    this.#active = [...this.#active.filter((active) => active.name !== name), scenario]
    this.#refresh()
  }

  /** Puts these scenarios in place of the active ones. @throws RangeError when one can't be used; then nothing changed. */
  useOnly(choices: readonly ScenarioChoice[]): void {
    this.#active = choices.map((choice) => this.activate(toNamedScenario(choice)))
    this.#refresh()
  }

  /** Switches a scenario off, or all of them. @throws RangeError when there is none of that name. */
  clear(name?: string): void {
    if (name !== undefined && !this.#active.some((active) => active.name === name))
      this.#origin.library.assertKnown(name, 'clear')
    this.#active = name === undefined ? [] : this.#active.filter((active) => active.name !== name)
    this.#refresh()
  }

  /** A scenario ready to be laid over this world. @throws RangeError @internal */
  activate(choice: NamedScenario): ActiveScenario {
    return activate(this.#origin, choice, this.#clock.now(), this.#seed)
  }

  overlaid(choices: readonly NamedScenario[]): Overlay {
    const scenarios = choices.map((choice) =>
      activate(this.#origin, choice, this.#clock.now(), this.#seed, this.#headerState.of(choice)),
    )
    return createOverlay([...this.#active, ...scenarios], this.#assumptions)
  }

  /** Answers questions that the reference leaves open in another way. @throws RangeError for an unknown id or value; then nothing changed. */
  assume(choices: Readonly<Record<string, string>>): void {
    const assumptions = new Map(this.#assumptions)
    for (const [id, value] of Object.entries(choices))
      assumptions.set(id, this.#origin.assumptionRegistry.check(id, value))
    this.#assumptions = assumptions
    this.#refresh()
  }

  emit(event: WorldEvent, overlay: Overlay = this.#overlay): void {
    for (const listen of this.#origin.eventListeners) listen(this, event, overlay)
  }

  tell(notice: Notice): void {
    this.#origin.tell(notice)
  }

  get replies(): ReplyCache {
    return this.#origin.replies
  }

  get transport(): WebhookTransport {
    return this.#origin.transport()
  }

  /** Ends what leaves the world, such as deliveries: what carried it has closed. */
  disconnect(): void {
    for (const lifecycle of this.#origin.lifecycles) lifecycle.disconnect?.(this)
  }

  schedule(at: number, work: (at: number) => void): () => void {
    return this.#clock.schedule(at, () => work(at))
  }

  get isBehind(): boolean {
    return this.#clock.isBehind
  }

  catchUp(): void {
    while (this.isBehind) this.#clock.catchUp()
  }

  /** Puts records in place of all that a collection holds, and sees to what they leave to be done. */
  put<T extends object>(definition: CollectionDefinition<T>, index: RecordIndex<T>): void {
    this.collection(definition).restore(index)
    this.#awaitPending(index as unknown as RecordIndex<never>, definition.name)
  }

  async settled(): Promise<void> {
    while (this.isBehind || this.background.isBusy) {
      this.catchUp()
      if (this.background.isBusy) await this.background.progressed()
    }
  }

  /** Goes over to an origin that was swapped: collections that nothing was written to, and active scenarios of these names. Gives the scenarios and the collections that stayed. @internal */
  follow(
    formerSeedOf: WorldOrigin['seedOf'],
    changed: ReadonlySet<string>,
  ): { scenarios: KeptScenario[]; collections: CollectionDefinition<never>[] } {
    const { seedOf } = this.#origin
    const collections = [...this.#collections.values()]
      .filter((records) => !records.follow(formerSeedOf(records.definition), seedOf(records.definition)))
      .map((records) => records.definition)
    if (seedOf !== formerSeedOf) awaitPending(this, this.#origin.pendingSeeds())
    const scenarios: KeptScenario[] = []
    this.#active = this.#active.map((scenario) => {
      if (!changed.has(scenario.name)) return scenario
      try {
        return this.activate(scenario)
      } catch (error) {
        scenarios.push({ world: this.name, scenario: scenario.name, reason: (error as Error).message })
        return scenario
      }
    })
    this.#refresh()
    return { scenarios, collections }
  }

  /** Ends what a world that is dropped still does. */
  end(): void {
    this.#stop()
    this.#clock.stop()
    this.#journal.end()
    this.memory.end()
  }

  /** Checks a start and gives what makes it; until that is called nothing has changed. */
  #prepare(start: WorldStart): () => void {
    const { seed, now, assumptionRegistry, journal, overlay, scenarios } = this.#origin
    const clock = createClock(start.now === undefined ? now : toClockTime(start.now))
    const changes = Object.entries(start.assumptions ?? {}).map(
      ([id, value]) => [id, assumptionRegistry.check(id, value)] as const,
    )
    const active = (start.scenarios?.map(toNamedScenario) ?? scenarios).map((scenario) =>
      activate(this.#origin, scenario, clock.now(), start.seed ?? seed),
    )
    return () => {
      this.#epoch++
      this.memory.clear()
      this.memory.grow(emptyWeight)
      this.#collections.clear()
      this.#streams.clear()
      this.#onwardStreams.clear()
      this.#restores = 0
      this.#snapshots.clear()
      this.#headerState = this.#newHeaderState()
      this.#activeBytes = 0
      this.#seed = start.seed ?? seed
      this.#clock = clock
      this.#limiter = new Limiter()
      this.#journal = new Journal(journal, this)
      this.#idempotency = new Idempotency(this.memory)
      this.#assumptions = changes.length === 0 ? overlay.assumptions : new Map([...overlay.assumptions, ...changes])
      this.#active = active
      this.#refresh()
      awaitPending(this, this.#origin.pendingSeeds())
    }
  }

  weigh(): void {
    let bytes = 0
    for (const scenario of this.#active) bytes += scenario.bytes
    if (bytes === this.#activeBytes) return
    this.memory.grow(bytes - this.#activeBytes)
    this.#activeBytes = bytes
  }

  #awaitPending(index: RecordIndex<never>, name: string): void {
    const kinds = this.#origin.pending.filter(({ collection }) => collection.name === name)
    awaitPending(
      this,
      findPending(kinds, () => index.all()),
    )
  }

  #newHeaderState(): HeaderScenarioState {
    return new HeaderScenarioState((bytes) => this.memory.grow(bytes))
  }

  #stop(): void {
    for (const lifecycle of this.#origin.lifecycles) lifecycle.stop(this)
  }

  #refresh(): void {
    this.weigh()
    const { overlay, lifecycles } = this.#origin
    this.#overlay =
      this.#active.length === 0 && this.#assumptions === overlay.assumptions
        ? overlay
        : createOverlay(this.#active, this.#assumptions)
    for (const lifecycle of lifecycles) lifecycle.refresh?.(this)
  }
}

function forked(streams: ReadonlyMap<string, Random>): Map<string, Random> {
  return new Map(Array.from(streams, ([purpose, stream]) => [purpose, stream.fork()]))
}
