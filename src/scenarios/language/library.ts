import { codedError } from '../../core/text/error-codes.ts'
import type { CallerSource } from '../../core/accounts/accounts.ts'
import { cached } from '../../core/contract/cache.ts'
import { quote } from '../../core/text/messages.ts'
import type { Contract } from '../../core/pipeline/area.ts'
import {
  type ActivationContext,
  type LiveScenario,
  type ScenarioSource,
  UnknownScenarioError,
} from '../../core/world/effective-settings.ts'
import { InlineScenarioError, type ParsedChoice } from '../../core/world/scenario-choice.ts'
import { Activation, checkCallers, conditionNames } from './condition.ts'
import { parsedEffects, readInline, toInlineError } from './inline.ts'
import { findPlaceholders, withOwnPlans } from './options.ts'
import { rejectFinding } from './choose-options.ts'
import { type NamedFile, type PreparedScenario, prepareScenario, toActive } from './prepare.ts'
import { adviseName, type ScenarioSummary, searchScenarios } from './scenario-summary.ts'
import { effectsOf } from './schema.ts'
import type { Fields } from '../../core/text/values.ts'
import { givenOf } from '../../core/contract/options.ts'
import type { ParsedEffects } from './effect-kind.ts'
import { whyNotNarrowed } from './narrow.ts'

const maxPrepared = 1_000
const longestCacheKey = 1_000

/** The scenarios that a Greenhouse knows, by name: it lists them, and switches them on. */
export class ScenarioLibrary implements ScenarioSource {
  readonly #files: ReadonlyMap<string, NamedFile>
  readonly #contract: Contract
  readonly #prepared = new Map<string, PreparedScenario>()

  /** @param files valid files, checked with `checkScenario` */
  constructor(files: ReadonlyMap<string, NamedFile>, contract: Contract) {
    this.#files = files
    this.#contract = contract
  }

  has(name: string): boolean {
    return this.#files.has(name)
  }

  assertKnown(name: string, purpose: string, others: readonly string[]): void {
    this.#requireFile(name, purpose, others)
  }

  /** Your own scenarios as they were read: who gave an object may have changed it since. */
  get ownFiles(): Fields {
    const own = [...this.#files.values()].filter(({ isBundled }) => !isBundled)
    return Object.fromEntries(own.map(({ name, file }) => [name, file]))
  }

  /** Lists all scenarios, by name, without bundled ones for an area that is not served. */
  list(): ScenarioSummary[] {
    const prepared = [...this.#files.keys()].sort().map((name) => this.#prepare(name, {}))
    return prepared
      .filter((scenario) => this.#canAct(scenario))
      .map((scenario) => summarize(this.#requireFile(scenario.name), scenario, this.#contract))
      .filter((summary) => !this.#actsOnMissingPayments(summary))
  }

  /** Lists the scenarios with all words of a search, best match first. */
  search(words: string): ScenarioSummary[] {
    return searchScenarios(this.list(), words)
  }

  readInline(given: object, toName: () => string): ParsedChoice {
    const scenario = readInline(given, toName, this.#contract)
    if (!this.has(scenario.name)) return scenario
    const message = `the name ${quote(scenario.name)} is the name of a scenario file. Choose another title.`
    throw new InlineScenarioError(`Failed to use an inline scenario: title: ${message}`, given, [
      { path: ['title'], message },
    ])
  }

  activate(
    { name, options, inline }: ParsedChoice,
    context: ActivationContext,
    callers?: CallerSource,
  ): LiveScenario {
    // An inline scenario brings its effects. Those of a file are read with the options.
    const prepared = inline
      ? {
          name,
          options,
          text: name,
          inline,
          effects: parsedEffects(inline),
        }
      : this.#prepare(name, options)
    // A scenario that would never act is a mistake: its areas are not served, or nobody has the
    // account or the key that it waits for.
    if (!this.#canAct(prepared))
      throw codedError(
        'GREENHOUSE_INVALID_SCENARIO',
        `Failed to use the scenario "${name}": it would never act.${this.#contract.missingAreasNote}`,
      )
    if (callers) this.#assertCallers(prepared, callers)
    return toActive(prepared, new Activation(name, this.#contract, context))
  }

  /** Returns whether a scenario has a part that is left when areas are not served. */
  #canAct({ effects }: PreparedScenario): boolean {
    const hasAllAreas = this.#contract.missingAreasNote === ''
    // Of an effect on operations that are not served, nothing is left.
    return hasAllAreas || effects.some(({ spec }) => Object.keys(spec as object).length > 0)
  }

  /** Returns whether a bundled scenario acts only on payments, without the area that has them. */
  #actsOnMissingPayments({ acts_on, bundled }: ScenarioSummary): boolean {
    const hasPayments = this.#contract.areas.some(({ name }) => name === 'apps')
    return bundled && !hasPayments && acts_on.join() === 'payments'
  }

  #assertCallers(
    { name, effects, inline, options }: PreparedScenario,
    callers: CallerSource,
  ): void {
    const findings = effects.flatMap(({ kind, spec }) => checkCallers(kind.name, spec, callers))
    const [finding] = findings
    if (!finding) return
    if (inline) throw toInlineError(inline, findings)
    const { file } = this.#requireFile(name)
    // The message names the option that the file fills in at the place of the mistake. A condition,
    // such as `account` in `slow:account=nobody`, may be chosen although no place of the file has that
    // option: the condition then is the place.
    const placeholders = findPlaceholders(effectsOf(file))
    const condition = String(finding.path.at(-1))
    if (Object.hasOwn(options, condition) && !Object.hasOwn(file.options ?? {}, condition))
      placeholders.push({
        path: finding.path,
        name: condition,
      })
    rejectFinding(name, finding, placeholders, options)
  }

  /** Returns a scenario with its options filled in, which many requests may share. */
  #prepare(name: string, chosen: Fields): PreparedScenario {
    const prepare = () => prepareScenario(this.#requireFile(name), chosen, this.#contract)
    const cacheKey = toCacheKey(name, chosen)
    if (cacheKey === undefined || cacheKey.length > longestCacheKey) return prepare()
    return cached(this.#prepared, cacheKey, prepare, maxPrepared)
  }

  #requireFile(name: string, purpose = 'use', others: readonly string[] = []): NamedFile {
    const file = this.#files.get(name)
    if (file) return file
    const advice = adviseName(name, {
      scenarios: [...this.#files.keys()],
      others,
      find: (words) => this.search(words)[0]?.name,
    })
    throw new UnknownScenarioError(
      `Failed to ${purpose} the scenario ${quote(name)}: there is no such scenario.${advice}`,
    )
  }
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

/** Describes a scenario. @param prepared with its default options */
function summarize(
  { name, file, path, isBundled }: NamedFile,
  prepared: PreparedScenario,
  contract: Contract,
): ScenarioSummary {
  const { title, description, covers, tags = [], options = {} } = file
  const conditions = conditionNames.filter(
    (condition) =>
      !Object.hasOwn(options, condition) &&
      whyNotNarrowed(condition, prepared.effects) === undefined,
  )
  // Only an effect that was created knows its fault, so the scenario is switched on, in no world. Its
  // time and seed do not matter.
  const { effects } = toActive(
    prepared,
    new Activation(name, contract, {
      now: 0,
      seed: 0,
    }),
  )
  return givenOf({
    name,
    title,
    description,
    covers,
    acts_on: reachOf(prepared.effects, contract),
    tags,
    options: withOwnPlans(options, contract.plans),
    conditions,
    bundled: isBundled,
    file: path,
    needs_connection: effects.find(({ wireFault }) => wireFault)?.wireFault,
  })
}

function reachOf(effects: ParsedEffects, contract: Contract): string[] {
  const reached = new Set(effects.flatMap(({ kind, spec }) => kind.reach(spec, contract)))
  const all = [...contract.areas.map(({ name }) => name), 'payments', 'webhooks']
  return all.filter((name) => reached.has(name))
}
