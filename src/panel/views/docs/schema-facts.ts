import { resolveSchema, type ApiComponents } from '../../data/open-api.ts'
import type { JsonSchema } from '../../data/shapes.ts'

export function schemaTypeOf(given: JsonSchema, document: ApiComponents): string {
  const name = given.$ref?.split('/').at(-1)
  const schema = resolveSchema(given, document)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return [...new Set(options.map((option) => schemaTypeOf(option, document)))].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type ?? 'anything']).map((type) =>
    type === 'array' && schema.items
      ? `list of ${schemaTypeOf(schema.items, document)}`
      : type === 'array'
        ? 'list'
        : String(type),
  )
  return name ?? types.map((type) => toWord(type, schema.format)).join(' or ')
}

export function limitsOf(given: JsonSchema, document: ApiComponents): string {
  const {
    enum: values,
    minimum,
    maximum,
    minLength,
    maxLength,
    pattern,
    default: usual,
  } = resolveSchema(given, document)
  return [
    values && `one of ${values.map(String).join(', ')}`,
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    pattern !== undefined && `like ${pattern}`,
    usual !== undefined && `by default ${typeof usual === 'string' ? usual : JSON.stringify(usual)}`,
  ]
    .filter(Boolean)
    .join('; ')
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (unit !== '' && least === 1 && most === undefined) return 'not empty'
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`
  if (least !== undefined) return least === 0 && unit !== '' ? '' : `at least ${least}${unit}`
  return most === undefined ? '' : `at most ${most}${unit}`
}

function toWord(type: string, format: string | undefined): string {
  if (format === undefined || type === 'null') return type
  return type === 'string' ? format : `${type} (${format})`
}
