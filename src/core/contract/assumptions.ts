import { codedError } from '../text/error-codes.ts'
import type { AssumptionValues } from './generated/assumption-values.ts'
import { describeProblem, quote, showValue, suggest } from '../text/messages.ts'
import type { Fields, Texts } from '../text/values.ts'

/**
 * Where something comes from: the reference (`stated`), a public description of the sample
 * interface (`published`), the habits of well-known APIs (`convention`), or Greenhouse (`ours`).
 */
export type Provenance = 'stated' | 'published' | 'convention' | 'ours'

/** A named choice where the reference is silent. */
export interface Assumption {
  /** The question that the reference leaves open. */
  question: string
  /** All possible values; the first one is the default. */
  values: readonly [string, ...string[]]
  /** The source of the default. */
  source: Provenance
}

export type Assumptions = Readonly<Record<string, Assumption>>

/** Reads an assumption. An id that does not exist does not compile. */
export type Assume = <Id extends keyof AssumptionValues>(id: Id) => AssumptionValues[Id]

/** A source of the values of assumptions: a request or a world. */
export interface Assuming {
  readonly assume: Assume
}

/** Returns the value of an assumption in force. Within a request, use `exchange.assume`. */
export function assumptionValue<Id extends keyof AssumptionValues>(
  { assumptions }: { readonly assumptions: ReadonlyMap<string, string> },
  id: Id,
): AssumptionValues[Id] {
  return assumptions.get(id) as AssumptionValues[Id]
}

/** Returns a reader of assumptions outside a request. */
export function toAssume(settings: { readonly assumptions: ReadonlyMap<string, string> }): Assume {
  return (id) => assumptionValue(settings, id)
}

/**
 * Returns a function that declares an assumption whose default has this source. Its values begin
 * with the default.
 */
function withSource(source: Provenance) {
  return (question: string, values: Assumption['values']): Assumption => ({
    question,
    values,
    source,
  })
}

export const stated = withSource('stated')
export const published = withSource('published')
export const convention = withSource('convention')
export const ours = withSource('ours')

/** Returns the lengths of a text that a value stands for: `any`, `16384`, `1-255`. */
export function toLengths(value: string): {
  readonly minLength?: number
  readonly maxLength?: number
} {
  if (value === 'any') return {}
  // The last number is the largest length, also if it is the only one.
  const [maxLength, minLength = 0] = value.split('-').map(Number).reverse()
  return { minLength, maxLength }
}

/** The assumptions that a Greenhouse knows. */
export class AssumptionRegistry {
  readonly #assumptions: Map<string, Assumption>
  /** The end of the message about an unknown id. */
  readonly #note: string

  constructor(parts: readonly Assumptions[], note = '') {
    this.#assumptions = new Map(parts.flatMap((part) => Object.entries(part)))
    this.#note = note
  }

  list(): ({ id: string } & Assumption)[] {
    return [...this.#assumptions].map(([id, assumption]) => ({ id, ...assumption }))
  }

  with(assumptions: Assumptions): AssumptionRegistry {
    return new AssumptionRegistry([Object.fromEntries(this.#assumptions), assumptions], this.#note)
  }

  /** Returns the values of all assumptions: the chosen ones, otherwise the defaults. */
  resolve(choices: Texts = {}): Map<string, string> {
    const defaults = Array.from(this.#assumptions, ([id, { values }]) => [id, values[0]] as const)
    return new Map([...defaults, ...this.checkAll(choices)])
  }

  checkAll(choices: Fields): Map<string, string> {
    return new Map(Object.entries(choices).map(([id, value]) => [id, this.check(id, value)]))
  }

  /** @param action the verb of the message: what the caller wanted to do with the assumption */
  find(id: string, action: string): Assumption {
    const assumption = this.#assumptions.get(id)
    if (assumption) return assumption
    throw codedError(
      'GREENHOUSE_INVALID_ASSUMPTION',
      `Failed to ${action} the assumption ${quote(id)}: ${describeProblem('there is no such assumption', id, [...this.#assumptions.keys()])}${this.#note}`,
    )
  }

  check(id: string, value: unknown): string {
    const assumption = this.find(id, 'set')
    if (!assumption.values.includes(value as string))
      throw codedError(
        'GREENHOUSE_INVALID_ASSUMPTION',
        `Failed to set the assumption ${quote(id)} to ${showValue(value)}: it can be ${assumption.values.map((known) => `"${known}"`).join(', ')}.${suggest(String(value), assumption.values)}`,
      )
    return value as string
  }
}

export type AssumptionListener = (id: string) => void

type AssumptionMap = ReadonlyMap<string, string>

/** Values that report each read. Values that were replaced since are not reported. */
class WatchedValues extends Map<string, string> {
  readonly listener: AssumptionListener
  readonly replaced: ReadonlySet<string>

  constructor(
    values: Iterable<readonly [string, string]>,
    listener: AssumptionListener,
    replaced: ReadonlySet<string> = new Set(),
  ) {
    super(values)
    this.listener = listener
    this.replaced = replaced
  }

  override get(id: string): string | undefined {
    if (!this.replaced.has(id)) this.listener(id)
    return super.get(id)
  }

  override [Symbol.iterator](): MapIterator<[string, string]> {
    return this.entries()
  }

  override entries(): MapIterator<[string, string]> {
    for (const id of this.keys()) this.get(id)
    return super.entries()
  }
}

/**
 * Returns a copy of the values that reports each read to `listener`. So do the copies that
 * `withChoices` makes of it.
 */
export function watchValues(values: AssumptionMap, listener: AssumptionListener): AssumptionMap {
  return new WatchedValues(values, listener)
}

/** Returns the values with some of them replaced. */
export function withChoices(
  values: AssumptionMap,
  choices: Iterable<readonly [string, string]>,
): AssumptionMap {
  const overriding = new Map(choices)
  if (overriding.size === 0) return values
  const all = [...entriesUnwatched(values), ...overriding]
  if (!(values instanceof WatchedValues)) return new Map(all)
  return new WatchedValues(
    all,
    values.listener,
    new Set([...values.replaced, ...overriding.keys()]),
  )
}

/** Returns the ids whose values differ. To compare is not to read, so no listener hears of it. */
export function differingChoices(one: AssumptionMap, other: AssumptionMap): string[] {
  const values = new Map(entriesUnwatched(one))
  const others = new Map(entriesUnwatched(other))
  return [...new Set([...values.keys(), ...others.keys()])].filter(
    (id) => values.get(id) !== others.get(id),
  )
}

function entriesUnwatched(values: AssumptionMap): MapIterator<[string, string]> {
  return Map.prototype.entries.call(values)
}
