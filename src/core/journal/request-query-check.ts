import { checkArgument, object, text, type RulesFor } from '../definitions/options.ts'
import { quote } from '../definitions/quote.ts'
import { showValue } from '../definitions/shown-value.ts'
import { suggest } from '../definitions/suggest.ts'
import { isAsymmetric } from './expected.ts'
import type { RequestQuery } from './request-query.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']

const longestPath = 2_000

/** The most segments of a pattern: each is compared with each segment of a path, and a path can have thousands. */
const maxSteps = 20

export const requestRules: RulesFor<RequestQuery> = {
  method: text('an HTTP method, such as "POST"', (method) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}$/.test(method)),
  path: text('a path from the root of the service, such as "/v1/apps" or "/v1/apps/*"', () => true),
  headers: object('an object of headers by name, such as { "X-Name": "value", "X-Other": true }'),
  query: object('an object of query parameters by name, such as { limit: 3, cursor: true }'),
  body: { takes: 'JSON', accepts: () => true },
  key: { ...text('a key, such as "key_pro", or its fingerprint'), isSecret: true },
  account: text('the id of an account, such as "acct_pro"'),
}

export function checkRequestQuery(call: string, { method, path, headers, query, body }: RequestQuery): void {
  if (method !== undefined && !methods.includes(method.toUpperCase())) {
    const suggestion = suggest(method.toUpperCase(), methods)
    if (suggestion) throw new RangeError(`Failed to call ${call}(): there is no method ${quote(method)}.${suggestion}`)
  }
  if (path !== undefined && !isPath(path))
    throw new RangeError(
      `Failed to call ${call}(): the option "path" takes ${requestRules.path.takes}; ${quote(path)} was given.${suggestPath(path)}`,
    )
  if (path?.includes('*') && path.split('/').length - 1 > maxSteps)
    throw new RangeError(
      `Failed to call ${call}(): the option "path" takes a pattern of at most ${maxSteps} segments; ${quote(path)} was given.`,
    )
  for (const [name, fields] of [
    ['headers', headers],
    ['query', query],
  ] as const)
    for (const [field, expected] of Object.entries(fields ?? {}))
      checkArgument(call, `the option "${name}.${field}"`, expected, expectedText)
  if (body !== undefined) checkBody(call, body, [])
}

function isPath(path: string): boolean {
  return /^[/*]/.test(path) && !path.startsWith('/~') && path.length <= longestPath && !/[?#]/.test(path)
}

/** Suggests the path of a URL, a path with its missing first slash, or one without the world, which no path in the journal has. */
function suggestPath(given: string): string {
  const path = given.replace(/^https?:\/\/[^/?#]*/, '').replace(/^\/~[^/?#]*/, '')
  const end = path.search(/[?#]/)
  const bare = end < 0 ? path : path.slice(0, end)
  const suggestion = /^[/*]/.test(bare) ? bare : `/${bare}`
  const rest = path[end] === '?' ? ' Put what follows the "?" into "query".' : ''
  return isPath(suggestion) ? ` Did you mean ${quote(suggestion)}?${rest}` : ''
}

const expectedText = {
  takes: 'a string, a number, true (any), false (none), or a matcher such as expect.stringContaining("x")',
  accepts: (value: unknown) =>
    value === undefined || ['string', 'number', 'bigint', 'boolean'].includes(typeof value) || isAsymmetric(value),
}

const deepest = 100

function checkBody(call: string, value: unknown, at: readonly string[]): void {
  const fail = () => {
    throw new TypeError(
      `Failed to call ${call}(): the option ${quote(['body', ...at].join('.'))} takes JSON, or a matcher such as expect.any(String); ${value instanceof RegExp ? String(value) : showValue(value)} was given.`,
    )
  }
  if (['function', 'symbol'].includes(typeof value) || Number.isNaN(value)) fail()
  if (typeof value !== 'object' || value === null || isAsymmetric(value)) return
  if (at.length > deepest)
    throw new RangeError(`Failed to call ${call}(): the option "body" is nested deeper than ${deepest} levels.`)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (!Array.isArray(value) && prototype !== null && Object.getPrototypeOf(prototype) !== null) fail()
  for (const [name, part] of Object.entries(value)) checkBody(call, part, [...at, name])
}
