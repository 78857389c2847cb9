import type { Background } from './background.ts'
import type { WorldClock } from '../time/clock.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import type { WorldEvent } from '../definitions/events.ts'
import type { Idempotency } from './idempotency.ts'
import type { Journal } from '../journal/journal.ts'
import type { Overlay } from './overlay.ts'
import type { DueWork } from '../time/due-work.ts'
import type { Random } from '../time/random.ts'
import type { Limiter } from '../accounts/rate-limit.ts'
import type { Notice } from '../journal/notices.ts'
import type { RecordIndex } from '../store/record-index.ts'
import type { Records } from '../store/records.ts'
import type { ReplyCache } from '../store/reply-cache.ts'
import type { SecretFinder } from '../store/secret-finder.ts'
import type { WebhookTransport } from '../http/webhook-transport.ts'

/** One complete service: data, clock, quotas, scenarios, journal, assumptions and seed. Nothing of it is shared with another world. */
export interface World {
  readonly name: string
  /** What is under way that nobody asked for. */
  readonly background: Background
  readonly clock: WorldClock
  readonly journal: Journal
  readonly limiter: Limiter
  readonly idempotency: Idempotency
  readonly seed: number
  /** The assumptions in force and the active scenarios. */
  readonly overlay: Overlay
  /** Grows with every reset and restore: what was begun in an earlier one must not touch this one. */
  readonly epoch: number
  /** The records of a collection; seeded from the fixtures on first use. */
  collection<T extends object>(definition: CollectionDefinition<T>): Records<T>
  /** The records that a collection starts with. */
  seedOf<T extends object>(definition: CollectionDefinition<T>): RecordIndex<T>
  /** What finds the secrets that the world knows in a text. @internal */
  secretFinders(): SecretFinder[]
  /** The stream of chance of one purpose. */
  random(purpose: string): Random
  /**
   * The stream of chance of ids that are known outside of the world, such as those of events: after a restore it goes on with
   * others, since what was told before is not told again under the same id. They come from the seed and the number of restores.
   */
  onwardRandom(purpose: string): Random
  /**
   * The world's overlay with the scenarios that a header names laid over it, for one request. Their counters go on from
   * request to request, so that a client that names `flaky` with every retry sees it recover. @throws RangeError @internal
   */
  overlaid(header: string): Overlay
  /** Tells the areas that something happened, under the scenarios of `overlay`: those of the world unless a request had its own. */
  emit(event: WorldEvent, overlay?: Overlay): void
  /** Tells logs what no journal has. */
  tell(notice: Notice): void
  /** Keeps replies that depend on records alone. */
  readonly replies: ReplyCache
  /** How deliveries to webhooks leave. */
  readonly transport: WebhookTransport
  /**
   * Does `work` once the clock shows `at`; requests that come later find it done. It is told `at`: by the time that it runs the
   * clock may show more. Returns what takes it back.
   * @param about describes it for people; nothing when there is no work left.
   */
  schedule(at: number, work: (at: number) => void, about: (at: number) => Iterable<DueWork>): () => void
  /** Whether something that is due is not done yet. */
  readonly isBehind: boolean
  /** Does what is due, and what falls due by it. */
  catchUp(): void
  /** Waits until all that is due is done: also what leaves the world, such as deliveries. */
  settled(): Promise<void>
  /** Counts anew what the active scenarios remember. */
  weigh(): void
}
