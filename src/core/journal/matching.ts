// The panel's page contains this file: the same filter gives the same requests in code, in the
// control API and in the panel.
import { type ExpectedText, fitsText, type Mismatch, toComparison } from '../contract/expected.ts'
import { givenOf } from '../contract/options.ts'
import { valueAt } from '../text/values.ts'
import type { EntryPart, EntryView } from './entry-view.ts'
import { toPathTest } from './path-pattern.ts'
import type { ViolationRule } from './violation.ts'

/** The requests to find; all conditions must hold. */
export interface RequestQuery {
  /** An operation; `true` for any, `false` for a request that no operation has. */
  operation?: string | boolean | undefined
  /** The reply's status, 0 for none, or a class of statuses: `404`, `'4xx'`. */
  status?: number | StatusClass | undefined
  /** `true`: only replies with a status from 400, or without a reply. `false`: only the others. */
  errors?: boolean | undefined
  /** `true`: only requests that break the contract. `false`: only requests that keep it. */
  violations?: boolean | undefined
  /** A scenario that changed the reply; `true` for any, `false` for none. */
  scenario?: string | boolean | undefined
  /** Words that the method, the URL, the status, the scenarios and the reason have, in any case. */
  search?: string | undefined
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
  /** The key as the client sent it, without `@world`, or its fingerprint; `true` or `false`, too. */
  key?: string | boolean | undefined
  /**
   * The id of the account that the key belongs to: `acct_pro`; `true` or `false`, too. Expired keys
   * and keys without the needed scope count.
   */
  account?: string | boolean | undefined
}

export type StatusClass = `${1 | 2 | 3 | 4 | 5}xx`

export interface LimitedQuery extends RequestQuery {
  /** The most entries to return: the newest ones. */
  limit?: number | undefined
}

export interface ViolationFilter {
  operation?: string | undefined
  /** Rules to ignore. */
  ignore?: readonly ViolationRule[] | undefined
}

/** The panel also selects by an assumption, and by a part of an operation or a key. */
export interface EntryFilter extends Omit<RequestQuery, 'operation' | 'key'> {
  readonly operation?: ExpectedText | undefined
  readonly key?: ExpectedText | undefined
  readonly assumption?: string | undefined
}

export interface Difference {
  readonly part: Exclude<keyof EntryFilter, 'headers'> | 'header'
  readonly at: readonly string[]
  readonly expected: unknown
  actual(view: EntryView): unknown
}

interface PartCheck {
  readonly needs?: EntryPart | undefined
  find(view: EntryView, max: number): readonly Difference[]
}

const maxInBody = 20

export class Matcher {
  readonly #checks: readonly PartCheck[]

  constructor(filter: EntryFilter) {
    this.#checks = toPartChecks(filter)
  }

  /** Returns whether an entry matches; `undefined` if it may, but lacks a part to compare. */
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

type ToChecks<Expected> = (expected: Expected) => readonly PartCheck[]

/** Compares a field that has a name, or several of which one is enough. */
function compareNames(
  part: Difference['part'],
  actual: (view: EntryView) => unknown,
): ToChecks<ExpectedText> {
  return (expected) => [
    toCheck({
      part,
      expected,
      actual,
      fits: (view) => fitsText(actual(view), expected),
    }),
  ]
}

/** Compares a field whose expected value has another form than what an entry has. */
function compareWhole<Expected>(
  part: keyof EntryFilter & Difference['part'],
  fits: (view: EntryView, expected: Expected) => boolean,
): ToChecks<Expected> {
  return (expected) => [toCheck({ part, expected, fits: (view) => fits(view, expected) })]
}

/** Compares texts by name, of which one may have several. */
function compareTextsByName(
  part: 'header' | 'query',
  textsOf: (view: EntryView, name: string) => readonly string[],
  needs?: EntryPart,
): ToChecks<Readonly<Record<string, ExpectedText>>> {
  return (fields) =>
    Object.entries(givenOf(fields)).map(([name, expected]) =>
      toCheck({
        part,
        at: [name],
        expected,
        needs,
        actual(view) {
          const texts = textsOf(view, name)
          return texts.length > 1 ? texts : texts[0]
        },
        fits: (view) => fitsText(textsOf(view, name), expected),
      }),
    )
}

/** How each field of a filter is compared: the most important first, what is costly last. */
const comparisons: {
  readonly [Name in keyof EntryFilter]-?: ToChecks<NonNullable<EntryFilter[Name]>>
} = {
  operation: compareNames('operation', ({ operation }) => operation),
  method: (method) => [toCheck({ part: 'method', expected: method.toUpperCase() })],
  path(expected) {
    const isPath = toPathTest(expected)
    return [
      toCheck({
        part: 'path',
        expected,
        fits: ({ path }) => isPath(path),
      }),
    ]
  },
  status: compareWhole('status', (view, status) => hasStatus(view.status, { status })),
  account: compareNames('account', ({ account }) => account),
  key: (expected) => [
    toCheck({
      part: 'key',
      expected,
      needs: 'headers',
      fits: (view) => {
        if (typeof expected === 'string') return view.hasKey(expected)
        return fitsText(view.key, expected)
      },
    }),
  ],
  headers: compareTextsByName(
    'header',
    ({ headers }, name) => toTexts(headers[name.toLowerCase()]),
    'headers',
  ),
  query: compareTextsByName('query', ({ search }, name) =>
    new URLSearchParams(search).getAll(name),
  ),
  body(body) {
    const compare = toComparison(body)
    const toDifference = ({ at, expected }: Mismatch): Difference => ({
      part: 'body',
      at,
      expected,
      actual: (view) => valueAt(view.body(), at),
    })
    return [{ needs: 'body', find: (view, max) => compare(view.body(), max).map(toDifference) }]
  },
  errors: compareWhole('errors', ({ status }, expected) => isError(status) === expected),
  scenario: compareNames('scenario', ({ scenarios }) => scenarios),
  assumption: compareNames('assumption', ({ assumptions }) => assumptions),
  search(expected) {
    const words = expected.toLowerCase().split(/\s+/).filter(Boolean)
    const fits = (view: EntryView) => {
      const text = view.text()
      return words.every((word) => text.includes(word))
    }
    return [toCheck({ part: 'search', expected, fits })]
  },
  violations: compareWhole('violations', (view, expected) => view.hasViolations === expected),
}

function toPartChecks(filter: EntryFilter): PartCheck[] {
  const names = Object.keys(comparisons) as (keyof EntryFilter)[]
  return names.flatMap((name) => {
    const expected = filter[name]
    if (expected === undefined) return []
    return (comparisons[name] as ToChecks<unknown>)(expected)
  })
}

const none: readonly Difference[] = []

interface EntryTest {
  readonly part: Difference['part']
  readonly at?: readonly string[]
  readonly expected: unknown
  readonly needs?: EntryPart | undefined
  /** The value of an entry there, for a message. */
  actual?(view: EntryView): unknown
  fits?(view: EntryView): boolean
}

function toCheck(test: EntryTest): PartCheck {
  const { part, at = [], expected, needs } = test
  const actual = test.actual ?? ((view) => view[part as keyof EntryView])
  const fits = test.fits ?? ((view) => actual(view) === expected)
  const difference = [{ part, at, expected, actual }]
  return { needs, find: (view) => (fits(view) ? none : difference) }
}

export function hasStatus(status: number, { status: wanted, errors }: EntryFilter): boolean {
  if (errors !== undefined && isError(status) !== errors) return false
  if (typeof wanted === 'string' && /xx$/i.test(wanted))
    return Math.floor(status / 100) === Number(wanted[0])
  return wanted === undefined || status === Number(wanted)
}

function isError(status: number): boolean {
  return status === 0 || status >= 400
}

export function describeCutEntry(id: number): string {
  return `The journal can't tell whether this was ever called: the request ${id} was too large to be kept in full. Query fewer fields, such as only the operation.`
}

/** Returns the texts that a header matches: of a list, all of it and each item. */
function toTexts(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return []
  if (typeof value === 'string') return [value]
  return [value.join(', '), ...value]
}
