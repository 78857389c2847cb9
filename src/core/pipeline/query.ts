import { quote } from '../definitions/quote.ts'
import type { ProblemList } from './refusal.ts'
import { suggest } from '../definitions/suggest.ts'
import { toList } from '../store/issue-message.ts'

/** A query parameter of an operation: its description and its values. */
export interface QueryParameter {
  readonly description: string
  /** The allowed values, if they are listed. */
  readonly values?: readonly string[]
  /** The JSON Schema of a value, unless any string or one of `values` is valid. */
  readonly schema?: Readonly<Record<string, unknown>>
  readonly default?: string
  /** Whether it may be sent several times: its values make a list. */
  readonly isList?: boolean
  /**
   * Returns what is wrong with a value, as a phrase that follows the parameter's name: `must be an integer from 1 to 100`. @param
   * all the values of a list, with that one.
   */
  check?(text: string, all?: readonly string[]): string | undefined
  /** Returns a likely mistake in a value that is still accepted, in the same form. */
  findSlip?(text: string): string | undefined
}

/** The query parameters of an operation by name. */
export type QueryParameters = Readonly<Record<string, QueryParameter>>

/** Adds a problem for each invalid value. */
export function checkQuery(query: URLSearchParams, known: QueryParameters, refusal: ProblemList): void {
  for (const name in known) {
    const value = query.get(name)
    if (value === null) continue
    const { values, check, isList } = known[name]!
    const wrong =
      values && !values.includes(value)
        ? `must be ${toList(values)}.${suggest(value, values)}`
        : withStop(isList ? check?.(value, query.getAll(name)) : check?.(value))
    if (wrong !== undefined) refusal.add(() => `${name} ${wrong}`)
  }
}

/** Adds a problem for each unknown parameter. */
export function checkQueryNames(query: URLSearchParams, known: readonly string[], refusal: ProblemList): void {
  for (const name of new Set(query.keys()))
    if (!known.includes(name))
      refusal.add(() => `${quote(name)} is not a query parameter of this operation.${suggest(name, known)}`)
}

function withStop(text: string | undefined): string | undefined {
  return text === undefined ? undefined : `${text}.`
}
