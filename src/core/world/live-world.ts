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
import { type LiveWorldStart, parseStart, type WorldTemplate } from './world-template.ts'
import { SavedStates } from './saved-states.ts'
import { FormerState } from './former-state.ts'
import type { Snapshot } from './snapshot.ts'
import { WorldData } from './world-data.ts'
import { WorldState } from './world-state.ts'
import type { WorldEvent } from './world-event.ts'

/**
 * One complete service: data, clock, quotas, scenarios, journal, assumptions and seed. Nothing of
 * it is shared with another world.
 *
 * A world always has one state, which changes in four ways:
 * - `reset` ends the state and begins a new one.
 * - `attempt` sets the state aside and begins a new one, whose failure brings the former one back.
 * - `putBack` keeps the state, and makes it what a snapshot says.
 * - `end` ends the state with the world.
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
  readonly #data: WorldData
  #state: WorldState
  /** The state that the last attempt set aside. */
  #former: FormerState | undefined
  /** Whether there is a state: memory may ask for room while the first one is created. */
  #hasState = false
  #ownTransport: WebhookTransport | undefined

  constructor(name: string, template: WorldTemplate, hooks: WorldHooks) {
    this.name = name
    this.#template = template
    this.#hooks = hooks
    this.memory = new WorldMemory(template.memory, this)
    this.saved = new SavedStates(this)
    this.#data = new WorldData(this, template)
    this.#state = new WorldState(this, template, parseStart(this, template, {}))
    this.#hasState = true
    this.#begin()
  }

  /** @throws RangeError for a start that `reset` would not accept */
  assertStart(start: LiveWorldStart, initialRecordsOf: CallerSource['initialRecordsOf']): void {
    parseStart(this, this.#template, start, initialRecordsOf)
  }

  /**
   * Starts again. @param initialRecordsOf the records that the world gets next, by default the
   * starting ones: its scenarios may name their accounts. @throws RangeError for an invalid start;
   * then nothing has changed.
   */
  reset(start: LiveWorldStart = {}, initialRecordsOf?: CallerSource['initialRecordsOf']): void {
    // A wrong start throws here, before anything has changed.
    const parsed = parseStart(this, this.#template, start, initialRecordsOf)
    const next = new WorldState(this, this.#template, parsed)
    // The state ends before its successor is in force: its work must not meet the new records.
    this.#endState('the world was reset')
    // Snapshots are of the state that ended. Only a change that runs can still take the reset back.
    this.saved.reset()
    this.#enter(next)
  }

  /**
   * Starts again for some work. If it fails, the world is as it was, unless another reset or attempt
   * took its place meanwhile, or the world ended.
   */
  async attempt<T>(start: LiveWorldStart, work: () => Promise<T>): Promise<T> {
    // A wrong start throws here, before anything has changed.
    const parsed = parseStart(this, this.#template, start)
    const next = new WorldState(this, this.#template, parsed)
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

  #setAside(): FormerState {
    const former = new FormerState({
      state: this.#state,
      saved: this.saved,
      snapshot: this.save(),
    })
    // One state at a time is set aside: an attempt within another makes that one final.
    this.#former?.discard()
    this.#former = former
    // Only its work and its clock stop: its journal and its history may have to go on.
    this.#tellAreas('stop')
    this.clock.stop()
    // Snapshots of the former state are not for the attempt, which begins without any.
    this.saved.noteReset()
    this.saved = new SavedStates(this)
    return former
  }

  #bringBack(former: FormerState): void {
    const kept = former.take()
    // A newer state took its place during the work, or the world ended: that stays.
    if (!kept) return
    this.#endState('the attempt failed')
    this.#state = kept.state
    this.saved = kept.saved
    // The records are those of the world, not of its state, so they come from the snapshot.
    this.#data.restore(kept.snapshot.data)
    // The clock goes on; only the work that was due comes back.
    this.clock.restore({ ...this.clock.save(), due: kept.snapshot.clock.due })
    this.#resume()
    this.notifyWorldChange('reset')
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
    this.scenarios.assertSupported(snapshot.scenarios)
    // Work that waits belongs to what the world is now; the snapshot has its own.
    this.#tellAreas('stop')
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

  /** Begins a new state, after the last one ended or was set aside. */
  #enter(next: WorldState): void {
    // Whatever fails from here on, this state is the one to end.
    this.#state = next
    this.#data.restore({
      indexes: new Map(),
      initialRecordsOf: this.#template.initialRecordsOf,
    })
    this.#begin()
    this.notifyWorldChange('reset')
  }

  /** Schedules the work of the records of a new state. */
  #begin(): void {
    this.settingsChanged()
    this.#tellAreas('begin')
  }

  /** Goes on with the work of a state that came back. */
  #resume(): void {
    this.settingsChanged()
    this.#tellAreas('resume')
  }

  #endState(why: string): void {
    // What an attempt set aside would bring back a world from before this end.
    this.#former?.discard()
    this.#tellAreas('stop')
    // Readers learn that the journal goes while it is still there.
    this.journalCleared()
    this.#state.end(why)
  }

  // The next members do what is due in the time of the world.

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

  // The next members tell areas, and those who listen to events, what happens.

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

  // The next members tell the history, which a case repeats, and observers, such as the panel.

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

  // Memory asks the next members for room.

  /** True if nobody uses it now, so that its journal may go, and then all of it. */
  get isIdle(): boolean {
    return !this.pinned && !this.journal.isObserved
  }

  forgetChanges(isEnough: () => boolean): void {
    if (this.#hasState) this.saved.forgetChanges(isEnough)
  }

  forgetRequests(isEnough: () => boolean): void {
    while (!isEnough() && this.#hasState && this.journal.size > 0) this.journal.evict()
  }

  updateSize(): void {
    this.memory.setRest(this.#state.bytes + this.saved.bytes)
  }

  // The next members are the records of the world.

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

  // The next members only forward: to the present state, and to what all worlds share.

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
