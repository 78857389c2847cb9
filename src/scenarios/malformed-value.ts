import { toJsonType, valuesOf, type JsonSchema } from './json-schema.ts'
import type { ReplyField } from './reply-fields.ts'

export const extraField = 'unexpected_field'

export const hugeText = 'x'.repeat(100_000)

export const hugeCount = 10_000

/** The number that `huge` produces: larger than 64-bit integers, and than the integers that a double holds exactly. */
export const hugeNumber = 2n ** 64n

const unknownText = 'unexpected_value'

const impossibleTimes: Readonly<Record<string, string>> = {
  'date-time': '2026-02-30T12:00:00.000Z',
  date: '2026-02-30',
  time: '25:00:00Z',
}

export function malformed(
  value: unknown,
  kind: 'null' | 'wrong-type' | 'empty' | 'huge' | 'bad-enum' | 'out-of-range',
  field: ReplyField | undefined,
): unknown {
  switch (kind) {
    case 'null':
      return null
    case 'wrong-type':
      return ofAnotherType(value, field)
    case 'empty':
      return emptied(value, field)
    case 'huge':
      return enlarged(value, field)
    case 'bad-enum':
      return field ? (unlistedValue(field.schema) ?? value) : typeof value === 'string' ? unknownText : value
    case 'out-of-range':
      return (field && valueOutOfRange(field.schema)) ?? value
  }
}

export function unlistedValue(schema: JsonSchema): unknown {
  const values = valuesOf(schema)
  const [first] = values ?? []
  if (typeof first === 'string') return unknownText
  if (typeof first === 'number') return Math.max(...(values as number[])) + 1
  return typeof first === 'boolean' && values!.length === 1 ? !first : undefined
}

/** Returns a number just outside the schema's bounds, or an impossible time; `undefined` if the schema has neither. */
export function valueOutOfRange(schema: JsonSchema): unknown {
  if (schema.format !== undefined && Object.hasOwn(impossibleTimes, schema.format))
    return impossibleTimes[schema.format]
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const least = exclusiveMinimum ?? (minimum === undefined ? undefined : minimum - 1)
  if (least !== undefined && least > Number.MIN_SAFE_INTEGER) return least
  return exclusiveMaximum ?? (maximum === undefined ? least : maximum + 1)
}

function ofAnotherType(value: unknown, field: ReplyField | undefined): unknown {
  const own = toJsonType(value)
  const types = field?.types ?? new Set([own])
  const likely =
    own === 'number' || own === 'boolean' ? String(value) : own === 'array' ? {} : own === 'object' ? [] : 42
  return [likely, 42, 'unexpected', [], {}, true].find((other) => !types.has(toJsonType(other))) ?? value
}

function typeToImitate(value: unknown, field: ReplyField | undefined) {
  const own = toJsonType(value)
  return own === 'null' ? [...(field?.types ?? [])].find((type) => type !== 'null') : own
}

function emptied(value: unknown, field: ReplyField | undefined): unknown {
  const type = typeToImitate(value, field)
  return type === 'array' ? [] : type === 'object' ? {} : ''
}

function enlarged(value: unknown, field: ReplyField | undefined): unknown {
  switch (typeToImitate(value, field)) {
    case 'number':
      return hugeNumber
    case 'array':
      return Array.isArray(value) && value.length > 0
        ? Array.from({ length: hugeCount }, (_, index) => value[index % value.length] as unknown)
        : value
    case 'object':
      return { ...(value as object | null), [extraField]: hugeText }
    default:
      return hugeText
  }
}
