import type { CallerSource } from '../accounts/known-callers.ts'
import { Limiter } from '../accounts/rate-limit.ts'
import { withChoices } from '../definitions/assumption-values.ts'
import type { WorldEvent } from '../definitions/events.ts'
import type { WebhookTransport } from '../http/webhook-transport.ts'
import type { CoreJournal } from '../journal/journal.ts'
import type { Notice } from '../journal/notices.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import { WorldMemory } from '../store/data-memory.ts'
import type { RecordDifference, RecordIndex } from '../store/record-index.ts'
import type { CollectionStore } from '../store/records.ts'
import type { ReplyCache } from '../store/reply-cache.ts'
import type { SecretFinder } from '../store/secret-finder.ts'
import { onCommit, transact } from '../store/transaction.ts'
import { WorldClock } from '../time/world-clock.ts'
import { toClockTime } from '../time/time-text.ts'
import type { DueWork } from '../time/due-work.ts'
import type { Random } from '../time/random.ts'
import { activate } from './activate.ts'
import { Background } from './background.ts'
import type { StateChange, WorldChange } from './changes.ts'
import { Chance } from './chance.ts'
import { Idempotency } from './idempotency.ts'
import type { History, OutsideChange } from './history.ts'
import { assertFewInline, weighInline } from './inline.ts'
import type { CoreActiveScenario } from './layer.ts'
import { toNamedScenarios } from './named-scenarios.ts'
import type { KeptScenario, WorldOrigin, CoreWorldStart } from './origin.ts'
import type { Overlay } from './overlay.ts'
import type { NamedScenario, CoreScenarioChoice } from './scenario-choice.ts'
import { Snapshots } from './snapshots.ts'
import { WorldData } from './world-data.ts'
import { WorldScenarios } from './world-scenarios.ts'
import type { CoreWorld } from './world.ts'

/** The bytes of a world before anything is written to it. */
const emptyWeight = 7_200

/** The state that a world began with, apart from its records. */
export interface StartedFrom {
  readonly seed: number
  /** How often other processes continued from its state. */
  readonly restarts: number
  /** In milliseconds since 1970. */
  readonly now: number
  readonly frozen: boolean
  readonly assumptions: ReadonlyMap<string, string>
  readonly scenarios: readonly object[]
  /** The time that times in fixtures are relative to, in milliseconds since 1970. */
  readonly seededAt: number
}

/** A running world: what requests and areas use, and what its owner controls. */
export class LiveWorld implements CoreWorld {
  readonly name: string
  /** Whether it is never dropped to make room. */
  pinned = false
  readonly background = new Background()
  readonly memory: WorldMemory
  /** What its owner gets of it. */
  view: object | undefined
  readonly #origin: WorldOrigin
  #epoch = 0
  readonly #data: WorldData
  #chance!: Chance
  #scenarios!: WorldScenarios
  /** Created with the first snapshot. */
  #taken: Snapshots | undefined
  #clock!: WorldClock
  #limiter!: Limiter
  #journal!: CoreJournal
  #idempotency!: Idempotency
  #history: History | undefined
  #start!: StartedFrom

  #ownTransport: WebhookTransport | undefined

  constructor(name: string, origin: WorldOrigin) {
    this.name = name
    this.#origin = origin
    this.memory = new WorldMemory(origin.memory)
    this.#data = new WorldData(this, origin, this.memory)
    this.#prepare({})()
  }

  get clock(): WorldClock {
    return this.#clock
  }

  get journal(): CoreJournal {
    return this.#journal
  }

  get limiter(): Limiter {
    return this.#limiter
  }

  get idempotency(): Idempotency {
    return this.#idempotency
  }

  get seed(): number {
    return this.#chance.seed
  }

  get restarts(): number {
    return this.#chance.restarts
  }

  get overlay(): Overlay {
    return this.#scenarios.overlay
  }

  get epoch(): number {
    return this.#epoch
  }

  /** The changes that no request made, since the start; `undefined` without the part that reads them. */
  get history(): History | undefined {
    return this.#history
  }

  get start(): StartedFrom {
    return this.#start
  }

  /** Adds a change that no request made to the history. */
  remember(change: OutsideChange): void {
    this.#history?.add(this.#journal.lastId, this.#clock.now(), change)
  }

  get replies(): ReplyCache {
    return this.#origin.replies
  }

  /** Sends this world's deliveries another way, until the returned function is called. */
  deliverThrough(transport: WebhookTransport): () => void {
    this.#ownTransport = transport
    return () => (this.#ownTransport = undefined)
  }

  get transport(): WebhookTransport {
    return this.#ownTransport ?? this.#origin.transport()
  }

  /** The active scenarios, in order of activation. */
  get active(): readonly CoreActiveScenario[] {
    return this.#scenarios.active
  }

  /** The names of its snapshots. */
  get snapshots(): string[] {
    return this.#taken?.names ?? []
  }

  /**
   * Resets everything: data, quotas, clock, scenarios, journal, idempotency keys, assumptions, seed and snapshots.
   * @param start what differs this time. @param keepsSnapshots keeps the snapshots, so that one can undo the reset.
   * @param seedOf the records that the world gets next, by default the starting ones: its scenarios may name their accounts.
   * @throws RangeError for an invalid start; then nothing has changed.
   */
  reset(start: CoreWorldStart = {}, keepsSnapshots = false, seedOf?: CallerSource['seedOf']): void {
    const begin = this.#prepare(start, keepsSnapshots, seedOf)
    this.#stop()
    this.#clock.stop()
    this.#journal.end()
    begin()
    this.#notifyWorldChange('reset')
  }

  /** Saves everything but the journal under a name, replacing a snapshot of that name. @throws RangeError with 1,000 other snapshots. */
  snapshot(name: string): void {
    this.#snapshots.add(name, () => ({
      data: this.#data.save(),
      chance: this.#chance.save(),
      clock: this.#clock.save(),
      limiter: this.#limiter.clone(),
      idempotency: this.#idempotency.clone(),
      scenarios: this.#scenarios.save(),
    }))
    this.remember({ snapshot: name })
    this.#notify('snapshots')
  }

  /**
   * Restores a snapshot. The journal stays. @throws RangeError for an unknown name, UnsupportedFaultError for a
   * scenario that can no longer be active; then nothing has changed.
   */
  restore(name: string): void {
    const { data, chance, clock, limiter, idempotency, scenarios } = this.#snapshots.get(name)
    this.#scenarios.assertProducible(scenarios)
    this.#stop()
    this.#epoch++
    this.#data.restore(data)
    this.#chance.restore(chance)
    this.#clock.restore(clock)
    this.#limiter = limiter.clone()
    this.#idempotency.end()
    this.#idempotency = idempotency.clone()
    this.#scenarios.restore(scenarios)
    this.#scenarios.refresh()
    for (const lifecycle of this.#origin.lifecycles) lifecycle.resume?.(this)
    this.remember({ restore: name })
    this.#notifyWorldChange('restored')
  }

  /** Deletes a snapshot. @throws RangeError for an unknown name. */
  deleteSnapshot(name: string): void {
    this.#snapshots.delete(name)
    this.#notify('snapshots')
  }

  /** Yields the differences of a collection from a snapshot, in no particular order. @throws RangeError for an unknown snapshot. */
  changesSince<T extends object>(name: string, definition: CollectionDefinition<T>): Iterable<RecordDifference<T>> {
    return this.#data.changesSince(this.#snapshots.get(name, 'compare with').data, definition)
  }

  /** Restarts all random generators with this seed. */
  reseed(seed: number, restarts?: number): void {
    this.#chance.reseed(seed, restarts)
    this.#scenarios.reseed()
  }

  get scopes(): readonly string[] {
    return this.#origin.scopes
  }

  /** All collections, in the order of fixture files. */
  get collections(): readonly CollectionDefinition<never>[] {
    return this.#origin.collections
  }

  collection<T extends object>(definition: CollectionDefinition<T>): CollectionStore<T> {
    return this.#data.collection(definition)
  }

  seedOf<T extends object>(definition: CollectionDefinition<T>): RecordIndex<T> {
    return this.#origin.seedOf(definition)
  }

  /** Replaces all records of a collection, and schedules the work that follows from them. */
  put<T extends object>(definition: CollectionDefinition<T>, index: RecordIndex<T>): void {
    this.#data.put(definition, index)
    this.remember({ replace: { collection: definition.name, records: index.all() } })
  }

  secretFinders(): SecretFinder[] {
    return this.#data.secretFinders()
  }

  random(purpose: string): Random {
    return this.#chance.random(purpose)
  }

  onwardRandom(purpose: string): Random {
    return this.#chance.onwardRandom(purpose)
  }

  /**
   * Activates a scenario until it is cleared; the same one again replaces itself. @throws RangeError for an unknown
   * scenario or an invalid option.
   */
  use(choice: CoreScenarioChoice, options?: Readonly<Record<string, unknown>>): void {
    this.#clock.during(() => {
      this.#scenarios.use(choice, options)
      this.remember({ use: this.active.slice(-1).map(toChoice) })
    })
    this.#notify('scenarios')
  }

  /**
   * Activates scenarios as `use` does. @param place their position among the active ones; at the end by default.
   * @throws RangeError if one is invalid; then nothing has changed.
   */
  useAll(choices: readonly CoreScenarioChoice[], place?: number): void {
    this.#clock.during(() => {
      this.#scenarios.useAll(choices, place)
      const end = place === undefined ? undefined : place + choices.length
      this.remember({ use: this.active.slice(place ?? -choices.length, end).map(toChoice), place })
    })
    this.#notify('scenarios')
  }

  /** Replaces the active scenarios. @throws RangeError if one is invalid; then nothing has changed. */
  useOnly(choices: readonly CoreScenarioChoice[]): void {
    this.#clock.during(() => {
      this.#scenarios.useOnly(choices)
      this.remember({ useOnly: this.active.map(toChoice) })
    })
    this.#notify('scenarios')
  }

  /** Clears a scenario, or all. @throws RangeError for an unknown name. */
  clear(name?: string): void {
    this.#scenarios.clear(name)
    this.remember({ clear: name ?? null })
    this.#notify('scenarios')
  }

  /** Prepares a scenario for this world. @throws RangeError @internal */
  activate(choice: NamedScenario): CoreActiveScenario {
    return this.#scenarios.activate(choice)
  }

  overlaid(header: string): Overlay {
    return this.#scenarios.overlaid(header)
  }

  /** Sets assumptions. @throws RangeError for an unknown id or value; then nothing has changed. */
  assume(choices: Readonly<Record<string, string>>): void {
    this.#scenarios.assume(choices)
    this.remember({ assume: choices })
    this.#notify('assumptions')
  }

  /** Called when its journal was cleared. */
  journalCleared(): void {
    if (this.#journal.lastId > 0) this.#history?.breakOff('the journal was cleared')
    this.#notify('journal-cleared')
  }

  weigh(): void {
    this.#scenarios.weigh()
  }

  emit(event: WorldEvent, overlay: Overlay = this.overlay): void {
    for (const listen of this.#origin.eventListeners) listen(this, event, overlay)
  }

  notify(notice: Notice): void {
    this.#origin.notify(notice)
  }

  /** Ends outgoing work, such as deliveries: the transport has closed. */
  disconnect(): void {
    for (const lifecycle of this.#origin.lifecycles) lifecycle.disconnect?.(this)
  }

  schedule(at: number, work: (at: number) => void, about: (at: number) => Iterable<DueWork>): () => void {
    let cancel: (() => void) | undefined
    let isCanceled = false
    onCommit(() => {
      if (isCanceled) return
      cancel = this.#clock.schedule(
        at,
        () => transact(() => work(at)),
        () => about(at),
      )
    })
    return () => {
      isCanceled = true
      onCommit(() => cancel?.())
    }
  }

  /** Lists the changes that the passing of time alone makes: a renewal that succeeds, for example. */
  upcoming(): DueWork[] {
    return this.#origin.lifecycles.flatMap((lifecycle) => lifecycle.upcoming?.(this) ?? [])
  }

  /** Schedules the work that follows from a record that was written without a request. @param before the record before the write. */
  awaitRecord<T extends object>(definition: CollectionDefinition<T>, record: Readonly<T>, before?: Readonly<T>): void {
    this.#data.awaitRecord(definition, record, before)
    for (const lifecycle of this.#origin.lifecycles) lifecycle.written?.(this, definition.name, record)
  }

  get isBehind(): boolean {
    return this.#clock.isBehind
  }

  catchUp(): void {
    while (this.isBehind) this.#clock.tick()
  }

  async settled(): Promise<void> {
    while (this.isBehind || this.background.isBusy) {
      this.catchUp()
      if (this.background.isBusy) await this.background.progressed()
    }
  }

  /**
   * Moves collections without writes, and the active scenarios whose names are in `changed`, to a new origin. Returns
   * the scenarios and collections that stayed. @internal
   */
  follow(
    formerSeedOf: WorldOrigin['seedOf'],
    changed: ReadonlySet<string>,
  ): { scenarios: KeptScenario[]; collections: CollectionDefinition<never>[] } {
    const collections = this.#data.follow(formerSeedOf)
    if (this.#journal.lastId > 0) this.#history?.breakOff('fixtures or scenarios were read again')
    else this.#start = { ...this.#start, seededAt: this.#origin.seededAt }
    return { scenarios: this.#scenarios.follow(changed), collections }
  }

  /** Ends all work of a dropped world. */
  end(): void {
    this.#stop()
    this.#clock.stop()
    this.#journal.end()
    this.#history?.breakOff('the world was deleted')
    this.memory.end()
  }

  /** Checks a start and returns a function that applies it; nothing changes until it is called. */
  #prepare(
    start: CoreWorldStart,
    keepsSnapshots = false,
    seedOf: CallerSource['seedOf'] = this.#origin.seedOf,
  ): () => void {
    const origin = this.#origin
    const { library, hosts, overlay } = origin
    const frozen = start.frozen ?? origin.frozen
    const seed = start.seed ?? origin.seed
    const clock = this.#createClock(start.now === undefined ? origin.now : toClockTime(start.now), frozen)
    const changes = Object.entries(start.assumptions ?? {}).map(
      ([id, value]) => [id, origin.assumptionRegistry.check(id, value)] as const,
    )
    const assumptions = changes.length === 0 ? overlay.assumptions : withChoices(overlay.assumptions, changes)
    const chosen = start.scenarios ? toNamedScenarios(start.scenarios, library) : origin.scenarios
    assertFewInline(chosen)
    this.memory.reserve(weighInline(chosen) - this.memory.used)
    const callers = { name: this.name, collection: seedOf, seedOf }
    const active = chosen.map((scenario) => activate({ library, hosts, callers }, scenario, clock.now(), seed))
    return () => {
      this.#epoch++
      if (!keepsSnapshots) {
        this.#taken = undefined
        this.#data.recount([])
      }
      this.#data.restart()
      this.memory.clear()
      this.memory.grow(emptyWeight + this.#data.counted + (this.#taken?.bytes ?? 0))
      this.#chance = new Chance(seed, origin.restarts)
      this.#clock = clock
      this.#limiter = new Limiter()
      this.#journal = origin.createJournal(this)
      this.#idempotency = new Idempotency(this.memory)
      this.#history?.breakOff('')
      this.#history = origin.createHistory?.()
      this.#start = {
        seed,
        restarts: origin.restarts,
        now: clock.now(),
        frozen,
        assumptions,
        scenarios: active.map(toChoice),
        seededAt: origin.seededAt,
      }
      this.#scenarios = new WorldScenarios(this, origin, this.memory, { active, assumptions })
      this.#scenarios.refresh()
      this.#data.awaitSeeds()
    }
  }

  /** A method of its own: the callback keeps everything alive that is in scope. */
  #createClock(now: number | undefined, frozen: boolean): WorldClock {
    return new WorldClock(now, () => this.#clockSet(), frozen)
  }

  /** Called when the clock is moved, stopped or started. */
  #clockSet(): void {
    this.remember({ clock: { now: this.#clock.now(), frozen: this.#clock.frozen } })
    this.#notify('clock')
  }

  get #snapshots(): Snapshots {
    return (this.#taken ??= new Snapshots(this.name, this.memory, (kept) => this.#data.recount(kept)))
  }

  #notify(type: StateChange['type']): void {
    const { changes } = this.#origin
    if (changes.isObserved) changes.notify({ type, world: this.name })
  }

  #notifyWorldChange(change: WorldChange['change']): void {
    const { changes } = this.#origin
    if (changes.isObserved) changes.notify({ type: 'world', world: this.name, change })
  }

  #stop(): void {
    for (const lifecycle of this.#origin.lifecycles) lifecycle.stop(this)
  }
}

/** Returns an active scenario in the form that `useOnly` takes. */
export function toChoice({ name, options, inline }: CoreActiveScenario): object {
  return inline ? inline.data : { name, ...options }
}
