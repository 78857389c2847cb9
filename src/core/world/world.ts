import type { Limiter } from '../accounts/rate-limit.ts'
import { printFailure } from '../contract/errors.ts'
import type { WebhookTransport } from '../http/webhook-transport.ts'
import type { CoreJournal } from '../journal/journal.ts'
import type { LogEvent } from '../journal/log-events.ts'
import type { SecretFinder } from '../secrets/secret-finder.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import type { RecordIndex } from '../store/record-index.ts'
import type { CollectionStore } from '../store/records.ts'
import type { ReplyCache, WorldMemory } from '../store/memory.ts'
import type { DueWork } from '../time/clock.ts'
import type { Chance, Random } from '../time/random.ts'
import type { WorldClock } from '../time/world-clock.ts'
import type { EffectiveSettings } from './effective-settings.ts'
import type { OutsideChange } from './changes.ts'
import type { Idempotency } from './idempotency.ts'
import type { Fields } from '../text/values.ts'

/**
 * One complete service: data, clock, quotas, scenarios, journal, assumptions and seed. Nothing of
 * it is shared with another world.
 */
export interface CoreWorld {
  readonly name: string
  readonly background: Background
  readonly clock: WorldClock
  readonly journal: CoreJournal
  readonly limiter: Limiter
  readonly idempotency: Idempotency
  readonly seed: number
  readonly scopes: readonly string[]
  readonly effectiveSettings: EffectiveSettings
  /** Increases with every reset and restore: work of an earlier epoch must not change this one. */
  readonly epoch: number
  collection<T extends object>(definition: CollectionDefinition<T>): CollectionStore<T>
  initialRecordsOf<T extends object>(definition: CollectionDefinition<T>): RecordIndex<T>
  secretFinders(): SecretFinder[]
  random(purpose: string): Random
  readonly chance: Chance
  readonly memory: WorldMemory
  /**
   * With a header's scenarios on top, for one request. Their counters continue from request to
   * request. @throws RangeError
   */
  overlaid(header: string): EffectiveSettings
  emit(event: WorldEvent, effectiveSettings?: EffectiveSettings): void
  recordChange(change: OutsideChange): void
  notify(event: LogEvent): void
  readonly replies: ReplyCache
  readonly transport: WebhookTransport
  /**
   * Runs `work` before any later request, with `at`: the clock may be further. Returns a function
   * that cancels it.
   */
  schedule(
    at: number,
    work: (at: number) => void,
    about: (at: number) => Iterable<DueWork>,
  ): () => void
  catchUp(): void
  settled(): Promise<void>
  updateSize(): void
}

export class Background {
  #running: Set<Promise<unknown>> | undefined

  get isBusy(): boolean {
    return this.#running !== undefined && this.#running.size > 0
  }

  add(work: Promise<unknown>): void {
    const running = (this.#running ??= new Set())
    const tracked = work
      .catch((error: unknown) => printFailure('Greenhouse failed to do scheduled work:', error))
      .finally(() => running.delete(tracked))
    running.add(tracked)
  }

  async progressed(): Promise<void> {
    await Promise.race(this.#running ?? [])
  }
}

/** An event in a world, about one account. */
export interface WorldEvent {
  /** `<resource>.<verb>`; the areas declare the types. */
  readonly type: string
  /** When, in milliseconds since 1970 on the world's clock. */
  readonly at: number
  /** The account that it is about. */
  readonly account: string
  /** The app that it is about, if any. */
  readonly app: string | null
  readonly data: Fields
}

/** Work of an area in a world that no request started, and that the world must be able to end. */
export interface AreaLifecycle {
  stop(world: CoreWorld): void
  /** Ends outgoing work: the transport has closed. */
  disconnect?(world: CoreWorld): void
  resume?(world: CoreWorld): void
  /**
   * Describes the changes that the passing of time alone makes, without scheduled work or a change
   * of records.
   */
  upcoming?(world: CoreWorld): readonly DueWork[]
  /**
   * Called with a record that was written through `world.records` or the control API. @param before
   * absent if it is new
   */
  written?(world: CoreWorld, collection: string, record: object, before?: object): void
  refresh?(world: CoreWorld): void
}

export type WorldEventListener = (
  world: CoreWorld,
  event: WorldEvent,
  effectiveSettings: EffectiveSettings,
) => void
