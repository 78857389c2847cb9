import { fitsParts } from '../definitions/glob.ts'
import { isObject } from '../definitions/options.ts'
import { valueAt } from '../definitions/value-at.ts'
import { decodeWherePossible } from '../http/percent-encoding.ts'
import { toFingerprint } from '../store/fingerprint.ts'
import { type ExpectedText, isAsymmetric } from './expected.ts'
import type { RequestQuery } from './request-query.ts'
import type { RequestView } from './request-view.ts'
import { withoutWorld } from './secret-places.ts'

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

export function createComparison(query: ComparedQuery, most = Infinity): (view: RequestView) => Compared {
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
    simple(
      'key',
      [],
      key,
      (view) => view.keys[0],
      (view) => view.keys.some((sent) => wanted.includes(sent)),
      'headers',
    )
  }
  for (const [name, expected] of definedOf(headers)) {
    const actual = ({ headers: sent }: RequestView) => {
      const value = sent[name.toLowerCase()]
      return typeof value === 'string' ? value : value?.join(', ')
    }
    simple(
      'header',
      [name],
      expected,
      actual,
      (view) => fitsText(toTexts(actual(view), view.headers[name.toLowerCase()]), expected),
      'headers',
    )
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
      compareBody(view.body(), body, [], found, Math.min(most, maxInBody))
      return found
    })
  return (view) => {
    const differences: Difference[] = []
    let isMissing = false
    for (const check of checks) {
      const found = check(view)
      if (found === 'missing') isMissing = true
      else differences.push(...found)
      if (differences.length >= most) break
    }
    return { differences, isUndecided: isMissing && differences.length === 0 }
  }
}

function definedOf<T>(fields: Readonly<Record<string, T>>): (readonly [name: string, expected: T])[] {
  return Object.entries(fields).filter(([, expected]) => expected !== undefined)
}

function toTexts(whole: string | undefined, value: string | readonly string[] | undefined): readonly string[] {
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
  most: number,
): void {
  if (found.length >= most) return
  const differ = () => found.push({ part: 'body', at, expected, actual: (view) => valueAt(view.body(), at) })
  if (isAsymmetric(expected)) {
    if (!expected.asymmetricMatch(actual)) differ()
  } else if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) differ()
    else
      for (const [index, item] of expected.entries())
        compareBody(actual[index], item, [...at, String(index)], found, most)
  } else if (typeof expected === 'object' && expected !== null) {
    if (!isObject(actual)) differ()
    else
      for (const [name, part] of Object.entries(expected))
        compareBody(Object.hasOwn(actual, name) ? actual[name] : undefined, part, [...at, name], found, most)
  } else if (!isSame(actual, expected)) differ()
}

/** A 64-bit integer in a body is a number when that is exact, otherwise a bigint. In a query it may be either. */
function isSame(one: unknown, other: unknown): boolean {
  const areNumbers = [one, other].every((value) => typeof value === 'number' || typeof value === 'bigint')
  return areNumbers ? String(one) === String(other) : one === other
}

/**
 * Returns a predicate for a path or a pattern. In a pattern, `*` matches any characters but `/`, the segments
 * `{app_id}` and `:app_id` match any segment, and the segment `**` matches any number of segments.
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
    } else if (step !== undefined && fitsParts(path[at]!, step)) {
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
