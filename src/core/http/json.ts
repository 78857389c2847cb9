import { isOutOfRange, toExactNumber } from './exact-number.ts'
import {
  filledIn,
  findLongNumbers,
  isEmpty,
  mayHoldLongNumbers,
  nothingLong,
  withPlaceholders,
} from './long-numbers.ts'

const deepest = 100

/** The most values in a JSON text, lists and objects included. Parsing so many takes a few hundredths of a second. */
const maxValues = 50_000

const longestInteger = 20

/**
 * Refused JSON text: not JSON, nested deeper than 100, too many values or fields, an integer of more than 20
 * characters, or a number beyond doubles.
 */
export class JsonError extends Error {
  override name = 'JsonError'
}

/**
 * Parses JSON and keeps numbers exact: an integer, in any notation, becomes a number if that is exact, otherwise a
 * bigint; a fraction never becomes an integer. `__proto__` is an ordinary name, and the last of equal names wins, as in
 * `JSON.parse`. @param maxFields the most fields of all objects together; a field costs as much as several values of a
 * list. @throws JsonError
 */
export function parseJson(text: string, maxFields = maxValues): unknown {
  assertWithinLimits(text, maxFields)
  return parseOwnJson(text)
}

/** Parses JSON of any size that Greenhouse itself wrote. @throws JsonError */
export function parseOwnJson(text: string): unknown {
  const found = mayHoldLongNumbers.test(text) ? findLongNumbers(text) : nothingLong
  if (isEmpty(found)) return parse(text)
  const value = parse(withPlaceholders(text, found))
  if (found.isOutOfRange) throw outOfRange()
  return filledIn(value, found.tokens.map(toValue))
}

/** Serializes a value as JSON, with bigints as exact integers. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    // JSON.stringify is several times faster, and only bigints in our data make it throw.
    if (error instanceof TypeError) return write(value) ?? 'null'
    throw error
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new JsonError('The body is not valid JSON.')
  }
}

function toValue(token: string): unknown {
  if (token.length > longestInteger && /^-?\d+$/.test(token))
    throw new JsonError(`The body holds an integer of more than ${longestInteger} characters.`)
  if (isOutOfRange(token)) throw outOfRange()
  return toExactNumber(token)
}

function outOfRange(): JsonError {
  return new JsonError('The body holds a number that is too large or too small for a double.')
}

/** Serializes like `JSON.stringify`, but also bigints. Returns `undefined` for values that JSON cannot express. */
function write(value: unknown): string | undefined {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) as string | undefined
  if ('toJSON' in value) return JSON.stringify(value)
  return Array.isArray(value) ? writeList(value) : writeFields(value as Readonly<Record<string, unknown>>)
}

function writeList(list: readonly unknown[]): string {
  let text = '['
  for (let index = 0; index < list.length; index++) text += (index === 0 ? '' : ',') + (write(list[index]) ?? 'null')
  return text + ']'
}

function writeFields(fields: Readonly<Record<string, unknown>>): string {
  let text = '{'
  for (const name of Object.keys(fields)) {
    const field = write(fields[name])
    if (field !== undefined) text += (text.length === 1 ? '' : ',') + JSON.stringify(name) + ':' + field
  }
  return text + '}'
}

/** Refuses text with too many levels, values or fields before it is parsed. May accept text that is not JSON. */
function assertWithinLimits(text: string, maxFields: number): void {
  if (text.length <= deepest) return
  let depth = 0
  let values = 1
  let fields = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 92 /* \ */) index++
      else if (code === 34 /* " */) inString = false
    } else if (code === 34) inString = true
    else if (code === 123 /* { */ || code === 91 /* [ */) {
      if (++depth > deepest) throw new JsonError(`The body is nested deeper than ${deepest} levels.`)
      values++
    } else if (code === 125 /* } */ || code === 93 /* ] */) depth--
    else if (code === 44 /* , */) values++
    else if (code === 58 /* : */) fields++
  }
  if (fields > maxFields) throw new JsonError(`The body holds more than ${maxFields} fields.`)
  if (values > maxValues) throw new JsonError(`The body holds more than ${maxValues} values.`)
}
