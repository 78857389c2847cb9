import { quote, suggest } from '../text/messages.ts'
import type { ProblemList } from './rejection.ts'
import { toList } from '../store/issue-message.ts'

export interface QueryParameter {
  readonly description: string
  readonly values?: readonly string[]
  readonly schema?: Readonly<Record<string, unknown>>
  readonly default?: string
  readonly isList?: boolean
  /**
   * Returns what is wrong with a value, as a phrase that follows the parameter's name: `must be an integer from 1 to 100`. @param
   * all the values of a list, with that one.
   */
  check?(text: string, all?: readonly string[]): string | undefined
  findSlip?(text: string): string | undefined
}

export type QueryParameters = Readonly<Record<string, QueryParameter>>

export function checkQuery(query: URLSearchParams, known: QueryParameters, rejection: ProblemList): void {
  for (const name in known) {
    const value = query.get(name)
    if (value === null) continue
    const { values, check, isList } = known[name]!
    const wrong =
      values && !values.includes(value)
        ? `must be ${toList(values)}.${suggest(value, values)}`
        : withStop(isList ? check?.(value, query.getAll(name)) : check?.(value))
    if (wrong !== undefined) rejection.add(() => `${name} ${wrong}`)
  }
}

export function checkQueryNames(query: URLSearchParams, known: readonly string[], rejection: ProblemList): void {
  for (const name of new Set(query.keys()))
    if (!known.includes(name))
      rejection.add(() => `${quote(name)} is not a query parameter of this operation.${suggest(name, known)}`)
}

function withStop(text: string | undefined): string | undefined {
  return text === undefined ? undefined : `${text}.`
}
