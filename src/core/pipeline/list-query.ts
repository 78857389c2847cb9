import { invalidRequest, type ProblemList } from '../contract/errors.ts'
import { describeBrokenRule, type JsonSchema } from '../contract/json-schema.ts'
import { toDigest } from '../secrets/known-secrets.ts'
import type { Order, OrderedEntries } from '../store/record-index.ts'
import { describeProblem, quote } from '../text/messages.ts'

export interface Listing<T> {
  readonly name: string
  readonly records: OrderedEntries<T>
  readonly matches?: (record: Readonly<T>) => boolean
}

export const greatestLimit = 100

export function listQuery(filters: QueryParameters = {}): ListParameters {
  return {
    limit: {
      description: `The largest number of items on a page, 1 to ${greatestLimit}.`,
      default: '20',
      schema: {
        type: 'integer',
        minimum: 1,
        maximum: greatestLimit,
      },
    },
    cursor: {
      description: 'The next_cursor of the previous page, with the same filters and order.',
    },
    order: {
      description: 'desc begins with the newest, asc with the oldest.',
      schema: choiceOf(['desc', 'asc']),
      default: 'desc',
    },
    ...filters,
  }
}

export function paginate<T>(
  { name, records, matches }: Listing<T>,
  query: URLSearchParams,
  known: ListParameters,
) {
  const limit = Number(query.get('limit') ?? known.limit.default)
  const order = (query.get('order') ?? known.order.default) as Order
  const seal = createSeal(name, order, query, known)
  const found = records.take(limit + 1, {
    order,
    after: seal.open(query.get('cursor')),
    matches,
  })
  const hasMore = found.length > limit
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    records: page.map((entry) => entry.record),
    hasMore,
    nextCursor: hasMore && last ? seal.close(last.sequence) : null,
  }
}

const sealLength = 8

function createSeal(name: string, order: Order, query: URLSearchParams, known: QueryParameters) {
  const filters = Object.keys(known).filter(
    (parameter) => !['limit', 'cursor', 'order'].includes(parameter),
  )
  const list = JSON.stringify([name, order, ...filters.map((parameter) => query.get(parameter))])
  const close = (sequence: number) =>
    `c_${toDigest(`${list} ${sequence}`).slice(0, sealLength)}${sequence.toString(36)}`
  return {
    close,
    open(cursor: string | null): number | undefined {
      if (cursor === null) return undefined
      const sequence = Number.parseInt(cursor.slice('c_'.length + sealLength), 36)
      if (close(sequence) === cursor) return sequence
      throw invalidRequest(
        'cursor must be a next_cursor of this list, with the same filters and order.',
      )
    },
  }
}

export interface QueryParameter {
  readonly description: string
  readonly schema?: JsonSchema
  readonly default?: string
  readonly isList?: boolean
  /**
   * Checks what no schema can say, in its place. Returns a phrase that follows the name: `must be a
   * time`. @param all the values of a list.
   */
  check?(text: string, all?: readonly string[]): string | undefined
  findSlip?(text: string): string | undefined
}

export type QueryParameters = Readonly<Record<string, QueryParameter>>

/** The parameters of a list, its filters included. */
export interface ListParameters extends QueryParameters {
  readonly limit: QueryParameter
  readonly order: QueryParameter
}

export const notEmpty: JsonSchema = {
  type: 'string',
  minLength: 1,
}

export function choiceOf(values: readonly string[]): JsonSchema {
  return {
    type: 'string',
    enum: values,
  }
}

export function checkQuery(
  query: URLSearchParams,
  known: QueryParameters,
  rejection: ProblemList,
): void {
  for (const name in known) {
    const value = query.get(name)
    if (value === null) continue
    const { schema = {}, check, isList } = known[name]!
    if (!check) {
      const sentence = describeBrokenRule(name, value, schema)
      if (sentence !== undefined) rejection.add(() => sentence)
      continue
    }
    const wrong = isList ? check(value, query.getAll(name)) : check(value)
    if (wrong !== undefined) rejection.add(() => `${name} ${wrong}.`)
  }
}

export function checkQueryNames(
  query: URLSearchParams,
  known: readonly string[],
  rejection: ProblemList,
): void {
  for (const name of new Set(query.keys()))
    if (!known.includes(name))
      rejection.add(() =>
        describeProblem(`${quote(name)} is not a query parameter of this operation`, name, known),
      )
}
