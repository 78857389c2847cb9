import { hideBody } from '../core/secrets/secrets.ts'
import {
  countTimes,
  describeMore,
  quote,
  showValue,
  toVisibleLines,
} from '../core/text/messages.ts'
import { givenOf } from '../core/contract/options.ts'
import type { EntryComparison } from '../core/journal/comparison.ts'
import { showExpected } from '../core/journal/request-query.ts'
import type { JournalEntry } from '../core/journal/journal-entry.ts'
import type { RequestViolation } from '../core/journal/violation.ts'
import type { JournalQuery } from '../api/journal.ts'

export interface Calls {
  readonly query: JournalQuery
  readonly min: number
  readonly max: number
  readonly isCounted: boolean
}

/** The most violations or requests in a message that only lists them. */
export const maxInMessage = 20

export function toFailureMessage(calls: Calls, compared: EntryComparison, isNot: boolean): string {
  const { query, isCounted, min } = calls
  const count = compared.matching.length
  let times = isNot ? '' : ' at least once'
  if (isCounted) times = ` ${describeTimes(calls)}`
  const head = `Expected the world ${isNot ? 'not ' : ''}to receive ${describeCall(query)}${times}, but ${count === 0 ? 'it did not' : `it did so ${countTimes(count)}`}.`
  const shown = isNot || count >= min ? listEntries(compared.first, count) : listNearest(compared)
  return toText([head, ...shown])
}

function listEntries(first: readonly JournalEntry[], count: number): string[] {
  if (count === 0) return []
  const lines = first.map((entry) => `  ${describeEntry(entry)}`)
  return ['', ...withMore(lines, count)]
}

/** Adds how many there are in addition to these lines. */
function withMore(lines: readonly string[], total: number): readonly string[] {
  return [...lines, ...describeMore(total, lines.length).map((more) => `  ${more}`)]
}

const toText = (lines: readonly string[]) => toVisibleLines(lines.join('\n'))

function listNearest({ matching, nearest, total }: EntryComparison): string[] {
  if (total === 0) return ['The world received no requests.']
  if (nearest.length === 0) return []
  const others = total - matching.length
  return [
    '',
    others > nearest.length ? `The nearest of ${others} other requests:` : 'The other requests:',
    ...nearest.flatMap(({ entry, differences }) => [
      `  ${describeEntry(entry)}`,
      ...differences.map((difference) => `    ${difference}`),
    ]),
  ]
}

function describeCall({ operation, key, ...others }: JournalQuery): string {
  const isNamed = typeof operation === 'string'
  const isByKey = typeof key === 'string'
  const fields = givenOf({
    ...others,
    operation: isNamed ? undefined : operation,
    key: isByKey ? undefined : key,
  })
  const shown = hideBody(showExpected(fields), undefined, [])
  const what = isNamed ? operation : 'a request'
  const wanted = Object.keys(fields).length === 0 ? '' : ` with ${shown}`
  return what + wanted + (isByKey ? ' by that key' : '')
}

function describeTimes({ min, max }: Calls): string {
  if (min === max) return `exactly ${countTimes(min)}`
  if (max === Infinity) return `at least ${countTimes(min)}`
  if (min === 0) return `at most ${countTimes(max)}`
  return `${min} to ${countTimes(max)}`
}

const longestUrl = 200

function describeEntry({
  id,
  request,
  operation = '(no operation)',
  response,
}: JournalEntry): string {
  const { method, url } = request
  const shown = url.length > longestUrl ? `${url.slice(0, longestUrl)}…` : url
  return `#${id} ${method} ${shown}  ${operation} → ${response.status === 0 ? 'no reply' : response.status}`
}

interface OrderedRequest {
  readonly query: JournalQuery
  readonly compared: EntryComparison
}

/** @param missing the first request that did not arrive after those that were found */
export function describeOrder(
  queries: readonly JournalQuery[],
  found: readonly number[],
  missing: OrderedRequest | undefined,
): string {
  const listed = queries.map((query, index) => {
    const id = found[index]
    return `  ${index + 1}. ${describeCall(query)}${id === undefined ? '' : `  #${id}`}`
  })
  if (!missing)
    return toText([
      'Expected the world not to receive these requests in this order, but it did:',
      '',
      ...listed,
    ])
  const { query, compared } = missing
  const after = found.length === 0 ? '' : ` after #${found.at(-1)}`
  const earlier = compared.matching.slice(0, maxInMessage).map((id) => `#${id}`)
  return toText([
    'Expected the world to receive these requests in this order:',
    '',
    ...listed,
    '',
    `Request ${found.length + 1}, ${describeCall(query)}, did not arrive${after}.`,
    ...(earlier.length === 0
      ? listNearest(compared)
      : [`It came only earlier: ${earlier.join(', ')}.`]),
  ])
}

export function describeReceived(value: unknown): string {
  if (typeof value !== 'object' || value === null) return showValue(value)
  if (typeof (value as { world?: unknown }).world === 'function')
    return 'a Greenhouse, which has many worlds,'
  if (typeof (value as { then?: unknown }).then === 'function') return 'a promise'
  const name = (value.constructor as { name?: unknown } | undefined)?.name
  if (typeof name === 'string' && name !== 'Object' && name !== '')
    return `an object of the class ${quote(name)}`
  return showValue(value)
}

export function describeViolations(violations: readonly RequestViolation[]): string {
  if (violations.length === 0) return 'Expected a request to break the contract, but none does.'
  const lines = violations
    .slice(0, maxInMessage)
    .map(
      ({ method, url, operation = '(no operation)', rule, message }) =>
        `  ${method} ${url}  ${operation}\n    ${rule}: ${message}`,
    )
  const head = 'Expected no request to break the contract:'
  return toText([head, '', ...withMore(lines, violations.length)])
}

/** @param first the first of all requests */
export function describeUnexpected(first: readonly JournalEntry[], count: number): string {
  const what = count === 1 ? 'a request' : `${count} requests`
  const head = `Expected the world to receive nothing, but it received ${what}:`
  return toText([head, ...listEntries(first, count)])
}
