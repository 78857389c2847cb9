import type {
  Journal as CoreJournal,
  JournalQuery as CoreJournalQuery,
  ViolationQuery as CoreViolationQuery,
} from '../core/journal/journal.ts'
import type { AssumptionValues, BundledScenarios, OperationId } from './known-names.ts'

/** The id of an assumption. */
export type AssumptionId = keyof AssumptionValues

/** Values of assumptions, by id. */
export type AssumptionChoices = { readonly [Id in AssumptionId]?: AssumptionValues[Id] | undefined }

/** The name of a scenario: one that comes along, or one of your own. */
export type ScenarioName = keyof BundledScenarios | (string & {})

/** A scenario that comes along, with its options beside its name. */
type BundledChoice = {
  [Name in keyof BundledScenarios]: { readonly name: Name } & Readonly<BundledScenarios[Name]>
}[keyof BundledScenarios]

/**
 * A scenario as everybody names it: text, `slow` or `slow:ms=800;on=apps.*`, or an object with the name and the options
 * beside it, `{ name: 'slow', ms: 800 }`.
 */
export type ScenarioChoice =
  | ScenarioName
  | BundledChoice
  | { readonly name: string & {}; readonly [option: string]: unknown }

/** An active scenario, with all its options. */
export interface ActiveScenario {
  readonly name: string
  readonly [option: string]: unknown
}

/** What a world was asked and what it answered. */
export type Journal = CoreJournal<OperationId>

/** Which entries to look for; all that is named must hold. */
export type JournalQuery = CoreJournalQuery<OperationId>

/** Which violations to look for; all that is named must hold. */
export type ViolationQuery = CoreViolationQuery<OperationId>
