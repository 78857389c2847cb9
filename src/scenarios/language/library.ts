import { codedError } from '../../core/text/error-codes.ts'
import {
  type CallerSource,
  missingAccount,
  missingKey,
  planNames,
} from '../../core/accounts/accounts.ts'
import { cached } from '../../core/contract/across-builds.ts'
import { globFilter } from '../../core/text/values.ts'
import {
  quote,
  showValue,
  suggest,
  toScenarioText,
  describeProblem,
} from '../../core/text/messages.ts'
import type { Contract } from '../../core/pipeline/operation.ts'
import type { Effect } from '../../core/pipeline/exchange.ts'
import { UnknownScenarioError, RejectedOptionError } from '../../core/world/effective-settings.ts'
import type { ActivationContext, CoreActiveScenario } from '../../core/world/effective-settings.ts'
import {
  type CoreInlineScenario,
  InlineScenarioError,
  type NamedScenario,
} from '../../core/world/scenario-choice.ts'
import { checkedEffects, scenarioFiles } from './check.ts'
import { Activation, conditionNames, type Conditions, type ConditionName } from './condition.ts'
import type { ParsedEffects } from './effect-kind.ts'
import type { Finding } from '../../core/store/validation-message.ts'
import { parsedEffects, readInline, toInlineError } from './inline.ts'
import {
  type Chosen,
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
  type Narrowing,
  whereNames,
} from './options.ts'
import { type ScenarioSummary, searchScenarios } from './scenario-summary.ts'
import { effectKinds, effectsOf, readEffects, type ScenarioFile } from './schema.ts'

interface Prepared {
  readonly options: Chosen
  readonly text: string
  readonly inline?: CoreInlineScenario
  readonly effects: ParsedEffects
}

const maxPrepared = 1_000
const activeSize = 4_000
const longestId = 1_000

/**
 * @param files valid files, checked with `checkScenario`. @param bundled the bundled ones among
 * them.
 */
export function createScenarioLibrary(
  files: ReadonlyMap<string, ScenarioFile>,
  contract: Contract,
  bundled: ReadonlyMap<string, ScenarioFile>,
) {
  const prepared = new Map<string, Prepared>()
  return {
    list,
    search,
    activate,
    readInline: readOwn,
    has: (name: string) => files.has(name),
    assertKnown: (name: string, purpose: string, others: readonly string[]) =>
      void requireFile(name, purpose, others),
  }

  function list(): ScenarioSummary[] {
    return [...files.keys()].sort().flatMap((name) => {
      try {
        const summary = describe(name)
        return contract.missing && isUnserved(summary) ? [] : summary
      } catch (error) {
        if (!contract.missing) throw error
        // A bundled scenario for an area that is not served.
        return []
      }
    })
  }

  function search(words: string): ScenarioSummary[] {
    return searchScenarios(list(), words)
  }

  /**
   * Whether a bundled scenario acts only on areas that are not served. Payments are part of app
   * management.
   */
  function isUnserved({ acts_on, bundled }: ScenarioSummary): boolean {
    const areas = contract.areas.map(({ name }) => name)
    const isServed = (place: string) =>
      place === 'webhooks' || areas.includes(place === 'payments' ? 'apps' : place)
    return bundled && acts_on.length > 0 && !acts_on.some(isServed)
  }

  function describe(name: string): ScenarioSummary {
    const data = requireFile(name)
    const { title, description, covers, tags = [], options = {} } = data
    const { effects } = prepare(name, {})
    const file = scenarioFiles.get(data)
    const fault = activate({ name, options: {} }, { now: 0, seed: 0 }).effects.find(
      ({ wireFault }) => wireFault,
    )?.wireFault
    return {
      name,
      title,
      description,
      covers,
      acts_on: reachOf(effects, contract),
      tags,
      options: open(options),
      conditions: conditionNames.filter(
        (condition) =>
          !Object.hasOwn(options, condition) && whyNotNarrowed(condition, effects) === undefined,
      ),
      bundled: bundled.get(name) === data,
      ...(file !== undefined && { file }),
      ...(fault !== undefined && { needs_connection: fault }),
    }
  }

  function activate(
    { name, options, inline }: NamedScenario,
    context: ActivationContext,
    callers?: CallerSource,
  ) {
    const found = inline
      ? { options, text: name, inline, effects: parsedEffects(inline) }
      : prepare(name, options)
    if (callers) assertCallers(name, found, callers)
    return toActive(name, found, new Activation(name, contract, context))
  }

  function readOwn(given: object, toName: () => string): NamedScenario {
    const scenario = readInline(given, toName, contract)
    if (!files.has(scenario.name)) return scenario
    const message = `the name ${quote(scenario.name)} is the name of a scenario file. Choose another title.`
    throw new InlineScenarioError(`Failed to use an inline scenario: title: ${message}`, given, [
      { path: ['title'], message },
    ])
  }

  function assertCallers(
    name: string,
    { effects, inline, options }: Prepared,
    callers: CallerSource,
  ): void {
    const findings = effects.flatMap(({ kind, spec }) => checkCallers(kind.name, spec, callers))
    const [finding] = findings
    if (!finding) return
    if (inline) throw toInlineError(inline, findings)
    const file = requireFile(name)
    // Only a condition can be chosen without being declared.
    const narrowed = Object.keys(options).filter(
      (option) => !Object.hasOwn(file.options ?? {}, option),
    )
    const places = narrowed.map((option) => ({
      path: [...finding.path.slice(0, 2), 'where', option],
      name: option,
    }))
    rejectFinding(name, finding, [...findPlaceholders(effectsOf(file)), ...places], options)
  }

  function prepare(name: string, chosen: Chosen): Prepared {
    const id = toId(name, chosen)
    if (id === undefined || id.length > longestId) return check(name, chosen)
    return cached(prepared, maxPrepared, id, () => check(name, chosen))
  }

  function check(name: string, chosen: Chosen): Prepared {
    const file = requireFile(name)
    const members = effectsOf(file)
    const declared = open(file.options ?? {})
    const known = { declared, conditions: open(conditionOptions) }
    const { values, narrowing } = chooseOptions(name, known, findPlaceholders(members), chosen)
    const differing = Object.entries(values).filter(
      ([option, value]) => value !== declared[option]!.default,
    )
    const effects =
      (differing.length === 0 ? checkedEffects(file) : undefined) ??
      readServed(name, members, values)
    if (contract.missing && effects.every(({ spec }) => Object.keys(spec as object).length === 0))
      throw codedError(
        'GREENHOUSE_INVALID_SCENARIO',
        `Failed to use the scenario "${name}": it would never act.${contract.missing}`,
      )
    return {
      options: { ...values, ...narrowing },
      text: toScenarioText({ ...Object.fromEntries(differing), ...narrowing, name }),
      effects:
        Object.keys(narrowing).length === 0 ? effects : narrow(name, effects, narrowing, contract),
    }
  }

  /**
   * Leaves out what a bundled scenario does to areas that are not served. @throws RangeError for
   * wrong options.
   */
  function readServed(name: string, members: Chosen, options: Chosen): ParsedEffects {
    const { effects, findings } = readEffects(fillIn(members, options), contract)
    const [wrong] = findings
    if (!wrong) return effects
    const placeholders = findPlaceholders(members)
    if (bundled.get(name) !== files.get(name) || optionsAt(wrong, placeholders).length > 0)
      rejectFinding(name, wrong, placeholders, options)
    const [member, part] = wrong.path as [string, PropertyKey]
    return readServed(
      name,
      { ...members, [member]: withoutPart(members[member] as object, part) },
      options,
    )
  }

  /** Adds the user's own plans to options that take plans. */
  function open(options: Declared): Declared {
    const own = contract.plans.slice(planNames.length)
    if (own.length === 0) return options
    const opened = Object.entries(options).map(([name, one]): [string, OptionDeclaration] => [
      name,
      takesPlans(one) ? { ...one, values: [...one.values!, ...own] } : one,
    ])
    return Object.fromEntries(opened)
  }

  function requireFile(
    name: string,
    purpose = 'use',
    others: readonly string[] = [],
  ): ScenarioFile {
    const file = files.get(name)
    if (file) return file
    throw new UnknownScenarioError(
      `Failed to ${purpose} the scenario ${quote(name)}: there is no such scenario.${suggestion(name, others)}`,
    )
  }

  function similar(name: string): string {
    const words = name.slice(0, 100).split(/[^A-Za-z0-9]+/)
    const [found] = words.every((word) => word.length > 3) ? search(words.join(' ')) : []
    if (found !== undefined) return ` Did you mean "${found.name}"?`
    return ' "npx greenhouse-mock scenario list --search WORDS" finds scenarios.'
  }

  function suggestion(name: string, others: readonly string[]): string {
    const several = name.split(',').map((part) => part.trim())
    if (several.length > 1 && several.every((part) => files.has(part.split(':')[0]!)))
      return ` Pass each one separately: ${several.map(quote).join(', ')}.`
    if (name.includes('=') && !name.includes(':'))
      return ` Write options after the name of their scenario and a colon, such as slow:${name.slice(0, 40)}.`
    const known = [...others, ...files.keys()]
    const effects = effectKinds.map((kind) => kind.name)
    return adviseName(name, effects, known) || suggest(name, known) || similar(name)
  }
}

function withoutPart(data: object, part: PropertyKey): unknown {
  if (Array.isArray(data)) return data.toSpliced(Number(part), 1)
  return Object.fromEntries(Object.entries(data).filter(([name]) => name !== part))
}

/**
 * Returns a cache key; `undefined` for options that JSON cannot express. No scenario accepts those
 * options.
 */
function toId(name: string, chosen: Chosen): string | undefined {
  try {
    return JSON.stringify([name, chosen])
  } catch {
    return undefined
  }
}

function toActive(name: string, prepared: Prepared, activation: Activation): CoreActiveScenario {
  const { options, text, inline, effects: parts } = prepared
  const effects: Effect[] = parts.flatMap(({ kind, spec }) => kind.create(spec, activation))
  return {
    name,
    options,
    inline,
    text,
    effects,
    get bytes() {
      return activeSize + (inline?.bytes ?? 0) + activation.bytes
    },
    get isReusable() {
      return activation.isReusable
    },
    fork: () => toActive(name, prepared, activation.fork()),
  }
}

/** Finds accounts and keys in `where` that the world does not have: the effect would never act. */
function checkCallers(kind: string, spec: unknown, callers: CallerSource): Finding[] {
  if (!Array.isArray(spec)) return []
  return spec.flatMap(({ where: { account = 'any', key = 'any' } = {} }: Conditions, index) => {
    const missing = {
      account: account === 'any' ? undefined : missingAccount(callers, account),
      key: key === 'any' ? undefined : missingKey(callers, key),
    }
    return Object.entries(missing).flatMap(([field, message]) =>
      message === undefined ? [] : [{ path: [kind, index, 'where', field], message }],
    )
  })
}

function adviseName(given: string, effects: readonly string[], known: readonly string[]): string {
  if (given.startsWith('{') || given.startsWith('[') || effects.includes(given))
    return ' Only names are accepted here. Pass an inline scenario to world.use() or, as JSON, to PUT /__greenhouse/worlds/{world}/scenarios; or save it as a file, and name its folder with --scenarios.'
  const name = nameOfFile(given)
  if (name === undefined) return ''
  if (known.includes(name)) return ` Did you mean ${quote(name)}?`
  return ` Only names are accepted here, not files. Name the folder of the file with --scenarios, or pass the folder to loadScenarios(): the scenario's name is then ${quote(name)}.`
}

function nameOfFile(path: string): string | undefined {
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  const ending = ['.yaml', '.yml', '.json'].find((ending) => file.endsWith(ending)) ?? ''
  if (ending === '' && file === path) return undefined
  return file.slice(0, file.length - ending.length)
}

function reachOf(effects: ParsedEffects, contract: Contract): string[] {
  const reached = new Set(
    effects.flatMap(
      ({ kind, spec }) =>
        kind.reach?.(spec, contract) ?? reachOfItems(spec as readonly Conditions[], contract),
    ),
  )
  return [...contract.areas.map(({ name }) => name), 'payments', 'webhooks'].filter((name) =>
    reached.has(name),
  )
}

function reachOfItems(items: readonly Conditions[], { areas }: Contract): string[] {
  return areas
    .filter(({ operations }) =>
      items.some(({ on }) => operations.some(({ id }) => globFilter(on)(id))),
    )
    .map(({ name }) => name)
}

/** Names the options that cause the mistake, or else the position in the file. */
function rejectFinding(
  name: string,
  finding: Finding,
  placeholders: readonly Placeholder[],
  options: Chosen,
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

function optionsAt({ path }: Finding, placeholders: readonly Placeholder[]): string[] {
  const inside = placeholders.filter((one) => isPathWithin(one.path, path))
  const exact = inside.filter((one) => one.path.length === path.length)
  return [...new Set((exact.length > 0 ? exact : inside).flatMap(({ name }) => name ?? []))]
}

export function whyNotNarrowed(name: ConditionName, effects: ParsedEffects): string | undefined {
  return effects.find(
    ({ kind: { narrowedBy } }) => narrowedBy && !narrowedBy.conditions.includes(name),
  )?.kind.narrowedBy?.why
}

/**
 * Narrows the effects of a scenario. @throws RejectedOptionError if they can't be, or would never
 * act.
 */
export function narrow(
  scenario: string,
  effects: ParsedEffects,
  by: Narrowing,
  contract: Contract,
): ParsedEffects {
  const names = Object.keys(by) as ConditionName[]
  for (const name of names) {
    const why = whyNotNarrowed(name, effects)
    if (why === undefined) continue
    const message = `Failed to use "${scenario}": it can't be narrowed by "${name}": ${why}.`
    throw new RejectedOptionError(
      message,
      scenario,
      [name],
      `it can't be narrowed by this: ${why}.`,
    )
  }
  const { on } = by
  const ids = contract.operations.map(({ id }) => id)
  if (on !== undefined && !ids.some(globFilter(on)))
    rejectOptions(
      scenario,
      ['on'],
      describeProblem(`names no operation: ${quote(on)}`, on, ids) + contract.missing,
    )
  const narrowed = effects.map(({ kind, spec }) => ({
    kind,
    spec: (spec as readonly Conditions[]).map((item) => narrowItem(item, by, ids)),
  }))
  if (narrowed.every(({ spec }) => spec.every(isNever)))
    rejectOptions(
      scenario,
      names,
      'would make it never act: its file limits it to other requests already',
    )
  for (const { kind, spec } of narrowed) {
    const acting = spec.filter((item) => !isNever(item))
    const [wrong] = kind.check(acting, contract)
    if (wrong) rejectOptions(scenario, names, `can't be ${showValue(by.on)}: ${wrong.message}`)
  }
  return narrowed
}

/**
 * An effect that never acts stays in its list, because the journal names effects by their
 * positions.
 */
const isNever = ({ times }: Conditions) => times === 0

function narrowItem(item: Conditions, by: Narrowing, ids: readonly string[]): Conditions {
  const { on, where, times } = item
  const operations = by.on === undefined ? on : commonOperations(on, by.on, ids)
  const callers = { ...where }
  let isExcluded = operations?.length === 0
  for (const name of whereNames) {
    const wanted = by[name]
    if (wanted === undefined) continue
    const own = callers[name] ?? 'any'
    if (own !== 'any' && own !== wanted) isExcluded = true
    callers[name] = wanted as never
  }
  if (isExcluded) return { ...item, times: 0 }
  return {
    ...item,
    ...(operations !== undefined && { on: operations }),
    ...(Object.keys(callers).length > 0 && { where: callers }),
    ...(by.times !== undefined && { times: Math.min(times ?? Infinity, by.times) }),
  }
}

function commonOperations(
  own: Conditions['on'],
  wanted: string,
  ids: readonly string[],
): string | string[] {
  const matches = globFilter(wanted)
  const [all, common] = [ids.filter(matches), ids.filter(globFilter(own)).filter(matches)]
  return common.length === all.length ? wanted : common
}
