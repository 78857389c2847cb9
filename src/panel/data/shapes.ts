import type { CollectionFacts } from '../../greenhouse/inspect/collection-facts.ts'
import type { JsonSchema } from '../../scenarios/json-schema.ts'

export type * from '../../control/answers.ts'
export type { FieldError } from '../../control/errors.ts'
export type { ControlEvents, RequestEvent } from '../../control/events/types.ts'
export type { Har } from '../../core/journal/har.ts'
export type { JournalEntry } from '../../core/journal/journal-entry.ts'
export type { Verdict } from '../../core/journal/verdict.ts'
export type { QuotaSummary, QuotaWindow } from '../../greenhouse/inspect/accounts.ts'
export type { Grade } from '../../areas/apps/webhooks/report/grade.ts'
export type { OperationSummary } from '../../greenhouse/greenhouse.ts'
export type { OptionDeclaration } from '../../scenarios/option-values.ts'
export type { JsonSchema } from '../../scenarios/json-schema.ts'
export type { ScenarioSummary } from '../../scenarios/scenario-summary.ts'

/** A scenario: as text, `name:option=value,option=value`; as an object with name and options; or inline, with a title. */
export type PanelChoice = string | NamedChoice | InlineChoice

/** A scenario with its options beside the name. */
export interface NamedChoice {
  readonly name: string
  readonly [option: string]: unknown
}

/** A scenario that is in no library. */
export interface InlineChoice {
  readonly name?: undefined
  readonly title: string
  readonly [member: string]: unknown
}

export interface WorldStartBody {
  readonly seed?: number
  readonly now?: string
}

/** Changes a clock: sets it, advances it, freezes it or lets it run, in this order. */
export interface ClockChange {
  readonly now?: string
  /** A duration: `90s`, `2h`. */
  readonly advance?: string
  readonly frozen?: boolean
}

/** Selects entries of a journal. */
export interface JournalFilter {
  readonly limit: number
  /** Only entries with a smaller id. */
  readonly before?: number | undefined
}

/** A kind of records. */
export type CollectionSummary = Omit<CollectionFacts, 'schema'> & { readonly schema: JsonSchema }

/** A record, as its collection's schema says. */
export type RecordValue = Readonly<Record<string, unknown>>

/** Selects records. */
export interface RecordsFilter {
  readonly search?: string
  /** A field, or a field after `-` for descending order. */
  readonly sort?: string
  readonly limit?: number
  readonly offset?: number
  /** Whether to return the records' positions in the order of creation. */
  readonly places?: boolean
  /** The required values of fields. */
  readonly where?: Readonly<Record<string, string>>
}

/** Selects deliveries. */
export interface DeliveryFilter {
  readonly webhook?: string
  readonly type?: string
  readonly status?: string
  readonly limit?: number
}

export interface EventTrigger {
  readonly type: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly account?: string
  readonly app_id?: string
}
