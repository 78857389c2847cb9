import type { InlineScenario } from './generated/inline-scenario.ts'
import type {
  AssumptionValues,
  BundledScenarios,
  OperationId,
  OperationPattern,
} from './generated/known-names.ts'
import type { NoNames, OwnNames } from '../catalogue/inferred-names.ts'
import type { OwnAssumptions, Scenarios } from '../catalogue/own-names.ts'

/** The id of an assumption. */
export type AssumptionId = keyof AssumptionValues

/** Values of assumptions, by id. */
export type AssumptionChoices = {
  readonly [Id in AssumptionId]?: AssumptionValues[Id] | undefined
} & {
  readonly [Id in keyof OwnAssumptions]?: OwnAssumptions[Id] | undefined
}

/** The options of every bundled scenario and of your own scenarios, by name. */
export interface NamedScenarios extends BundledScenarios, Scenarios {}

/** The name of a scenario: a bundled one, or one of your own. */
export type ScenarioName<Own extends OwnNames = NoNames> =
  | keyof NamedScenarios
  | (keyof Own['scenarios'] & string)

/** Options that may be `undefined`, also under `exactOptionalPropertyTypes`. */
type OptionsOf<T> = {
  readonly [Option in keyof T]: undefined extends T[Option] ? T[Option] | undefined : T[Option]
}

/**
 * What every scenario can be narrowed by when it is switched on. An option of the scenario with
 * such a name keeps its own meaning.
 */
export interface ScenarioConditions {
  /** On these operations: an id, or a glob. */
  readonly on?: OperationPattern | undefined
  /** Another name for `on`. */
  readonly operation?: OperationPattern | undefined
  /** For these callers; the same as the options of these names. */
  readonly where?:
    | {
        readonly account?: string | undefined
        readonly key?: string | undefined
        readonly plan?: string | undefined
      }
    | undefined
  /** For this account. */
  readonly account?: string | undefined
  /** For this key, without `@world`. */
  readonly key?: string | undefined
  /** For accounts on this plan. */
  readonly plan?: string | undefined
  /** At most as often as this. */
  readonly times?: number | undefined
}

type WithConditions<T> = OptionsOf<T> & Omit<ScenarioConditions, keyof T>

/** A scenario as an object: its options, next to its name. */
type ChoiceByName<Scenarios = NamedScenarios> = {
  [Name in keyof Scenarios & string]: { readonly name: Name } & WithConditions<Scenarios[Name]>
}[keyof Scenarios & string]

/**
 * A scenario to switch on. As text: `'slow'` or `'slow:ms=800,on=apps.*'`. As an object, with the
 * options next to the name: `{ name: 'slow', ms: 800 }`. Inline, as its effects: `{ respond: [{ on:
 * 'apps.list', status: 500 }] }`.
 */
export type ScenarioChoice<Own extends OwnNames = NoNames> =
  | ScenarioText<Own>
  | ChoiceByName
  | ChoiceByName<Own['scenarios']>
  | InlineScenario

/** A scenario as text: its name, or its name with options: `slow:ms=800`. */
export type ScenarioText<Own extends OwnNames = NoNames> =
  | ScenarioName<Own>
  | `${ScenarioName<Own>}:${string}`

/**
 * The options that a scenario takes: those of a name, and none for text that contains its options.
 */
export type ScenarioOptions<
  Text,
  Own extends OwnNames = NoNames,
> = Text extends keyof Own['scenarios']
  ? WithConditions<Own['scenarios'][Text]>
  : Text extends keyof NamedScenarios
    ? WithConditions<NamedScenarios[Text]>
    : undefined

/** An active scenario with all its options, or an inline scenario with its title. */
export type ActiveScenario =
  | (ChoiceByName & { readonly [option: string]: unknown })
  | (InlineScenario & {
      readonly title: string
      readonly [member: string]: unknown
    })

/** The account and the app that an event belongs to. */
export interface TriggerOptions {
  /**
   * The account's id. By default the app's account, or the account of the first webhook that
   * subscribes to the event.
   */
  readonly account?: string | undefined
  /** The app's id. */
  readonly app?: string | undefined
}

/** One operation of the service. */
export interface OperationSummary {
  readonly id: OperationId
  readonly method: string
  /** From the service's root: `/v1/apps/{app_id}`. */
  readonly path: string
  readonly title: string
  /** The scope that the key needs. */
  readonly scope: string
  /**
   * Where the operation comes from: `stated` in the reference, `published`, `convention` or `ours`.
   */
  readonly source: string
}
