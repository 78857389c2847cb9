import { type JsonSchema, type JsonType, typesOf, valuesOf } from '../../core/contract/json-schema.ts'
import type { Endpoint } from '../../core/pipeline/exchange.ts'
import { toPointer } from './pointer.ts'
import * as z from 'zod/mini'

export interface ReplyField {
  /** The path from the reply's root; items of an array are `0`. */
  readonly path: readonly string[]
  /** The schema of its value when not `null`; empty if there are several shapes, or none. */
  readonly schema: JsonSchema
  readonly types: ReadonlySet<JsonType> | undefined
  readonly required: boolean
  readonly item?: ReplyField
  readonly properties: ReadonlyMap<string, ReplyField>
  readonly additionalProperties?: ReplyField
  /** Whether its value has several shapes, so that its fields are not certain. */
  readonly varies: boolean
}

const outlines = new WeakMap<Endpoint, ReplyField | undefined>()

export function replyOf(operation: Endpoint): ReplyField | undefined {
  if (!outlines.has(operation)) {
    const { result } = operation
    const schema = result && (z.toJSONSchema(result, { io: 'output', unrepresentable: 'any' }) as JsonSchema)
    outlines.set(operation, schema && toField(schema, schema, [], true, []))
  }
  return outlines.get(operation)
}

/** Returns all fields of an operation's reply, root first. Takes the first item of an array, and skips the fields of a value that varies. */
export function replyFieldsOf(operation: Endpoint): ReplyField[] {
  const root = replyOf(operation)
  return root ? [root, ...below(root)] : []
}

export function fieldAt(operation: Endpoint, path: readonly string[]): ReplyField | undefined {
  let field = replyOf(operation)
  for (const step of path) field = field && next(field, step)
  return field
}

/** Returns the fields with a name: `name` finds all fields of this name, `data.name` only those in `data`. */
export function fieldsNamed(operation: Endpoint, name: string): ReplyField[] {
  return replyFieldsOf(operation).filter((field) => {
    const own = nameOf(field)
    return own !== undefined && `.${own}`.endsWith(`.${name}`)
  })
}

/** Returns the name of a field: `data.name`, without the indexes of arrays. The root and items have no name. */
export function nameOf({ path }: ReplyField): string | undefined {
  const last = path.at(-1)
  return last === undefined || last === '0' ? undefined : path.filter((step) => step !== '0').join('.')
}

function below({ item, properties, varies }: ReplyField): ReplyField[] {
  if (varies) return []
  return [...(item ? [item] : []), ...properties.values()].flatMap((field) => [field, ...below(field)])
}

function next(field: ReplyField, step: string): ReplyField | undefined {
  if (field.item && /^(0|[1-9]\d*)$/.test(step)) return field.item
  const known = field.properties.get(step) ?? field.additionalProperties
  if (known) return known
  const isOpen = field.types === undefined || (field.types.has('array') && !field.item)
  return isOpen ? anything([...field.path, step]) : undefined
}

function toField(
  given: JsonSchema,
  root: JsonSchema,
  path: readonly string[],
  required: boolean,
  above: readonly JsonSchema[],
): ReplyField {
  const alternatives = alternativesOf(given, root)
  const shapes = alternatives.filter((schema) => schema.type !== 'null')
  const known = alternatives.map(typesOf)
  return {
    path,
    schema: shapes.length === 1 ? shapes[0]! : {},
    types: known.includes(undefined) ? undefined : new Set(known.flatMap((types) => types!)),
    required,
    varies: shapes.length > 1,
    ...(shapes.some((shape) => above.includes(shape))
      ? { properties: new Map(), additionalProperties: anything([...path, '*']) }
      : partsOf(shapes, root, path, [...above, ...shapes])),
  }
}

function partsOf(
  shapes: readonly JsonSchema[],
  root: JsonSchema,
  path: readonly string[],
  above: readonly JsonSchema[],
): Pick<ReplyField, 'item' | 'properties' | 'additionalProperties'> {
  const properties = new Map<string, ReplyField>()
  for (const shape of shapes.toReversed())
    for (const [name, property] of Object.entries(shape.properties ?? {}))
      properties.set(name, toField(property, root, [...path, name], shape.required?.includes(name) ?? false, above))
  const items = shapes.find((shape) => shape.items)?.items
  const others = shapes.map((shape) => shape.additionalProperties).find((rest) => typeof rest === 'object')
  return {
    properties,
    ...(items && { item: toField(items, root, [...path, '0'], true, above) }),
    ...(others && { additionalProperties: toField(others, root, [...path, '*'], false, above) }),
  }
}

function anything(path: readonly string[]): ReplyField {
  return { path, schema: {}, types: undefined, required: false, properties: new Map(), varies: false }
}

export function pointerOf({ path }: ReplyField): string {
  return toPointer(path)
}

function alternativesOf(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  if (schema.$ref !== undefined) return alternativesOf(follow(schema.$ref, root), root)
  const alternatives = schema.anyOf ?? schema.oneOf
  return alternatives ? alternatives.flatMap((alternative) => alternativesOf(alternative, root)) : [schema]
}

/** Whether a string schema permits a string. `false` for every schema with a format. */
export function permitsText(schema: JsonSchema, text: string): boolean {
  const { minLength = 0, maxLength = Infinity, pattern, format, allOf = [] } = schema
  if (text.length < minLength || text.length > maxLength || format !== undefined) return false
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return false
  return (valuesOf(schema)?.includes(text) ?? true) && allOf.every((part) => permitsText(part, text))
}

function follow(reference: string, root: JsonSchema): JsonSchema {
  const name = /^#\/\$defs\/(.+)$/.exec(reference)?.[1]
  return (name === undefined ? root : root.$defs?.[name]) ?? {}
}
