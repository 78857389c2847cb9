// Code, the control API, the command line and scenario files say what a value has to be. All of
// them are compared here, so that the same words select the same things at every door.
import { valueAt, type Fields } from '../text/values.ts'
import { givenOf } from './options.ts'

/** A matcher of Vitest, Jest or Playwright: `expect.objectContaining({ name: 'Fern' })`. */
export interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean
}

export function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { asymmetricMatch?: unknown }).asymmetricMatch === 'function'
  )
}

export type ValueTest = (value: unknown) => boolean

/** A part of a value that is not as expected. */
interface Mismatch {
  readonly at: readonly string[]
  readonly expected: unknown
}

/** Returns the parts of a value that are not as expected, `max` of them at most. */
type MismatchFinder = (actual: unknown, max: number) => readonly Mismatch[]

const none: readonly Mismatch[] = []

/**
 * Compares only the expected fields of an object, but every item of a list. Functions and matchers
 * may stand anywhere.
 */
export function toComparison(expected: unknown, at: readonly string[] = []): MismatchFinder {
  const mismatch = [{ at, expected }]
  if (typeof expected !== 'object' || expected === null || isAsymmetric(expected))
    return (actual) => {
      if (isAsExpected(actual, expected)) return none
      return mismatch
    }
  const parts = Object.entries(expected).map(([name, part]) => ({
    name,
    compare: toComparison(part, [...at, name]),
  }))
  return (actual, max) => {
    if (!hasForm(actual, expected)) return mismatch
    let found = none
    for (const { name, compare } of parts) {
      if (found.length >= max) break
      const more = compare(Object.hasOwn(actual, name) ? actual[name] : undefined, max)
      if (more.length > 0) found = [...found, ...more].slice(0, max)
    }
    return found
  }
}

function hasForm(actual: unknown, expected: object): actual is Fields {
  if (typeof actual !== 'object' || actual === null) return false
  if (!Array.isArray(expected)) return !Array.isArray(actual)
  return Array.isArray(actual) && actual.length === expected.length
}

function isAsExpected(actual: unknown, expected: unknown): boolean {
  if (typeof expected === 'function') return Boolean(expected(actual))
  if (isAsymmetric(expected)) return expected.asymmetricMatch(actual)
  // A 64-bit integer is a number when that is exact, otherwise a bigint; it may be written as
  // either.
  const areNumbers = [actual, expected].every(
    (value) => typeof value === 'number' || typeof value === 'bigint',
  )
  if (areNumbers) return String(actual) === String(expected)
  return actual === expected
}

export function toTest(expected: unknown): ValueTest {
  const compare = toComparison(expected)
  return (value) => compare(value, 1).length === 0
}

/** Returns a test of the fields that are given: one that is `undefined` asks nothing. */
export function toFilter(fields: object): ValueTest {
  return toTest(givenOf(fields))
}

/** What a text has to be: itself, `true` for any value, `false` for none, or a matcher's. */
export type ExpectedText = string | number | bigint | boolean | AsymmetricMatcher

/** Reads what people type for a text: `*` is any value, and `null` none. */
export function readTyped(typed: string): string | boolean {
  if (typed === '*') return true
  return typed === 'null' ? false : typed
}

/** Writes what `readTyped` reads. */
export function toTyped(expected: string | boolean | undefined): string | undefined {
  if (typeof expected !== 'boolean') return expected
  return expected ? '*' : 'null'
}

/** Compares a value as text. One item of a list is enough; an empty list has no value. */
export function fitsText(value: unknown, expected: ExpectedText): boolean {
  const values = plainValuesOf(value)
  if (typeof expected === 'boolean') return values.length > 0 === expected
  if (isAsymmetric(expected))
    return (values.length > 0 ? values : [undefined]).some((one) => expected.asymmetricMatch(one))
  const text = String(expected)
  return values.some((one) => typeof one !== 'object' && String(one) === text)
}

function plainValuesOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap(plainValuesOf)
  return [value]
}

/** Returns a test of what people type for fields, each of which stands at a path. */
export function toTextTest(
  fields: readonly (readonly [path: readonly string[], typed: string])[],
): ValueTest {
  const expected = fields.map(([path, typed]) => [path, readTyped(typed)] as const)
  return (value) => expected.every(([path, one]) => fitsText(valueAt(value, path), one))
}
