import * as z from 'zod/mini'
import { codedError } from '../text/error-codes.ts'
import { describeProblem, showReceived, suggest, toList } from '../text/messages.ts'
import { valueAt } from '../text/values.ts'

export type Schema<T = unknown> = z.ZodMiniType<T>

/** The schema of each option of `T`; the compiler reports a missing one. */
export type SchemasOf<T> = { readonly [Name in keyof T]-?: Schema }

type Schemas = Readonly<Record<string, Schema>>

/** @throws TypeError for an unknown option or a wrong type; RangeError for a value out of range. */
export function checkOptions(call: string, given: unknown, schemas: Schemas): void {
  checkArgument(call, '', given, section(schemas))
}

/**
 * The schemas of arguments say by themselves what is wrong (`expecting`), as `describeIssue` repeats
 * it at the other doors: with the words for other schemas, a page's client would have a tenth more.
 * @param name how a message names the argument: `the first argument`
 */
export function checkArgument(call: string, name: string, given: unknown, schema: Schema): void {
  const issue = schema.safeParse(given).error?.issues[0]
  if (!issue) return
  const { code, message } = issue
  const unknown = code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const place = [name, ...issue.path, ...unknown].filter((step) => step !== '').join('.')
  const text = `Failed to call ${call}(): ${toStatement(place, message)}`
  const isInRange = !isOutOfRange(issue, valueAt(given, issue.path))
  throw codedError(isInRange ? 'GREENHOUSE_INVALID_ARGUMENT' : 'GREENHOUSE_INVALID_VALUE', text)
}

/**
 * Returns whether a value has the right type. A number with a fraction is out of range where a
 * whole one is expected.
 */
function isOutOfRange(issue: z.core.$ZodIssue, value: unknown): boolean {
  if (issue.code === 'invalid_union')
    return issue.errors.some(
      ([first]) => first && first.code !== 'invalid_value' && isOutOfRange(first, value),
    )
  if (issue.code === 'invalid_type')
    return typeof value === 'number' && /int|number/.test(issue.expected)
  return typeof value === 'string' || typeof value === 'number'
}

/** `seed: expected a whole number, received "x".` */
export function toStatement(place: string, message: string): string {
  const joint = message.startsWith('is ') ? ' ' : ': '
  return `${place === '' ? '' : place + joint}${message}${/[.?]$/.test(message) ? '' : '.'}`
}

interface RejectedInput {
  readonly input?: unknown
  readonly keys?: unknown
}

/**
 * What a schema says of a value that it refuses, at every door. @param words the end of "expected
 * …"
 */
export function expecting(words: string, { isSecret = false } = {}) {
  return {
    error({ input }: RejectedInput) {
      if (input === undefined) return `is missing: expected ${words}`
      return `expected ${words}, received ${isSecret ? 'something else' : showReceived(input)}`
    },
  }
}

/** One of some words. */
export function oneOf<const Word extends string>(words: readonly Word[]): Schema<Word> {
  const expected = `expected ${toList(words)}`
  return z.enum(words as unknown as readonly [Word], {
    error({ input }: RejectedInput) {
      if (input === undefined) return `is missing: ${expected}`
      if (typeof input === 'string') return `${expected}.${suggest(input, words)}`
      return expected
    },
  })
}

export function text(
  words: string,
  accepts: (value: string) => boolean = (value) => value !== '',
  { isSecret = false } = {},
): Schema<string> {
  const rejection = expecting(words, { isSecret })
  return z.string(rejection).check(z.refine(accepts, rejection))
}

/** The most characters of what people type to find something, at every door. */
const longestTyped = 1_000

export function limitLength(max = longestTyped) {
  // To write a number loads the data of its language, which takes 25 ms: only where it is needed.
  const error = () => `expected at most ${max.toLocaleString('en')} characters`
  return z.refine<string>((typed) => typed.length <= max, { error })
}

export function shortText(...of: Parameters<typeof text>): Schema<string> {
  return text(...of).check(limitLength())
}

export function wholeNumber(
  words: string,
  least: number = Number.MIN_SAFE_INTEGER,
  max: number = Number.MAX_SAFE_INTEGER,
): Schema<number> {
  const rejection = expecting(words)
  const whole = z.int(rejection).check(z.gte(least, rejection))
  if (max === Infinity) return z.union([whole, z.literal(Infinity)], rejection)
  return whole.check(z.lte(max, rejection))
}

export const flag = z.boolean(expecting('true or false'))

export function callback(words: string): Schema {
  return custom(words, (value) => typeof value === 'function')
}

export function custom<T = unknown>(
  words: string,
  accepts: (value: unknown) => boolean,
): Schema<T> {
  return z.custom<T>(accepts, expecting(words))
}

export function object(words: string): Schema<object> {
  return z.looseObject({}, expecting(words))
}

/** A list. Without the schema of an item, its items are checked elsewhere. */
export function list<T = unknown>(
  words: string,
  item: Schema<T> = z.unknown() as Schema<T>,
): Schema<T[]> {
  return z.array(item, expecting(words))
}

/** An object of options, all of which can be left out. */
export function section(schemas: Schemas, words?: string) {
  return withRequired(schemas, [], words)
}

/** An object of options, some of which are required. */
export function withRequired(
  schemas: Schemas,
  required: readonly string[],
  words = `an object of options (${Object.keys(schemas).join(', ')})`,
) {
  const names = Object.keys(schemas)
  const parts = Object.entries(schemas).map(([name, schema]) => [
    name,
    required.includes(name) ? schema : z.optional(schema),
  ])
  return z.strictObject(Object.fromEntries(parts) as Schemas, {
    // A page that has only the client has no schemas to read the names of the options from.
    error({ keys, ...rejected }: RejectedInput) {
      if (!Array.isArray(keys)) return expecting(words).error(rejected)
      return describeProblem('there is no such option', String(keys[0]), names, true)
    },
  })
}
