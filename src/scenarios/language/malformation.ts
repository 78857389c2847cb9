import { type Texts, valueAt } from '../../core/text/values.ts'
import { type JsonSchema, toJsonType, valuesOf } from '../../core/contract/json-schema.ts'
import { changeAt } from './pointer.ts'
import type { ReplyField } from './reply-fields.ts'

export const malformKinds = [
  'missing',
  'null',
  'wrong-type',
  'empty',
  'huge',
  'extra',
  'bad-enum',
  'out-of-range',
  'bad-utf8',
  'duplicate',
] as const

/** How a field of a reply is wrong. */
export type MalformationKind = (typeof malformKinds)[number]

/**
 * Returns a copy of a reply's body with a malformed value at `path`; the body itself if that is
 * impossible. `extra` adds a field to the object at the path, or to the parent of another value.
 * `duplicate` repeats the item at the path, or the first item of the array at the path. @param
 * field the value in the contract, if the contract has it.
 */
export function malformAt(
  body: unknown,
  path: readonly string[],
  kind: ValueKind | 'missing' | 'extra' | 'duplicate',
  field?: ReplyField,
): unknown {
  const holder = path.slice(0, -1)
  switch (kind) {
    case 'missing':
      if (path.length === 0) return body
      return changeAt(body, path, () => [])
    case 'extra':
      return changeAt(body, toJsonType(valueAt(body, path)) === 'object' ? path : holder, withExtra)
    case 'duplicate': {
      if (Array.isArray(valueAt(body, path))) return malformAt(body, [...path, '0'], kind)
      if (path.length === 0 || !Array.isArray(valueAt(body, holder))) return body
      return changeAt(body, path, (item) => [item, item])
    }
    default:
      return changeAt(body, path, (value) => [malformed(value, kind, field)])
  }
}

function withExtra(value: unknown): readonly unknown[] {
  if (toJsonType(value) !== 'object') return [value]
  return [{ ...(value as object), [extraField]: 'unexpected' }]
}

const extraField = 'unexpected_field'

const hugeText = 'x'.repeat(100_000)

const hugeCount = 10_000

/**
 * The number that `huge` produces: larger than 64-bit integers, and than the integers that a double
 * holds exactly.
 */
const hugeNumber = 2n ** 64n

const unknownText = 'unexpected_value'

const impossibleTimes: Texts = {
  'date-time': '2026-02-30T12:00:00.000Z',
  date: '2026-02-30',
  time: '25:00:00Z',
}

/** The kinds that replace a value by another one. */
type ValueKind = 'null' | 'wrong-type' | 'empty' | 'huge' | 'bad-enum' | 'out-of-range'

export function malformed(value: unknown, kind: ValueKind, field: ReplyField | undefined): unknown {
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
      if (field) return unlistedValue(field.schema) ?? value
      if (typeof value === 'string') return unknownText
      return value
    case 'out-of-range':
      return (field && valueOutOfRange(field.schema)) ?? value
  }
}

function unlistedValue(schema: JsonSchema): unknown {
  const values = valuesOf(schema) ?? []
  const [first] = values
  if (typeof first === 'string') return unknownText
  if (typeof first === 'number') return Math.max(...(values as number[])) + 1
  if (typeof first === 'boolean' && values.length === 1) return !first
  return undefined
}

/**
 * Returns a number just outside the schema's bounds, or an impossible time; `undefined` if the
 * schema has neither.
 */
export function valueOutOfRange(schema: JsonSchema): unknown {
  if (schema.format !== undefined && Object.hasOwn(impossibleTimes, schema.format))
    return impossibleTimes[schema.format]
  const { minimum = -Infinity, maximum = Infinity } = schema
  const { exclusiveMinimum: below = minimum - 1, exclusiveMaximum: above = maximum + 1 } = schema
  if (below > Number.MIN_SAFE_INTEGER) return below
  return [above, below].find(Number.isFinite)
}

function ofAnotherType(value: unknown, field: ReplyField | undefined): unknown {
  const own = toJsonType(value)
  const likely: unknown[] = own === 'number' || own === 'boolean' ? [String(value)] : []
  if (own === 'array') likely.push({})
  if (own === 'object') likely.push([])
  const others = [...likely, 42, 'unexpected', [], {}, true]
  return others.find((other) => !field?.types?.has(toJsonType(other))) ?? value
}

function typeToImitate(value: unknown, field: ReplyField | undefined) {
  const own = toJsonType(value)
  if (own === 'null') return [...(field?.types ?? [])].find((type) => type !== 'null')
  return own
}

function emptied(value: unknown, field: ReplyField | undefined): unknown {
  const type = typeToImitate(value, field)
  if (type === 'array') return []
  return type === 'object' ? {} : ''
}

function enlarged(value: unknown, field: ReplyField | undefined): unknown {
  switch (typeToImitate(value, field)) {
    case 'number':
      return hugeNumber
    case 'array':
      if (!Array.isArray(value) || value.length === 0) return value
      return Array.from({ length: hugeCount }, (_, index) => value[index % value.length] as unknown)
    case 'object':
      return {
        ...(value as object | null),
        [extraField]: hugeText,
      }
    default:
      return hugeText
  }
}

/** A way to malform a field, and whether the result breaks its schema. */
interface FieldMalformation {
  readonly kind: MalformationKind
  readonly breaks: boolean
}

type AddMalformation = (kind: MalformationKind, breaks: boolean) => void

export function malformationsOf(field: ReplyField): FieldMalformation[] {
  const { path, schema, types, required } = field
  const found: FieldMalformation[] = []
  const add: AddMalformation = (kind, breaks) => found.push({ kind, breaks })
  if (path.length > 0 && path.at(-1) !== '0') add('missing', required)
  add('null', types !== undefined && !types.has('null'))
  if (types && types.size < 6) add('wrong-type', true)
  addSizes(field, add)
  if (unlistedValue(schema) !== undefined) add('bad-enum', true)
  if (valueOutOfRange(schema) !== undefined) add('out-of-range', true)
  return found
}

/** Adds what makes a field empty, too large, or larger by an unknown field. */
function addSizes(field: ReplyField, add: AddMalformation): void {
  const { schema } = field
  switch (onlyTypeOf(field)) {
    case 'string':
      add('empty', !permitsText(schema, ''))
      add('huge', !permitsText(schema, hugeText))
      break
    case 'number':
      add('huge', isBeyond(field))
      break
    case 'array':
      add('empty', (schema.minItems ?? 0) > 0)
      add('huge', (schema.maxItems ?? Infinity) < hugeCount)
      break
    case 'object':
      add('empty', (schema.required ?? []).length > 0)
      // A field that the schema describes is no extra one.
      if (Object.keys(schema.additionalProperties ?? {}).length === 0)
        add('extra', schema.additionalProperties === false)
  }
}

export function isMalformable(field: ReplyField, kind: MalformationKind): boolean {
  switch (kind) {
    case 'missing':
      return field.path.length > 0
    case 'duplicate':
      return /^\d+$/.test(field.path.at(-1) ?? '') || field.types?.has('array') !== false
    case 'bad-utf8':
      return field.types?.has('string') !== false
    case 'bad-enum':
      return isUncertain(field) || unlistedValue(field.schema) !== undefined
    case 'out-of-range':
      return isUncertain(field) || valueOutOfRange(field.schema) !== undefined
    default:
      return true
  }
}

function isUncertain({ types, varies }: ReplyField): boolean {
  return types === undefined || varies
}

function onlyTypeOf({ types, varies }: ReplyField) {
  const own = [...(types ?? [])].filter((type) => type !== 'null')
  if (own.length === 1 && !varies) return own[0]
  return undefined
}

function isBeyond({ schema }: ReplyField): boolean {
  const { maximum = Infinity, exclusiveMaximum = Infinity } = schema
  return valuesOf(schema) !== undefined || Number(hugeNumber) > Math.min(maximum, exclusiveMaximum)
}

/** Returns whether a string schema permits a string. `false` for every schema with a format. */
function permitsText(schema: JsonSchema, text: string): boolean {
  const { minLength = 0, maxLength = Infinity, pattern, format, allOf = [] } = schema
  if (text.length < minLength || text.length > maxLength || format !== undefined) return false
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return false
  return (
    (valuesOf(schema)?.includes(text) ?? true) && allOf.every((part) => permitsText(part, text))
  )
}
