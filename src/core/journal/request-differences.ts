import { toSecret } from '../accounts/accounts.ts'
import { isObject } from '../contract/options.ts'
import { parseTrustedJson } from '../http/json.ts'
import { decodeWherePossible } from '../http/urls.ts'
import { toText } from '../http/reply.ts'
import { headerOf, splitTarget } from '../http/request.ts'
import { hide, redact, scanHeader } from '../secrets/redact.ts'
import { type SecretFinder, toFingerprint } from '../secrets/secret-finder.ts'
import { withoutWorld } from '../secrets/secret-spans.ts'
import { fitsChildren, valueAt } from '../text/values.ts'
import { type JournalEntry, toEntry } from './journal-entry.ts'
import { bodyCap, type JournalRecord } from './journal-record.ts'
import { type ExpectedText, isAsymmetric, type RequestQuery, showExpected } from './request-query.ts'

export interface ComparedQuery extends RequestQuery {
  readonly operation?: string | undefined
  readonly status?: number | undefined
}

export interface Difference {
  readonly part: 'operation' | 'method' | 'path' | 'status' | 'key' | 'account' | 'header' | 'query' | 'body'
  /** The name of the header or parameter; for a body, the path to the value. */
  readonly at: readonly string[]
  readonly expected: unknown
  actual(view: RequestView): unknown
}

export interface Compared {
  readonly differences: readonly Difference[]
  /** Whether nothing differs, but a part to compare was not stored. */
  readonly isUndecided: boolean
}

export function isMatching({ differences, isUndecided }: Compared): boolean {
  return differences.length === 0 && !isUndecided
}

const maxInBody = 20

export function createComparison(query: ComparedQuery, max = Infinity): (view: RequestView) => Compared {
  const { operation, status, method, path, headers = {}, query: parameters = {}, body, key, account } = query
  const isPath = path === undefined ? undefined : toPathTest(path)
  const checks: ((view: RequestView) => Difference[] | 'missing')[] = []
  const simple = (
    part: Difference['part'],
    at: readonly string[],
    expected: unknown,
    actual: Difference['actual'],
    fits: (view: RequestView) => boolean,
    needs?: 'path' | 'headers',
  ) =>
    checks.push((view) => {
      if (needs !== undefined && view.lacks(needs)) return 'missing'
      return fits(view) ? [] : [{ part, at, expected, actual }]
    })
  const field = (part: 'operation' | 'method' | 'status' | 'account', expected: string | number | undefined) => {
    const actual = (view: RequestView) => view[part]
    if (expected !== undefined) simple(part, [], expected, actual, (view) => actual(view) === expected)
  }
  field('operation', operation)
  field('method', method?.toUpperCase())
  if (isPath) {
    const actual = (view: RequestView) => view.path
    simple('path', [], path, actual, (view) => isPath(view.path), 'path')
  }
  field('status', status)
  field('account', account)
  if (key !== undefined) {
    const bare = withoutWorld(key)
    const wanted = [bare, toFingerprint(bare)]
    const hasSent = (view: RequestView) => view.keys.some((sent) => wanted.includes(sent))
    simple('key', [], key, (view) => view.keys[0], hasSent, 'headers')
  }
  for (const [name, expected] of definedOf(headers)) {
    const actual = ({ headers: sent }: RequestView) => {
      const value = sent[name.toLowerCase()]
      return typeof value === 'string' ? value : value?.join(', ')
    }
    const fits = (view: RequestView) => fitsText(textsOf(actual(view), view.headers[name.toLowerCase()]), expected)
    simple('header', [name], expected, actual, fits, 'headers')
  }
  for (const [name, expected] of definedOf(parameters)) {
    const all = ({ search }: RequestView) => new URLSearchParams(search).getAll(name)
    const actual = (view: RequestView) => (all(view).length > 1 ? all(view) : all(view)[0])
    simple('query', [name], expected, actual, (view) => fitsText(all(view), expected), 'path')
  }
  if (body !== undefined)
    checks.push((view) => {
      if (view.lacks('body')) return 'missing'
      const found: Difference[] = []
      compareBody(view.body(), body, [], found, Math.min(max, maxInBody))
      return found
    })
  return (view) => {
    const differences: Difference[] = []
    let isMissing = false
    for (const check of checks) {
      const found = check(view)
      if (found === 'missing') isMissing = true
      else differences.push(...found)
      if (differences.length >= max) break
    }
    return { differences, isUndecided: isMissing && differences.length === 0 }
  }
}

function definedOf<T>(fields: Readonly<Record<string, T>>): (readonly [name: string, expected: T])[] {
  return Object.entries(fields).filter(([, expected]) => expected !== undefined)
}

function textsOf(whole: string | undefined, value: string | readonly string[] | undefined): readonly string[] {
  return whole === undefined ? [] : typeof value === 'string' ? [whole] : [whole, ...value!]
}

function fitsText(texts: readonly string[], expected: ExpectedText): boolean {
  if (typeof expected === 'boolean') return texts.length > 0 === expected
  if (!isAsymmetric(expected)) return texts.includes(String(expected))
  return texts.length === 0 ? expected.asymmetricMatch(undefined) : texts.some((text) => expected.asymmetricMatch(text))
}

/** Adds the differences of a value. Compares only the expected fields of an object, but every item of a list. */
function compareBody(
  actual: unknown,
  expected: unknown,
  at: readonly string[],
  found: Difference[],
  max: number,
): void {
  if (found.length >= max) return
  const differ = () => found.push({ part: 'body', at, expected, actual: (view) => valueAt(view.body(), at) })
  if (isAsymmetric(expected)) {
    if (!expected.asymmetricMatch(actual)) differ()
  } else if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) differ()
    else
      for (const [index, item] of expected.entries())
        compareBody(actual[index], item, [...at, String(index)], found, max)
  } else if (typeof expected === 'object' && expected !== null) {
    if (!isObject(actual)) differ()
    else
      for (const [name, part] of Object.entries(expected))
        compareBody(Object.hasOwn(actual, name) ? actual[name] : undefined, part, [...at, name], found, max)
  } else if (!isSame(actual, expected)) differ()
}

/** A 64-bit integer in a body is a number when that is exact, otherwise a bigint. In a query it may be either. */
function isSame(one: unknown, other: unknown): boolean {
  const areNumbers = [one, other].every((value) => typeof value === 'number' || typeof value === 'bigint')
  return areNumbers ? String(one) === String(other) : one === other
}

/** `*` matches any characters but `/`, `{app_id}` and `:app_id` any segment, `**` any number of segments. */
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

/** Matches the segments after a `**` from the left. If they do not match, the last `**` takes one more segment. */
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

interface NearEntry {
  readonly entry: JournalEntry
  /** `body/name: expected "Fern", got "Ferm"`, the most important first. */
  readonly differences: readonly string[]
}

export interface EntryComparison {
  readonly matching: readonly number[]
  readonly first: readonly JournalEntry[]
  /** The ids of entries that may match: the journal has dropped parts of them. */
  readonly undecided: readonly number[]
  readonly nearest: readonly NearEntry[]
  readonly total: number
}

const weights: Readonly<Record<Difference['part'], number>> = {
  operation: 100,
  path: 60,
  method: 40,
  key: 5,
  account: 5,
  status: 5,
  header: 4,
  query: 4,
  body: 1,
}

const maxDescribed = 8

export function compareEntries(records: readonly JournalRecord[], query: ComparedQuery, max: number): EntryComparison {
  const compare = createComparison(query)
  const matching: number[] = []
  const first: JournalRecord[] = []
  const undecided: number[] = []
  let near: { record: JournalRecord; differences: readonly Difference[]; distance: number }[] = []
  for (const record of records) {
    const compared = compare(toView(record))
    if (isMatching(compared)) {
      matching.push(record.id)
      if (first.length < max) first.push(record)
    } else if (compared.isUndecided) undecided.push(record.id)
    else {
      const distance = compared.differences.reduce((sum, { part }) => sum + weights[part], 0)
      // Of two equally near entries, the newer one comes first.
      near = [{ record, differences: compared.differences, distance }, ...near]
        .sort((one, other) => one.distance - other.distance)
        .slice(0, max)
    }
  }
  return {
    matching,
    first: first.map(toEntry),
    undecided,
    nearest: near.map(({ record, differences }) => toNearEntry(record, differences)),
    total: records.length,
  }
}

function toNearEntry(record: JournalRecord, differences: readonly Difference[]): NearEntry {
  const entry = toEntry(record)
  const view = toShownView(entry)
  const finders = record.journal.secretFinders()
  // If the operation, the path or the method differs, the other differences say nothing.
  const decisive = differences.filter(({ part }) => weights[part] >= weights.method)
  const listed = decisive.length > 0 ? decisive : differences
  const described = listed.slice(0, maxDescribed).map((difference) => {
    const { expected, actual } = difference
    const show = (value: unknown) => describe(value, difference, finders)
    return `${nameOf(difference)}: expected ${show(expected)}, got ${show(actual(view))}`
  })
  const more = listed.length - described.length
  return { entry, differences: more > 0 ? [...described, `and ${more} more`] : described }
}

function nameOf({ part, at }: Difference): string {
  if (part === 'body') return ['body', ...at.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'))].join('/')
  return at.length === 0 ? part : `${part} ${at[0]}`
}

function describe(value: unknown, { part, at }: Difference, finders: readonly SecretFinder[]): string {
  const isText = part === 'header' || part === 'query'
  if (isText && typeof value === 'boolean') return value ? 'any' : 'none'
  if (value === undefined)
    return part === 'operation' ? 'no operation' : isText || part === 'account' ? 'none' : 'nothing'
  if (['operation', 'method', 'path', 'status', 'account'].includes(part))
    return showExpected(value, (text) => redact(text, finders)).replaceAll('"', '')
  const name = part === 'key' ? 'authorization' : part === 'header' ? at[0]! : undefined
  return showExpected(value, (text) =>
    name === undefined ? redact(text, finders) : hide(scanHeader(name, text), finders),
  )
}

export interface RequestView {
  readonly operation: string | undefined
  readonly account: string | undefined
  readonly status: number
  readonly method: string
  /** The path, without the world's prefix. */
  readonly path: string
  readonly search: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly keys: readonly string[]
  body(): unknown
  lacks(part: 'path' | 'headers' | 'body'): boolean
}

export function toView(record: JournalRecord): RequestView {
  const { operation, account, method, path, search, headers, body, omitted, world, isTooLarge } = record
  return {
    operation,
    account,
    status: record.reply.status,
    method,
    path: withoutPrefix(path, world),
    search,
    headers,
    get keys() {
      const secret = toSecret(headerOf(record, 'authorization'))
      if (secret === undefined) return []
      const key = withoutWorld(secret)
      return [key, toFingerprint(key)]
    },
    body: () => (body === undefined ? undefined : parse(toText(body))),
    lacks(part) {
      if (part === 'path') return omitted?.includes('request.url') ?? false
      if (part === 'headers') return omitted?.includes('request.headers') ?? false
      return isTooLarge || (omitted?.includes('request.body') ?? false) || (body?.length ?? 0) > bodyCap
    },
  }
}

export function toShownView({ operation, account, world, request, response, omitted }: JournalEntry): RequestView {
  const [path, search] = splitTarget(request.url)
  return {
    operation,
    account,
    status: response.status,
    method: request.method,
    path: withoutPrefix(path, world),
    search,
    headers: request.headers,
    get keys() {
      const secret = toSecret(request.headers['authorization'])
      return secret === undefined ? [] : [withoutWorld(secret)]
    },
    body: () => (request.body === undefined ? undefined : parse(request.body)),
    lacks: (part) => omitted?.includes(part === 'path' ? 'request.url' : `request.${part}`) ?? false,
  }
}

function withoutPrefix(path: string, world: string): string {
  const prefix = `/~${world}`
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
}

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return parseTrustedJson(text)
  } catch {
    return text
  }
}
