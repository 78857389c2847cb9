import type { AssumptionRegistry } from '../contract/assumptions.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import type { DataMemory, ReplyCache } from '../store/data-memory.ts'
import type { HeaderLayer } from './header-layer.ts'
import type { Changes, History } from './changes.ts'
import type { EffectiveSettings, ScenarioSource } from './effective-settings.ts'
import type { CreateJournal } from '../journal/part.ts'
import type { LogEventListener } from '../journal/log-events.ts'
import type { AreaLifecycle, WorldEventListener } from './world.ts'
import type { InitialWork, PendingWork } from './pending.ts'
import type { RecordIndex } from '../store/record-index.ts'
import type { NamedScenario, CoreScenarioChoice } from './scenario-choice.ts'
import type { SecretFinder } from '../secrets/secret-finder.ts'
import type { WebhookTransport } from '../http/webhook-transport.ts'

export interface CoreWorldStart {
  readonly seed?: number
  /** ISO 8601, or milliseconds since 1970. */
  readonly now?: string | number
  readonly frozen?: boolean
  readonly scenarios?: readonly CoreScenarioChoice[]
  /** Assumptions by id, in addition to the common ones. */
  readonly assumptions?: Readonly<Record<string, string>>
}

/** An active scenario that a reload did not change, because its options do not fit the new file. */
export interface UnchangedScenario {
  readonly world: string
  readonly scenario: string
  readonly reason: string
}

/** Collections of a world that a reload did not change, because they were written to. */
export interface UnchangedRecords {
  readonly world: string
  readonly collections: readonly string[]
}

/** What a reload did not change. */
export interface Unchanged {
  readonly scenarios: readonly UnchangedScenario[]
  readonly records: readonly UnchangedRecords[]
}

/** The common start of all worlds of a service. Data and scenarios may be replaced while worlds run. */
export interface WorldTemplate {
  /** Hosts without connections, such as MSW, that answer this service's requests. */
  readonly hosts: Set<string>
  readonly seed: number
  /** How often other processes continued from the state that worlds start with. */
  readonly restarts: number
  /** The start of clocks, in milliseconds since 1970; the machine's time if absent. */
  readonly now: number | undefined
  readonly frozen: boolean
  readonly assumptionRegistry: AssumptionRegistry
  readonly eventListeners: readonly WorldEventListener[]
  readonly lifecycles: readonly AreaLifecycle[]
  readonly pending: readonly PendingWork[]
  /** Reports to the log what no journal records. */
  readonly notify: LogEventListener
  readonly changes: Changes
  readonly transport: () => WebhookTransport
  readonly scenarios: readonly NamedScenario[]
  readonly createJournal: CreateJournal
  readonly memory: DataMemory
  /** Creates the history of a world; `undefined` without the part that reads it. */
  readonly createHistory: (() => History) | undefined
  readonly replies: ReplyCache
  /** All collections, in the order of fixture files. */
  readonly collections: readonly CollectionDefinition<object>[]
  /** The scopes of a key that names none. */
  readonly scopes: readonly string[]
  readonly secretCollections: readonly CollectionDefinition<object>[]
  /** Finds secrets that belong to no world: tokens of the control API. */
  readonly tokens: { finder: SecretFinder }
  library: ScenarioSource
  readonly createHeaderLayer: (() => HeaderLayer) | undefined
  /** The settings with the assumptions alone, shared by worlds that change none. */
  effectiveSettings: EffectiveSettings
  /** The time that times in fixtures are relative to, in milliseconds since 1970. */
  initialRecordsAt: number
  initialRecordsOf: <T extends object>(collection: CollectionDefinition<T>) => RecordIndex<T>
  initialWork: InitialWork
}
