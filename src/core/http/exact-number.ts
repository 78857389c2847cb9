/** A number with a fraction whose closest double is an integer: `9007199254740991.4`. */
export class Fraction {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toJSON(): number {
    return Number(this.#text)
  }

  toString(): string {
    return this.#text
  }
}

/**
 * The most digits of an integer with a fraction or an exponent to keep exact: those of the largest int64. Plain
 * integers may have one character more, for a sign.
 */
const maxDigits = 19

/**
 * Converts a JSON number exactly. An integer, even one written with a zero fraction or an exponent, becomes a number if that is exact,
 * otherwise a bigint. Beyond 19 digits, or 20 characters in plain notation, it becomes a double. A fraction becomes the closest double, or
 * a `Fraction` if that double is an integer. Takes time linear in the text's length, whatever the number's size.
 */
export function toExactNumber(text: string): number | bigint | Fraction {
  const double = Number(text)
  if (!Number.isInteger(double)) return double
  if (isPlainInteger.test(text))
    return Number.isSafeInteger(double) || text.length > maxDigits + 1 ? double : BigInt(text)
  const { digits, power } = toDecimal(text)
  if (digits === '') return double
  if (power < 0) return new Fraction(text)
  if (digits.length + power > maxDigits) return double
  const integer = BigInt(digits) * 10n ** BigInt(power)
  if (integer <= Number.MAX_SAFE_INTEGER) return double
  return text.startsWith('-') ? -integer : integer
}

export function isOutOfRange(text: string): boolean {
  const size = Math.abs(Number(text))
  return size === Infinity || (size < leastDouble && /^[^eE]*[1-9]/.test(text))
}

const leastDouble = 2.3e-308

const isPlainInteger = /^-?\d+$/

/** Splits a number into digits without zeros at either end, and a power of ten. The sign is dropped; 0 has no digits. */
function toDecimal(text: string): { digits: string; power: number } {
  const [signed, exponent = 0] = text.split(/e/i)
  const mantissa = signed!.replace(/[+-]/, '')
  const point = mantissa.indexOf('.')
  const all = point < 0 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1)
  let start = 0
  while (start < all.length && all.charCodeAt(start) === zero) start++
  let end = all.length
  while (end > start && all.charCodeAt(end - 1) === zero) end--
  const decimals = point < 0 ? 0 : mantissa.length - point - 1
  return { digits: all.slice(start, end), power: Number(exponent) - decimals + (all.length - end) }
}

const zero = 48
