import type { CallerSource } from '../core/accounts/known-callers.ts'
import { cached } from '../core/definitions/cached.ts'
import { UnknownScenarioError } from '../core/world/activate.ts'
import { planNames } from '../core/accounts/plans.ts'
import type { Contract } from '../core/pipeline/contract.ts'
import type { Effect } from '../core/pipeline/exchange.ts'
import { InlineScenarioError, type CoreInlineScenario } from '../core/world/inline.ts'
import type { ActivationContext, CoreActiveScenario, ScenarioSource } from '../core/world/layer.ts'
import { quote } from '../core/definitions/quote.ts'
import { toScenarioText, type NamedScenario } from '../core/world/scenario-choice.ts'
import { suggest } from '../core/definitions/suggest.ts'
import { Activation } from './activation.ts'
import { checkCallers } from './check-callers.ts'
import { checkedSpec } from './checked.ts'
import type { EffectKind, ParsedEffects } from './effect-kind.ts'
import { fileOf } from './file.ts'
import { partsOf, readInline, toInlineError } from './inline.ts'
import { adviseName } from './not-a-name.ts'
import { takesPlans, type OptionDeclaration } from './option-values.ts'
import { readOptions } from './options.ts'
import { findPlaceholders } from './placeholders.ts'
import { optionsAt, toOptionRefusal } from './refusal.ts'
import { reachOf } from './reach.ts'
import { readEffect } from './read-effect.ts'
import { effectKinds, type ScenarioFile } from './schema.ts'
import type { ScenarioSummary } from './scenario-summary.ts'
import { searchScenarios } from './search.ts'

interface Prepared {
  readonly options: Readonly<Record<string, unknown>>
  readonly text: string
  readonly inline?: CoreInlineScenario
  readonly parts: ParsedEffects
}

const maxPrepared = 1_000

/** The approximate size of an active scenario without its memory, in bytes. */
const activeWeight = 4_000

const longestId = 1_000

export class ScenarioLibrary implements ScenarioSource {
  readonly #files: ReadonlyMap<string, ScenarioFile>
  readonly #contract: Contract
  readonly #bundled: ReadonlyMap<string, ScenarioFile>
  readonly #prepared = new Map<string, Prepared>()

  /** @param files valid files, checked with `checkScenario`. @param bundled the bundled ones among them. */
  constructor(
    files: ReadonlyMap<string, ScenarioFile>,
    contract: Contract,
    bundled: ReadonlyMap<string, ScenarioFile>,
  ) {
    this.#files = files
    this.#contract = contract
    this.#bundled = bundled
  }

  list(): ScenarioSummary[] {
    return [...this.#files.keys()].sort().flatMap((name) => {
      try {
        const summary = this.describe(name)
        return this.#contract.missing && this.#isUnserved(summary) ? [] : summary
      } catch (error) {
        if (!this.#contract.missing) throw error
        // A bundled scenario for an area that is not served.
        return []
      }
    })
  }

  search(words: string): ScenarioSummary[] {
    return searchScenarios(this.list(), words)
  }

  /** Whether a bundled scenario acts only on areas that are not served. Payments are part of app management. */
  #isUnserved({ acts_on, bundled }: ScenarioSummary): boolean {
    const areas = this.#contract.areas.map(({ name }) => name)
    const isServed = (place: string) => place === 'webhooks' || areas.includes(place === 'payments' ? 'apps' : place)
    return bundled && acts_on.length > 0 && !acts_on.some(isServed)
  }

  describe(name: string): ScenarioSummary {
    const data = this.#file(name)
    const { title, description, covers, tags = [] } = data
    const file = fileOf(data)
    const fault = this.activate({ name, options: {} }, { now: 0, seed: 0 }).effects.find(
      ({ wireFault }) => wireFault,
    )?.wireFault
    return {
      name,
      title,
      description,
      covers,
      acts_on: reachOf(this.#prepare(name, {}).parts, this.#contract),
      tags,
      options: this.#optionsOf(data),
      bundled: this.#bundled.get(name) === data,
      ...(file !== undefined && { file }),
      ...(fault !== undefined && { needs_connection: fault }),
    }
  }

  activate(
    { name, options, inline }: NamedScenario,
    context: ActivationContext,
    callers?: CallerSource,
  ): CoreActiveScenario {
    const prepared = inline ? { options, text: name, inline, parts: partsOf(inline) } : this.#prepare(name, options)
    if (callers) this.#assertCallers(name, prepared, callers)
    return toActive(name, prepared, new Activation(name, this.#contract, context))
  }

  readInline(given: object, toName: () => string): NamedScenario {
    const scenario = readInline(given, toName, this.#contract)
    if (!this.has(scenario.name)) return scenario
    const message = `the name ${quote(scenario.name)} is the name of a scenario file. Choose another title.`
    throw new InlineScenarioError(`Failed to use an inline scenario: title: ${message}`, given, [
      { path: ['title'], message },
    ])
  }

  has(name: string): boolean {
    return this.#files.has(name)
  }

  assertKnown(name: string, purpose: string, others: readonly string[]): void {
    this.#file(name, purpose, others)
  }

  #assertCallers(name: string, { parts, inline, options }: Prepared, callers: CallerSource): void {
    const findings = parts.flatMap(({ kind, spec }) => checkCallers(kind.name, spec, callers))
    const [finding] = findings
    if (!finding) return
    if (inline) throw toInlineError(inline, findings)
    const member = this.#file(name)[finding.path[0] as keyof ScenarioFile]
    throw toOptionRefusal(name, finding, findPlaceholders(member), options)
  }

  #prepare(name: string, chosen: Readonly<Record<string, unknown>>): Prepared {
    const id = toId(name, chosen)
    if (id === undefined || id.length > longestId) return this.#check(name, chosen)
    return cached(this.#prepared, maxPrepared, id, () => this.#check(name, chosen))
  }

  #check(name: string, chosen: Readonly<Record<string, unknown>>): Prepared {
    const file = this.#file(name)
    const declared = this.#optionsOf(file)
    const options = readOptions(name, declared, chosen)
    const differing = Object.entries(options).filter(([option, value]) => value !== declared[option]!.default)
    const parts = effectKinds
      .filter((kind) => Object.hasOwn(file, kind.name))
      .map((kind) => {
        const known = differing.length === 0 ? checkedSpec(file, kind.name) : undefined
        if (known !== undefined) return { kind, spec: known }
        return { kind, spec: this.#readMember(name, kind, file[kind.name], options) }
      })
    if (this.#contract.missing && parts.every(({ spec }) => Object.keys(spec as object).length === 0))
      throw new RangeError(`Failed to use the scenario "${name}": it would never act.${this.#contract.missing}`)
    return { options, text: toScenarioText({ name, options: Object.fromEntries(differing) }), parts }
  }

  /** Parses a member. Leaves out what a bundled scenario does to areas that are not served. @throws RangeError for wrong options. */
  #readMember(name: string, kind: EffectKind, data: unknown, options: Readonly<Record<string, unknown>>): unknown {
    const { spec, findings } = readEffect(kind, data, options, this.#contract)
    const [wrong] = findings
    if (!wrong) return spec
    const placeholders = findPlaceholders(data)
    if (this.#bundled.get(name) !== this.#files.get(name) || optionsAt(wrong, placeholders).length > 0)
      throw toOptionRefusal(name, wrong, placeholders, options)
    return this.#readMember(name, kind, withoutPart(data as object, wrong.path[1]!), options)
  }

  #optionsOf({ options = {} }: ScenarioFile): Readonly<Record<string, OptionDeclaration>> {
    const own = this.#contract.plans.slice(planNames.length)
    if (own.length === 0) return options
    const opened = Object.entries(options).map(([name, one]): [string, OptionDeclaration] => [
      name,
      takesPlans(one) ? { ...one, values: [...one.values!, ...own] } : one,
    ])
    return Object.fromEntries(opened)
  }

  #file(name: string, purpose = 'use', others: readonly string[] = []): ScenarioFile {
    const file = this.#files.get(name)
    if (file) return file
    throw new UnknownScenarioError(
      `Failed to ${purpose} the scenario ${quote(name)}: there is no such scenario.${this.#suggestion(name, others)}`,
    )
  }

  #similar(name: string): string {
    const words = name.slice(0, 100).split(/[^A-Za-z0-9]+/)
    const [found] = words.every((word) => word.length > 3) ? this.search(words.join(' ')) : []
    if (found !== undefined) return ` Did you mean "${found.name}"?`
    return ' "npx greenhouse-mock scenario list --search WORDS" finds scenarios.'
  }

  #suggestion(name: string, others: readonly string[]): string {
    const several = name.split(',').map((part) => part.trim())
    if (several.length > 1 && several.every((part) => this.#files.has(part.split(':')[0]!)))
      return ` Pass each one separately: ${several.map(quote).join(', ')}.`
    if (name.includes('=') && !name.includes(':'))
      return ` Write options after the name of their scenario and a colon, such as slow:${name.slice(0, 40)}.`
    const known = [...others, ...this.#files.keys()]
    const effects = effectKinds.map((kind) => kind.name)
    return adviseName(name, effects, known) || suggest(name, known) || this.#similar(name)
  }
}

function withoutPart(data: object, part: PropertyKey): unknown {
  if (Array.isArray(data)) return data.toSpliced(Number(part), 1)
  return Object.fromEntries(Object.entries(data).filter(([name]) => name !== part))
}

/** Returns a cache key; `undefined` for options that JSON cannot express. No scenario accepts those options. */
function toId(name: string, chosen: Readonly<Record<string, unknown>>): string | undefined {
  try {
    return JSON.stringify([name, chosen])
  } catch {
    return undefined
  }
}

function toActive(name: string, prepared: Prepared, activation: Activation): CoreActiveScenario {
  const { options, text, inline, parts } = prepared
  const effects: Effect[] = parts.flatMap(({ kind, spec }) => kind.create(spec, activation))
  return {
    name,
    options,
    inline,
    text,
    effects,
    get bytes() {
      return activeWeight + (inline?.bytes ?? 0) + activation.bytes
    },
    get isReusable() {
      return activation.isReusable
    },
    fork: () => toActive(name, prepared, activation.fork()),
  }
}
