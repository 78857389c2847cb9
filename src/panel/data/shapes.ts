import type { Answers } from '../../control/actions/index.ts'

export type { ClockChange, DueSummary } from '../../control/actions/clock.ts'
export type { AssumptionSummary } from '../../control/actions/server.ts'
export type { DeliverySummary } from '../../control/actions/webhooks.ts'
export type { ClockSummary, FileProblem } from '../../control/shapes.ts'
export type { ControlEvents, ControlEventType, RequestEvent } from '../../control/events.ts'
export type { JournalEntry } from '../../core/journal/journal-entry.ts'
export type { Verdict } from '../../core/journal/journal-record.ts'
export type { QuotaSummary, QuotaWindow } from '../../control/actions/accounts.ts'
export type { Grade } from '../../areas/apps/webhooks/report/check-receiver.ts'
export type { OptionDeclaration } from '../../scenarios/language/options.ts'
export type { JsonSchema } from '../../core/contract/json-schema.ts'
export type { Texts } from '../../core/text/values.ts'
export type { ScenarioSummary } from '../../scenarios/language/scenario-summary.ts'

export type AttemptSummary = Answers['GET /worlds/{world}/deliveries/{id}']['attempts'][number]
export type CollectionSummary = Answers['GET /collections']['data'][number]
export type EvidenceSummary = Answers['GET /worlds/{world}/evidence']
export type JournalPage = Answers['GET /worlds/{world}/journal']
export type OpenedCase = Answers['PUT /worlds/{world}/case']
export type Start = Answers['GET /start']

/** A scenario: with a name and options; or inline, with a title. */
export type PanelChoice = (RecordValue & { name: string }) | InlineChoice

export type InlineChoice = RecordValue & {
  name?: undefined
  title: string
}

export type RecordValue = Readonly<Record<string, unknown>>
