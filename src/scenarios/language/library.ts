import { codedError } from '../../core/text/error-codes.ts'
import {
  type CallerSource,
  describeMissingAccount,
  describeMissingKey,
  planNames,
} from '../../core/accounts/accounts.ts'
import { cached } from '../../core/contract/cache.ts'
import { givenOf } from '../../core/contract/options.ts'
import { quote, showValue, toScenarioText } from '../../core/text/messages.ts'
import type { Contract } from '../../core/pipeline/area.ts'
import type { Effect } from '../../core/pipeline/effect.ts'
import {
  type ActivationContext,
  type LiveScenario,
  type ScenarioSource,
  UnknownScenarioError,
} from '../../core/world/effective-settings.ts'
import {
  type InlineSource,
  InlineScenarioError,
  type ParsedChoice,
} from '../../core/world/scenario-choice.ts'
import { checkedEffects, scenarioFiles } from './check.ts'
import { Activation, conditionNames, type Conditions } from './condition.ts'
import type { ParsedEffects } from './effect-kind.ts'
import type { Finding } from '../../core/store/validation-message.ts'
import { parsedEffects, readInline, toInlineError } from './inline.ts'
import { narrow, whyNotNarrowed } from './narrow.ts'
import {
  conditionOptions,
  type Declared,
  fillIn,
  findPlaceholders,
  isPathWithin,
  type OptionDeclaration,
  type Placeholder,
  chooseOptions,
  rejectOptions,
  takesPlans,
} from './options.ts'
import { adviseName, type ScenarioSummary, searchScenarios } from './scenario-summary.ts'
import { effectsOf, readEffects, type ScenarioFile } from './schema.ts'
import type { Fields } from '../../core/text/values.ts'

/** A scenario with its options filled in, before it is switched on. */
interface PreparedScenario {
  readonly options: Fields
  readonly text: string
  readonly inline?: InlineSource
  readonly effects: ParsedEffects
}

const maxPrepared = 1_000
const activeScenarioSize = 4_000
const longestCacheKey = 1_000

/** The scenarios that a Greenhouse knows, by name. */
export class ScenarioLibrary implements ScenarioSource {
  readonly #files: ReadonlyMap<string, ScenarioFile>
  readonly #contract: Contract
  readonly #bundled: ReadonlyMap<string, ScenarioFile>
  readonly #prepared = new Map<string, PreparedScenario>()

  /**
   * @param files valid files, checked with `checkScenario`. @param bundled the bundled ones among
   * them.
   */
  constructor(
    files: ReadonlyMap<string, ScenarioFile>,
    contract: Contract,
    bundled: ReadonlyMap<string, ScenarioFile>,
  ) {
    this.#files = files
    this.#contract = contract
    this.#bundled = bundled
  }

  has(name: string): boolean {
    return this.#files.has(name)
  }

  assertKnown(name: string, purpose: string, others: readonly string[]): void {
    this.#requireFile(name, purpose, others)
  }

  /** Lists all scenarios, by name, without bundled ones for an area that is not served. */
  list(): ScenarioSummary[] {
    const names = [...this.#files.keys()].sort()
    const acting = names.filter((name) => this.#canAct(this.#prepare(name, {})))
    return acting
      .map((name) => this.#summarize(name))
      .filter((summary) => !this.#actsOnMissingPayments(summary))
  }

  /** Lists the scenarios with all words of a search, best match first. */
  search(words: string): ScenarioSummary[] {
    return searchScenarios(this.list(), words)
  }

  /** Returns whether a scenario has a part that is left when areas are not served. */
  #canAct({ effects }: PreparedScenario): boolean {
    const { missingAreasNote: missing } = this.#contract
    return missing === '' || effects.some(({ spec }) => Object.keys(spec as object).length > 0)
  }

  /** Returns whether a bundled scenario acts only on payments, without the area that has them. */
  #actsOnMissingPayments({ acts_on, bundled }: ScenarioSummary): boolean {
    const hasPayments = this.#contract.areas.some(({ name }) => name === 'apps')
    return bundled && !hasPayments && String(acts_on) === 'payments'
  }

  #summarize(name: string): ScenarioSummary {
    const data = this.#requireFile(name)
    const { title, description, covers, tags = [], options = {} } = data
    const { effects } = this.#prepare(name, {})
    const file = scenarioFiles.get(data)
    const active = this.activate({ name, options: {} }, { now: 0, seed: 0 })
    const fault = active.effects.find(({ wireFault }) => wireFault)?.wireFault
    const conditions = conditionNames.filter(
      (condition) =>
        !Object.hasOwn(options, condition) && whyNotNarrowed(condition, effects) === undefined,
    )
    return givenOf({
      name,
      title,
      description,
      covers,
      acts_on: reachOf(effects, this.#contract),
      tags,
      options: this.#withOwnPlans(options),
      conditions,
      bundled: this.#bundled.get(name) === data,
      file,
      needs_connection: fault,
    })
  }

  activate(
    { name, options, inline }: ParsedChoice,
    context: ActivationContext,
    callers?: CallerSource,
  ): LiveScenario {
    const prepared = inline
      ? { options, text: name, inline, effects: parsedEffects(inline) }
      : this.#prepare(name, options)
    if (!this.#canAct(prepared))
      throw codedError(
        'GREENHOUSE_INVALID_SCENARIO',
        `Failed to use the scenario "${name}": it would never act.${this.#contract.missingAreasNote}`,
      )
    if (callers) this.#assertCallers(name, prepared, callers)
    return toActive(name, prepared, new Activation(name, this.#contract, context))
  }

  readInline(given: object, toName: () => string): ParsedChoice {
    const scenario = readInline(given, toName, this.#contract)
    if (!this.has(scenario.name)) return scenario
    const message = `the name ${quote(scenario.name)} is the name of a scenario file. Choose another title.`
    throw new InlineScenarioError(`Failed to use an inline scenario: title: ${message}`, given, [
      { path: ['title'], message },
    ])
  }

  #assertCallers(
    name: string,
    { effects, inline, options }: PreparedScenario,
    callers: CallerSource,
  ): void {
    const findings = effects.flatMap(({ kind, spec }) => checkCallers(kind.name, spec, callers))
    const [finding] = findings
    if (!finding) return
    if (inline) throw toInlineError(inline, findings)
    const file = this.#requireFile(name)
    // The options that are filled in at its place in the file caused the mistake, or a condition,
    // which can be chosen without being declared.
    const placeholders = findPlaceholders(effectsOf(file))
    const condition = String(finding.path.at(-1))
    if (Object.hasOwn(options, condition) && !Object.hasOwn(file.options ?? {}, condition))
      placeholders.push({ path: finding.path, name: condition })
    rejectFinding(name, finding, placeholders, options)
  }

  /** Returns a scenario with its options filled in, which many requests may share. */
  #prepare(name: string, chosen: Fields): PreparedScenario {
    const cacheKey = toCacheKey(name, chosen)
    if (cacheKey === undefined || cacheKey.length > longestCacheKey)
      return this.#prepareUncached(name, chosen)
    return cached(this.#prepared, maxPrepared, cacheKey, () => this.#prepareUncached(name, chosen))
  }

  #prepareUncached(name: string, chosen: Fields): PreparedScenario {
    const file = this.#requireFile(name)
    const members = effectsOf(file)
    const declared = this.#withOwnPlans(file.options ?? {})
    const known = { declared, conditions: this.#withOwnPlans(conditionOptions) }
    // Options fill the effects in; conditions such as `on` narrow when these act.
    const { values, narrowing } = chooseOptions(name, known, findPlaceholders(members), chosen)
    const differing = Object.entries(values).filter(
      ([option, value]) => value !== declared[option]?.default,
    )
    // With all options at their defaults, the effects are those that the check of the file has read.
    const unchanged = differing.length === 0 ? checkedEffects(file) : undefined
    const chosenNames = differing.map(([option]) => option)
    const effects = unchanged ?? this.#readServedEffects(name, members, values, chosenNames)
    const isNarrowed = Object.keys(narrowing).length > 0
    return {
      options: { ...values, ...narrowing },
      text: toScenarioText({
        ...Object.fromEntries(differing),
        ...narrowing,
        name,
      }),
      effects: isNarrowed ? narrow(name, effects, narrowing, this.#contract) : effects,
    }
  }

  /**
   * Leaves out what a bundled scenario does to areas that are not served: without Area B, `respond:
   * [{ on: apps.list, … }, { on: plants.list, … }]` keeps the second one.
   * @throws RangeError for wrong options.
   */
  #readServedEffects(
    name: string,
    members: Fields,
    options: Fields,
    chosen: readonly string[],
  ): ParsedEffects {
    const isBundled = this.#bundled.get(name) === this.#files.get(name)
    const { effects, findings } = readEffects(fillIn(members, options), this.#contract)
    const placeholders = findPlaceholders(members)
    const wrong = findings.find(
      (finding) =>
        !isBundled || optionsAt(finding, placeholders).some((option) => chosen.includes(option)),
    )
    if (wrong) rejectFinding(name, wrong, placeholders, options)
    // Only an area that is missing makes a bundled file wrong, at a path such as `respond.0.on`.
    return effects.map(({ kind, spec }) => {
      const ofKind = findings.filter(({ path }) => path[0] === kind.name)
      return {
        kind,
        spec: withoutParts(
          spec as object,
          ofKind.map(({ path }) => String(path[1])),
        ),
      }
    })
  }

  /** Adds the user's own plans to options that take plans. */
  #withOwnPlans(options: Declared): Declared {
    const own = this.#contract.plans.slice(planNames.length)
    const addOwnPlans = (option: OptionDeclaration): OptionDeclaration => {
      if (!takesPlans(option)) return option
      return { ...option, values: option.values?.concat(own) }
    }
    return Object.fromEntries(
      Object.entries(options).map(([name, one]) => [name, addOwnPlans(one)]),
    )
  }

  #requireFile(name: string, purpose = 'use', others: readonly string[] = []): ScenarioFile {
    const file = this.#files.get(name)
    if (file) return file
    const scenarios = [...this.#files.keys()]
    const find = (words: string) => this.search(words)[0]?.name
    const advice = adviseName(name, { scenarios, others, find })
    throw new UnknownScenarioError(
      `Failed to ${purpose} the scenario ${quote(name)}: there is no such scenario.${advice}`,
    )
  }
}

function withoutParts(spec: object, names: readonly string[]): object {
  const kept = Object.entries(spec).filter(([name]) => !names.includes(name))
  return Array.isArray(spec) ? kept.map(([, item]) => item as unknown) : Object.fromEntries(kept)
}

/**
 * Returns a cache key; `undefined` for options that JSON cannot express. No scenario accepts those
 * options.
 */
function toCacheKey(name: string, chosen: Fields): string | undefined {
  try {
    return JSON.stringify([name, chosen])
  } catch {
    return undefined
  }
}

function toActive(name: string, prepared: PreparedScenario, activation: Activation): LiveScenario {
  const { options, text, inline, effects: parts } = prepared
  const effects: Effect[] = parts.flatMap(({ kind, spec }) => kind.create(spec, activation))
  return {
    name,
    options,
    inline,
    text,
    effects,
    get bytes() {
      return activeScenarioSize + (inline?.bytes ?? 0) + activation.bytes
    },
    get isReusable() {
      return activation.isReusable
    },
    fork: () => toActive(name, prepared, activation.fork()),
  }
}

/** Reports accounts and keys in `where` that the world does not have: the effect would never act. */
function checkCallers(kind: string, spec: unknown, callers: CallerSource): Finding[] {
  if (!Array.isArray(spec)) return []
  return spec.flatMap(({ where: { account = 'any', key = 'any' } = {} }: Conditions, index) => {
    const findings: Finding[] = []
    const add = (field: string, message: string | undefined) =>
      message && findings.push({ path: [kind, index, 'where', field], message })
    if (account !== 'any') add('account', describeMissingAccount(callers, account))
    if (key !== 'any') add('key', describeMissingKey(callers, key))
    return findings
  })
}

function reachOf(effects: ParsedEffects, contract: Contract): string[] {
  const reached = new Set(effects.flatMap(({ kind, spec }) => kind.reach(spec, contract)))
  const all = [...contract.areas.map(({ name }) => name), 'payments', 'webhooks']
  return all.filter((name) => reached.has(name))
}

/** Throws an error that names the options that cause a mistake, or else its place in the file. */
function rejectFinding(
  name: string,
  finding: Finding,
  placeholders: readonly Placeholder[],
  options: Fields,
): never {
  const { path, message } = finding
  const names = optionsAt(finding, placeholders)
  if (names.length === 0)
    throw codedError(
      'GREENHOUSE_INVALID_SCENARIO',
      `Failed to use "${name}" with these options: ${path.map(String).join('.')}: ${message}`,
    )
  const values = names.map((option) => showValue(options[option])).join(' and ')
  rejectOptions(
    name,
    names,
    `can't be ${values}: ${message.replace(/^Invalid (input|option): /, '')}`,
  )
}

/** Returns the options that fill in the place of a mistake, or else places within it. */
function optionsAt({ path }: Finding, placeholders: readonly Placeholder[]): string[] {
  const within = placeholders.filter((one) => isPathWithin(one.path, path))
  const exact = within.filter((one) => one.path.length === path.length)
  return [...new Set((exact.length > 0 ? exact : within).flatMap(({ name }) => name ?? []))]
}
