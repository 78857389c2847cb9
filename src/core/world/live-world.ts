import { accounts } from '../accounts/accounts.ts'
import { Limiter } from '../accounts/rate-limit.ts'
import { withChoices } from '../definitions/assumption-values.ts'
import type { WorldEvent } from '../definitions/events.ts'
import type { WebhookTransport } from '../http/webhook-transport.ts'
import type { Journal } from '../journal/journal.ts'
import type { Notice } from '../journal/notices.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import { WorldMemory } from '../store/data-memory.ts'
import type { RecordDifference, RecordIndex } from '../store/record-index.ts'
import type { Records } from '../store/records.ts'
import type { ReplyCache } from '../store/reply-cache.ts'
import type { SecretFinder } from '../store/secret-finder.ts'
import { onCommit, transact } from '../store/transaction.ts'
import { createClock, toClockTime, type WorldClock } from '../time/clock.ts'
import type { DueWork } from '../time/due-work.ts'
import type { Random } from '../time/random.ts'
import { activate } from './activate.ts'
import { Background } from './background.ts'
import type { StateChange, WorldChange } from './changes.ts'
import { Chance } from './chance.ts'
import { Idempotency } from './idempotency.ts'
import { assertFewInline, weighInline } from './inline.ts'
import type { ActiveScenario } from './layer.ts'
import { toNamedScenarios } from './named-scenarios.ts'
import type { KeptScenario, WorldOrigin, WorldStart } from './origin.ts'
import type { Overlay } from './overlay.ts'
import type { NamedScenario, ScenarioChoice } from './scenario-choice.ts'
import { Snapshots } from './snapshots.ts'
import { WorldData } from './world-data.ts'
import { WorldScenarios } from './world-scenarios.ts'
import type { World } from './world.ts'

/** What a world takes before anything is written to it, in bytes. */
const emptyWeight = 7_200

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
  #data!: WorldData
  #chance!: Chance
  #scenarios!: WorldScenarios
  /** Made with the first snapshot. */
  #taken: Snapshots | undefined
  #clock!: WorldClock
  #limiter!: Limiter
  #journal!: Journal
  #idempotency!: Idempotency

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
    return this.#chance.seed
  }

  get overlay(): Overlay {
    return this.#scenarios.overlay
  }

  get epoch(): number {
    return this.#epoch
  }

  get replies(): ReplyCache {
    return this.#origin.replies
  }

  get transport(): WebhookTransport {
    return this.#origin.transport()
  }

  /** The active scenarios, in the order of their activation. */
  get active(): readonly ActiveScenario[] {
    return this.#scenarios.active
  }

  /** The names of the snapshots that were taken. */
  get snapshots(): string[] {
    return this.#taken?.names ?? []
  }

  /**
   * Goes back to the start in everything: data, quotas, clock, scenarios, journal, idempotency keys, assumptions, seed and snapshots.
   * @param start what differs this time.
   * @param keepsSnapshots whether the snapshots stay after all, so that one can take the reset back.
   * @throws RangeError when something of it can't be; then nothing changed.
   */
  reset(start: WorldStart = {}, keepsSnapshots = false): void {
    const begin = this.#prepare(start, keepsSnapshots)
    this.#stop()
    this.#clock.stop()
    this.#journal.end()
    begin()
    this.#tellOf('reset')
  }

  /** Remembers everything but the journal under a name, in place of what had that name. @throws RangeError when there are 1,000 of other names. */
  snapshot(name: string): void {
    this.#snapshots.add(name, () => ({
      data: this.#data.share(),
      chance: this.#chance.save(),
      clock: this.#clock.save(),
      limiter: this.#limiter.clone(),
      idempotency: this.#idempotency.clone(),
      scenarios: this.#scenarios.save(),
    }))
    this.#tell('snapshots')
  }

  /**
   * Goes back to a snapshot. The journal stays as it is. @throws RangeError when there is none of that name,
   * UnsupportedFaultError for a scenario that could not be switched on any more; then nothing changed.
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
    this.#tellOf('restored')
  }

  /** Forgets a snapshot. @throws RangeError when there is none of that name. */
  deleteSnapshot(name: string): void {
    this.#snapshots.delete(name)
    this.#tell('snapshots')
  }

  /** What differs from a snapshot in the records of a collection, in no order. @throws RangeError when there is no such snapshot. */
  changesSince<T extends object>(name: string, definition: CollectionDefinition<T>): Iterable<RecordDifference<T>> {
    return this.#data.changesSince(this.#snapshots.get(name, 'compare with').data, definition)
  }

  /** Draws all chance anew from this seed. */
  reseed(seed: number): void {
    this.#chance.reseed(seed)
    this.#scenarios.reseed()
  }

  collection<T extends object>(definition: CollectionDefinition<T>): Records<T> {
    return this.#data.collection(definition)
  }

  seedOf<T extends object>(definition: CollectionDefinition<T>): RecordIndex<T> {
    return this.#origin.seedOf(definition)
  }

  /** Puts records in place of all that a collection holds, and sees to what they leave to be done. */
  put<T extends object>(definition: CollectionDefinition<T>, index: RecordIndex<T>): void {
    this.#data.put(definition, index)
  }

  hasAccount(id: string): boolean {
    return this.#data.collection(accounts).get(id) !== undefined
  }

  accountIds(): string[] {
    return this.#data
      .collection(accounts)
      .all()
      .map(({ id }) => id)
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

  /** Switches a scenario on until it is cleared; the same one again replaces itself. @throws RangeError when there is none of that name or an option is wrong. */
  use(choice: ScenarioChoice, options?: Readonly<Record<string, unknown>>): void {
    this.#scenarios.use(choice, options)
    this.#tell('scenarios')
  }

  /** Switches scenarios on as `use` does. @param place where they go among the others; behind them without it. @throws RangeError when one can't be used; then nothing changed. */
  useAll(choices: readonly ScenarioChoice[], place?: number): void {
    this.#scenarios.useAll(choices, place)
    this.#tell('scenarios')
  }

  /** Puts these scenarios in place of the active ones. @throws RangeError when one can't be used; then nothing changed. */
  useOnly(choices: readonly ScenarioChoice[]): void {
    this.#scenarios.useOnly(choices)
    this.#tell('scenarios')
  }

  /** Switches a scenario off, or all of them. @throws RangeError when there is none of that name. */
  clear(name?: string): void {
    this.#scenarios.clear(name)
    this.#tell('scenarios')
  }

  /** A scenario ready to be laid over this world. @throws RangeError @internal */
  activate(choice: NamedScenario): ActiveScenario {
    return this.#scenarios.activate(choice)
  }

  overlaid(header: string): Overlay {
    return this.#scenarios.overlaid(header)
  }

  /** Answers questions that the reference leaves open in another way. @throws RangeError for an unknown id or value; then nothing changed. */
  assume(choices: Readonly<Record<string, string>>): void {
    this.#scenarios.assume(choices)
    this.#tell('assumptions')
  }

  /** Its journal forgets all entries. */
  journalCleared(): void {
    this.#tell('journal-cleared')
  }

  weigh(): void {
    this.#scenarios.weigh()
  }

  emit(event: WorldEvent, overlay: Overlay = this.overlay): void {
    for (const listen of this.#origin.eventListeners) listen(this, event, overlay)
  }

  tell(notice: Notice): void {
    this.#origin.tell(notice)
  }

  /** Ends what leaves the world, such as deliveries: what carried it has closed. */
  disconnect(): void {
    for (const lifecycle of this.#origin.lifecycles) lifecycle.disconnect?.(this)
  }

  schedule(at: number, work: (at: number) => void, about: (at: number) => Iterable<DueWork>): () => void {
    let takeBack: (() => void) | undefined
    let isTakenBack = false
    onCommit(() => {
      if (isTakenBack) return
      takeBack = this.#clock.schedule(
        at,
        () => transact(() => work(at)),
        () => about(at),
      )
    })
    return () => {
      isTakenBack = true
      onCommit(() => takeBack?.())
    }
  }

  /** What falls due that nothing waits for, since it changes no record: a renewal that succeeds, say. */
  upcoming(): DueWork[] {
    return this.#origin.lifecycles.flatMap((lifecycle) => lifecycle.upcoming?.(this) ?? [])
  }

  /** Sees to what a record leaves to be done that was written by hand, and by no request. @param before what it was. */
  awaitRecord<T extends object>(definition: CollectionDefinition<T>, record: Readonly<T>, before?: Readonly<T>): void {
    this.#data.awaitRecord(definition, record, before)
    for (const lifecycle of this.#origin.lifecycles) lifecycle.written?.(this, definition.name, record)
  }

  get isBehind(): boolean {
    return this.#clock.isBehind
  }

  catchUp(): void {
    while (this.isBehind) this.#clock.catchUp()
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
    const collections = this.#data.follow(formerSeedOf)
    return { scenarios: this.#scenarios.follow(changed), collections }
  }

  /** Ends what a world that is dropped still does. */
  end(): void {
    this.#stop()
    this.#clock.stop()
    this.#journal.end()
    this.memory.end()
  }

  /** Checks a start and gives what makes it; until that is called nothing has changed. */
  #prepare(start: WorldStart, keepsSnapshots = false): () => void {
    const { assumptionRegistry, createJournal, library, overlay, seed: usual, now, frozen, scenarios } = this.#origin
    const seed = start.seed ?? usual
    const clock = createClock(start.now === undefined ? now : toClockTime(start.now), () => this.#tell('clock'), frozen)
    const changes = Object.entries(start.assumptions ?? {}).map(
      ([id, value]) => [id, assumptionRegistry.check(id, value)] as const,
    )
    const assumptions = changes.length === 0 ? overlay.assumptions : withChoices(overlay.assumptions, changes)
    const chosen = start.scenarios ? toNamedScenarios(start.scenarios, library) : scenarios
    assertFewInline(chosen)
    this.memory.reserve(weighInline(chosen) - this.memory.used)
    const active = chosen.map((scenario) => activate(this.#origin, scenario, clock.now(), seed))
    return () => {
      this.#epoch++
      this.memory.clear()
      this.memory.grow(emptyWeight)
      this.#data = new WorldData(this, this.#origin, this.memory)
      this.#chance = new Chance(seed)
      if (!keepsSnapshots) this.#taken = undefined
      if (this.#taken) this.memory.grow(this.#taken.bytes)
      this.#clock = clock
      this.#limiter = new Limiter()
      this.#journal = createJournal(this)
      this.#idempotency = new Idempotency(this.memory)
      this.#scenarios = new WorldScenarios(this, this.#origin, this.memory, { active, assumptions })
      this.#scenarios.refresh()
      this.#data.awaitSeeds()
    }
  }

  get #snapshots(): Snapshots {
    return (this.#taken ??= new Snapshots(this.name, this.memory))
  }

  #tell(type: StateChange['type']): void {
    const { changes } = this.#origin
    if (changes.isObserved) changes.tell({ type, world: this.name })
  }

  #tellOf(change: WorldChange['change']): void {
    const { changes } = this.#origin
    if (changes.isObserved) changes.tell({ type: 'world', world: this.name, change })
  }

  #stop(): void {
    for (const lifecycle of this.#origin.lifecycles) lifecycle.stop(this)
  }
}
