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
  /** Its fields by name; the items of a list are `0`, and additional properties are `*`. */
  readonly parts: ReadonlyMap<string, ReplyField>
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

function below({ parts, varies }: ReplyField): ReplyField[] {
  if (varies) return []
  return [...parts].flatMap(([name, field]) => (name === '*' ? [] : [field, ...below(field)]))
}

function next({ path, types, parts }: ReplyField, step: string): ReplyField | undefined {
  const item = parts.get('0')
  if (item && /^(0|[1-9]\d*)$/.test(step)) return item
  const known = parts.get(step) ?? parts.get('*')
  if (known) return known
  const isOpen = types === undefined || (types.has('array') && !item)
  return isOpen ? anything([...path, step]) : undefined
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
  const isRecursive = shapes.some((shape) => above.includes(shape))
  return {
    path,
    schema: shapes.length === 1 ? shapes[0]! : {},
    types: known.includes(undefined) ? undefined : new Set(known.flatMap((types) => types!)),
    required,
    varies: shapes.length > 1,
    parts: new Map(
      isRecursive ? [['*', anything([...path, '*'])]] : partsOf(shapes, root, path, [...above, ...shapes]),
    ),
  }
}

/** Of parts of the same name the last one counts, which is that of the first shape. */
function* partsOf(
  shapes: readonly JsonSchema[],
  root: JsonSchema,
  path: readonly string[],
  above: readonly JsonSchema[],
): Generator<[name: string, part: ReplyField]> {
  const partOf = (name: string, schema: JsonSchema, required: boolean): [string, ReplyField] => [
    name,
    toField(schema, root, [...path, name], required, above),
  ]
  for (const { properties = {}, required, items, additionalProperties } of shapes.toReversed()) {
    for (const [name, property] of Object.entries(properties))
      yield partOf(name, property, required?.includes(name) ?? false)
    if (items) yield partOf('0', items, true)
    if (typeof additionalProperties === 'object') yield partOf('*', additionalProperties, false)
  }
}

function anything(path: readonly string[]): ReplyField {
  return { path, schema: {}, types: undefined, required: false, varies: false, parts: new Map() }
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
