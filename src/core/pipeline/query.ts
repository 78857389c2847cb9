import { quote } from '../definitions/quote.ts'
import type { Problems } from './refusal.ts'
import { suggest } from '../definitions/suggest.ts'
import { toList } from '../store/validation-message.ts'

/** A query parameter of an operation: its description and its values. */
export interface QueryParameter {
  readonly description: string
  /** The only valid values, when they are listed. */
  readonly values?: readonly string[]
  /** What it takes, as JSON Schema, where that is more than a text or one of `values`. */
  readonly schema?: Readonly<Record<string, unknown>>
  /** The default. */
  readonly default?: string
  /** What is wrong with a value: the sentence after the parameter's name, `must be an integer from 1 to 100`. */
  check?(text: string): string | undefined
  /** What is not as it was meant in a value that is taken all the same, said the same way. */
  slip?(text: string): string | undefined
}

/** The query parameters of an operation by name. */
export type QueryParameters = Readonly<Record<string, QueryParameter>>

/** Notes the values that parameters do not take. */
export function checkQuery(query: URLSearchParams, known: QueryParameters, refusal: Problems): void {
  for (const name in known) {
    const value = query.get(name)
    if (value === null) continue
    const { values, check } = known[name]!
    const wrong =
      values && !values.includes(value)
        ? `must be ${toList(values)}.${suggest(value, values)}`
        : withStop(check?.(value))
    if (wrong !== undefined) refusal.add(() => `${name} ${wrong}`)
  }
}

/** Notes the parameters that an operation does not have. */
export function checkQueryNames(query: URLSearchParams, known: readonly string[], refusal: Problems): void {
  for (const name of new Set(query.keys()))
    if (!known.includes(name))
      refusal.add(() => `${quote(name)} is not a query parameter of this operation.${suggest(name, known)}`)
}

function withStop(text: string | undefined): string | undefined {
  return text === undefined ? undefined : `${text}.`
}
