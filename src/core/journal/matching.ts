// The panel's page contains this file: the same filter gives the same requests in code, in the
// control API and in the panel.
import { type ExpectedText, fitsText, toComparison } from '../contract/expected.ts'
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

type StatusClass = `${1 | 2 | 3 | 4 | 5}xx`

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
  readonly operation?: ExpectedText
  readonly key?: ExpectedText
  readonly assumption?: string
}

export interface Difference {
  readonly part: Exclude<keyof EntryFilter, 'headers'> | 'header'
  readonly at: readonly string[]
  readonly expected: unknown
  actual(view: EntryView): unknown
}

/** Returns what is not as expected in one part of an entry, `max` differences at most. */
type FindDifferences = (view: EntryView, max: number) => readonly Difference[]

/** The most differences of an entry in one part of it, such as its body. */
const maxInPart = 20

/** An entry matches, or not; it is `unsure` if it may, but lacks a part to compare. */
type MatchResult = 'yes' | 'no' | 'unsure'

/** A filter that is made once for all entries. */
export class Matcher {
  readonly #checks: readonly PartCheck[]

  constructor(filter: EntryFilter) {
    this.#checks = toChecks(filter)
  }

  test(view: EntryView): MatchResult {
    let match: MatchResult = 'yes'
    for (const { needs, findDifferences } of this.#checks)
      if (needs !== undefined && view.lacks(needs)) match = 'unsure'
      else if (findDifferences(view, 1).length > 0) return 'no'
    return match
  }

  /** Returns what differs, the most important first. */
  differences(view: EntryView): Difference[] {
    const known = this.#checks.filter(({ needs }) => needs === undefined || !view.lacks(needs))
    return known.flatMap(({ findDifferences }) => findDifferences(view, maxInPart))
  }
}

/** One field of a filter, with the part of an entry that it needs. */
interface PartCheck {
  readonly needs: EntryPart | undefined
  readonly findDifferences: FindDifferences
}

function toChecks(filter: EntryFilter): PartCheck[] {
  // A method is shown as it is compared.
  const wanted = {
    ...filter,
    method: filter.method?.toUpperCase(),
  }
  const names = Object.keys(comparisons) as (keyof EntryFilter)[]
  return names.flatMap((name) => {
    const expected = wanted[name]
    if (expected === undefined) return []
    const findDifferences = (comparisons[name] as Comparison<unknown>)(expected)
    return [{ needs: neededParts[name], findDifferences }]
  })
}

/** The parts that the journal may lack, by the fields that need them. */
const neededParts: { readonly [Name in keyof EntryFilter]?: EntryPart } = {
  key: 'headers',
  headers: 'headers',
  body: 'body',
}

type Comparison<Expected> = (expected: Expected) => FindDifferences

/** How each field of a filter is compared: the most important first, what is costly last. */
const comparisons: {
  readonly [Name in keyof EntryFilter]-?: Comparison<NonNullable<EntryFilter[Name]>>
} = {
  operation: compare('operation', ({ operation }) => operation, toTextTest),
  method: compare('method', ({ method }) => method, toEqualityTest),
  path: compare('path', ({ path }) => path, toPathTest),
  status: compare('status', ({ status }) => status, toStatusTest),
  account: compare('account', ({ account }) => account, toTextTest),
  key: compare('key', ({ key }) => key, toKeyTest),
  headers: compareByName('header', ({ headers }, name) => toTexts(headers[name.toLowerCase()])),
  query: compareByName('query', ({ search }, name) => new URLSearchParams(search).getAll(name)),
  body(body) {
    const findMismatches = toComparison(body)
    return (view, max) =>
      findMismatches(view.body(), max).map(({ at, expected }) => ({
        part: 'body',
        at,
        expected,
        actual: (shown) => valueAt(shown.body(), at),
      }))
  },
  errors: compare('errors', ({ status }) => isError(status), toEqualityTest),
  scenario: compare('scenario', ({ scenarios }) => scenarios, toTextTest),
  assumption: compare('assumption', ({ assumptions }) => assumptions, toTextTest),
  search: compare('search', (view) => view.text(), toWordsTest),
  violations: compare('violations', ({ hasViolations }) => hasViolations, toEqualityTest),
}

/**
 * Compares one value of an entry. @param actual returns the value, for a message, too. @param toTest
 * returns the test of the value; it is made once for all entries.
 */
function compare<Actual, Expected>(
  part: Difference['part'],
  actual: (view: EntryView) => Actual,
  toTest: (expected: Expected) => (actual: Actual, view: EntryView) => boolean,
): Comparison<Expected> {
  return (expected) => {
    const fits = toTest(expected)
    const different = [{ part, at: [], expected, actual }]
    return (view) => (fits(actual(view), view) ? [] : different)
  }
}

/** Compares texts by name, of which one may have several. */
function compareByName(
  part: 'header' | 'query',
  textsOf: (view: EntryView, name: string) => readonly string[],
): Comparison<Readonly<Record<string, ExpectedText>>> {
  return (fields) => {
    const compared = Object.entries(givenOf(fields)).map(([name, expected]) => ({
      part,
      at: [name],
      expected,
      actual(view: EntryView) {
        const texts = textsOf(view, name)
        return texts.length > 1 ? texts : texts[0]
      },
    }))
    return (view) => compared.filter(({ actual, expected }) => !fitsText(actual(view), expected))
  }
}

function toTextTest(expected: ExpectedText): (actual: unknown) => boolean {
  return (actual) => fitsText(actual, expected)
}

function toEqualityTest(expected: unknown): (actual: unknown) => boolean {
  return (actual) => actual === expected
}

function toStatusTest(wanted: number | StatusClass): (status: number) => boolean {
  return (status) => isStatusOf(status, wanted)
}

function toKeyTest(expected: ExpectedText) {
  return (key: string | undefined, view: EntryView): boolean => {
    if (typeof expected === 'string') return view.hasKey(expected)
    return fitsText(key, expected)
  }
}

function toWordsTest(expected: string): (text: string) => boolean {
  const words = expected.toLowerCase().split(/\s/)
  return (text) => words.every((word) => text.includes(word))
}

export function hasStatus(status: number, { status: wanted, errors }: EntryFilter): boolean {
  if (errors !== undefined && isError(status) !== errors) return false
  return wanted === undefined || isStatusOf(status, wanted)
}

/** Returns whether a status is the wanted one, or one of the wanted class, such as `4xx`. */
function isStatusOf(status: number, wanted: number | StatusClass): boolean {
  const text = String(wanted).toLowerCase()
  return text === String(status) || text === `${Math.floor(status / 100)}xx`
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
