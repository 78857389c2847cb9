import { permitsText, valuesOf, type JsonSchema } from './json-schema.ts'
import type { MalformKind } from './malformation.ts'
import { hugeCount, hugeNumber, hugeText, unlistedValue, valueOutOfRange } from './malformed-value.ts'
import type { ReplyField } from './reply-fields.ts'

interface FieldMalformation {
  readonly kind: MalformKind
  readonly breaks: boolean
}

export function malformationsOf(field: ReplyField): FieldMalformation[] {
  const { path, schema, types, required } = field
  const found: FieldMalformation[] = []
  const add = (kind: MalformKind, breaks: boolean) => found.push({ kind, breaks })
  if (path.length > 0 && path.at(-1) !== '0') add('missing', required)
  add('null', types !== undefined && !types.has('null'))
  if (types && types.size < 6) add('wrong-type', true)
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
      if (!describesAdditionalProperties(schema)) add('extra', schema.additionalProperties === false)
  }
  if (unlistedValue(schema) !== undefined) add('bad-enum', true)
  if (valueOutOfRange(schema) !== undefined) add('out-of-range', true)
  return found
}

export function isMalformable(field: ReplyField, kind: MalformKind): boolean {
  switch (kind) {
    case 'missing':
      return field.path.length > 0
    case 'duplicate':
      return /^\d+$/.test(field.path.at(-1) ?? '') || field.types?.has('array') !== false
    case 'bad-utf8':
      return field.types?.has('string') !== false
    case 'bad-enum':
      return field.types === undefined || field.varies || unlistedValue(field.schema) !== undefined
    case 'out-of-range':
      return field.types === undefined || field.varies || valueOutOfRange(field.schema) !== undefined
    default:
      return true
  }
}

function onlyTypeOf({ types, varies }: ReplyField) {
  const own = [...(types ?? [])].filter((type) => type !== 'null')
  return own.length === 1 && !varies ? own[0] : undefined
}

function describesAdditionalProperties({ additionalProperties }: JsonSchema): boolean {
  return typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
}

function isBeyond({ schema }: ReplyField): boolean {
  const { maximum, exclusiveMaximum } = schema
  if (valuesOf(schema)) return true
  const most = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity)
  return Number(hugeNumber) > most
}
