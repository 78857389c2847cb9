import { printFailure } from '../contract/errors.ts'
import type { WebhookTransport } from '../http/webhook-transport.ts'
import type { LiveJournal } from '../journal/journal.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import { type MemoryOwner, WorldMemory } from '../store/memory.ts'
import type { RecordIndex } from '../store/record-index.ts'
import { type CollectionStore, onCommit, transact } from '../store/records.ts'
import type { SecretFinder } from '../secrets/known-secrets.ts'
import type { WorldClock } from '../time/world-clock.ts'
import type { DueWork } from '../time/clock.ts'
import type { Random } from '../time/random.ts'
import type { EffectiveSettings } from './effective-settings.ts'
import type { OutsideChange, StateChange, WorldChange } from './changes.ts'
import type { WorldScenarios } from './world-scenarios.ts'
import type { WorldTemplate } from './world-template.ts'
import { WorldData } from './world-data.ts'
import { WorldLife } from './world-life.ts'
import type { WorldState } from './world-state.ts'
import type { WorldEvent } from './world-event.ts'

/**
 * One complete service: data, clock, quotas, scenarios, journal, assumptions and seed. Nothing of
 * it is shared with another world.
 */
export class LiveWorld implements MemoryOwner {
  readonly name: string
  /** All worlds of the service have this in common. */
  readonly template: WorldTemplate
  readonly memory: WorldMemory
  readonly background = new Background()
  /** How it starts again, tries something, and ends. */
  readonly life: WorldLife
  /** True if it stays, however short memory is. */
  pinned = false
  readonly #hooks: WorldHooks
  readonly #data: WorldData
  #ownTransport: WebhookTransport | undefined

  constructor(name: string, template: WorldTemplate, hooks: WorldHooks) {
    this.name = name
    this.template = template
    this.#hooks = hooks
    this.memory = new WorldMemory(template.memory, this)
    this.#data = new WorldData(this, template)
    this.life = new WorldLife(this, template, this.#data)
    this.startWork('begin')
  }

  end(): void {
    this.life.end('the world was deleted')
    this.memory.end()
  }

  /** Takes over fixtures and scenarios that were read again. Returns what stayed as it was. */
  applyReload(formerRecordsOf: WorldTemplate['initialRecordsOf'], changed: ReadonlySet<string>) {
    const collections = this.#data.applyReload(formerRecordsOf)
    // Fixtures that were read again give another function: areas plan the work of new records.
    if (this.template.initialRecordsOf !== formerRecordsOf) this.tellAreas('begin')
    this.state.noteReload(this.template)
    return {
      scenarios: this.scenarios.applyReload(changed),
      collections,
    }
  }

  // Its time: what is due, and what waits.

  /**
   * Runs `work` at a time of the clock, and before any request that comes later. `work` gets the time
   * that it was planned for, which is earlier than now if the clock was moved past it. Returns a
   * function that cancels the work.
   *
   * Planning and cancelling wait for the end of the operation that asks for them, since an operation
   * that fails must plan and cancel nothing.
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

  /** Keeps a change of the clock, for cases, and notifies observers. The clock calls it. */
  clockSet(): void {
    this.recordChange({
      clock: {
        now: this.clock.now(),
        frozen: this.clock.frozen,
      },
    })
    this.notifyState('clock')
  }

  // Its areas: they do their work in it, and learn what happens.

  /** Puts areas to work on new records, or on those of a saved state. */
  startWork(what: 'begin' | 'resume'): void {
    this.settingsChanged()
    this.tellAreas(what)
  }

  /** Lets areas plan again what depends on scenarios and assumptions. */
  settingsChanged(): void {
    this.updateSize()
    this.tellAreas('refresh')
  }

  tellAreas(what: 'begin' | 'stop' | 'disconnect' | 'resume' | 'refresh'): void {
    for (const lifecycle of this.#hooks.lifecycles) lifecycle[what]?.(this)
  }

  upcoming(): DueWork[] {
    return this.#hooks.lifecycles.flatMap((lifecycle) => lifecycle.upcoming?.(this) ?? [])
  }

  /** Lets areas react to a record that a request or a user wrote. */
  recordWritten<T extends object>(
    { name }: CollectionDefinition<T>,
    record: Readonly<T>,
    before?: Readonly<T>,
  ): void {
    for (const lifecycle of this.#hooks.lifecycles) lifecycle.written?.(this, name, record, before)
  }

  /** Lets areas react to a collection whose records were all exchanged. */
  recordsReplaced(collection: string, records: readonly object[]): void {
    for (const lifecycle of this.#hooks.lifecycles) lifecycle.replaced?.(this, collection, records)
  }

  emit(event: WorldEvent, effectiveSettings: EffectiveSettings = this.effectiveSettings): void {
    for (const listen of this.#hooks.eventListeners) listen(this, event, effectiveSettings)
  }

  // Its history, which a case repeats, and its observers, such as the panel.

  recordChange(change: OutsideChange): void {
    this.state.recordChange(change)
  }

  journalCleared(): void {
    if (this.journal.lastId > 0) this.state.history.breakOff('the journal was cleared')
    this.notifyState('journal-cleared')
  }

  /** Notifies observers of the part of the world that changed; they read the new state. */
  notifyState(type: StateChange['type']): void {
    this.template.changes.notify({
      type,
      world: this.name,
    })
  }

  notifyWorldChange(change: WorldChange['change']): void {
    this.template.changes.notify({
      type: 'world',
      world: this.name,
      change,
    })
  }

  // Its memory: what it gives up when there is no room.

  /** True if nobody uses it now, so that its journal may go, and then all of it. */
  get isIdle(): boolean {
    return !this.pinned && !this.journal.isObserved
  }

  forgetChanges(isEnough: () => boolean): void {
    this.state.saved.forgetChanges(isEnough)
  }

  forgetRequests(isEnough: () => boolean): void {
    while (!isEnough() && this.journal.size > 0) this.journal.evict()
  }

  updateSize(): void {
    this.memory.setRest(this.state.bytes)
  }

  // Its records.

  get collections(): readonly CollectionDefinition<object>[] {
    return this.template.collections
  }

  collection<T extends object>(definition: CollectionDefinition<T>): CollectionStore<T> {
    return this.#data.collection(definition)
  }

  put<T extends object>(definition: CollectionDefinition<T>, index: RecordIndex<T>): void {
    this.collection(definition).adopt(index)
    this.recordChange({
      replace: {
        collection: definition.name,
        records: index.all(),
      },
    })
  }

  initialRecordsOf<T extends object>(definition: CollectionDefinition<T>): RecordIndex<T> {
    return this.template.initialRecordsOf(definition)
  }

  secretFinders(): SecretFinder[] {
    return this.#data.secretFinders()
  }

  // Its present state.

  get state(): WorldState {
    return this.life.state
  }

  get clock(): WorldClock {
    return this.state.clock
  }

  get journal(): LiveJournal {
    return this.state.journal
  }

  get scenarios(): WorldScenarios {
    return this.state.scenarios
  }

  get effectiveSettings(): EffectiveSettings {
    return this.scenarios.effectiveSettings
  }

  get seed(): number {
    return this.state.chance.seed
  }

  random(purpose: string): Random {
    return this.state.chance.random(purpose)
  }

  reseed(seed: number, restarts?: number): void {
    this.state.chance.reseed(seed, restarts)
    this.scenarios.reseed()
  }

  get transport(): WebhookTransport {
    return this.#ownTransport ?? this.template.transport()
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
  /** Ends its work: the world is reset, set aside or closed. */
  stop?(world: LiveWorld): void
  /** Ends outgoing work: the transport has closed. */
  disconnect?(world: LiveWorld): void
  /** Goes on with the work of the records that came back, by a restore or after a failed attempt. */
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
  /** Other scenarios or assumptions may be in force than before. */
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

export class Background {
  readonly #running = new Set<Promise<unknown>>()

  get isBusy(): boolean {
    return this.#running.size > 0
  }

  add(work: Promise<unknown>): void {
    const tracked = work
      .catch((error: unknown) => printFailure('Greenhouse failed to do scheduled work:', error))
      .finally(() => this.#running.delete(tracked))
    this.#running.add(tracked)
  }

  async progressed(): Promise<void> {
    await Promise.race(this.#running)
  }
}
