import { isOutOfRange } from './exact-number.ts'

/** The numbers in a JSON text that `JSON.parse` would change. */
export interface LongNumbers {
  readonly places: readonly number[]
  readonly tokens: readonly string[]
  /** Whether the text has a short number with an exponent that may be an integer no double holds exactly: `1e16`. */
  readonly hasLargeExponent: boolean
  readonly isOutOfRange: boolean
}

export const nothingLong: LongNumbers = { places: [], tokens: [], hasLargeExponent: false, isOutOfRange: false }

export function isEmpty(found: LongNumbers): boolean {
  return found.tokens.length === 0 && !found.hasLargeExponent && !found.isOutOfRange
}

/**
 * Matches every text that holds such a number: 16 digits in a row, possibly with a point, or an exponent. It begins where a
 * row of digits does: a search from each digit takes twice as long.
 */
export const mayHoldLongNumbers = /(?:^|[^\d.])\d[\d.]{15}|\d[eE]/

const keptDigits = 15

/** A short number whose exponent is at most this size is always within the range of doubles. */
const farExponent = 290

/** Placeholders are multiples of this: smaller than any accepted number, and exact up to a hundred million of them. */
const placeholderUnit = 1e-316
const largestPlaceholder = 2.3e-308

const tooLarge = 1e19

export function findLongNumbers(text: string): LongNumbers {
  const places: number[] = []
  const tokens: string[] = []
  let hasLargeExponent = false
  let isBeyond = false
  for (let index = 0; index < text.length;) {
    const code = text.charCodeAt(index)
    if (code === 34 /* " */) index = endOfString(text, index + 1)
    else if (code === 45 /* - */ || isDigit(code)) {
      const { end, digits, exponent } = readNumber(text, index)
      if (digits > keptDigits) {
        places.push(index, end)
        tokens.push(text.slice(index, end))
      } else if (digits + exponent > keptDigits) hasLargeExponent = true
      if (Math.abs(exponent) > farExponent && digits <= keptDigits) isBeyond ||= isOutOfRange(text.slice(index, end))
      index = end
    } else index++
  }
  return { places, tokens, hasLargeExponent, isOutOfRange: isBeyond }
}

export function withPlaceholders(text: string, { places }: LongNumbers): string {
  let result = ''
  let from = 0
  for (let index = 0; index < places.length; index += 2) {
    result += text.slice(from, places[index])
    result += index / 2 + 1
    result += 'e-316'
    from = places[index + 1]!
  }
  return result + text.slice(from)
}

export function filledIn(value: unknown, numbers: readonly unknown[]): unknown {
  if (typeof value === 'number') return isExact(value) ? value : toNumber(value, numbers)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index]
      if (typeof item === 'number') {
        if (!isExact(item)) value[index] = toNumber(item, numbers)
      } else filledIn(item, numbers)
    }
    return value
  }
  const fields = value as Record<string, unknown>
  for (const name in fields) {
    const field = fields[name]
    if (typeof field === 'number') {
      // JSON.parse makes even `__proto__` an own field.
      if (!isExact(field)) fields[name] = toNumber(field, numbers)
    } else filledIn(field, numbers)
  }
  return fields
}

function isExact(value: number): boolean {
  return (
    value === 0 ||
    (value >= largestPlaceholder && value <= Number.MAX_SAFE_INTEGER) ||
    (value < 0 && value >= -Number.MAX_SAFE_INTEGER)
  )
}

function toNumber(value: number, numbers: readonly unknown[]): unknown {
  if (Math.abs(value) < 1) return numbers[Math.round(value / placeholderUnit) - 1]
  // The source had at most 15 digits and an exponent. String prints exactly these digits, then zeros.
  return Math.abs(value) < tooLarge ? BigInt(String(value)) : value
}

/** Returns the index after a string's closing quote. @param index right after its opening quote. */
function endOfString(text: string, index: number): number {
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 34 /* " */) return index + 1
    if (code === 92 /* \ */) index++
  }
  return index
}

/** Reads a number. `digits` is 0 if it is not a JSON number. */
function readNumber(text: string, start: number): { end: number; digits: number; exponent: number } {
  const firstDigit = text.charCodeAt(start) === 45 /* - */ ? start + 1 : start
  let end = endOfDigits(text, firstDigit)
  let digits = end - firstDigit
  let isValid = digits > 0 && (digits === 1 || text.charCodeAt(firstDigit) !== 48) /* 0 */
  if (text.charCodeAt(end) === 46 /* . */) {
    const first = end + 1
    end = endOfDigits(text, first)
    isValid &&= end > first
    digits += end - first
  }
  let exponent = 0
  if ((text.charCodeAt(end) | 32) === 101 /* e */) {
    const sign = text.charCodeAt(end + 1)
    const first = sign === 43 /* + */ || sign === 45 /* - */ ? end + 2 : end + 1
    end = endOfDigits(text, first)
    isValid &&= end > first
    exponent = readExponent(text, first, end) * (sign === 45 /* - */ ? -1 : 1)
  }
  return isValid ? { end, digits, exponent } : { end, digits: 0, exponent: 0 }
}

function readExponent(text: string, start: number, end: number): number {
  let exponent = 0
  for (let index = start; index < end && exponent < 1_000; index++)
    exponent = exponent * 10 + text.charCodeAt(index) - 48
  return exponent
}

function endOfDigits(text: string, index: number): number {
  while (isDigit(text.charCodeAt(index))) index++
  return index
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}
