import type { InlineScenario } from './inline-scenario.ts'
import type { AssumptionValues, BundledScenarios } from './known-names.ts'

/** The id of an assumption. */
export type AssumptionId = keyof AssumptionValues

/** Values of assumptions, by id. */
export type AssumptionChoices = { readonly [Id in AssumptionId]?: AssumptionValues[Id] | undefined }

/**
 * The names of your own scenarios, each with its options. Add them, so that they are names that TypeScript knows:
 * `npx greenhouse-mock types scenarios` prints what to add.
 * @example
 * declare module 'greenhouse-mock' {
 *   interface Scenarios {
 *     'out-of-pots': { size?: number }
 *   }
 * }
 */
export interface Scenarios {}

/** Every scenario that has a name, with its options. */
export interface NamedScenarios extends BundledScenarios, Scenarios {}

/** The name of a scenario: one that comes with the package, or one of yours, of the interface `Scenarios`. */
export type ScenarioName = keyof NamedScenarios

/** A scenario, with its options beside its name. */
type NamedChoice = {
  [Name in ScenarioName]: { readonly name: Name } & Readonly<NamedScenarios[Name]>
}[ScenarioName]

/**
 * A scenario to switch on. As text: `'slow'` or `'slow:ms=800,on=apps.*'`. As an object, with the options beside the name:
 * `{ name: 'slow', ms: 800 }`. Inline, as its effects: `{ respond: [{ on: 'apps.list', status: 500 }] }`.
 */
export type ScenarioChoice = ScenarioText | NamedChoice | InlineScenario

/** A scenario as text: its name, or its name with options: `slow:ms=800`. */
export type ScenarioText = ScenarioName | `${ScenarioName}:${string}`

/** The options that a scenario takes beside its name. */
export type ScenarioOptions<Text> = Text extends ScenarioName ? Readonly<NamedScenarios[Text]> : undefined

/** An active scenario with all its options, or an inline scenario with its title. */
export type ActiveScenario =
  | (NamedChoice & { readonly [option: string]: unknown })
  | (InlineScenario & { readonly title: string; readonly [member: string]: unknown })
