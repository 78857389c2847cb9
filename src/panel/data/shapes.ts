import type { KeySummary as KnownKey } from '../../control/answers.ts'
import type { RequestEvent } from '../../control/events/types.ts'

export type {
  ActiveScenarios,
  AssumptionsInForce,
  AssumptionSummary,
  ClockState,
  FileProblem,
  Health,
  Problems,
  Start,
  WorldSummary,
} from '../../control/answers.ts'
export type { Events } from '../../control/events/types.ts'
export type { JournalEntry } from '../../core/journal/journal-entry.ts'
export type { NearMiss } from '../../core/journal/near-miss.ts'
export type { Verdict } from '../../core/journal/verdict.ts'
export type { Violation } from '../../core/journal/violation.ts'
export type { Grade } from '../../areas/apps/webhooks/report/grade.ts'
export type { OperationSummary } from '../../greenhouse/greenhouse.ts'
export type { OptionDeclaration } from '../../scenarios/option-values.ts'
export type { ScenarioSummary } from '../../scenarios/library.ts'

/** A journal entry without headers and bodies. */
export type TrafficEntry = RequestEvent

/** A scenario as text, `name:option=value;option=value`, or as an object with its options beside the name. */
export type ScenarioChoice = string | { readonly name: string; readonly [option: string]: unknown }

/** JSON Schema, as far as forms read it. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly title?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly additionalProperties?: boolean | JsonSchema
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
}

/** What a world starts from. */
export interface WorldStart {
  readonly seed?: number
  readonly now?: string
  readonly scenarios?: readonly ScenarioChoice[]
  readonly assumptions?: Readonly<Record<string, string>>
  readonly records?: Readonly<Record<string, readonly unknown[]>>
}

/** Moves a clock: sets it, moves it, stops or runs it, in this order. */
export interface ClockChange {
  readonly now?: string
  /** A duration: `90s`, `2h`. */
  readonly advance?: string
  readonly frozen?: boolean
}

/** Selects entries of a journal. */
export interface JournalFilter {
  readonly operation?: string
  /** `404`, or a class: `4xx`. */
  readonly status?: string
  readonly violations?: boolean
  readonly errors?: boolean
  readonly scenario?: string
  readonly search?: string
  readonly limit?: number
  /** Only entries with a smaller id. */
  readonly before?: number
}

/** A key, without its secret. */
export type KeySummary = KnownKey & {
  /** A key of the fixtures in plain words: `key_pro`. */
  readonly name?: string | null
  readonly plan?: string | null
}

/** A key as it was made: the only time that its secret is shown. */
export type NewKey = KeySummary & { readonly secret: string }

/** How much of a window's quota is left. */
export interface QuotaWindow {
  /** Requests. */
  readonly limit: number
  readonly used: number
  readonly remaining: number
  /** ISO 8601, on the world's clock. */
  readonly resets_at: string
}

export interface AccountSummary {
  readonly id: string
  readonly name?: string
  readonly email?: string
  readonly plan: string
  readonly keys: readonly KeySummary[] | readonly string[]
  /** `null` where the window is unlimited. */
  readonly quota: { readonly minute: QuotaWindow | null; readonly day: QuotaWindow | null }
  readonly credits: unknown
  readonly subscription: unknown
}

/** A kind of records. */
export interface CollectionSummary {
  readonly name: string
  readonly title: string
  /** The field that is the id. */
  readonly id: string
  readonly schema: JsonSchema
  /** The collection that a field names a record of. */
  readonly relations: Readonly<Record<string, string>>
  readonly has_secrets: boolean
}

/** A record, as its collection's schema says. */
export type RecordValue = Readonly<Record<string, unknown>>

/** Selects records. */
export interface RecordsFilter {
  readonly search?: string
  /** A field, with `-` before it the other way round. */
  readonly sort?: string
  readonly limit?: number
  readonly offset?: number
  /** What a field must be. */
  readonly where?: Readonly<Record<string, string>>
}

/** One try to deliver an event. */
export interface DeliveryAttempt {
  /** ISO 8601, on the world's clock. */
  readonly at: string
  /** The receiver's; `null` where it did not answer. */
  readonly status: number | null
  readonly error: string | null
  readonly ms: number | null
  readonly next_attempt_at?: string | null
  readonly response?: unknown
}

/** An event on its way to a webhook. */
export interface DeliverySummary {
  readonly id: string
  readonly webhook_id: string
  /** Redacted. */
  readonly webhook_url?: string | null
  readonly url?: string | null
  readonly event_id: string
  readonly type: string
  readonly status: string
  readonly attempts: readonly DeliveryAttempt[]
  readonly next_attempt_at: string | null
  readonly payload: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly created_at: string
}

/** Selects deliveries. */
export interface DeliveryFilter {
  readonly webhook?: string
  readonly type?: string
  readonly status?: string
  readonly limit?: number
}

/** Something that happens once the clock shows a time. */
export interface DueTask {
  /** ISO 8601, on the world's clock. */
  readonly at: string
  /** `delivery`, `renewal`, `quota`, … */
  readonly kind: string
  readonly title: string
  readonly subject?: { readonly collection: string; readonly id: string }
}

/** What became of a record between a snapshot and now. */
export interface SnapshotChange {
  readonly collection: string
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly {
    readonly id: string
    readonly fields: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[]
  }[]
}

/** An event to trigger. */
export interface EventTrigger {
  readonly type: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly account?: string
  readonly app_id?: string
}

/** A file of fixtures. */
export interface FixtureFile {
  readonly file: string
  readonly text: string
}
