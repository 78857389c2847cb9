import { countOf, describeProblem, toList } from '../text/messages.ts'
import { isLonger, isShorter } from '../text/values.ts'

export type JsonType = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

export interface JsonSchema {
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly type?: JsonType | 'integer' | readonly (JsonType | 'integer')[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly [extension: `x-${string}`]: unknown
}

export function typesOf(schema: JsonSchema): JsonType[] | undefined {
  const listed = valuesOf(schema)
  if (schema.type === undefined) return listed?.map(toJsonType)
  return [schema.type].flat().map((type) => (type === 'integer' ? 'number' : type))
}

export function valuesOf(schema: JsonSchema): readonly unknown[] | undefined {
  if ('const' in schema) return [schema.const]
  return schema.enum
}

export function toJsonType(value: unknown): JsonType {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  if (type === 'string' || type === 'boolean' || type === 'object') return type
  return 'number'
}

/** The least and the greatest integer of each format. */
export const integerFormats = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
} as const

/**
 * Returns a sentence if a value breaks the rules of its schema: `limit must be an integer from 1 to
 * 100.`
 */
export function describeBrokenRule(
  name: string,
  value: unknown,
  schema: JsonSchema,
): string | undefined {
  const values = schema.enum as readonly string[] | undefined
  if (values && typeof value === 'string' && !values.includes(value))
    return describeProblem(`${name} must be ${toList(values)}`, value, values)
  const wrong = toJsonSchemaProblem(value, schema)
  return wrong && `${name} ${wrong}.`
}

/**
 * Returns the rest of a sentence: `must be an integer from 1 to 100`. A string may stand for a
 * number.
 */
export function toJsonSchemaProblem(value: unknown, schema: JsonSchema): string | undefined {
  if (schema.type === 'integer' || schema.minimum !== undefined || schema.maximum !== undefined)
    return toNumberProblem(value, schema)
  if (typeof value !== 'string') return undefined
  const { minLength = 0, maxLength = Infinity } = schema
  if (isShorter(value, minLength)) return describeSize('at least', minLength, 'character')
  if (isLonger(value, maxLength)) return describeSize('at most', maxLength, 'character')
  return undefined
}

// The schemas of Zod, whose JSON form this is, take the words of their bounds from here.

/** `must have at least 3 characters`. */
export function describeSize(bound: string, size: number, unit: string): string {
  if (bound === 'at least' && size === 1) return 'must not be empty'
  return `must have ${bound} ${countOf(size, unit)}`
}

/** `an integer from 1 to 100`, `a number of at least 1`. @param what `an integer` */
export function describeRange(
  what: string,
  least: number | bigint | undefined,
  greatest: number | bigint | undefined,
): string {
  if (least !== undefined && greatest !== undefined) return `${what} from ${least} to ${greatest}`
  if (least !== undefined) return `${what} of at least ${least}`
  if (greatest === undefined) return what
  return `${what} of at most ${greatest}`
}

function toNumberProblem(
  value: unknown,
  { format, minimum, maximum }: JsonSchema,
): string | undefined {
  const [least, greatest] = integerFormats[format === 'int32' ? 'int32' : 'int64']
  const [from, to] = [minimum ?? least, maximum ?? greatest]
  const integer = typeof value === 'string' ? readInteger(value, from, to) : toInteger(value)
  if (integer !== undefined && integer >= from && integer <= to) return undefined
  const isOpen = minimum !== undefined && format === undefined
  return `must be ${describeRange('an integer', from, isOpen ? maximum : to)}`
}

function toInteger(value: unknown): number | bigint | undefined {
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value)))
    return value
  return undefined
}

/**
 * Reads an integer of no more digits than its bounds have, with a sign only where it may be
 * negative.
 */
function readInteger(text: string, from: number | bigint, to: number | bigint): bigint | undefined {
  const digits = from < 0 ? text.replace(/^-/, '') : text
  if (!/^\d+$/.test(digits) || digits.length > String(to).length) return undefined
  return BigInt(text)
}
