import type { Account, Scope } from '../core/accounts/accounts.ts'
import type { PlanName } from '../core/accounts/plans.ts'
import type { Assumption } from '../core/definitions/assumptions.ts'
import type { Har } from '../core/journal/har.ts'
import type { JournalEntry } from '../core/journal/journal-entry.ts'
import type { EventType } from '../areas/event-types.ts'
import type { Delivery } from '../areas/apps/webhooks/schemas/delivery.ts'
import type { Grade } from '../areas/apps/webhooks/report/grade.ts'
import type { QuotaSummary } from '../greenhouse/inspect/accounts.ts'
import type { CollectionFacts } from '../greenhouse/inspect/collection-facts.ts'
import type { Coverage } from '../evidence/coverage/coverage.ts'
import type { CoverageRow } from '../evidence/coverage/table.ts'
import type { ReportCard } from '../evidence/report-card/report-card.ts'
import type { CaseDifference } from '../greenhouse/case/replay.ts'
import type { Case } from '../greenhouse/case/types.ts'
import type { CreditsReply, DeliveryReply, SubscriptionReply } from '../greenhouse/generated/wire-types.ts'
import type { FieldError } from './errors.ts'
import type { OperationSummary } from '../greenhouse/greenhouse.ts'
import type { AssumptionValues } from '../greenhouse/generated/known-names.ts'
import type { ActiveScenario, AssumptionId } from '../greenhouse/types/names.ts'
import type { ScenarioSummary } from '../scenarios/scenario-summary.ts'

/** The result of opening a world with a case or an HTTP Archive. */
export interface OpenedCase {
  readonly title: string | null
  readonly requests: number
  /** The requests of an archive that are for other services. */
  readonly left_out: number
  /** The differences of the first reply that is not as recorded; empty if there is none. */
  readonly differences: readonly CaseDifference[]
}

/** The answer of every route, by method and path; for a stream, the data of an event. `undefined`: 204, without a body. */
export interface Answers {
  'GET /health': Health
  'GET /scenarios': List<ScenarioSummary>
  'GET /assumptions': List<AssumptionSummary>
  'GET /operations': List<OperationSummary>
  'GET /openapi.json': OpenApiJson
  'GET /start': Start
  'GET /problems': FileProblems
  /** The data of an event; `ControlEvents` in events/types.ts has the type of each. */
  'GET /events': object

  'GET /worlds': List<WorldSummary>
  'GET /worlds/{world}': WorldSummary
  'PUT /worlds/{world}': WorldSummary
  'DELETE /worlds/{world}': undefined
  'POST /worlds/{world}/reset': WorldSummary
  'GET /worlds/{world}/scenarios': ActiveScenarios
  'PUT /worlds/{world}/scenarios': ActiveScenarios
  'POST /worlds/{world}/scenarios': ActiveScenarios
  'DELETE /worlds/{world}/scenarios': undefined
  'DELETE /worlds/{world}/scenarios/{scenario}': undefined
  'GET /worlds/{world}/clock': ClockSummary
  'PATCH /worlds/{world}/clock': ClockSummary
  'GET /worlds/{world}/assumptions': AssumptionsInForce
  'PATCH /worlds/{world}/assumptions': AssumptionsInForce
  'GET /worlds/{world}/openapi.json': OpenApiJson

  'GET /worlds/{world}/journal': JournalPage
  'DELETE /worlds/{world}/journal': undefined
  'GET /worlds/{world}/journal/{id}': JournalEntry
  'POST /worlds/{world}/journal/{id}/replay': JournalEntry
  'GET /worlds/{world}/journal.har': Har
  'GET /worlds/{world}/journal/stream': JournalEntry
  'GET /worlds/{world}/case': Case
  'PUT /worlds/{world}/case': OpenedCase
  'GET /worlds/{world}/evidence': EvidenceSummary

  'GET /worlds/{world}/keys': List<KeySummary>
  'POST /worlds/{world}/keys': NewKey
  'PATCH /worlds/{world}/keys/{id}': KeySummary
  'DELETE /worlds/{world}/keys/{id}': undefined

  'GET /worlds/{world}/accounts': List<AccountSummary>
  'GET /worlds/{world}/accounts/{id}': AccountSummary
  'PATCH /worlds/{world}/accounts/{id}': AccountSummary
  'POST /worlds/{world}/accounts/{id}/refill': AccountSummary

  'GET /collections': List<CollectionFacts>
  'GET /worlds/{world}/records': List<CollectionSize>
  'GET /worlds/{world}/records/{collection}': RecordPage
  'PUT /worlds/{world}/records/{collection}': List<object>
  'POST /worlds/{world}/records/{collection}': object
  'GET /worlds/{world}/records/{collection}/{id}': object
  'PATCH /worlds/{world}/records/{collection}/{id}': object
  'DELETE /worlds/{world}/records/{collection}/{id}': undefined
  'GET /worlds/{world}/export': List<FixtureFile>
  'GET /worlds/{world}/export/{collection}': List<FixtureFile>

  'GET /worlds/{world}/due': List<DueSummary>
  'POST /worlds/{world}/due/next': DoneWork

  'GET /worlds/{world}/deliveries': List<DeliverySummary>
  'GET /worlds/{world}/deliveries/{id}': DeliverySummary
  'POST /worlds/{world}/deliveries/{id}/redeliver': DeliverySummary

  'POST /worlds/{world}/events': List<TriggeredDelivery>
  'GET /worlds/{world}/webhooks/{id}/grade': Grade
  'POST /worlds/{world}/webhooks/{id}/grade': Grade

  'GET /worlds/{world}/snapshots': List<SnapshotSummary>
  'GET /worlds/{world}/snapshots/{snapshot}': SnapshotSummary
  'PUT /worlds/{world}/snapshots/{snapshot}': SnapshotSummary
  'DELETE /worlds/{world}/snapshots/{snapshot}': undefined
  'GET /worlds/{world}/snapshots/{snapshot}/compare': List<CollectionComparison>
  'POST /worlds/{world}/snapshots/{snapshot}/restore': WorldSummary
}

/** A list, as every list is sent. */
export interface List<T> {
  readonly data: readonly T[]
}

/** The error of a failed call. */
export interface Failure {
  readonly error: {
    /** `unknown_world` */
    readonly code: string
    readonly message: string
    /** The mistakes in fields of a record. */
    readonly errors?: readonly FieldError[]
  }
}

/** Whether the server is up. */
export interface Health {
  readonly status: 'ok'
  /** The package's version: `1.2.3`. */
  readonly version: string
  /** The number of worlds. */
  readonly worlds: number
}

/** Addresses and keys: what `serve` prints when it is ready. */
export interface Start {
  /** The package's version: `1.2.3`. */
  readonly version: string
  /** The base URL of the plant store. */
  readonly plants_url: string
  /** The base URL of app management. */
  readonly apps_url: string
  /** The areas that are served: `plants`, `apps`, and those of plug-ins. */
  readonly areas: readonly string[]
  /** Where the panel is. */
  readonly panel_url: string
  /** The keys of the world `default` that come from fixtures and consist of plain words. */
  readonly keys: Readonly<Record<string, StartKey>>
  /** The names of the scenarios that are active in the world `default`. */
  readonly scenarios: readonly string[]
  /** The configuration file; absent without one. */
  readonly config?: string
}

/** A key that clients may use. */
export interface StartKey {
  /** The plan of its account; absent if that does not exist. */
  readonly plan?: string
  /** The id of its account. */
  readonly account: string
  /** What is special about it: `revoked`, `expires 2026-01-01T00:00:00Z`, its scopes. */
  readonly note?: string
}

/** The problems in the files of fixtures and scenarios, and a state file that can't be written. */
export interface FileProblems extends List<FileProblem> {
  /** Whether Greenhouse reads them again when they change: `--watch`. */
  readonly watching: boolean
  /** When they were last read: ISO 8601, on the machine's clock. */
  readonly loaded_at: string
}

/** A mistake in a file. Until it is corrected, the last good state stays in use. */
export interface FileProblem {
  /** The path of the file, or of a folder that cannot be read. */
  readonly file: string
  /** Counts from 1; `null` for a problem of the whole file. */
  readonly line: number | null
  readonly column: number | null
  readonly message: string
}

/** One assumption: its id, its question, its values, the default first. */
export type AssumptionSummary = { readonly id: AssumptionId } & Readonly<Assumption>

/** The value of every assumption, by id. */
export type AssumptionsInForce = Readonly<AssumptionValues>

/** An OpenAPI 3.1 document. */
export type OpenApiJson = object

export interface WorldSummary {
  readonly name: string
  /** Decides everything random. */
  readonly seed: number
  /** Whether it is never dropped to make room. */
  readonly pinned: boolean
  /** The names of the active scenarios, in the order of their activation. */
  readonly scenarios: readonly string[]
  /** The active scenarios that have reached their `times`. */
  readonly used_up: readonly string[]
  readonly clock: ClockSummary
  readonly journal: {
    /** The number of entries. */
    readonly size: number
    /** The number of dropped entries. */
    readonly evicted: number
  }
  /** The names of the snapshots. */
  readonly snapshots: readonly string[]
}

/** The active scenarios with all their options, in the order of their activation; in the shape that PUT takes. */
export interface ActiveScenarios {
  readonly active: readonly ActiveScenario[]
}

/** A world's time. */
export interface ClockSummary {
  /** ISO 8601. */
  readonly now: string
  readonly frozen: boolean
}

/** Entries of a journal, oldest first. */
export interface JournalPage extends List<JournalEntry> {
  /**
   * Identifies the journal. It changes when the world or the server starts again, and the ids of entries then begin with
   * 1 again. It begins with the server's identity.
   */
  readonly journal: string
  /** The number of entries in the journal, whatever the query. */
  readonly size: number
  /** How many entries were dropped to make room for newer ones. */
  readonly evicted: number
  /** How many requests are in the journal of no world, by kind: `foreign_host`, `preflight`. */
  readonly unrecorded: Readonly<Record<string, number>>
}

/** A key, without its secret. */
export interface KeySummary {
  /** The secret's fingerprint: `fp_` and 12 hexadecimal digits. */
  readonly id: string
  /** The key itself, if it comes from fixtures and consists of plain words: `key_pro`; otherwise `null`. */
  readonly name: string | null
  /** The id of its account. */
  readonly account: string
  /** The account's plan; `null` if the account does not exist. */
  readonly plan: PlanName | null
  readonly scopes: readonly Scope[]
  /** ISO 8601; `null` if it never expires. */
  readonly expires_at: string | null
  readonly revoked: boolean
  /** Its quota; `null` if it spends its account's (`rate-limit.scope`). */
  readonly quota: QuotaSummary | null
}

/** A new key: the only answer that shows it. */
export interface NewKey extends KeySummary {
  readonly secret: string
}

/** A delivery of an event that was triggered, with its attempts so far. */
export type TriggeredDelivery = DeliveryReply & Pick<DeliverySummary, 'url'>

export interface SnapshotSummary {
  readonly name: string
}

/** An account with its quota. */
export interface AccountSummary extends Pick<Readonly<Account>, 'id' | 'name' | 'email' | 'plan'> {
  /** The scopes that its keys can have, with those of plug-ins. */
  readonly scopes: readonly string[]
  /** The oldest 100. */
  readonly keys: readonly KeySummary[]
  /** The number of all its keys. */
  readonly key_count: number
  /** Its quota; `null` if each key has its own (`rate-limit.scope`). */
  readonly quota: QuotaSummary | null
  readonly credits: CreditsReply
  readonly subscription: SubscriptionReply
}

/** The number of records of a collection. */
export interface CollectionSize {
  readonly name: string
  readonly size: number
}

/** Records of a collection. */
export interface RecordPage extends List<object> {
  /** The number of matches on all pages; absent without a query. */
  readonly total?: number
  /** The positions of these records in the order of creation: numbers that no other record of the collection ever has. Only with `places=true`. */
  readonly places?: readonly number[]
}

export interface FixtureFile {
  /** `plants.yaml` */
  readonly file: string
  /** YAML. Loaded at the time in its first line, it gives the same records. */
  readonly text: string
  /** The number of records. */
  readonly records: number
  /** The number of secrets that placeholders replace. */
  readonly hidden: number
}

/** Upcoming work. */
export interface DueSummary {
  /** ISO 8601, on the world's clock. */
  readonly at: string
  /** `delivery`, `event`, `settlement`, `renewal`, `charge`, `cancellation`, `certificate`, `dns-timeout`, `quota`, `reply` or `scheduled`. */
  readonly kind: string
  readonly title: string
  /** The record that it is about. */
  readonly subject?: { readonly collection: string; readonly id: string }
}

/** The completed work, and the clock after it. */
export interface DoneWork {
  readonly clock: ClockSummary
  readonly done: readonly DueSummary[]
}

/** An event on its way to a webhook. */
export interface DeliverySummary {
  readonly id: string
  /** The account's id. */
  readonly account: string
  /** The webhook's id. */
  readonly webhook: string
  /** The receiver's URL, without secrets; `null` when the webhook no longer exists. */
  readonly url: string | null
  /** The event's id: the header `webhook-id`. */
  readonly event: string
  readonly type: EventType
  /** `lost`: a scenario dropped it. */
  readonly status: Delivery['status']
  /** ISO 8601, on the world's clock. */
  readonly created_at: string
  /** ISO 8601; `null` when none is due. */
  readonly next_attempt_at: string | null
  /** The newest 100, the oldest first. */
  readonly attempts: readonly AttemptSummary[]
  /** The JSON that is sent. */
  readonly payload: unknown
}

/** One attempt to deliver an event. */
export interface AttemptSummary {
  /** When it was scheduled: ISO 8601, on the world's clock. */
  readonly at: string
  /** The status of the receiver's answer; `null` without one. */
  readonly status: number | null
  /** Why there is no answer. */
  readonly error: string | null
  /** How long the receiver took, in milliseconds of real time. */
  readonly ms: number
  /** When the next attempt was or is due: ISO 8601; `null` when there is none. */
  readonly next_attempt_at: string | null
  /** The beginning of the answer. */
  readonly response: string | null
  /** The fault that a scenario caused. */
  readonly fault: 'stale-timestamp' | 'bad-signature' | null
  /** The headers that were sent; `null` if no request was made. */
  readonly headers: Readonly<Record<string, string>> | null
}

/** The differences of a collection from a snapshot. */
export interface CollectionComparison {
  readonly collection: string
  /** The ids of new records. */
  readonly added: readonly string[]
  /** The ids of deleted records. */
  readonly removed: readonly string[]
  readonly changed: readonly RecordComparison[]
  /** How many more records there are than the lists show. */
  readonly more: { readonly added: number; readonly removed: number; readonly changed: number }
}

/** A changed record. */
export interface RecordComparison {
  readonly id: string
  /** `null` for a missing value; the beginning of a long text. */
  readonly fields: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[]
}

/** The report card and the coverage of a world's requests. */
export interface EvidenceSummary {
  readonly card: ReportCard
  readonly coverage: Omit<Coverage, 'counts'> & {
    readonly operations: readonly CoverageRow[]
    /** Cells that belong to no operation. */
    readonly others: readonly { readonly title: string; readonly seen: number; readonly all: number }[]
  }
}
