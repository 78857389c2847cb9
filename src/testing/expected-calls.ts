import { countTimes } from '../core/definitions/count-of.ts'
import type { EntryComparison } from '../core/journal/entry-comparison.ts'
import { showExpected } from '../core/journal/expected.ts'
import type { JournalEntry } from '../core/journal/journal-entry.ts'
import { redact } from '../core/journal/redact.ts'
import { toVisibleLines } from '../core/definitions/visible.ts'
import { isObject } from '../core/definitions/options.ts'
import { quote } from '../core/definitions/quote.ts'
import { showValue } from '../core/definitions/shown-value.ts'
import { suggest } from '../core/definitions/suggest.ts'
import type { OperationId } from '../greenhouse/generated/known-names.ts'
import type { Journal, JournalQuery } from '../greenhouse/journal.ts'
import type { ExpectedCalls } from './expected-call.ts'

interface Calls {
  readonly query: JournalQuery
  readonly min: number
  readonly max: number
  readonly isCounted: boolean
}

export function readCalls(call: string, expected: unknown, details: unknown): Calls {
  if (typeof expected === 'string') {
    if (details !== undefined && !isObject(details))
      throw new TypeError(
        `Failed to call ${call}(): the second argument takes an object, such as { times: 1, body: { name: "Fern" } }; ${showValue(details)} was given.`,
      )
    const { operation } = (details ?? {}) as { operation?: unknown }
    if (operation !== undefined && operation !== expected)
      throw new TypeError(
        `Failed to call ${call}(): the operation is named twice, as ${quote(expected)} and as ${showValue(operation)}. Name it once.`,
      )
    return readFields(call, { ...(details as ExpectedCalls), operation: expected as OperationId })
  }
  if (!isObject(expected))
    throw new TypeError(
      `Failed to call ${call}(): the first argument takes the id of an operation, such as "plants.create", or an object, such as { method: "POST", path: "/plants" }; ${showValue(expected)} was given.`,
    )
  if (details !== undefined)
    throw new TypeError(
      `Failed to call ${call}(): an object as the first argument allows no second one. Put everything into the object.`,
    )
  return readFields(call, expected as ExpectedCalls)
}

function readFields(call: string, { times, ...query }: ExpectedCalls): Calls {
  if (Object.hasOwn(query, 'limit'))
    throw new TypeError(`Failed to call ${call}(): there is no option "limit". Did you mean "times"?`)
  const { min, max } = readTimes(call, times)
  return { query, min, max, isCounted: times !== undefined }
}

function readTimes(call: string, times: unknown): { min: number; max: number } {
  if (times === undefined) return { min: 1, max: Infinity }
  const fail = (given: unknown, more = '') => {
    throw new TypeError(
      `Failed to call ${call}(): the option "times" takes a whole number, 0 or more, or { min, max }; ${showValue(given)} was given.${more}`,
    )
  }
  const isCount = (value: unknown) => value === Infinity || (Number.isSafeInteger(value) && (value as number) >= 0)
  if (!isObject(times)) {
    if (!isCount(times)) fail(times)
    return { min: times as number, max: times as number }
  }
  const names = Object.keys(times)
  const unknown = names.find((name) => name !== 'min' && name !== 'max')
  if (names.length === 0 || unknown !== undefined) fail(times, suggest(unknown ?? '', ['min', 'max']))
  const { min = 0, max = Infinity } = times as { min?: number; max?: number }
  if (!isCount(min) || !isCount(max) || min > max) fail(times)
  return { min, max }
}

export type QueriedJournal = Pick<
  Journal,
  'compare' | 'assertNotEvicted' | 'throwEvicted' | 'violations' | 'size' | 'evicted'
>

export function judgeCalls(
  journal: QueriedJournal,
  call: string,
  { query, min, max }: Calls,
): { readonly pass: boolean; readonly compared: EntryComparison } {
  const compared = journal.compare(query, call, maxShownRequests)
  const count = compared.matching.length
  const isCertain = count > max || (count >= min && max === Infinity)
  if (!isCertain) assertDecidable(journal, query, compared)
  return { pass: count >= min && count <= max, compared }
}

export function assertDecidable(journal: QueriedJournal, query: JournalQuery, { undecided }: EntryComparison): void {
  journal.assertNotEvicted(query)
  if (undecided.length > 0) journal.throwEvicted(undecided[0]!)
}

export const maxShownRequests = 3

export function toFailureMessage(calls: Calls, compared: EntryComparison, isNot: boolean): string {
  const { query, isCounted, min } = calls
  const count = compared.matching.length
  const times = isCounted ? ` ${describeTimes(calls)}` : isNot ? '' : ' at least once'
  const head = `Expected the world ${isNot ? 'not ' : ''}to receive ${describeCall(query)}${times}, but ${describeCount(count)}.`
  return toVisibleLines([head, ...(isNot || count >= min ? listMatching(compared) : listNearest(compared))].join('\n'))
}

function listMatching({ matching, first }: EntryComparison): string[] {
  if (matching.length === 0) return []
  const more = matching.length - first.length
  return ['', ...first.map((entry) => `  ${describeEntry(entry)}`), ...(more > 0 ? [`  … and ${more} more`] : [])]
}

export function listNearest({ matching, nearest, total }: EntryComparison): string[] {
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

export function describeCall({ operation, key, ...rest }: JournalQuery): string {
  const shown = redact(showExpected(rest))
  const by = key === undefined ? '' : ' by that key'
  const fields = Object.values(rest).every((value) => value === undefined) ? '' : ` with ${shown}`
  return (operation ?? 'a request') + fields + by
}

function describeTimes({ min, max }: Calls): string {
  if (min === max) return `exactly ${countTimes(min)}`
  if (max === Infinity) return `at least ${countTimes(min)}`
  return min === 0 ? `at most ${countTimes(max)}` : `${min} to ${countTimes(max)}`
}

function describeCount(count: number): string {
  return count === 0 ? 'it did not' : `it did so ${countTimes(count)}`
}

const longestUrl = 200

export function describeEntry({ id, request, operation = '(no operation)', response }: JournalEntry): string {
  const { method, url } = request
  const shown = url.length > longestUrl ? `${url.slice(0, longestUrl)}…` : url
  return `#${id} ${method} ${shown}  ${operation} → ${response.status === 0 ? 'no reply' : response.status}`
}
