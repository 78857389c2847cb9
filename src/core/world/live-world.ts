import type { CallerSource } from '../accounts/accounts.ts'
import { Background } from './background.ts'
import type { WebhookTransport } from '../http/webhook-transport.ts'
import type { LiveJournal } from '../journal/journal.ts'
import type { LogEvent } from '../journal/log-events.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import { type MemoryOwner, type ReplyCache, WorldMemory } from '../store/memory.ts'
import type { RecordIndex } from '../store/record-index.ts'
import { type CollectionStore, onCommit, transact } from '../store/records.ts'
import type { SecretFinder } from '../secrets/known-secrets.ts'
import type { WorldClock } from '../time/world-clock.ts'
import type { DueWork } from '../time/clock.ts'
import type { Chance, Random } from '../time/random.ts'
import type { EffectiveSettings } from './effective-settings.ts'
import type { OutsideChange, StateChange, WorldChange } from './changes.ts'
import type { WorldScenarios } from './world-scenarios.ts'
import {
  type LiveWorldStart,
  type ParsedStart,
  parseStart,
  type WorldTemplate,
} from './world-template.ts'
import { SavedStates } from './saved-states.ts'
import type { Snapshot } from './snapshot.ts'
import { WorldData } from './world-data.ts'
import { WorldState } from './world-state.ts'
import type { WorldEvent } from './world-event.ts'

/** The state before an attempt, which comes back if the attempt fails. */
interface FormerState {
  readonly state: WorldState
  readonly saved: SavedStates
  readonly snapshot: Snapshot
}

/**
 * One complete service: data, clock, quotas, scenarios, journal, assumptions and seed. Nothing of
 * it is shared with another world.
 *
 * A state lasts from the creation or a reset (`#enterState`) to the next reset or the end of the
 * world (`#endState`). Two things bring an earlier one back: a snapshot is put into the present
 * state (`putBack`), and an attempt sets the whole state aside, which returns if it fails
 * (`#bringBack`).
 */
export class LiveWorld implements MemoryOwner {
  readonly name: string
  pinned = false
  readonly background = new Background()
  readonly memory: WorldMemory
  /** Its snapshots, and the changes that can be taken back. */
  saved: SavedStates
  /** The world as people get it, once somebody asked for it. */
  view: object | undefined
  readonly #template: WorldTemplate
  readonly #hooks: WorldHooks
  /** Increases with every reset and restore: work of an earlier epoch must not change this one. */
  epoch = 0
  readonly #data: WorldData
  #state: WorldState
  /** The state that an attempt set aside. */
  #former: FormerState | undefined
  #ownTransport: WebhookTransport | undefined

  constructor(name: string, template: WorldTemplate, hooks: WorldHooks) {
    this.name = name
    this.#template = template
    this.#hooks = hooks
    this.memory = new WorldMemory(template.memory, this)
    this.saved = new SavedStates(this)
    this.#data = new WorldData(this, template)
    this.#state = new WorldState(this, template, parseStart(this, template, {}))
    this.#begin()
  }

  assertStart(start: LiveWorldStart, initialRecordsOf: CallerSource['initialRecordsOf']): void {
    parseStart(this, this.#template, start, initialRecordsOf)
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
    this.#endState('the world was reset')
    this.saved.reset()
    this.#enterState(parsed)
  }

  /** If the work fails, the world is as it was, unless it was reset or deleted meanwhile. */
  async attempt<T>(start: LiveWorldStart, work: () => Promise<T>): Promise<T> {
    const parsed = parseStart(this, this.#template, start)
    // The former state is set aside with its journal. Only its work and its clock stop.
    const former: FormerState = { state: this.#state, saved: this.saved, snapshot: this.save() }
    this.#endFormer()
    this.#tellAreas('stop')
    this.clock.stop()
    this.saved.noteReset()
    this.saved = new SavedStates(this)
    this.#enterState(parsed)
    this.#former = former
    try {
      return await work()
    } catch (error) {
      if (this.#former === former) this.#bringBack(former)
      throw error
    } finally {
      if (this.#former === former) this.#endFormer()
    }
  }

  #bringBack({ state, saved, snapshot }: FormerState): void {
    this.#former = undefined
    this.#endState('the attempt failed')
    this.epoch++
    this.#state = state
    this.saved = saved
    this.#data.restore(snapshot.data)
    // The clock goes on; only the work that was due comes back.
    this.clock.restore({ ...this.clock.save(), due: snapshot.clock.due })
    this.#resume()
    this.notifyWorldChange('reset')
  }

  save(): Snapshot {
    return this.#state.save(this.#data.save())
  }

  putBack(snapshot: Snapshot, goesOn: boolean): void {
    this.scenarios.assertSupported(snapshot.scenarios)
    // Work that waits belongs to the state that goes.
    this.#tellAreas('stop')
    this.epoch++
    this.#data.restore(snapshot.data)
    this.#state.putBack(snapshot, goesOn)
    this.#resume()
  }

  /** Takes over fixtures and scenarios that were read again. Returns what stayed as it was. */
  applyReload(formerRecordsOf: WorldTemplate['initialRecordsOf'], changed: ReadonlySet<string>) {
    const collections = this.#data.applyReload(formerRecordsOf)
    if (this.#template.initialRecordsOf !== formerRecordsOf) this.#tellAreas('begin')
    if (this.journal.lastId > 0)
      this.#state.history.breakOff('fixtures or scenarios were read again')
    else {
      const { initialRecordsAt } = this.#template
      this.#state.start = { ...this.#state.start, initialRecordsAt }
    }
    return { scenarios: this.scenarios.applyReload(changed), collections }
  }

  end(): void {
    this.#endState('the world was deleted')
    this.memory.end()
  }

  #enterState(parsed: ParsedStart): void {
    const { initialRecordsOf } = this.#template
    this.#data.restore({ indexes: new Map(), initialRecordsOf })
    this.#state = new WorldState(this, this.#template, parsed)
    this.#begin()
    this.notifyWorldChange('reset')
  }

  /** Schedules the work of the records of a new state. */
  #begin(): void {
    this.epoch++
    this.settingsChanged()
    this.#tellAreas('begin')
  }

  /** Goes on with the work of a state that came back. */
  #resume(): void {
    this.settingsChanged()
    this.#tellAreas('resume')
  }

  #endState(why: string): void {
    this.#endFormer()
    this.#tellAreas('stop')
    this.journalCleared()
    this.#state.end(why)
  }

  #endFormer(): void {
    this.#former?.state.end('another state took its place')
    this.#former = undefined
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

  catchUp(): void {
    while (this.clock.isBehind) this.clock.tick()
  }

  async settled(): Promise<void> {
    while (this.clock.isBehind || this.background.isBusy) {
      this.catchUp()
      if (this.background.isBusy) await this.background.progressed()
    }
  }

  clockSet(): void {
    this.recordChange({ clock: { now: this.clock.now(), frozen: this.clock.frozen } })
    this.notifyState('clock')
  }

  settingsChanged(): void {
    this.updateSize()
    this.#tellAreas('refresh')
  }

  upcoming(): DueWork[] {
    return this.#hooks.lifecycles.flatMap((lifecycle) => lifecycle.upcoming?.(this) ?? [])
  }

  recordWritten<T extends object>(
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

  disconnect(): void {
    this.#tellAreas('disconnect')
  }

  emit(event: WorldEvent, effectiveSettings: EffectiveSettings = this.effectiveSettings): void {
    for (const listen of this.#hooks.eventListeners) listen(this, event, effectiveSettings)
  }

  #tellAreas(what: 'begin' | 'stop' | 'disconnect' | 'resume' | 'refresh'): void {
    for (const lifecycle of this.#hooks.lifecycles) lifecycle[what]?.(this)
  }

  recordChange(change: OutsideChange): void {
    this.#state.history.add(this.journal.lastId, this.clock.now(), change)
  }

  journalCleared(): void {
    if (this.journal.lastId > 0) this.#state.history.breakOff('the journal was cleared')
    this.notifyState('journal-cleared')
  }

  notifyState(type: StateChange['type']): void {
    this.#template.changes.notify({ type, world: this.name })
  }

  notifyWorldChange(change: WorldChange['change']): void {
    this.#template.changes.notify({
      type: 'world',
      world: this.name,
      change,
    })
  }

  notify(event: LogEvent): void {
    this.#template.notify(event)
  }

  /** True if nobody uses it now, so that its journal may go, and then all of it. */
  get isIdle(): boolean {
    return !this.pinned && !this.journal.isObserved
  }

  forgetChanges(isEnough: () => boolean): void {
    // Nothing is there before the first start.
    if (this.epoch > 0) this.saved.forgetChanges(isEnough)
  }

  forgetRequests(isEnough: () => boolean): void {
    while (!isEnough() && this.epoch > 0 && this.journal.size > 0) this.journal.evict()
  }

  updateSize(): void {
    this.memory.setRest(this.#state.bytes + this.saved.bytes)
  }

  collection<T extends object>(definition: CollectionDefinition<T>): CollectionStore<T> {
    return this.#data.collection(definition)
  }

  put<T extends object>(definition: CollectionDefinition<T>, index: RecordIndex<T>): void {
    this.collection(definition).adopt(index)
    this.recordChange({ replace: { collection: definition.name, records: index.all() } })
  }

  initialRecordsOf<T extends object>(definition: CollectionDefinition<T>): RecordIndex<T> {
    return this.#template.initialRecordsOf(definition)
  }

  secretFinders(): SecretFinder[] {
    return this.#data.secretFinders()
  }

  get state(): WorldState {
    return this.#state
  }

  get clock(): WorldClock {
    return this.#state.clock
  }

  get journal(): LiveJournal {
    return this.#state.journal
  }

  get scenarios(): WorldScenarios {
    return this.#state.scenarios
  }

  get chance(): Chance {
    return this.#state.chance
  }

  get seed(): number {
    return this.chance.seed
  }

  random(purpose: string): Random {
    return this.chance.random(purpose)
  }

  reseed(seed: number, restarts?: number): void {
    this.chance.reseed(seed, restarts)
    this.scenarios.reseed()
  }

  get effectiveSettings(): EffectiveSettings {
    return this.scenarios.effectiveSettings
  }

  get scopes(): readonly string[] {
    return this.#template.scopes
  }

  get collections(): readonly CollectionDefinition<object>[] {
    return this.#template.collections
  }

  get replies(): ReplyCache {
    return this.#template.replies
  }

  get transport(): WebhookTransport {
    return this.#ownTransport ?? this.#template.transport()
  }

  deliverThrough(transport: WebhookTransport): () => void {
    this.#ownTransport = transport
    return () => (this.#ownTransport = undefined)
  }
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

/** The work of areas and users in worlds. */
export interface WorldHooks {
  readonly lifecycles: readonly AreaLifecycle[]
  readonly eventListeners: readonly WorldEventListener[]
}
