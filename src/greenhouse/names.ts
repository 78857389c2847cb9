import type { InlineScenario } from './inline-scenario.ts'
import type { AssumptionValues, BundledScenarios } from './known-names.ts'

/** The id of an assumption. */
export type AssumptionId = keyof AssumptionValues

/** Values of assumptions, by id. */
export type AssumptionChoices = { readonly [Id in AssumptionId]?: AssumptionValues[Id] | undefined }

/** The name of a scenario: one that comes with the package, or one of your own. */
export type ScenarioName = keyof BundledScenarios | (string & {})

/** A bundled scenario, with its options beside its name. */
type BundledChoice = {
  [Name in keyof BundledScenarios]: { readonly name: Name } & Readonly<BundledScenarios[Name]>
}[keyof BundledScenarios]

/**
 * A scenario to switch on. As text: `'slow'` or `'slow:ms=800;on=apps.*'`. As an object, with the options beside the name:
 * `{ name: 'slow', ms: 800 }`. Inline, as its effects: `{ respond: [{ on: 'apps.list', status: 500 }] }`.
 */
export type ScenarioChoice =
  | ScenarioName
  | BundledChoice
  | { readonly name: string & {}; readonly [option: string]: unknown }
  | InlineScenario

/** An active scenario with all its options, or an inline scenario with its title. */
export type ActiveScenario =
  | { readonly name: string; readonly [option: string]: unknown }
  | (InlineScenario & { readonly title: string; readonly [member: string]: unknown })
