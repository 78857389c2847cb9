import { codedError } from '../text/error-codes.ts'
import * as z from 'zod/mini'
import {
  checkArgument,
  checkOptions,
  custom,
  expecting,
  flag,
  list,
  object,
  type Schema,
  type SchemasOf,
  section,
  shortText,
  text,
  wholeNumber,
} from '../store/options.ts'
import { describeProblem, quote, shorten, showValue, suggest } from '../text/messages.ts'
import { type AsymmetricMatcher, isAsymmetric } from '../contract/expected.ts'
import type { LimitedQuery, ViolationFilter, RequestQuery } from './matching.ts'
import { violationRules } from './violation.ts'

const longest = 300

export function showExpected(
  value: unknown,
  show: (text: string) => string = (text) => text,
): string {
  if (value === undefined) return 'nothing'
  const text = typeof value === 'string' ? JSON.stringify(show(value)) : show(writeValue(value))
  return shorten(text, longest)
}

function writeValue(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? String(value)
  if (isAsymmetric(value)) return showMatcher(value)
  if (value instanceof RegExp) return String(value)
  if (Array.isArray(value)) return `[${value.map(writeValue).join(',')}]`
  const fields = Object.entries(value).map(
    ([name, part]) => `${JSON.stringify(name)}:${writeValue(part)}`,
  )
  return `{${fields.join(',')}}`
}

function showMatcher(matcher: AsymmetricMatcher): string {
  const { toAsymmetricMatcher, sample } = matcher as {
    toAsymmetricMatcher?: unknown
    sample?: unknown
  }
  try {
    if (typeof toAsymmetricMatcher === 'function') return String(toAsymmetricMatcher.call(matcher))
    const name = String(matcher)
    if (sample === undefined || typeof sample === 'function') return name
    return `${name} ${writeValue(sample)}`
  } catch {
    return 'an asymmetric matcher'
  }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']

/**
 * The most segments of a pattern: each is compared with each segment of a path, and a path can have
 * thousands.
 */
const maxSteps = 20

interface Mistake {
  readonly message: string
  /** Where it is, below the value that is checked. */
  readonly path?: string[]
}

function withCheck<T>(schema: Schema<T>, find: (value: T) => Mistake | undefined): Schema<T> {
  return schema.check(({ value, issues }) => {
    const found = find(value)
    if (found)
      issues.push({
        code: 'custom',
        input: value,
        ...found,
      })
  })
}

const method = withCheck(
  text('an HTTP method, such as "POST"', (name) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}$/.test(name)),
  (name) => {
    const hint = methods.includes(name.toUpperCase()) ? '' : suggest(name.toUpperCase(), methods)
    if (hint === '') return undefined
    return { message: `there is no method ${quote(name)}.${hint}` }
  },
)

const expectedPath = 'a path from the root of the service, such as "/v1/apps" or "/v1/apps/*"'

const path = withCheck(
  shortText(expectedPath, () => true),
  (given) => {
    const received = `received ${quote(given)}.`
    if (!isPath(given))
      return { message: `expected ${expectedPath}, ${received}${suggestPath(given)}` }
    if (!given.includes('*') || given.split('/').length - 1 <= maxSteps) return undefined
    return { message: `expected a pattern of at most ${maxSteps} segments, ${received}` }
  },
)

function isPath(given: string): boolean {
  return /^[/*]/.test(given) && !given.startsWith('/~') && !/[?#]/.test(given)
}

/**
 * Suggests the path of a URL, a path with its missing first slash, or one without the world, which
 * no path in the journal has.
 */
function suggestPath(given: string): string {
  const target = given.replace(/^https?:\/\/[^/?#]*/, '').replace(/^\/~[^/?#]*/, '')
  const [bare = ''] = target.split(/[?#]/)
  const suggestion = /^[/*]/.test(bare) ? bare : `/${bare}`
  if (!isPath(suggestion)) return ''
  const rest = target[bare.length] === '?' ? ' Put what follows the "?" into "query".' : ''
  return ` Did you mean ${quote(suggestion)}?${rest}`
}

const expectedText = expecting(
  'a string, a number, true (any), false (none), or a matcher such as expect.stringContaining("x")',
)

function findNoText(fields: object): Mistake | undefined {
  for (const [name, value] of Object.entries(fields))
    if (
      value !== undefined &&
      !['string', 'number', 'bigint', 'boolean'].includes(typeof value) &&
      !isAsymmetric(value)
    )
      return {
        path: [name],
        message: expectedText.error({ input: value }),
      }
  return undefined
}

/** Returns whether a value is a name, or says whether there is one. */
function isNamed(value: unknown): boolean {
  return typeof value === 'boolean' || (typeof value === 'string' && value !== '')
}

function isStatus(value: unknown): boolean {
  if (typeof value === 'string') return /^[1-5]xx$/i.test(value)
  return value === 0 || (Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599)
}

const deepest = 100

/** Finds what no JSON can equal in an expected body. */
function findOdd(value: unknown, path: string[] = []): Mistake | undefined {
  if (path.length > deepest) return { message: `nested deeper than ${deepest} levels` }
  if (isOdd(value)) {
    const received = value instanceof RegExp ? String(value) : showValue(value)
    const message = `expected JSON, or a matcher such as expect.any(String), received ${received}`
    return { path, message }
  }
  if (typeof value !== 'object' || value === null || isAsymmetric(value)) return undefined
  for (const [name, part] of Object.entries(value)) {
    const odd = findOdd(part, [...path, name])
    if (odd) return odd
  }
  return undefined
}

function isOdd(value: unknown): boolean {
  if (typeof value !== 'object')
    return typeof value === 'function' || typeof value === 'symbol' || Number.isNaN(value)
  if (value === null || Array.isArray(value) || isAsymmetric(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype !== null && Object.getPrototypeOf(prototype) !== null
}

/** The fields that select requests, at every door: each reads its own form into these. */
const requestSchemas: SchemasOf<RequestQuery> = {
  operation: custom('the id of an operation, such as "plants.create"', isNamed),
  status: custom(
    'a status: a class such as "4xx", a whole number from 100 to 599, or 0 for a request that got no reply',
    isStatus,
  ),
  errors: flag,
  violations: flag,
  scenario: custom('the name of a scenario, such as "slow"', isNamed),
  search: shortText('some words', () => true),
  method,
  path,
  headers: withCheck(
    object('an object of headers by name, such as { "X-Name": "value", "X-Other": true }'),
    findNoText,
  ),
  query: withCheck(
    object('an object of query parameters by name, such as { limit: 3, cursor: true }'),
    findNoText,
  ),
  body: withCheck(z.unknown(), findOdd),
  key: z.custom(
    isNamed,
    expecting('a key, such as "key_pro", or its fingerprint', { isSecret: true }),
  ),
  account: custom('the id of an account, such as "acct_pro"', isNamed),
}

/** The form of a question of any door, once it is read. */
export const requestQuery = section({
  ...requestSchemas,
  limit: wholeNumber('a whole number, 0 or more', 0, Infinity),
})

const matcherQuery = section({
  times: z.unknown(),
  ...requestSchemas,
})

const violationQuerySchemas = {
  operation: requestSchemas.operation,
  ignore: list('a list of rules, such as ["missing-key"]', text('a rule')),
}

export interface KnownOperations {
  readonly operations: readonly string[]
  readonly missing?: string
}

/** @param matcher the one that the user called. */
export function checkJournalQuery(
  query: LimitedQuery,
  known: KnownOperations,
  matcher?: string,
): void {
  const call = matcher ?? 'journal.calls'
  checkArgument(call, '', query, matcher === undefined ? requestQuery : matcherQuery)
  assertNamed(call, missingOperation(query.operation, known))
}

export function checkViolationQuery(query: ViolationFilter, known: KnownOperations): void {
  checkOptions('journal.violations', query, violationQuerySchemas)
  assertNamed('journal.violations', missingOperation(query.operation, known))
  const unknown = query.ignore?.find((rule) => !violationRules.includes(rule))
  if (unknown !== undefined)
    assertNamed(
      'journal.violations',
      describeProblem(`there is no rule ${quote(unknown)}`, unknown, violationRules),
    )
}

/** A typo in a name must not read as "it was never called". @param missing what says so */
export function assertNamed(call: string, missing: string | undefined): void {
  if (missing !== undefined)
    throw codedError('GREENHOUSE_UNKNOWN_NAME', `Failed to call ${call}(): ${missing}`)
}

export function missingOperation(
  operation: RequestQuery['operation'],
  { operations, missing = '' }: KnownOperations,
): string | undefined {
  if (typeof operation !== 'string' || operations.includes(operation)) return undefined
  const hint = suggest(operation, operations) || ' "npx greenhouse-mock routes" lists them.'
  return `there is no operation ${quote(operation)}.${hint}${missing}`
}
