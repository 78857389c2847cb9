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
  type SchemasOf,
  shortText,
  text,
  wholeNumber,
} from '../store/options.ts'
import { describeProblem, quote, shorten, showValue, suggest } from '../text/messages.ts'
import { type AsymmetricMatcher, isAsymmetric } from '../contract/expected.ts'
import type { CoreJournalQuery, CoreViolationQuery, RequestQuery } from './matching.ts'
import { violationRules } from './violation.ts'

const longest = 300

export function showExpected(
  value: unknown,
  show: (text: string) => string = (text) => text,
): string {
  if (value === undefined) return 'nothing'
  const text = typeof value === 'string' ? JSON.stringify(show(value)) : show(write(value))
  return shorten(text, longest)
}

function write(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? String(value)
  if (isAsymmetric(value)) return showMatcher(value)
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  const fields = Object.entries(value).map(
    ([name, part]) => `${JSON.stringify(name)}:${write(part)}`,
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
    return `${name} ${sample instanceof RegExp ? String(sample) : write(sample)}`
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

const expectedPath = 'a path from the root of the service, such as "/v1/apps" or "/v1/apps/*"'

const requestSchemas: SchemasOf<RequestQuery> = {
  method: text('an HTTP method, such as "POST"', (method) =>
    /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}$/.test(method),
  ),
  path: shortText(expectedPath, () => true),
  headers: object('an object of headers by name, such as { "X-Name": "value", "X-Other": true }'),
  query: object('an object of query parameters by name, such as { limit: 3, cursor: true }'),
  body: z.unknown(),
  key: shortText('a key, such as "key_pro", or its fingerprint', undefined, { isSecret: true }),
  account: shortText('the id of an account, such as "acct_pro"'),
}

export function checkRequestQuery(
  call: string,
  { method, path, headers, query, body }: RequestQuery,
): void {
  if (method !== undefined && !methods.includes(method.toUpperCase())) {
    const suggestion = suggest(method.toUpperCase(), methods)
    if (suggestion)
      throw codedError(
        'GREENHOUSE_INVALID_VALUE',
        `Failed to call ${call}(): there is no method ${quote(method)}.${suggestion}`,
      )
  }
  if (path !== undefined && !isPath(path))
    throw codedError(
      'GREENHOUSE_INVALID_VALUE',
      `Failed to call ${call}(): path: expected ${expectedPath}, received ${quote(path)}.${suggestPath(path)}`,
    )
  if (path?.includes('*') && path.split('/').length - 1 > maxSteps)
    throw codedError(
      'GREENHOUSE_INVALID_VALUE',
      `Failed to call ${call}(): path: expected a pattern of at most ${maxSteps} segments, received ${quote(path)}.`,
    )
  for (const [name, fields] of [
    ['headers', headers],
    ['query', query],
  ] as const)
    for (const [field, expected] of Object.entries(fields ?? {}))
      checkArgument(call, `${name}.${field}`, expected, expectedText)
  if (body !== undefined) checkBody(call, body, [])
}

function isPath(path: string): boolean {
  return /^[/*]/.test(path) && !path.startsWith('/~') && !/[?#]/.test(path)
}

/**
 * Suggests the path of a URL, a path with its missing first slash, or one without the world, which
 * no path in the journal has.
 */
function suggestPath(given: string): string {
  const path = given.replace(/^https?:\/\/[^/?#]*/, '').replace(/^\/~[^/?#]*/, '')
  const end = path.search(/[?#]/)
  const bare = end < 0 ? path : path.slice(0, end)
  const suggestion = /^[/*]/.test(bare) ? bare : `/${bare}`
  const rest = path[end] === '?' ? ' Put what follows the "?" into "query".' : ''
  return isPath(suggestion) ? ` Did you mean ${quote(suggestion)}?${rest}` : ''
}

const expectedText = custom(
  'a string, a number, true (any), false (none), or a matcher such as expect.stringContaining("x")',
  (value) =>
    value === undefined ||
    ['string', 'number', 'bigint', 'boolean'].includes(typeof value) ||
    isAsymmetric(value),
)

const deepest = 100

function checkBody(call: string, value: unknown, at: readonly string[]): void {
  const fail = () => {
    throw codedError(
      'GREENHOUSE_INVALID_ARGUMENT',
      `Failed to call ${call}(): ${['body', ...at].join('.')}: expected JSON, or a matcher such as expect.any(String), received ${value instanceof RegExp ? String(value) : showValue(value)}.`,
    )
  }
  if (['function', 'symbol'].includes(typeof value) || Number.isNaN(value)) fail()
  if (typeof value !== 'object' || value === null || isAsymmetric(value)) return
  if (at.length > deepest)
    throw codedError(
      'GREENHOUSE_INVALID_VALUE',
      `Failed to call ${call}(): body: nested deeper than ${deepest} levels.`,
    )
  const prototype: unknown = Object.getPrototypeOf(value)
  if (!Array.isArray(value) && prototype !== null && Object.getPrototypeOf(prototype) !== null)
    fail()
  for (const [name, part] of Object.entries(value)) checkBody(call, part, [...at, name])
}

const expectingStatus = expecting(
  'a status: a whole number from 100 to 599, or 0 for a request that got no reply',
)
const operation = shortText('the id of an operation, such as "plants.create"', () => true)

const status = z.int(expectingStatus).check(
  z.lte(599, expectingStatus),
  z.refine((value) => value === 0 || value >= 100, expectingStatus),
)

const schemas = {
  operation,
  status,
  limit: wholeNumber('a whole number, 0 or more', 0, Infinity),
  violations: flag,
  ...requestSchemas,
}

const { limit: _limit, violations: _violations, ...comparedSchemas } = schemas

const matcherSchemas = { times: z.unknown(), ...comparedSchemas }

const violationQuerySchemas = {
  operation,
  ignore: list('a list of rules, such as ["missing-key"]', text('a rule')),
}

export interface KnownOperations {
  readonly operations: readonly string[]
  readonly missing?: string
}

/**
 * A typo in a query must not read as "it was never called". @param matcher the one that the user
 * called.
 */
export function checkJournalQuery(
  query: CoreJournalQuery,
  known: KnownOperations,
  matcher?: string,
): void {
  const call = matcher ?? 'journal.calls'
  checkOptions(call, query, matcher === undefined ? schemas : matcherSchemas)
  checkOperation(call, query.operation, known)
  checkRequestQuery(call, query)
}

export function checkViolationQuery(query: CoreViolationQuery, known: KnownOperations): void {
  checkOptions('journal.violations', query, violationQuerySchemas)
  checkOperation('journal.violations', query.operation, known)
  const unknown = query.ignore?.find((rule) => !violationRules.includes(rule))
  if (unknown !== undefined)
    throw codedError(
      'GREENHOUSE_UNKNOWN_NAME',
      `Failed to call journal.violations(): ${describeProblem(`there is no rule ${quote(unknown)}`, unknown, violationRules)}`,
    )
}

function checkOperation(
  call: string,
  operation: string | undefined,
  { operations, missing = '' }: KnownOperations,
): void {
  if (operation !== undefined && !operations.includes(operation))
    throw codedError(
      'GREENHOUSE_UNKNOWN_NAME',
      `Failed to call ${call}(): there is no operation ${quote(operation)}.${suggest(operation, operations) || ' "npx greenhouse-mock routes" lists them.'}${missing}`,
    )
}
