import type { AssumptionRegistry } from '../definitions/assumptions.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import type { DataMemory } from '../store/data-memory.ts'
import type { HeaderLayer } from './header-layer.ts'
import type { ScenarioSource } from './layer.ts'
import type { WorldEventListener } from './lifecycle.ts'
import type { CreateJournal } from '../journal/part.ts'
import type { Changes } from './changes.ts'
import type { NoticeListener } from '../journal/notices.ts'
import type { AreaLifecycle } from './lifecycle.ts'
import type { Overlay } from './overlay.ts'
import type { Pending, PendingWork } from './pending.ts'
import type { RecordIndex } from '../store/record-index.ts'
import type { ReplyCache } from '../store/reply-cache.ts'
import type { NamedScenario, ScenarioChoice } from './scenario-choice.ts'
import type { SecretFinder } from '../store/secret-finder.ts'
import type { WebhookTransport } from '../http/webhook-transport.ts'

/** What a world starts with in place of what every world of its service starts with. */
export interface WorldStart {
  readonly seed?: number
  /** ISO 8601, or milliseconds since 1970. */
  readonly now?: string | number
  readonly scenarios?: readonly ScenarioChoice[]
  /** Assumptions by id, over those that every world has. */
  readonly assumptions?: Readonly<Record<string, string>>
}

/** An active scenario that a reload did not change, because its options do not fit the new file. */
export interface KeptScenario {
  readonly world: string
  readonly scenario: string
  readonly reason: string
}

/** Collections of a world that a reload did not change, because they were written to. */
export interface KeptRecords {
  readonly world: string
  readonly collections: readonly string[]
}

/** What a reload did not change. */
export interface Kept {
  readonly scenarios: readonly KeptScenario[]
  readonly records: readonly KeptRecords[]
}

/** What every world of a service starts from; data and scenarios may be swapped while worlds go on. */
export interface WorldOrigin {
  /** What answers this service's requests in the place of a server and has no connection of its own: MSW. */
  readonly hosts: Set<string>
  readonly seed: number
  /** Where the clock starts, in milliseconds since 1970; the machine's time when it is absent. */
  readonly now: number | undefined
  /** Whether the clock stands still from the start. */
  readonly frozen: boolean
  readonly assumptionRegistry: AssumptionRegistry
  readonly eventListeners: readonly WorldEventListener[]
  /** What areas do in worlds that nobody asked for, to be ended and taken up again. */
  readonly lifecycles: readonly AreaLifecycle[]
  /** What records leave to be done that no request made. */
  readonly pending: readonly PendingWork[]
  /** Tells logs what no journal has. */
  readonly tell: NoticeListener
  /** Tells those who look what changes in worlds. */
  readonly changes: Changes
  /** How deliveries to webhooks leave now. */
  readonly transport: () => WebhookTransport
  readonly scenarios: readonly NamedScenario[]
  readonly createJournal: CreateJournal
  /** Counts what all worlds hold. */
  readonly memory: DataMemory
  /** Keeps replies that depend on records alone. */
  readonly replies: ReplyCache
  /** The collections whose records hold secrets. */
  readonly secretCollections: readonly CollectionDefinition<never>[]
  /** Finds secrets that belong to no world: tokens of the control API. */
  readonly tokens: { finder: SecretFinder }
  library: ScenarioSource
  /** Makes what reads the scenarios that requests of a world name in a header, where there are scenarios. */
  readonly createHeaderLayer: ((grow: (bytes: number) => void) => HeaderLayer) | undefined
  /** The assumptions and nothing else over them, shared by the worlds that change none. */
  readonly overlay: Overlay
  /** The records that a collection starts with, shared between the worlds. */
  seedOf: <T extends object>(collection: CollectionDefinition<T>) => RecordIndex<T>
  /** What falls due of these, found once for all worlds. */
  pendingSeeds: () => Pending
}
