import type { RequestViolation } from '../core/journal/violation.ts'
import type { Journal, ViolationQuery } from '../greenhouse/journal.ts'

/** What a matcher tells `expect`. */
export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

/** The matchers, as `expect.extend` takes them. */
export type GreenhouseMatchers = {
  /** Passes when no request that the world received breaks the contract. @param query which violations to look at. */
  toHaveNoViolations(received: unknown, query?: ViolationQuery): MatcherResult
}

/** How many violations a message tells of. */
const mostTold = 20

/**
 * Matchers for `expect.extend`, in Vitest, Jest and Playwright alike: `expect(world).toHaveNoViolations()`.
 * @throws TypeError, RangeError or EvictedError as `world.journal.violations` does, and TypeError for what is no world.
 */
export const greenhouseMatchers: GreenhouseMatchers = {
  toHaveNoViolations(received, query) {
    const violations = toJournal(received).violations(query)
    return {
      pass: violations.length === 0,
      message: () =>
        violations.length === 0
          ? 'Expected a request to break the contract, and none does.'
          : `Expected no request to break the contract:\n\n${toList(violations)}`,
    }
  },
}

function toJournal(received: unknown): Pick<Journal, 'violations'> {
  const { journal = received } = (received ?? {}) as { journal?: unknown }
  if (typeof (journal as Partial<Journal> | undefined)?.violations === 'function') return journal as Journal
  throw new TypeError(
    'Failed to call toHaveNoViolations(): expect() takes a world or its journal, such as expect(greenhouse.world()).',
  )
}

function toList(violations: readonly RequestViolation[]): string {
  const lines = violations
    .slice(0, mostTold)
    .map(
      ({ method, url, operation = '(no operation)', rule, message }) =>
        `  ${method} ${url}  ${operation}\n    ${rule}: ${message}`,
    )
  const more = violations.length - lines.length
  return [...lines, ...(more > 0 ? [`  … and ${more} more`] : [])].join('\n')
}
