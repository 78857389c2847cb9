import type { GreenhouseErrorCode } from '../text/error-codes.ts'
import type { Fields } from '../text/values.ts'

const deepest = 100

/**
 * The most values in a JSON text, lists and objects included. Parsing so many takes a few
 * hundredths of a second.
 */
const maxValues = 50_000

const longestInteger = 20

export class JsonError extends Error {
  readonly code: GreenhouseErrorCode = 'GREENHOUSE_INVALID_JSON'
}

/** A text that is too deep or too long; it may be JSON. */
export class JsonLimitError extends JsonError {}

/**
 * Parses JSON and keeps numbers exact: an integer, in any notation, becomes a number if that is
 * exact, otherwise a bigint; a fraction never becomes an integer. `__proto__` is an ordinary name,
 * and the last of equal names wins, as in `JSON.parse`. @param maxFields the most fields of all
 * objects together; a field costs as much as several values of a list. @throws JsonError
 */
export function parseJson(text: string, maxFields = maxValues): unknown {
  assertWithinLimits(text, maxFields)
  return parseTrustedJson(text)
}

/** Parses JSON of another service, with numbers of any size. @throws JsonError */
export function parseForeignJson(text: string): unknown {
  assertWithinLimits(text, maxValues)
  return parseTrustedJson(text, toForeignValue)
}

/**
 * Parses JSON that anybody may have written. Returns `other` for a text that is none, or is too
 * deep or too long.
 */
export function parseJsonOr(text: string, other: unknown): unknown {
  try {
    return parseForeignJson(text)
  } catch {
    return other
  }
}

/** Parses JSON that Greenhouse wrote, or that a person keeps in a file, of any size. */
export function parseTrustedJson(
  text: string,
  toNumber: (token: string) => unknown = toTokenValue,
): unknown {
  if (!mayHoldLongNumbers.test(text)) return parsePlainJson(text)
  const long: string[] = []
  const value = parsePlainJson(withPlaceholders(text, long))
  return filledIn(value, long.map(toNumber))
}

/** Parses JSON of any origin, a body that a client sent among them; `undefined` for another text. */
export function parseAnyJson(text: string): unknown {
  for (const read of [parseTrustedJson, JSON.parse])
    try {
      return read(text)
    } catch {
      // Numbers beyond what Greenhouse accepts are left to JSON.parse.
    }
  return undefined
}

export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    // JSON.stringify is several times faster, and only bigints in our data make it throw.
    if (error instanceof TypeError) return write(value) as string
    throw error
  }
}

function parsePlainJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new JsonError('The body is not valid JSON.')
  }
}

function toTokenValue(token: string): unknown {
  if (token.length > longestInteger && /^-?\d+$/.test(token))
    throw new JsonError(`The body holds an integer of more than ${longestInteger} characters.`)
  if (isBeyondDouble(token))
    throw new JsonError('The body holds a number that is too large or too small for a double.')
  return toExactNumber(token)
}

/** A number that neither a double nor an int64 holds. It is written as it was read. */
class ForeignNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): never {
    throw new TypeError('Only write() knows how to write it.')
  }
}

function toForeignValue(token: string): unknown {
  try {
    return toTokenValue(token)
  } catch {
    return new ForeignNumber(token)
  }
}

/**
 * Serializes parsed JSON so that equal values give the same text: the order of members does not
 * matter, `1.0` is `1`, and integers are exact.
 */
export function toCanonicalJson(value: unknown): string {
  return write(value, true) as string
}

function write(value: unknown, isCanonical = false): string | undefined {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null)
    return JSON.stringify(value) as string | undefined
  // The double that is closest to a fraction may be an integer.
  if (value instanceof Fraction) return `${value.toJSON()}${isCanonical ? '.x' : ''}`
  if (value instanceof ForeignNumber) return value.text
  if (Array.isArray(value))
    return `[${value.map((item) => write(item, isCanonical) ?? 'null').join()}]`
  const fields = value as Fields
  if (typeof fields['toJSON'] === 'function') return JSON.stringify(value)
  const names = isCanonical ? Object.keys(fields).sort() : Object.keys(fields)
  const written = names.flatMap((name) => {
    const text = write(fields[name], isCanonical)
    if (text === undefined) return []
    return `${JSON.stringify(name)}:${text}`
  })
  return `{${written.join()}}`
}

/**
 * Refuses text with too many levels, values or fields before it is parsed. May accept text that is
 * not JSON.
 */
function assertWithinLimits(text: string, maxFields: number): void {
  // Most bodies are short, and reading each of their characters once more would cost them.
  if (text.length <= deepest) return
  let depth = 0
  let values = 1
  let fields = 0
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 34 /* " */:
        index = endOfString(text, index)
        break
      case 123 /* { */:
      case 91 /* [ */:
        values++
        depth++
        break
      case 125 /* } */:
      case 93 /* ] */:
        depth--
        break
      case 44 /* , */:
        values++
        break
      case 58 /* : */:
        fields++
    }
    if (depth > deepest)
      throw new JsonLimitError(`The body is nested deeper than ${deepest} levels.`)
  }
  if (fields > maxFields) throw new JsonLimitError(`The body holds more than ${maxFields} fields.`)
  if (values > maxValues) throw new JsonLimitError(`The body holds more than ${maxValues} values.`)
}

/** Returns where the string that starts at an index ends: at its closing quotation mark. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 34 /* " */) return index
    if (code === 92 /* \ */) index++
  }
  return text.length
}

/**
 * 16 digits in a row, or an exponent. It begins where digits begin: a search from each takes twice
 * as long.
 */
const mayHoldLongNumbers = /(?:^|[^\d.])\d[\d.]{15}|\d[eE]/

const keptDigits = 15

/** A short number whose exponent is at most this size is always within the range of doubles. */
const farExponent = 290

/**
 * Placeholders are multiples of this: smaller than any accepted number, and exact up to a hundred
 * million of them.
 */
const placeholderUnit = 1e-316

const inJson = /\\[^]|"|-?\d[\d.eE+-]*/g

/** Replaces the numbers that `JSON.parse` might change, and adds them to `long`. */
function withPlaceholders(text: string, long: string[]): string {
  let inString = false
  return text.replace(inJson, (found) => {
    if (found === '"') inString = !inString
    if (inString || !isLong(found)) return found
    return `${long.push(found)}e-316`
  })
}

function isLong(token: string): boolean {
  const [, whole, decimals = '', power = 0] =
    /^-?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? []
  if (whole === undefined) return false
  const exponent = Number(power)
  return (
    whole.length + decimals.length + Math.max(0, exponent) > keptDigits ||
    Math.abs(exponent) > farExponent
  )
}

function filledIn(value: unknown, numbers: readonly unknown[]): unknown {
  if (typeof value === 'number') {
    if (value > 0 && value < leastDouble) return numbers[Math.round(value / placeholderUnit) - 1]
    return value
  }
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++)
      value[index] = filledIn(value[index], numbers)
    return value
  }
  const fields = value as Record<string, unknown>
  // JSON.parse makes even `__proto__` an own field.
  for (const name in fields) fields[name] = filledIn(fields[name], numbers)
  return fields
}

/** A number with a fraction whose closest double is an integer: `9007199254740991.4`. */
export class Fraction {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toJSON(): number {
    return Number(this.#text)
  }
}

/** The digits of the largest int64. Plain integers may have one character more, for a sign. */
const maxDigits = 19

/**
 * Converts a JSON number exactly. An integer, even one written with a zero fraction or an exponent,
 * becomes a number if that is exact, otherwise a bigint. Beyond 19 digits, or 20 characters in
 * plain notation, it becomes a double. A fraction becomes the closest double, or a `Fraction` if
 * that double is an integer. Takes time linear in the text's length, whatever the number's size.
 */
export function toExactNumber(text: string): number | bigint | Fraction {
  const double = Number(text)
  if (!Number.isInteger(double)) return double
  if (isPlainInteger.test(text)) {
    if (Number.isSafeInteger(double) || text.length > maxDigits + 1) return double
    return BigInt(text)
  }
  const { digits, power } = toDecimal(text)
  if (digits === '') return double
  if (power < 0) return new Fraction(text)
  if (digits.length + power > maxDigits) return double
  const integer = BigInt(digits) * 10n ** BigInt(power)
  if (integer <= Number.MAX_SAFE_INTEGER) return double
  return text.startsWith('-') ? -integer : integer
}

function isBeyondDouble(text: string): boolean {
  const size = Math.abs(Number(text))
  return size === Infinity || (size < leastDouble && /^[^eE]*[1-9]/.test(text))
}

const leastDouble = 2.3e-308

const isPlainInteger = /^-?\d+$/

/**
 * Splits a number into digits without zeros at either end, and a power of ten. The sign is dropped;
 * 0 has no digits.
 */
function toDecimal(text: string): {
  digits: string
  power: number
} {
  const [mantissa = '', exponent = 0] = text.split(/e/i)
  const [whole = '', decimals = ''] = mantissa.replace(/[+-]/, '').split('.')
  const all = whole + decimals
  let start = 0
  while (all.charCodeAt(start) === zero) start++
  let end = all.length
  while (all.charCodeAt(end - 1) === zero) end--
  const power = Number(exponent) - decimals.length + (all.length - end)
  return {
    digits: all.slice(start, end),
    power,
  }
}

const zero = 48
