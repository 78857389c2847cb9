// The panel's page contains this file: the same filter gives the same requests in code, in the
// control API and in the panel.
import { isObject } from '../contract/options.ts'
import { parseTrustedJson } from '../http/json.ts'
import { splitTarget } from '../http/request.ts'
import { decodeWherePossible } from '../http/urls.ts'
import { fitsChildren, valueAt } from '../text/values.ts'
import type { EntryOutline, JournalEntry } from './journal-entry.ts'
import type { ViolationRule } from './violation.ts'

/** The requests to find, by what was sent; all conditions must hold. */
export interface RequestQuery {
  /** The method, in upper or lower case. */
  method?: string | undefined
  /**
   * The path from the root of the service, without the world: `/v1/apps`. Patterns work: `*`
   * matches any characters except `/`, a segment such as `{app_id}` or `:id` matches one segment,
   * and `**` any number of segments: `/v1/apps/*`.
   */
  path?: string | undefined
  /**
   * Headers by name, in any case. Expect a value, `true` for any value, `false` for no such header,
   * or a matcher such as `expect.stringContaining('x')`.
   */
  headers?: Readonly<Record<string, ExpectedText>> | undefined
  /** Query parameters by name, with the same values as `headers`. */
  query?: Readonly<Record<string, ExpectedText>> | undefined
  /**
   * What the JSON body contains. Objects may have more fields than you give; lists must match item
   * by item. `undefined` matches an absent field. 64-bit integers are compared exactly, and
   * matchers such as `expect.any(String)` can stand anywhere. A body that is not JSON is compared
   * as text.
   */
  body?: unknown
  /** The key as the client sent it, without `@world`, or its fingerprint. */
  key?: string | undefined
  /**
   * The id of the account that the key belongs to: `acct_pro`. Expired keys and keys without the
   * needed scope count too.
   */
  account?: string | undefined
}

export interface CoreJournalQuery extends RequestQuery {
  operation?: string | undefined
  /** The reply's status. */
  status?: number | undefined
  /** The most entries to return: the newest ones. */
  limit?: number | undefined
  /** `true`: only requests that break the contract. `false`: only requests that keep it. */
  violations?: boolean | undefined
}

export interface CoreViolationQuery {
  operation?: string | undefined
  /** Rules to ignore. */
  ignore?: readonly ViolationRule[] | undefined
}

/** A matcher of Vitest, Jest or Playwright: `expect.objectContaining({ name: 'Fern' })`. */
export interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean
}

/**
 * The expected value of a header or query parameter: its text, `true` for any value, `false` for
 * absent, or a matcher.
 */
export type ExpectedText = string | number | bigint | boolean | AsymmetricMatcher

export function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { asymmetricMatch?: unknown }).asymmetricMatch === 'function'
  )
}

export interface EntryFilter extends RequestQuery {
  readonly operation?: string | undefined
  /** `404`, or a class of statuses: `4xx`. */
  readonly status?: number | string | undefined
  readonly errors?: boolean | undefined
  readonly violations?: boolean | undefined
  /** A scenario that changed the reply; `*` for any. */
  readonly scenario?: string | undefined
  readonly assumption?: string | undefined
  /** Words that the text of the entry contains, in any case. */
  readonly search?: string | undefined
}

export interface EntryView {
  readonly operation: string | undefined
  readonly account: string | undefined
  readonly status: number
  readonly method: string
  /** The path, without the world's prefix. */
  readonly path: string
  readonly search: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly key: string | undefined
  readonly scenarios: readonly string[]
  readonly assumptions: readonly string[]
  readonly hasViolations: boolean
  text(): string
  hasKey(key: string): boolean
  body(): unknown
  /** Whether the journal did not keep this part, or the reader did not get it. */
  lacks(part: EntryPart): boolean
}

export type EntryPart = 'headers' | 'body'

export interface Difference {
  readonly part: Exclude<keyof EntryFilter, 'headers'> | 'header'
  readonly at: readonly string[]
  readonly expected: unknown
  actual(view: EntryView): unknown
}

interface Check {
  readonly needs?: EntryPart | undefined
  find(view: EntryView, max: number): readonly Difference[]
}

const maxInBody = 20

export class Matcher {
  readonly #checks: readonly Check[]

  constructor(filter: EntryFilter) {
    this.#checks = [...toChecks(filter)]
  }

  /** Whether an entry matches; `undefined` if it may, but lacks a part to compare. */
  test(view: EntryView): boolean | undefined {
    let result: true | undefined = true
    for (const { needs, find } of this.#checks)
      if (needs !== undefined && view.lacks(needs)) result = undefined
      else if (find(view, 1).length > 0) return false
    return result
  }

  /** Returns what differs, the most important first. */
  differences(view: EntryView): Difference[] {
    const known = this.#checks.filter(({ needs }) => needs === undefined || !view.lacks(needs))
    return known.flatMap(({ find }) => find(view, maxInBody))
  }
}

function* toChecks(filter: EntryFilter): Generator<Check> {
  const { operation, method, path, status, account, key, headers, query, body } = filter
  const { errors, scenario, assumption, search, violations } = filter
  if (operation !== undefined) yield toCheck('operation', operation, (view) => view.operation)
  if (method !== undefined) yield toCheck('method', method.toUpperCase(), (view) => view.method)
  if (path !== undefined) {
    const isPath = toPathTest(path)
    yield toCheck('path', path, (view) => view.path, { fits: (view) => isPath(view.path) })
  }
  if (status !== undefined)
    yield toCheck('status', status, (view) => view.status, {
      fits: (view) => hasStatus(view.status, { status }),
    })
  if (account !== undefined) yield toCheck('account', account, (view) => view.account)
  if (key !== undefined)
    yield toCheck('key', key, (view) => view.key, {
      fits: (view) => view.hasKey(key),
      needs: 'headers',
    })
  for (const [name, expected] of definedOf(headers)) {
    const textsOf = (view: EntryView) => toTexts(view.headers[name.toLowerCase()])
    const fits = (view: EntryView) => fitsText(textsOf(view), expected)
    yield toCheck('header', expected, (view) => textsOf(view)[0], {
      at: [name],
      fits,
      needs: 'headers',
    })
  }
  for (const [name, expected] of definedOf(query)) {
    const all = ({ search }: EntryView) => new URLSearchParams(search).getAll(name)
    const actual = (view: EntryView) => (all(view).length > 1 ? all(view) : all(view)[0])
    yield toCheck('query', expected, actual, {
      at: [name],
      fits: (view) => fitsText(all(view), expected),
    })
  }
  if (body !== undefined)
    yield { needs: 'body', find: (view, max) => compareBody(view.body(), body, [], [], max) }
  // What is costly to find comes last.
  if (errors !== undefined) yield toCheck('errors', errors, ({ status }) => isError(status))
  if (scenario !== undefined) {
    const fits = ({ scenarios }: EntryView) =>
      scenario === '*' ? scenarios.length > 0 : scenarios.includes(scenario)
    yield toCheck('scenario', scenario, (view) => view.scenarios, { fits })
  }
  if (assumption !== undefined)
    yield toCheck('assumption', assumption, (view) => view.assumptions, {
      fits: ({ assumptions }) => assumptions.includes(assumption),
    })
  if (search !== undefined) {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean)
    const fits = (view: EntryView) => {
      const text = view.text()
      return words.every((word) => text.includes(word))
    }
    if (words.length > 0) yield toCheck('search', search, (view) => view.text(), { fits })
  }
  if (violations !== undefined)
    yield toCheck('violations', violations, (view) => view.hasViolations)
}

interface CheckOptions {
  readonly at?: readonly string[]
  readonly needs?: EntryPart
  readonly fits?: (view: EntryView) => boolean
}

const none: readonly Difference[] = []

function toCheck(
  part: Difference['part'],
  expected: unknown,
  actual: Difference['actual'],
  { at = [], needs, fits = (view) => actual(view) === expected }: CheckOptions = {},
): Check {
  const difference = [{ part, at, expected, actual }]
  return { needs, find: (view) => (fits(view) ? none : difference) }
}

export function hasStatus(
  status: number,
  { status: wanted, errors }: Pick<EntryFilter, 'status' | 'errors'>,
): boolean {
  if (errors !== undefined && isError(status) !== errors) return false
  if (typeof wanted === 'string' && wanted.endsWith('xx'))
    return Math.floor(status / 100) === Number(wanted[0])
  return wanted === undefined || status === Number(wanted)
}

function isError(status: number): boolean {
  return status === 0 || status >= 400
}

type ReadEntry = EntryOutline &
  Partial<Pick<JournalEntry, 'cut'>> & { readonly request: Partial<JournalEntry['request']> }

/** Returns the view of an entry as readers get it, whole or in outline. It compares no keys. */
export function toEntryView(entry: ReadEntry): EntryView {
  const {
    operation,
    account,
    world,
    request,
    response,
    scenarios,
    assumptions,
    violations,
    cut = [],
  } = entry
  const { headers, body } = request
  const [path, search] = splitTarget(request.url)
  return {
    operation,
    account,
    status: response.status,
    method: request.method,
    path: withoutPrefix(path, world),
    search,
    headers: headers ?? {},
    key: undefined,
    scenarios,
    assumptions,
    hasViolations: violations !== undefined,
    text: () => toSearchText(entry),
    hasKey: () => false,
    body: () => parseSentBody(body),
    lacks: (part) => headers === undefined || cut.includes(`request.${part}`),
  }
}

export function parseSentBody(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined
  try {
    return parseTrustedJson(text)
  } catch {
    return text
  }
}

export function describeCutEntry(id: number): string {
  return `The journal can't tell whether this was ever called: the request ${id} was too large to be kept in full. Query fewer fields, such as only the operation.`
}

export function withoutPrefix(path: string, world: string): string {
  const prefix = `/~${world}`
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
}

type SearchedEntry = Pick<
  EntryOutline,
  'request' | 'response' | 'operation' | 'scenarios' | 'reason'
>

export function toSearchText({
  request,
  response,
  operation,
  scenarios,
  reason,
}: SearchedEntry): string {
  return [request.method, request.url, response.status, operation, ...scenarios, reason]
    .join(' ')
    .toLowerCase()
}

function definedOf<T>(
  fields: Readonly<Record<string, T>> = {},
): (readonly [name: string, expected: T])[] {
  return Object.entries(fields).filter(([, expected]) => expected !== undefined)
}

/** Returns the texts that a header matches: of a list, all of it and each item. */
function toTexts(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return []
  return typeof value === 'string' ? [value] : [value.join(', '), ...value]
}

function fitsText(texts: readonly string[], expected: ExpectedText): boolean {
  if (typeof expected === 'boolean') return texts.length > 0 === expected
  if (!isAsymmetric(expected)) return texts.includes(String(expected))
  return texts.length === 0
    ? expected.asymmetricMatch(undefined)
    : texts.some((text) => expected.asymmetricMatch(text))
}

/**
 * Adds the differences of a value. Compares only the expected fields of an object, but every item
 * of a list.
 */
function compareBody(
  actual: unknown,
  expected: unknown,
  at: readonly string[],
  found: Difference[],
  max: number,
): readonly Difference[] {
  if (found.length >= max) return found
  const compareParts = (parts: Iterable<readonly [PropertyKey, unknown]>) => {
    for (const [name, part] of parts)
      compareBody(valueAt(actual, [name]), part, [...at, String(name)], found, max)
  }
  if (Array.isArray(expected) && Array.isArray(actual) && actual.length === expected.length)
    compareParts(expected.entries())
  else if (isObject(expected) && !isAsymmetric(expected) && isObject(actual))
    compareParts(Object.entries(expected))
  else if (!fitsValue(actual, expected))
    found.push({ part: 'body', at, expected, actual: (view) => valueAt(view.body(), at) })
  return found
}

/**
 * A 64-bit integer in a body is a number when that is exact, otherwise a bigint. In a query it may
 * be either.
 */
function fitsValue(actual: unknown, expected: unknown): boolean {
  if (isAsymmetric(expected)) return expected.asymmetricMatch(actual)
  const areNumbers = [actual, expected].every(
    (value) => typeof value === 'number' || typeof value === 'bigint',
  )
  return areNumbers ? String(actual) === String(expected) : actual === expected
}

/**
 * `*` matches any characters but `/`, `{app_id}` and `:app_id` any segment, `**` any number of
 * segments.
 */
function toPathTest(pattern: string): (path: string) => boolean {
  const steps = pattern.split('/').map(toStep)
  if (steps.every((step) => step !== anySteps && step.length === 1))
    return (path) => path === pattern || decodeWherePossible(path) === pattern
  return (path) => fits(path.split('/'), steps) || fits(decodeWherePossible(path).split('/'), steps)
}

type Step = readonly string[] | typeof anySteps

const anySteps = Symbol('any steps')

function toStep(text: string): Step {
  if (text === '**') return anySteps
  return /^(:\w+|\{\w+\})$/.test(text) ? ['', ''] : text.split('*')
}

/**
 * Matches the segments after a `**` from the left. If they do not match, the last `**` takes one
 * more segment.
 */
function fits(path: readonly string[], steps: readonly Step[]): boolean {
  let at = 0
  let index = 0
  let open: { readonly index: number; at: number } | undefined
  while (at < path.length) {
    const step = steps[index]
    if (step === anySteps) {
      open = { index, at }
      index++
    } else if (step !== undefined && fitsChildren(path[at]!, step)) {
      at++
      index++
    } else if (open) {
      at = ++open.at
      index = open.index + 1
    } else return false
  }
  while (steps[index] === anySteps) index++
  return index === steps.length
}
