import type { Account, PlanName, Scope } from '../core/accounts/accounts.ts'
import type { Assumption } from '../core/contract/assumptions.ts'
import type { Har } from '../core/journal/har.ts'
import type { JournalEntry } from '../core/journal/journal-entry.ts'
import type { EventType } from '../areas/event-types.ts'
import type { Delivery } from '../areas/apps/webhooks/schemas.ts'
import type { Grade } from '../areas/apps/webhooks/report/check-receiver.ts'
import type { QuotaSummary } from '../api/inspect/accounts.ts'
import type { CollectionFacts } from '../api/inspect/collections.ts'
import type { Coverage, CoverageRow } from '../evidence/coverage.ts'
import type { ReportCard } from '../evidence/report-card/report-card.ts'
import type { CaseDifference } from '../cases/replay.ts'
import type { Case } from '../cases/types.ts'
import type { CreditsReply, DeliveryReply, SubscriptionReply } from '../api/generated/wire-types.ts'
import type { FieldError } from './errors.ts'
import type { OperationSummary } from '../api/greenhouse.ts'
import type { AssumptionValues } from '../api/generated/known-names.ts'
import type { ActiveScenario, AssumptionId } from '../api/types/names.ts'
import type { ScenarioSummary } from '../scenarios/language/scenario-summary.ts'

export interface OpenedCase {
  readonly title: string | null
  readonly requests: number
  readonly left_out: number
  readonly differences: readonly CaseDifference[]
}

/** The answer of every route, by method and path; for a stream, the data of an event. `undefined`: 204, without a body. */
export interface Answers {
  'GET /health': { readonly status: 'ok'; readonly version: string; readonly worlds: number }
  'GET /scenarios': List<ScenarioSummary>
  'GET /assumptions': List<AssumptionSummary>
  'GET /operations': List<OperationSummary>
  'GET /openapi.json': OpenApiJson
  'GET /start': Start
  'GET /problems': FileProblems
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
  'GET /worlds/{world}/records': List<{ readonly name: string; readonly size: number }>
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

export interface List<T> {
  readonly data: readonly T[]
}

export interface Failure {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly errors?: readonly FieldError[]
  }
}

export interface Start {
  readonly version: string
  readonly plants_url: string
  readonly apps_url: string
  readonly areas: readonly string[]
  readonly panel_url: string
  readonly keys: Readonly<Record<string, StartKey>>
  readonly scenarios: readonly string[]
  readonly config?: string
}

export interface StartKey {
  readonly plan?: string
  readonly account: string
  readonly note?: string
}

/** The problems in the files of fixtures and scenarios, and a state file that can't be written. */
export interface FileProblems extends List<FileProblem> {
  readonly watching: boolean
  /** When they were last read: ISO 8601, on the machine's clock. */
  readonly loaded_at: string
}

/** A mistake in a file. Until it is corrected, the last good state stays in use. */
export interface FileProblem {
  readonly file: string
  /** Counts from 1; `null` for a problem of the whole file. */
  readonly line: number | null
  readonly column: number | null
  readonly message: string
}

export type AssumptionSummary = { readonly id: AssumptionId } & Readonly<Assumption>

export type AssumptionsInForce = Readonly<AssumptionValues>

export type OpenApiJson = object

export interface WorldSummary {
  readonly name: string
  readonly seed: number
  /** Whether it is never dropped to make room. */
  readonly pinned: boolean
  readonly scenarios: readonly string[]
  readonly used_up: readonly string[]
  readonly clock: ClockSummary
  readonly journal: {
    readonly size: number
    readonly evicted: number
  }
  readonly snapshots: readonly string[]
}

/** The active scenarios with all their options, in the order of their activation; in the shape that PUT takes. */
export interface ActiveScenarios {
  readonly active: readonly ActiveScenario[]
}

export interface ClockSummary {
  /** ISO 8601. */
  readonly now: string
  readonly frozen: boolean
}

export interface JournalPage extends List<JournalEntry> {
  /**
   * Identifies the journal. It changes when the world or the server starts again, and the ids of entries then begin with
   * 1 again. It begins with the server's identity.
   */
  readonly journal: string
  readonly size: number
  /** How many entries were dropped to make room for newer ones. */
  readonly evicted: number
  /** How many requests are in the journal of no world, by kind: `foreign_host`, `preflight`. */
  readonly unrecorded: Readonly<Record<string, number>>
}

export interface KeySummary {
  /** The secret's fingerprint: `fp_` and 12 hexadecimal digits. */
  readonly id: string
  /** The key itself, if it comes from fixtures and consists of plain words: `key_pro`; otherwise `null`. */
  readonly name: string | null
  readonly account: string
  readonly plan: PlanName | null
  readonly scopes: readonly Scope[]
  readonly expires_at: string | null
  readonly revoked: boolean
  /** Its quota; `null` if it spends its account's (`rate-limit.scope`). */
  readonly quota: QuotaSummary | null
}

export interface NewKey extends KeySummary {
  readonly secret: string
}

export type TriggeredDelivery = DeliveryReply & Pick<DeliverySummary, 'url'>

export interface SnapshotSummary {
  readonly name: string
}

export interface AccountSummary extends Pick<Readonly<Account>, 'id' | 'name' | 'email' | 'plan'> {
  readonly scopes: readonly string[]
  /** The oldest 100. */
  readonly keys: readonly KeySummary[]
  readonly key_count: number
  /** Its quota; `null` if each key has its own (`rate-limit.scope`). */
  readonly quota: QuotaSummary | null
  readonly credits: CreditsReply
  readonly subscription: SubscriptionReply
}

export interface RecordPage extends List<object> {
  readonly total?: number
  /** The positions of these records in the order of creation: numbers that no other record of the collection ever has. Only with `places=true`. */
  readonly places?: readonly number[]
}

export interface FixtureFile {
  readonly file: string
  /** YAML. Loaded at the time in its first line, it gives the same records. */
  readonly text: string
  readonly records: number
  readonly hidden: number
}

export interface DueSummary {
  /** ISO 8601, on the world's clock. */
  readonly at: string
  /** `delivery`, `event`, `settlement`, `renewal`, `charge`, `cancellation`, `certificate`, `dns-timeout`, `quota`, `reply` or `scheduled`. */
  readonly kind: string
  readonly title: string
  readonly subject?: { readonly collection: string; readonly id: string }
}

export interface DoneWork {
  readonly clock: ClockSummary
  readonly done: readonly DueSummary[]
}

export interface DeliverySummary {
  readonly id: string
  readonly account: string
  readonly webhook: string
  /** The receiver's URL, without secrets; `null` when the webhook no longer exists. */
  readonly url: string | null
  readonly event: string
  readonly type: EventType
  /** `lost`: a scenario dropped it. */
  readonly status: Delivery['status']
  /** ISO 8601, on the world's clock. */
  readonly created_at: string
  readonly next_attempt_at: string | null
  /** The newest 100, the oldest first. */
  readonly attempts: readonly AttemptSummary[]
  readonly payload: unknown
}

export interface AttemptSummary {
  /** When it was scheduled: ISO 8601, on the world's clock. */
  readonly at: string
  readonly status: number | null
  readonly error: string | null
  /** How long the receiver took, in milliseconds of real time. */
  readonly ms: number
  readonly next_attempt_at: string | null
  readonly response: string | null
  readonly fault: 'stale-timestamp' | 'bad-signature' | null
  readonly headers: Readonly<Record<string, string>> | null
}

export interface CollectionComparison {
  readonly collection: string
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly RecordComparison[]
  readonly more: { readonly added: number; readonly removed: number; readonly changed: number }
}

export interface RecordComparison {
  readonly id: string
  /** `null` for a missing value; the beginning of a long text. */
  readonly fields: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[]
}

export interface EvidenceSummary {
  readonly card: ReportCard
  readonly coverage: Omit<Coverage, 'counts'> & {
    readonly operations: readonly CoverageRow[]
    readonly others: readonly { readonly title: string; readonly seen: number; readonly all: number }[]
  }
}
