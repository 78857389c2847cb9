import { codedError } from '../core/text/error-codes.ts'
import * as z from 'zod/mini'
import { quote, showValue, suggest } from '../core/text/messages.ts'
import { isObject, rejectSecondArgument } from '../core/contract/options.ts'
import { checkArgument, expecting, object } from '../core/store/options.ts'
import type { ClientJournal } from '../control/client/journal.ts'
import { compareEntries } from '../core/journal/comparison.ts'
import { toShownView } from '../core/journal/stored-view.ts'
import { describeCutEntry } from '../core/journal/matching.ts'
import { checkJournalQuery, checkViolationQuery } from '../core/journal/request-query.ts'
import type { LiveJournal } from '../core/journal/journal.ts'
import { violationsIn } from '../core/journal/violation.ts'
import type { OperationId } from '../api/generated/known-names.ts'
import type { JournalQuery, ViolationQuery } from '../api/journal.ts'
import type { Fields } from '../core/text/values.ts'
import {
  type Calls,
  describeOrder,
  describeReceived,
  describeUnexpected,
  describeViolations,
  maxInMessage,
  toFailureMessage,
} from './matcher-messages.ts'

type QueriedJournal = Pick<
  LiveJournal,
  'compare' | 'assertNoneMissed' | 'violations' | 'size' | 'evicted'
>

const operationOrCalls = z.union(
  [z.string(), z.looseObject({})],
  expecting(
    'the id of an operation, such as "plants.create", or an object, such as { method: "POST", path: "/plants" }',
  ),
)

function readCalls(call: string, expected: unknown, details: unknown): Calls {
  checkArgument(call, 'the first argument', expected, operationOrCalls)
  if (typeof expected !== 'string') {
    if (details === undefined) return readFields(call, expected as ExpectedCalls)
    rejectCall(
      call,
      'an object as the first argument allows no second one. Put everything into the object.',
    )
  }
  const schema = object('an object, such as { times: 1, body: { name: "Fern" } }')
  if (details !== undefined) checkArgument(call, 'the second argument', details, schema)
  const { operation } = (details ?? {}) as { operation?: unknown }
  if (operation !== undefined && operation !== expected)
    rejectCall(
      call,
      `the operation is named twice, as ${quote(expected)} and as ${showValue(operation)}. Name it once.`,
    )
  return readFields(call, {
    ...(details as ExpectedCalls),
    operation: expected as OperationId,
  })
}

function readFields(call: string, { times, ...query }: ExpectedCalls): Calls {
  if (Object.hasOwn(query, 'limit'))
    rejectCall(call, 'limit: there is no such option. Did you mean "times"?')
  const { min, max } = readTimes(call, times)
  return {
    query,
    min,
    max,
    isCounted: times !== undefined,
  }
}

function readTimes(
  call: string,
  times: unknown,
): {
  min: number
  max: number
} {
  if (times === undefined)
    return {
      min: 1,
      max: Infinity,
    }
  const [min, max] = isObject(times)
    ? [times['min'] ?? 0, times['max'] ?? Infinity]
    : [times, times]
  const isCount = (value: unknown): value is number =>
    value === Infinity || (Number.isSafeInteger(value) && (value as number) >= 0)
  const names = isObject(times) ? Object.keys(times) : ['min']
  const unknown = names.find((name) => name !== 'min' && name !== 'max')
  if (isCount(min) && isCount(max) && min <= max && names.length > 0 && unknown === undefined)
    return { min, max }
  const hint = unknown === undefined ? '' : suggest(unknown, ['min', 'max'])
  rejectCall(
    call,
    `times: expected a whole number, 0 or more, or { min, max }, received ${showValue(times)}.${hint}`,
  )
}

function rejectCall(call: string, why: string): never {
  throw codedError('GREENHOUSE_INVALID_ARGUMENT', `Failed to call ${call}(): ${why}`)
}

const maxShownRequests = 3

/** The result of a matcher, for `expect`. */
export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

/**
 * The matchers, as `expect.extend` takes them. Of a world on a server they return promises: `await
 * expect(world).toHaveReceived(…)`.
 */
export type GreenhouseMatchers = {
  [Name in keyof GreenhouseAssertions<unknown>]: (
    received: unknown,
    ...expected: Parameters<GreenhouseAssertions<unknown>[Name]>
  ) => MatcherResult
}

/**
 * The types of the matchers, to declare them for an `expect`: `interface Matchers<T> extends
 * GreenhouseAssertions<T> {}`.
 */
export interface GreenhouseAssertions<T> {
  /**
   * Passes when no request that the world received breaks the contract. @param query which requests
   * to check, and rules to ignore.
   */
  toHaveNoViolations(query?: ViolationQuery): T
  /**
   * Passes when the world received such a request: at least once, or as often as `times` says.
   * @example
   * expect(world).toHaveReceived('plants.create', { times: 1, body: { name: 'Fern' } })
   * expect(world).toHaveReceived({ method: 'DELETE', path: '/v1/apps/*', status: 204 })
   */
  toHaveReceived(expected: OperationId | ExpectedCalls, details?: ExpectedCalls): T
  /**
   * Passes when the world received these requests in this order. Other requests may come before,
   * between and after them.
   * @example expect(world).toHaveReceivedInOrder(['apps.list', { operation: 'apps.create', body: { name: 'Shop' } }])
   */
  toHaveReceivedInOrder(expected: readonly (OperationId | ExpectedCall)[]): T
  /** Passes when the world received no request. */
  toHaveReceivedNothing(): T
}

const expectingOrder = expecting(
  'a list of 1 to 100 requests, such as ["apps.list", { operation: "apps.create", body: { name: "Shop" } }]',
)
const orderedCalls = z
  .array(z.unknown(), expectingOrder)
  .check(z.minLength(1, expectingOrder), z.maxLength(100, expectingOrder))

/**
 * Matchers for `expect.extend`, in Vitest, Jest and Playwright alike:
 * `expect(world).toHaveReceived('plants.create')`.
 * @example expect.extend(greenhouseMatchers)
 * @throws TypeError when the received value is not a world; the errors of `world.journal.calls` and
 * `violations`.
 */
export const greenhouseMatchers: GreenhouseMatchers = {
  toHaveNoViolations: (received, query) =>
    withJournal('toHaveNoViolations', received, (journal) => checkViolations(journal, query)),
  toHaveReceived: (received, expected, details) =>
    withJournal('toHaveReceived', received, (journal) => {
      const calls = readCalls('toHaveReceived', expected, details)
      const { query, min, max } = calls
      const compared = journal.compare(query, 'toHaveReceived', maxShownRequests)
      const count = compared.matching.length
      const isCertain = count > max || (count >= min && max === Infinity)
      if (!isCertain) journal.assertNoneMissed(query, compared.undecided[0])
      const pass = count >= min && count <= max
      return {
        pass,
        message: () => toFailureMessage(calls, compared, pass),
      }
    }),
  toHaveReceivedInOrder: (received, expected) =>
    withJournal('toHaveReceivedInOrder', received, (journal) => checkOrder(journal, expected)),
  toHaveReceivedNothing(received) {
    rejectSecondArgument(
      'toHaveReceivedNothing',
      arguments,
      'Use not.toHaveReceived(…) for one operation.',
    )
    return withJournal('toHaveReceivedNothing', received, checkNothing)
  },
}

function checkViolations(
  journal: QueriedJournal,
  query: ViolationQuery | undefined,
): MatcherResult {
  const violations = journal.violations(query)
  return {
    pass: violations.length === 0,
    message: () => describeViolations(violations),
  }
}

function checkNothing(journal: QueriedJournal): MatcherResult {
  const count = journal.size + journal.evicted
  return {
    pass: count === 0,
    message: () => {
      if (count === 0) return 'Expected the world to receive a request, but it received none.'
      const { first } = journal.compare({}, 'toHaveReceivedNothing', maxInMessage)
      return describeUnexpected(first, count)
    },
  }
}

function checkOrder(journal: QueriedJournal, expected: unknown): MatcherResult {
  const call = 'toHaveReceivedInOrder'
  checkArgument(call, 'the first argument', expected, orderedCalls)
  const queries = (expected as unknown[]).map((one) => {
    const { query, isCounted } = readCalls(call, one, undefined)
    if (isCounted)
      rejectCall(
        call,
        'times: there is no such option. List a request once for each time that it should arrive.',
      )
    return query
  })
  const steps = queries.map((query) => ({
    query,
    compared: journal.compare(query, call, maxShownRequests),
  }))
  const found: number[] = []
  for (const { compared } of steps) {
    const next = compared.matching.find((id) => id > (found.at(-1) ?? 0))
    if (next === undefined) break
    found.push(next)
  }
  const missing = steps[found.length]
  if (missing)
    for (const { query, compared } of steps) journal.assertNoneMissed(query, compared.undecided[0])
  return {
    pass: missing === undefined,
    message: () => describeOrder(queries, found, missing),
  }
}

/** Checks the journal of a world, at once; that of a world on a server once it is loaded. */
function withJournal(
  call: string,
  received: unknown,
  check: (journal: QueriedJournal) => MatcherResult,
): MatcherResult {
  const { journal = received } = (received ?? {}) as { journal?: unknown }
  const { load, violations, compare } = (journal ?? {}) as Fields
  // `expect` awaits it; its callers declare no promise.
  if (typeof load === 'function')
    return checkLoaded(journal as ClientJournal, check) as unknown as MatcherResult
  if (typeof violations === 'function' && typeof compare === 'function')
    return check(journal as QueriedJournal)
  rejectCall(
    call,
    `expect() takes a world or its journal, such as expect(greenhouse.world()); ${describeReceived(received)} was given.`,
  )
}

/**
 * Loads a journal and checks it. Where the check depends on what was dropped, asks the server,
 * whose error then counts.
 */
async function checkLoaded<Result>(
  journal: ClientJournal,
  check: (journal: QueriedJournal) => Result,
): Promise<Result> {
  const { page, operations } = await journal.load()
  const asked = new Map<string, JournalQuery>()
  const loaded: QueriedJournal = {
    size: page.size,
    evicted: page.evicted,
    compare(query, matcher, max) {
      checkJournalQuery(query, { operations }, matcher)
      const entries = page.data.map((entry) => ({
        id: entry.id,
        view: toShownView(entry),
        toEntry: () => entry,
      }))
      return compareEntries(entries, query, max, [])
    },
    violations(query: ViolationQuery = {}) {
      checkViolationQuery(query, { operations })
      const { operation, ignore } = query
      const entries = page.data.filter(
        (entry) => operation === undefined || entry.operation === operation,
      )
      const found = entries.flatMap((entry) => violationsIn(entry, ignore))
      if (found.length === 0) loaded.assertNoneMissed({ operation }, undefined)
      return found
    },
    assertNoneMissed(query, undecided) {
      const { operation, status, scenario } = query
      asked.set([operation, status, scenario].join(' '), query as JournalQuery)
      if (undecided !== undefined)
        throw codedError('GREENHOUSE_EVICTED', describeCutEntry(undecided))
    },
  }
  try {
    return check(loaded)
  } finally {
    for (const query of asked.values()) await journal.assertNotEvicted(query, page)
  }
}

/** How often a request is expected: a number, or a range that includes both bounds. */
export type Times =
  | number
  | {
      readonly min?: number | undefined
      readonly max?: number | undefined
    }

/** A request that a world should have received. It must match every given field. */
export type ExpectedCall = Omit<JournalQuery, 'limit'>

/** An expected request, and how often it is expected. */
export interface ExpectedCalls extends ExpectedCall {
  /** How often: `2`, `{ min: 1, max: 3 }` or `0`. At least once by default. */
  readonly times?: Times | undefined
}
