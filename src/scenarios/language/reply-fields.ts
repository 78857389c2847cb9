import * as z from 'zod/mini'
import { cached } from '../../core/contract/cache.ts'
import { type JsonSchema, type JsonType, typesOf } from '../../core/contract/json-schema.ts'
import type { Operation } from '../../core/pipeline/operation.ts'
import { toPointer } from './pointer.ts'

export interface ReplyField {
  /** The path from the reply's root; items of an array are `0`. */
  readonly path: readonly string[]
  /** The schema of its value when not `null`; empty if there are several shapes, or none. */
  readonly schema: JsonSchema
  readonly types: ReadonlySet<JsonType> | undefined
  readonly required: boolean
  /** Its fields by name; the items of a list are `0`, and additional properties are `*`. */
  readonly parts: ReadonlyMap<string, ReplyField>
  /** True if its value has several shapes, so that its fields are not certain. */
  readonly varies: boolean
}

const outlines = new WeakMap<z.ZodMiniType, ReplyField>()

export function replyOf({ result }: Operation): ReplyField | undefined {
  return result && cached(outlines, result, toOutline)
}

function toOutline(result: z.ZodMiniType): ReplyField {
  const root = z.toJSONSchema(result, {
    io: 'output',
    unrepresentable: 'any',
  }) as JsonSchema
  return toReplyField(root, {
    root,
    path: [],
    required: true,
    above: [],
  })
}

/**
 * Returns all fields of an operation's reply, root first. Takes the first item of an array, and
 * skips the fields of a value that varies.
 */

export function replyFieldsOf(operation: Operation): ReplyField[] {
  const root = replyOf(operation)
  return root ? [root, ...below(root)] : []
}

export function fieldAt(operation: Operation, path: readonly string[]): ReplyField | undefined {
  let field = replyOf(operation)
  for (const step of path) field = field && stepInto(field, step)
  return field
}

/**
 * Returns the fields with a name: `name` finds all fields of this name, `data.name` only those in
 * `data`.
 */

export function fieldsNamed(operation: Operation, name: string): ReplyField[] {
  return replyFieldsOf(operation).filter((field) => {
    const own = nameOfField(field)
    return own !== undefined && `.${own}`.endsWith(`.${name}`)
  })
}

/**
 * Returns the name of a field: `data.name`, without the indexes of arrays. The root and items have
 * no name.
 */

export function nameOfField({ path }: ReplyField): string | undefined {
  const last = path.at(-1)
  if (last === undefined || last === '0') return undefined
  return path.filter((step) => step !== '0').join('.')
}

function below({ parts, varies }: ReplyField): ReplyField[] {
  if (varies) return []
  return [...parts].flatMap(([name, field]) => {
    if (name === '*') return []
    return [field, ...below(field)]
  })
}

function stepInto({ path, types, parts }: ReplyField, step: string): ReplyField | undefined {
  const item = parts.get('0')
  if (item && /^(0|[1-9]\d*)$/.test(step)) return item
  const known = parts.get(step) ?? parts.get('*')
  if (known) return known
  if (types === undefined || (types.has('array') && !item)) return anything([...path, step])
  return undefined
}

/** Where a schema stands. */
interface SchemaPlace {
  readonly root: JsonSchema
  readonly path: readonly string[]
  readonly required: boolean
  /** The schemas that hold it: one that holds itself has no end. */
  readonly above: readonly JsonSchema[]
}

function toReplyField(given: JsonSchema, place: SchemaPlace): ReplyField {
  const { root, path, required, above } = place
  const alternatives = alternativesOf(given, root)
  const [shape = {}, ...others] = alternatives.filter((schema) => schema.type !== 'null')
  const known = alternatives.map(typesOf)
  const shapes = [shape, ...others]
  const isRecursive = shapes.some((one) => above.includes(one))
  return {
    path,
    schema: others.length === 0 ? shape : {},
    types: known.includes(undefined) ? undefined : new Set(known.flatMap((types) => types ?? [])),
    required,
    varies: others.length > 0,
    parts: new Map(
      isRecursive
        ? [['*', anything([...path, '*'])]]
        : partsOf(shapes, {
            ...place,
            above: [...above, ...shapes],
          }),
    ),
  }
}

/** The last of several parts with the same name counts, so the first shape comes last. */
function* partsOf(
  shapes: readonly JsonSchema[],
  place: SchemaPlace,
): Generator<[string, ReplyField]> {
  const partOf = (name: string, schema: JsonSchema, required: boolean): [string, ReplyField] => [
    name,
    toReplyField(schema, {
      ...place,
      path: [...place.path, name],
      required,
    }),
  ]
  for (const { properties = {}, required, items, additionalProperties } of shapes.toReversed()) {
    for (const [name, property] of Object.entries(properties))
      yield partOf(name, property, required?.includes(name) ?? false)
    if (items) yield partOf('0', items, true)
    if (typeof additionalProperties === 'object') yield partOf('*', additionalProperties, false)
  }
}

function anything(path: readonly string[]): ReplyField {
  return {
    path,
    schema: {},
    types: undefined,
    required: false,
    varies: false,
    parts: new Map(),
  }
}

export function pointerOf({ path }: ReplyField): string {
  return toPointer(path)
}

function alternativesOf(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  if (schema.$ref !== undefined) return alternativesOf(follow(schema.$ref, root), root)
  const alternatives = schema.anyOf ?? schema.oneOf
  if (!alternatives) return [schema]
  return alternatives.flatMap((alternative) => alternativesOf(alternative, root))
}

function follow(reference: string, root: JsonSchema): JsonSchema {
  const { $defs = {} } = root
  const name = reference.slice('#/$defs/'.length)
  return (name === '' ? root : $defs[name]) ?? {}
}
