import type { CallerSource } from '../accounts/accounts.ts'
import { Limiter } from '../accounts/rate-limit.ts'
import { Background } from './background.ts'
import type { WebhookTransport } from '../http/webhook-transport.ts'
import { LiveJournal } from '../journal/journal.ts'
import type { LogEvent } from '../journal/log-events.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import { type MemoryOwner, type ReplyCache, WorldMemory } from '../store/memory.ts'
import type { RecordIndex } from '../store/record-index.ts'
import { type CollectionStore, onCommit, transact } from '../store/records.ts'
import type { SecretFinder } from '../secrets/secret-finder.ts'
import { type ClockState, WorldClock } from '../time/world-clock.ts'
import type { DueWork } from '../time/clock.ts'
import { Chance, type Random } from '../time/random.ts'
import { type LiveScenario, type EffectiveSettings, toChoice } from './effective-settings.ts'
import { History, type OutsideChange, type StateChange, type WorldChange } from './changes.ts'
import { Idempotency } from './idempotency.ts'
import { WorldScenarios } from './world-scenarios.ts'
import {
  type LiveWorldStart,
  type ParsedStart,
  parseStart,
  type StartedFrom,
  type WorldTemplate,
} from './world-template.ts'
import { SnapshotStore, type Snapshot } from './snapshot-store.ts'
import { changedSince, differencesOf, isChanged } from './undo.ts'
import { type SavedData, WorldData } from './world-data.ts'
import type { WorldEvent } from './world-event.ts'

/** The size of an empty world, and of a snapshot of it, in bytes. */
const emptySize = 7_200
const snapshotSize = 10_000

/** All of a world that a reset replaces, but for its records. */
interface WorldState {
  readonly clock: WorldClock
  readonly journal: LiveJournal
  readonly limiter: Limiter
  readonly idempotency: Idempotency
  readonly chance: Chance
  readonly scenarios: WorldScenarios
  readonly history: History
  readonly start: StartedFrom
  /** Absent until the first snapshot or change: most worlds have none. */
  snapshotStore: SnapshotStore | undefined
  /** Another one after each reset. */
  readonly origin: object
}

/** The state before an attempt, which comes back if the attempt fails. */
interface FormerState {
  readonly state: WorldState
  readonly data: SavedData
  readonly due: ClockState['due']
}

/** Work of an area in a world that no request started, and that the world must be able to end. */
export interface AreaLifecycle {
  /** Schedules the work of the records that the world starts with. */
  begin?(world: LiveWorld): void
  stop?(world: LiveWorld): void
  /** Ends outgoing work: the transport has closed. */
  disconnect?(world: LiveWorld): void
  resume?(world: LiveWorld): void
  /**
   * Describes the changes that the passing of time alone makes, without scheduled work or a change
   * of records.
   */
  upcoming?(world: LiveWorld): readonly DueWork[]
  /**
   * Called with a record that was written through `world.records` or the control API. @param before
   * absent if it is new
   */
  written?(world: LiveWorld, collection: string, record: object, before?: object): void
  /** All records of a collection are others. */
  replaced?(world: LiveWorld, collection: string, records: readonly object[]): void
  refresh?(world: LiveWorld): void
}

export type WorldEventListener = (
  world: LiveWorld,
  event: WorldEvent,
  effectiveSettings: EffectiveSettings,
) => void

/** What areas and users do in worlds. */
export interface WorldHooks {
  readonly lifecycles: readonly AreaLifecycle[]
  readonly eventListeners: readonly WorldEventListener[]
}

/**
 * One complete service: data, clock, quotas, scenarios, journal, assumptions and seed. Nothing of
 * it is shared with another world.
 */
export class LiveWorld implements MemoryOwner {
  readonly name: string
  pinned = false
  readonly background = new Background()
  readonly memory: WorldMemory
  view: object | undefined
  readonly #template: WorldTemplate
  readonly #hooks: WorldHooks
  /** Increases with every reset and restore: work of an earlier epoch must not change this one. */
  epoch = 0
  readonly #data: WorldData
  #state: WorldState
  #former: FormerState | undefined
  /** True if a change is made that can be taken back: a reset keeps the states before it. */
  #isKeeping = false

  #ownTransport: WebhookTransport | undefined

  constructor(name: string, template: WorldTemplate, hooks: WorldHooks) {
    this.name = name
    this.#template = template
    this.#hooks = hooks
    this.memory = new WorldMemory(template.memory, this)
    this.#data = new WorldData(this, template)
    this.#state = this.#create(parseStart(this, template, {}), undefined)
    this.#begin()
  }

  get clock(): WorldClock {
    return this.#state.clock
  }

  get journal(): LiveJournal {
    return this.#state.journal
  }

  get limiter(): Limiter {
    return this.#state.limiter
  }

  get idempotency(): Idempotency {
    return this.#state.idempotency
  }

  get chance(): Chance {
    return this.#state.chance
  }

  get scenarios(): WorldScenarios {
    return this.#state.scenarios
  }

  get history(): History {
    return this.#state.history
  }

  get start(): StartedFrom {
    return this.#state.start
  }

  get snapshotStore(): SnapshotStore | undefined {
    return this.#state.snapshotStore
  }

  get seed(): number {
    return this.chance.seed
  }

  get effectiveSettings(): EffectiveSettings {
    return this.scenarios.effectiveSettings
  }

  recordChange(change: OutsideChange): void {
    this.history.add(this.journal.lastId, this.clock.now(), change)
  }

  get replies(): ReplyCache {
    return this.#template.replies
  }

  deliverThrough(transport: WebhookTransport): () => void {
    this.#ownTransport = transport
    return () => (this.#ownTransport = undefined)
  }

  get transport(): WebhookTransport {
    return this.#ownTransport ?? this.#template.transport()
  }

  get active(): readonly LiveScenario[] {
    return this.scenarios.active
  }

  get snapshots(): string[] {
    return [...(this.snapshotStore?.named.keys() ?? [])]
  }

  /**
   * @param initialRecordsOf the records that
   * the world gets next, by default the starting ones: its scenarios may name their accounts.
   * @throws RangeError for an invalid start; then nothing has changed.
   */
  reset(start: LiveWorldStart = {}, initialRecordsOf?: CallerSource['initialRecordsOf']): void {
    // A wrong start throws here, before anything has changed.
    const parsed = parseStart(this, this.#template, start, initialRecordsOf)
    // The work of the former state ends, and its readers learn that its journal does.
    this.#end('')
    this.#start(parsed, this.#isKeeping ? this.snapshotStore : undefined)
    this.snapshotStore?.deleteAll()
    this.#notifyWorldChange('reset')
  }

  /** If the work fails, the world is as it was, unless it was reset or deleted meanwhile. */
  async attempt<T>(start: LiveWorldStart, work: () => Promise<T>): Promise<T> {
    const parsed = parseStart(this, this.#template, start)
    // The former state is set aside with its journal. Only its work and its clock stop.
    const { due } = this.clock.save()
    const former: FormerState = {
      state: this.#state,
      data: this.#data.save(),
      due,
    }
    this.#endFormer()
    this.#stop()
    this.clock.stop()
    this.#start(parsed, undefined)
    this.#former = former
    this.#notifyWorldChange('reset')
    try {
      return await work()
    } catch (error) {
      if (this.#former === former) this.#returnTo(former)
      throw error
    } finally {
      if (this.#former === former) this.#endFormer()
    }
  }

  #returnTo({ state, data, due }: FormerState): void {
    this.#former = undefined
    this.#end('')
    this.epoch++
    this.#state = state
    this.#data.restore(data)
    this.clock.restore({ ...this.clock.save(), due })
    this.#continue()
    this.#notifyWorldChange('reset')
  }

  snapshot(name: string): void {
    this.#snapshots.add(name, this.#save())
    this.recordChange({ snapshot: name })
    this.updateSize()
    this.#notify('snapshots')
  }

  /**
   * The journal stays. If a scenario can no longer be active, it throws, and nothing has changed.
   */
  restore(name: string): void {
    this.#putBack(this.#snapshots.get(name))
    this.#recordRestore(name)
    this.#notifyWorldChange('restored')
  }

  #save(): Snapshot {
    const data = this.#data.save()
    let bytes = snapshotSize + this.idempotency.bytes + this.scenarios.bytes
    for (const index of data.indexes.values()) bytes += index.bytes
    return {
      data,
      chance: this.chance.save(),
      clock: this.clock.save(),
      limiter: this.limiter.clone(),
      idempotency: this.idempotency.clone(),
      scenarios: this.scenarios.save(),
      origin: this.#state.origin,
      bytes,
    }
  }

  #putBack(
    { data, chance, clock, limiter, idempotency, scenarios, origin }: Snapshot,
    goesOn = false,
  ): void {
    this.scenarios.assertProducible(scenarios)
    // Work that waits belongs to the state that goes.
    this.#stop()
    this.epoch++
    this.#data.restore(data)
    this.chance.restore(chance)
    this.clock.restore(clock, goesOn)
    this.#state = {
      ...this.#state,
      limiter: limiter.clone(),
      idempotency: idempotency.clone(),
      origin,
    }
    this.scenarios.restore(scenarios)
    this.#continue()
  }

  /**
   * Adds a restore to the history, for a case to repeat. The state before a change, which undo
   * restores, is no step of the history yet: it becomes a snapshot at the point where it was.
   */
  #recordRestore(name: string): void {
    const point = this.snapshotStore?.change(name)?.point
    if (point) this.history.insert(point, { snapshot: name })
    this.recordChange({ restore: name })
  }

  /**
   * Does work that can be taken back, unless it changed nothing before it first waited. What
   * happens until it is done, such as the deliveries of a clock that was moved, belongs to it.
   */
  doChange<T>(id: string, work: () => T): T {
    const before = this.#save()
    const point = this.history.point(this.journal.lastId, this.clock.now())
    const named = this.#snapshots.named
    this.#isKeeping = true
    let result: T
    try {
      result = work()
    } finally {
      this.#isKeeping = false
      const after = this.#save()
      const deleted = named === this.#snapshots.named ? undefined : named
      if (isChanged(before, after, this.collections))
        this.#snapshots.keep({ id, before, after, deleted, point })
      this.updateSize()
    }
    if (result instanceof Promise) return result.finally(() => this.#settle(id)) as T
    return result
  }

  #settle(id: string): void {
    if (this.snapshotStore?.settle(id, () => this.#save())) this.updateSize()
  }

  canUndo(id: string): boolean {
    return this.snapshotStore?.change(id) !== undefined
  }

  /**
   * Takes a change back, by default the last one. Returns whether there was one. @throws
   * ChangedSinceError; then nothing has changed.
   */
  undo(id?: string): boolean {
    const kept = this.snapshotStore?.change(id)
    if (!kept) return false
    // What somebody else changed since would be lost.
    const since = differencesOf(kept.after, this.#save(), this.collections)
    if (since.length > 0) throw changedSince(kept, since)
    this.#putBack(kept.before, true)
    // A case repeats the restore, and then the clock that went on.
    this.#recordRestore(kept.id)
    if (!this.clock.frozen) this.recordChange({ clock: { now: this.clock.now(), frozen: false } })
    this.#snapshots.takeBack(kept)
    this.updateSize()
    this.#notifyWorldChange('restored')
    return true
  }

  forgetChanges(isEnough: () => boolean): void {
    // Nothing is there before the first start.
    if (this.epoch === 0) return
    while (!isEnough() && this.snapshotStore?.dropOldest()) this.updateSize()
    if (!isEnough()) this.history.breakOff('there was no memory for its changes')
  }

  forgetRequests(isEnough: () => boolean): void {
    while (!isEnough() && this.epoch > 0 && this.journal.size > 0) this.journal.evict()
  }

  /** True if nobody uses it now, so that its journal may go, and then all of it. */
  get isIdle(): boolean {
    return !this.pinned && !this.journal.isObserved
  }

  deleteSnapshot(name: string): void {
    this.#snapshots.delete(name)
    this.updateSize()
    this.#notify('snapshots')
  }

  reseed(seed: number, restarts?: number): void {
    this.chance.reseed(seed, restarts)
    this.scenarios.reseed()
  }

  get scopes(): readonly string[] {
    return this.#template.scopes
  }

  get collections(): readonly CollectionDefinition<object>[] {
    return this.#template.collections
  }

  collection<T extends object>(definition: CollectionDefinition<T>): CollectionStore<T> {
    return this.#data.collection(definition)
  }

  initialRecordsOf<T extends object>(definition: CollectionDefinition<T>): RecordIndex<T> {
    return this.#template.initialRecordsOf(definition)
  }

  put<T extends object>(definition: CollectionDefinition<T>, index: RecordIndex<T>): void {
    this.collection(definition).adopt(index)
    this.recordChange({ replace: { collection: definition.name, records: index.all() } })
  }

  secretFinders(): SecretFinder[] {
    return this.#data.secretFinders()
  }

  assertScenario(name: string, purpose: string, others: readonly string[]): void {
    const names = [...new Set([...others, ...this.active.map((active) => active.name)])]
    if (!names.includes(name)) this.#template.library.assertKnown(name, purpose, names)
  }

  random(purpose: string): Random {
    return this.chance.random(purpose)
  }

  /**
   * With a header's scenarios on top, for one request. Their counters continue from request to
   * request. @throws RangeError
   */
  overlaid(header: string): EffectiveSettings {
    return this.scenarios.overlaid(header)
  }

  journalCleared(): void {
    if (this.journal.lastId > 0) this.history.breakOff('the journal was cleared')
    this.#notify('journal-cleared')
  }

  updateSize(): void {
    this.memory.setRest(
      emptySize + this.idempotency.bytes + this.scenarios.bytes + (this.snapshotStore?.bytes ?? 0),
    )
  }

  emit(event: WorldEvent, effectiveSettings: EffectiveSettings = this.effectiveSettings): void {
    for (const listen of this.#hooks.eventListeners) listen(this, event, effectiveSettings)
  }

  notify(event: LogEvent): void {
    this.#template.notify(event)
  }

  disconnect(): void {
    for (const lifecycle of this.#hooks.lifecycles) lifecycle.disconnect?.(this)
  }

  /**
   * Runs `work` before any later request, with `at`: the clock may be further. Returns a function
   * that cancels it.
   */
  schedule(
    at: number,
    work: (at: number) => void,
    about: (at: number) => Iterable<DueWork>,
  ): () => void {
    let cancel: (() => void) | undefined
    let isCanceled = false
    onCommit(() => {
      if (isCanceled) return
      cancel = this.clock.schedule(
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

  upcoming(): DueWork[] {
    return this.#hooks.lifecycles.flatMap((lifecycle) => lifecycle.upcoming?.(this) ?? [])
  }

  awaitRecord<T extends object>(
    definition: CollectionDefinition<T>,
    record: Readonly<T>,
    before?: Readonly<T>,
  ): void {
    for (const lifecycle of this.#hooks.lifecycles)
      lifecycle.written?.(this, definition.name, record, before)
  }

  recordsReplaced(collection: string, records: readonly object[]): void {
    for (const lifecycle of this.#hooks.lifecycles) lifecycle.replaced?.(this, collection, records)
  }

  settingsChanged(): void {
    for (const lifecycle of this.#hooks.lifecycles) lifecycle.refresh?.(this)
  }

  catchUp(): void {
    while (this.clock.isBehind) this.clock.tick()
  }

  async settled(): Promise<void> {
    while (this.clock.isBehind || this.background.isBusy) {
      this.catchUp()
      if (this.background.isBusy) await this.background.progressed()
    }
  }

  follow(formerRecordsOf: WorldTemplate['initialRecordsOf'], changed: ReadonlySet<string>) {
    const collections = this.#data.follow(formerRecordsOf)
    if (this.#template.initialRecordsOf !== formerRecordsOf) this.#beginWork()
    if (this.journal.lastId > 0) this.history.breakOff('fixtures or scenarios were read again')
    else {
      const { initialRecordsAt } = this.#template
      this.#state = { ...this.#state, start: { ...this.start, initialRecordsAt } }
    }
    return { scenarios: this.scenarios.follow(changed), collections }
  }

  end(): void {
    this.#end('the world was deleted')
    this.memory.end()
  }

  #end(why: string): void {
    this.#endFormer()
    this.#stop()
    this.clock.end()
    this.journalCleared()
    this.journal.end()
    this.history.breakOff(why)
  }

  #endFormer(): void {
    if (!this.#former) return
    const { clock, journal, history } = this.#former.state
    clock.end()
    journal.end()
    history.breakOff('')
    this.#former = undefined
  }

  #continue(): void {
    this.scenarios.refresh()
    for (const lifecycle of this.#hooks.lifecycles) lifecycle.resume?.(this)
  }

  assertStart(start: LiveWorldStart, initialRecordsOf: CallerSource['initialRecordsOf']): void {
    parseStart(this, this.#template, start, initialRecordsOf)
  }

  #start(parsed: ParsedStart, snapshotStore: SnapshotStore | undefined): void {
    const { initialRecordsOf } = this.#template
    this.#data.restore({ indexes: new Map(), initialRecordsOf })
    this.#state = this.#create(parsed, snapshotStore)
    this.#begin()
  }

  /** Creates the state that a world starts with. Nothing acts yet. */
  #create(
    { seed, now, frozen, assumptions, active }: ParsedStart,
    snapshotStore: SnapshotStore | undefined,
  ): WorldState {
    const template = this.#template
    const { restarts, initialRecordsAt } = template
    const clock = this.#createClock(now, frozen)
    return {
      clock,
      journal: new LiveJournal(template.journal, this),
      limiter: new Limiter(),
      idempotency: new Idempotency(),
      chance: new Chance(seed, restarts),
      scenarios: new WorldScenarios(this, template, { active, assumptions }),
      history: new History(this.memory),
      start: {
        seed,
        restarts,
        now: clock.now(),
        frozen,
        assumptions,
        scenarios: active.map(toChoice),
        initialRecordsAt,
      },
      snapshotStore,
      origin: {},
    }
  }

  /** Puts the scenarios of a new state in force, and schedules the work of its records. */
  #begin(): void {
    this.epoch++
    this.scenarios.refresh()
    this.#beginWork()
  }

  #beginWork(): void {
    for (const lifecycle of this.#hooks.lifecycles) lifecycle.begin?.(this)
  }

  /** A separate method: the callback keeps everything alive that is in scope. */
  #createClock(now: number | undefined, frozen: boolean): WorldClock {
    return new WorldClock(now, () => this.#clockSet(), frozen)
  }

  #clockSet(): void {
    this.recordChange({ clock: { now: this.clock.now(), frozen: this.clock.frozen } })
    this.#notify('clock')
  }

  get #snapshots(): SnapshotStore {
    return (this.#state.snapshotStore ??= new SnapshotStore(this))
  }

  #notify(type: StateChange['type']): void {
    this.#template.changes.notify({ type, world: this.name })
  }

  #notifyWorldChange(change: WorldChange['change']): void {
    this.#template.changes.notify({
      type: 'world',
      world: this.name,
      change,
    })
  }

  #stop(): void {
    for (const lifecycle of this.#hooks.lifecycles) lifecycle.stop?.(this)
  }
}
