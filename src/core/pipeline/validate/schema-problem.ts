import type { JsonSchema } from '../../contract/json-schema.ts'

/** An integer with at most this many characters fits into 32 bits, so also into 64. */
const short = 9

const int32 = [-(2n ** 31n), 2n ** 31n - 1n] as const
const int64 = [-(2n ** 63n), 2n ** 63n - 1n] as const

/** Returns the rest of a sentence: `must be an integer from 1 to 100`. A string may stand for a number. */
export function toJsonSchemaProblem(value: unknown, schema: JsonSchema): string | undefined {
  const { minLength = 0, maxLength = Infinity } = schema
  if (schema.type === 'integer' && typeof value === 'string' && isShortAndFine(value, schema)) return undefined
  const bounds = toBounds(schema)
  if (bounds) {
    const number = toInteger(value)
    return number !== undefined && number >= bounds[0] && number <= bounds[1]
      ? undefined
      : `must be an integer from ${bounds[0]} to ${bounds[1]}`
  }
  if (typeof value !== 'string') return undefined
  const length = [...value].length
  if (length < minLength) return minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`
  return length > maxLength ? `must have at most ${maxLength} characters` : undefined
}

function isShortAndFine(text: string, { minimum, maximum }: JsonSchema): boolean {
  if (text.length === 0 || text.length > short || maximum !== undefined) return false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 48 || code > 57) return false
  }
  return minimum === undefined || Number(text) >= minimum
}

function toBounds({ type, format, minimum, maximum }: JsonSchema): readonly [bigint, bigint] | undefined {
  if (type !== 'integer' && minimum === undefined && maximum === undefined) return undefined
  const [least, max] = format === 'int32' ? int32 : int64
  return [toBigInt(minimum) ?? least, toBigInt(maximum) ?? max]
}

function toInteger(value: unknown): bigint | undefined {
  if (typeof value === 'string') return /^-?\d{1,20}$/.test(value) ? BigInt(value) : undefined
  return toBigInt(value)
}

function toBigInt(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  return Number.isSafeInteger(value) ? BigInt(value as number) : undefined
}

const noValues = new Set(['undefined', 'null', 'NaN', 'None', '[object Object]'])

export function isNoValue(text: string): boolean {
  return noValues.has(text)
}

export function isTemplate(text: string): boolean {
  return /^(?:\$?\{.*\}|<.*>)$/s.test(text)
}
