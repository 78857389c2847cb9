import type { Endpoint } from '../core/pipeline/endpoint.ts'
import { alternativesOf, toReplySchema, typesOf, type JsonSchema, type JsonType } from './json-schema.ts'
import { toPointer } from './pointer.ts'

/** One place in the reply of an operation, as the contract describes it. */
export interface Field {
  /** From the reply's root; the items of an array are `0`. */
  readonly path: readonly string[]
  /** The schema of its value when not `null`; empty when several types are possible. */
  readonly schema: JsonSchema
  /** The types that it can have, `null` among them; `undefined` for any. */
  readonly types: ReadonlySet<JsonType> | undefined
  /** Whether whatever holds it always has it. */
  readonly required: boolean
  /** What an item of it is, if it is an array. */
  readonly item?: Field
  readonly properties: ReadonlyMap<string, Field>
  /** What a property is that has no name in the contract. */
  readonly others?: Field
  /** Whether it can be of several shapes, so that what is below it depends on more than the contract's outline. */
  readonly varies: boolean
}

const outlines = new WeakMap<Endpoint, Field | undefined>()

/** The root of an operation's reply; `undefined` when a success has no body. */
export function replyOf(operation: Endpoint): Field | undefined {
  if (!outlines.has(operation)) {
    const schema = toReplySchema(operation)
    outlines.set(operation, schema && toField(schema, schema, [], true, []))
  }
  return outlines.get(operation)
}

/** Every field of an operation's reply, the root first; of an array the first item. What is below a field that varies is left out. */
export function fieldsOf(operation: Endpoint): Field[] {
  const root = replyOf(operation)
  return root ? [root, ...below(root)] : []
}

/** The field that a path leads to; `undefined` when the contract has none. */
export function fieldAt(operation: Endpoint, path: readonly string[]): Field | undefined {
  let field = replyOf(operation)
  for (const step of path) field = field && next(field, step)
  return field
}

/** The fields of a name: `name` for all that are called so, `data.name` for those of something called `data`. */
export function fieldsNamed(operation: Endpoint, name: string): Field[] {
  return fieldsOf(operation).filter((field) => {
    const own = nameOf(field)
    return own !== undefined && `.${own}`.endsWith(`.${name}`)
  })
}

/** What a field is called, array items passed over: `data.name`; the root and items have no name. */
export function nameOf({ path }: Field): string | undefined {
  const last = path.at(-1)
  return last === undefined || last === '0' ? undefined : path.filter((step) => step !== '0').join('.')
}

function below({ item, properties, varies }: Field): Field[] {
  if (varies) return []
  return [...(item ? [item] : []), ...properties.values()].flatMap((field) => [field, ...below(field)])
}

function next(field: Field, step: string): Field | undefined {
  if (field.item && /^(0|[1-9]\d*)$/.test(step)) return field.item
  const known = field.properties.get(step) ?? field.others
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
): Field {
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
      ? { properties: new Map(), others: anything([...path, '*']) }
      : partsOf(shapes, root, path, [...above, ...shapes])),
  }
}

/** What is within a value of these shapes. */
function partsOf(
  shapes: readonly JsonSchema[],
  root: JsonSchema,
  path: readonly string[],
  above: readonly JsonSchema[],
): Pick<Field, 'item' | 'properties' | 'others'> {
  const properties = new Map<string, Field>()
  for (const shape of shapes.toReversed())
    for (const [name, property] of Object.entries(shape.properties ?? {}))
      properties.set(name, toField(property, root, [...path, name], shape.required?.includes(name) ?? false, above))
  const items = shapes.find((shape) => shape.items)?.items
  const others = shapes.map((shape) => shape.additionalProperties).find((rest) => typeof rest === 'object')
  return {
    properties,
    ...(items && { item: toField(items, root, [...path, '0'], true, above) }),
    ...(others && { others: toField(others, root, [...path, '*'], false, above) }),
  }
}

function anything(path: readonly string[]): Field {
  return { path, schema: {}, types: undefined, required: false, properties: new Map(), varies: false }
}

/** Where a field stands, as a JSON pointer. */
export function pointerOf({ path }: Field): string {
  return toPointer(path)
}
