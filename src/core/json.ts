import { parse, stringify } from 'lossless-json'

const deepest = 100
const longestInteger = 20

/** JSON text that is not acceptable: not JSON, nested deeper than 100, or with an integer of more than 20 digits. */
export class JsonError extends Error {
  override name = 'JsonError'
}

/**
 * Parses JSON and keeps every integer exact: a safe one is a number, a larger one a bigint. `__proto__` is a name like
 * any other; of two equal names the last one counts, as in `JSON.parse`.
 * @throws JsonError
 */
export function parseJson(text: string): unknown {
  assertShallow(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new JsonError('The body is not valid JSON.')
  }
  // Only a run of 16 digits can hold an integer that a double rounds.
  return /\d{16}/.test(text) ? parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue }) : value
}

/** Writes JSON, bigints as exact integers. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    // JSON.stringify is several times faster, and a bigint is the one thing in our data that it cannot write.
    if (error instanceof TypeError) return stringify(value) ?? 'null'
    throw error
  }
}

function parseNumber(text: string): number | bigint {
  const number = Number(text)
  if (Number.isSafeInteger(number) || !/^-?\d+$/.test(text)) return number
  if (text.length > longestInteger) throw new JsonError(`The body holds an integer of more than ${longestInteger - 1} digits.`)
  return BigInt(text)
}

function assertShallow(text: string): void {
  if (text.length <= deepest) return
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 92 /* \ */) index++
      else if (code === 34 /* " */) inString = false
    } else if (code === 34) inString = true
    else if (code === 123 /* { */ || code === 91 /* [ */) {
      if (++depth > deepest) throw new JsonError(`The body is nested deeper than ${deepest} levels.`)
    } else if (code === 125 /* } */ || code === 93 /* ] */) depth--
  }
}
