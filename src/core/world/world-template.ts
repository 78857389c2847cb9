import type { CallerSource } from '../accounts/accounts.ts'
import { type AssumptionRegistry, withChoices } from '../contract/assumptions.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import type { Memory, ReplyCache, WorldMemory } from '../store/memory.ts'
import { systemNow } from '../time/clock.ts'
import { toClockTime } from '../time/time-text.ts'
import type { Changes } from './changes.ts'
import {
  activate,
  type LiveScenario,
  type EffectiveSettings,
  type ScenarioSource,
  parseChoices,
} from './effective-settings.ts'
import type { JournalOptions } from '../journal/journal.ts'
import type { LogEventListener } from '../journal/log-events.ts'
import type { RecordIndex } from '../store/record-index.ts'
import { assertFewInline, inlineSizeOf, type ParsedChoice } from './scenario-choice.ts'
import type { SecretFinder } from '../secrets/known-secrets.ts'
import type { WebhookTransport } from '../http/webhook-transport.ts'
import type { Texts } from '../text/values.ts'

export interface LiveWorldStart {
  readonly seed?: number
  /** ISO 8601, or milliseconds since 1970. */
  readonly now?: string | number
  readonly frozen?: boolean
  /** The choices as people write them; see `ParsedChoice`. */
  readonly scenarios?: readonly unknown[]
  /** Assumptions by id, in addition to the common ones. */
  readonly assumptions?: Texts
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

/** The collections and scenarios that a reload did not change. */
export interface Unchanged {
  readonly scenarios: readonly UnchangedScenario[]
  readonly records: readonly UnchangedRecords[]
}

/**
 * The common start of all worlds of a service. Data and scenarios may be replaced while worlds run.
 */
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
  /** Reports to the log what no journal records. */
  readonly notify: LogEventListener
  readonly changes: Changes
  readonly transport: () => WebhookTransport
  readonly scenarios: readonly ParsedChoice[]
  readonly journal: JournalOptions
  readonly memory: Memory
  readonly replies: ReplyCache
  /** All collections, in the order of fixture files. */
  readonly collections: readonly CollectionDefinition<object>[]
  /** The scopes of a key that names none. */
  readonly scopes: readonly string[]
  readonly secretCollections: readonly CollectionDefinition<object>[]
  /** Finds secrets that belong to no world: tokens of the control API. */
  readonly tokens: { finder: SecretFinder }
  library: ScenarioSource
  /** The settings with the assumptions alone, shared by worlds that change none. */
  effectiveSettings: EffectiveSettings
  /** The time that times in fixtures are relative to, in milliseconds since 1970. */
  initialRecordsAt: number
  initialRecordsOf: <T extends object>(collection: CollectionDefinition<T>) => RecordIndex<T>
}

/** A world, as the owner of memory. */
export interface NamedMemory {
  readonly name: string
  readonly memory: WorldMemory
}

export interface StartedFrom {
  readonly seed: number
  readonly restarts: number
  readonly now: number
  readonly frozen: boolean
  readonly assumptions: ReadonlyMap<string, string>
  readonly scenarios: readonly object[]
  /** The time that times in fixtures are relative to, in milliseconds since 1970. */
  readonly initialRecordsAt: number
}

export interface ParsedStart extends Pick<StartedFrom, 'seed' | 'frozen' | 'assumptions'> {
  /** In milliseconds since 1970; `undefined` for a clock that runs with the machine's. */
  readonly now: number | undefined
  readonly active: readonly LiveScenario[]
}

/**
 * Nothing changes yet. @param initialRecordsOf the records that the world will have: its scenarios
 * may name their accounts.
 */
export function parseStart(
  { name, memory }: NamedMemory,
  template: WorldTemplate,
  start: LiveWorldStart,
  initialRecordsOf: CallerSource['initialRecordsOf'] = template.initialRecordsOf,
): ParsedStart {
  const { library, hosts, effectiveSettings, assumptionRegistry } = template
  const { seed = template.seed, frozen = template.frozen } = start
  const at = start.now === undefined ? template.now : toClockTime(start.now)
  const now = at ?? systemNow()
  const choices = assumptionRegistry.checkAll(start.assumptions ?? {})
  const assumptions = withChoices(effectiveSettings.assumptions, choices)
  const chosen = start.scenarios ? parseChoices(start.scenarios, library) : template.scenarios
  assertFewInline(chosen)
  memory.reserve(inlineSizeOf(chosen) - memory.used)
  const callers = {
    name,
    collection: initialRecordsOf,
    initialRecordsOf,
  }
  const active = chosen.map((scenario) =>
    activate({ library, hosts, callers }, scenario, { now, seed }),
  )
  return {
    seed,
    now: frozen ? now : at,
    frozen,
    assumptions,
    active,
  }
}
