import { quote } from '../core/definitions/quote.ts'
import { refuseSecond } from '../core/definitions/options.ts'
import { showValue } from '../core/definitions/shown-value.ts'
import { toVisibleLines } from '../core/definitions/visible.ts'
import type { RequestViolation } from '../core/journal/violation.ts'
import type { ViolationQuery } from '../greenhouse/journal.ts'
import type { OperationId } from '../greenhouse/generated/known-names.ts'
import {
  assertDecidable,
  describeCall,
  judgeCalls,
  readCalls,
  toFailureMessage,
  describeEntry,
  listNearest,
  maxShownRequests,
  type QueriedJournal,
} from './expected-calls.ts'
import type { ExpectedCall, ExpectedCalls } from './expected-call.ts'

export type { ExpectedCall, ExpectedCalls, Times } from './expected-call.ts'

/** The result of a matcher, for `expect`. */
export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

/** The matchers, as `expect.extend` takes them. */
export type GreenhouseMatchers = {
  /** Passes when no request that the world received breaks the contract. @param query which requests to check, and rules to ignore. */
  toHaveNoViolations(received: unknown, query?: ViolationQuery): MatcherResult
  /**
   * Passes when the world received such a request: at least once, or as often as `times` says.
   * @param expected the id of an operation, or the expected request.
   * @param details with an id, the rest of the expected request, and how often it is expected.
   */
  toHaveReceived(received: unknown, expected: OperationId | ExpectedCalls, details?: ExpectedCalls): MatcherResult
  /** Passes when the world received these requests in this order. Others may come before, between and after them. */
  toHaveReceivedInOrder(received: unknown, expected: readonly (OperationId | ExpectedCall)[]): MatcherResult
  /** Passes when the world received no request. */
  toHaveReceivedNothing(received: unknown): MatcherResult
}

/** The types of the matchers, to declare them for an `expect`: `interface Matchers<T> extends GreenhouseAssertions<T> {}`. */
export interface GreenhouseAssertions<T> {
  /** Passes when no request that the world received breaks the contract. @param query which requests to check, and rules to ignore. */
  toHaveNoViolations(query?: ViolationQuery): T
  /**
   * Passes when the world received such a request: at least once, or as often as `times` says.
   * @example
   * expect(world).toHaveReceived('plants.create', { times: 1, body: { name: 'Fern' } })
   * expect(world).toHaveReceived({ method: 'DELETE', path: '/v1/apps/*', status: 204 })
   */
  toHaveReceived(expected: OperationId | ExpectedCalls, details?: ExpectedCalls): T
  /**
   * Passes when the world received these requests in this order. Other requests may come before, between and after them.
   * @example expect(world).toHaveReceivedInOrder(['apps.list', { operation: 'apps.create', body: { name: 'Shop' } }])
   */
  toHaveReceivedInOrder(expected: readonly (OperationId | ExpectedCall)[]): T
  /** Passes when the world received no request. */
  toHaveReceivedNothing(): T
}

/** The most violations or requests in a message that only lists them. */
const maxListed = 20

/** The most requests in an expected order. */
const maxInOrder = 100

/**
 * Matchers for `expect.extend`, in Vitest, Jest and Playwright alike: `expect(world).toHaveReceived('plants.create')`.
 * @example expect.extend(greenhouseMatchers)
 * @throws TypeError when the received value is not a world; the errors of `world.journal.calls` and `violations`.
 */
export const greenhouseMatchers: GreenhouseMatchers = {
  toHaveNoViolations(received, query) {
    const violations = toJournal('toHaveNoViolations', received).violations(query)
    return {
      pass: violations.length === 0,
      message: () =>
        violations.length === 0
          ? 'Expected a request to break the contract, but none does.'
          : `Expected no request to break the contract:\n\n${toList(violations)}`,
    }
  },
  toHaveReceived(received, expected, details) {
    const journal = toJournal('toHaveReceived', received)
    const calls = readCalls('toHaveReceived', expected, details)
    const { pass, compared } = judgeCalls(journal, 'toHaveReceived', calls)
    return { pass, message: () => toFailureMessage(calls, compared, pass) }
  },
  toHaveReceivedInOrder(received, expected) {
    return judgeOrder(toJournal('toHaveReceivedInOrder', received), expected)
  },
  toHaveReceivedNothing(received) {
    refuseSecond('toHaveReceivedNothing', arguments, 'Use not.toHaveReceived(…) for one operation.')
    const journal = toJournal('toHaveReceivedNothing', received)
    const count = journal.size + journal.evicted
    return {
      pass: count === 0,
      message: () => {
        if (count === 0) return 'Expected the world to receive a request, but it received none.'
        const { first } = journal.compare({}, 'toHaveReceivedNothing', maxListed)
        return toVisibleLines(
          [
            `Expected the world to receive nothing, but it received ${count === 1 ? 'a request' : `${count} requests`}:`,
            '',
            ...first.map((entry) => `  ${describeEntry(entry)}`),
            ...(count > first.length ? [`  … and ${count - first.length} more`] : []),
          ].join('\n'),
        )
      },
    }
  },
}

function judgeOrder(journal: QueriedJournal, expected: unknown): MatcherResult {
  const call = 'toHaveReceivedInOrder'
  if (!Array.isArray(expected) || expected.length === 0 || expected.length > maxInOrder)
    throw new TypeError(
      `Failed to call ${call}(): the first argument takes a list of 1 to ${maxInOrder} requests, such as ["apps.list", { operation: "apps.create", body: { name: "Shop" } }]; ${Array.isArray(expected) ? `one of ${expected.length}` : showValue(expected)} was given.`,
    )
  const queries = expected.map((one) => {
    const { query, isCounted } = readCalls(call, one, undefined)
    if (isCounted)
      throw new TypeError(
        `Failed to call ${call}(): there is no option "times". List a request once for each time that it should arrive.`,
      )
    return query
  })
  const compared = queries.map((query) => journal.compare(query, call, maxShownRequests))
  const found: number[] = []
  for (const { matching } of compared) {
    const next = matching.find((id) => id > (found.at(-1) ?? 0))
    if (next === undefined) break
    found.push(next)
  }
  const pass = found.length === queries.length
  if (!pass) for (const [index, query] of queries.entries()) assertDecidable(journal, query, compared[index]!)
  const list = () =>
    queries.map(
      (query, index) => `  ${index + 1}. ${describeCall(query)}${index < found.length ? `  #${found[index]}` : ''}`,
    )
  return {
    pass,
    message: () => {
      if (pass)
        return toVisibleLines(
          ['Expected the world not to receive these requests in this order, but it did:', '', ...list()].join('\n'),
        )
      const missing = compared[found.length]!
      const after = found.length === 0 ? '' : ` after #${found.at(-1)}`
      const earlier = missing.matching.slice(0, maxListed).map((id) => `#${id}`)
      const before = earlier.length === 0 ? listNearest(missing) : [`It came only earlier: ${earlier.join(', ')}.`]
      return toVisibleLines(
        [
          'Expected the world to receive these requests in this order:',
          '',
          ...list(),
          '',
          `Request ${found.length + 1}, ${describeCall(queries[found.length]!)}, did not arrive${after}.`,
          ...before,
        ].join('\n'),
      )
    },
  }
}

function toJournal(call: string, received: unknown): QueriedJournal {
  const { journal = received } = (received ?? {}) as { journal?: unknown }
  const { violations, compare } = (journal ?? {}) as Partial<QueriedJournal>
  if (typeof violations === 'function' && typeof compare === 'function') return journal as QueriedJournal
  throw new TypeError(
    `Failed to call ${call}(): expect() takes a world or its journal, such as expect(greenhouse.world()); ${nameOf(received)} was given.`,
  )
}

function nameOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return showValue(value)
  if (typeof (value as { world?: unknown }).world === 'function') return 'a Greenhouse, which has many worlds,'
  if (typeof (value as { then?: unknown }).then === 'function') return 'a promise'
  const name = (value.constructor as { name?: unknown } | undefined)?.name
  return typeof name === 'string' && name !== 'Object' && name !== ''
    ? `an object of the class ${quote(name)}`
    : showValue(value)
}

function toList(violations: readonly RequestViolation[]): string {
  const lines = violations
    .slice(0, maxListed)
    .map(
      ({ method, url, operation = '(no operation)', rule, message }) =>
        `  ${method} ${url}  ${operation}\n    ${rule}: ${message}`,
    )
  const more = violations.length - lines.length
  return [...lines, ...(more > 0 ? [`  … and ${more} more`] : [])].join('\n')
}
