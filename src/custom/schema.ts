import { codedError } from '../core/text/error-codes.ts'
import * as z from 'zod/mini'
import { fromJSONSchema } from 'zod/v4'
import type { JsonSchema } from '../core/contract/json-schema.ts'
import { isObject } from '../core/contract/options.ts'
import { describeProblem, quote } from '../core/text/messages.ts'
import { toReason } from '../core/contract/errors.ts'
import type { Fields } from '../core/text/values.ts'

/** A schema of any library that implements Standard Schema. */
interface LibrarySchema<Value = unknown> {
  readonly '~standard': { readonly types?: { readonly output: Value } | undefined }
}

/** A JSON Schema: `{ type: 'object', properties: { liters: { type: 'number' } } }`. */
export interface OwnJsonSchema {
  readonly [keyword: string]: unknown
  readonly '~standard'?: never
}

/** A schema of your own: of Zod 4, or a JSON Schema. */
export type OwnSchema = LibrarySchema | OwnJsonSchema

/**
 * The values that a schema accepts. TypeScript does not read JSON Schemas: theirs are objects with
 * unknown fields.
 */
export type ValueOf<Schema> =
  Schema extends LibrarySchema<infer Value> ? Value : Readonly<Record<string, unknown>>

/**
 * Returns a schema of a user as one of Zod.
 * @param owner what the schema describes, for messages: `The body of the operation "plants.water"`
 * @param directions whether it is for what is sent to the mock, for what it replies, or for both
 * @throws TypeError for anything that cannot be documented
 */
export function toZod(
  schema: OwnSchema,
  owner: string,
  directions: readonly ('input' | 'output')[] = ['input', 'output'],
): z.ZodMiniType {
  if (typeof schema !== 'object' || schema === null)
    throw codedError(
      'GREENHOUSE_INVALID_DEFINITION',
      `${owner} takes a schema of Zod 4 or a JSON Schema.`,
    )
  if (!('_zod' in schema) && ('~standard' in schema || '_def' in schema))
    throw codedError(
      'GREENHOUSE_INVALID_DEFINITION',
      `${owner} is a schema of another library. It takes a schema of Zod 4 or a JSON Schema.`,
    )
  const zodSchema =
    '_zod' in schema ? (schema as unknown as z.ZodMiniType) : readJsonSchema(schema, owner)
  for (const io of directions) toJsonSchemaOf(zodSchema, owner, io)
  return zodSchema
}

/** Returns the JSON Schema of a schema. @throws TypeError if it has none, as that of a date. */
export function toJsonSchemaOf(
  schema: z.ZodMiniType,
  owner: string,
  io: 'input' | 'output',
): JsonSchema {
  try {
    return z.toJSONSchema(schema, { io }) as JsonSchema
  } catch (error) {
    throw codedError(
      'GREENHOUSE_INVALID_DEFINITION',
      `${owner} cannot be documented: ${toReason(error)}`,
    )
  }
}

/** Returns a JSON Schema and all that it combines, at any depth. */
export function withAlternatives(schema: JsonSchema): JsonSchema[] {
  const combined = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((parts = []) => parts)
  return [schema, ...combined.flatMap(withAlternatives)]
}

/**
 * Returns the types of the values that a JSON Schema accepts, without `string` if it lists the
 * strings; none if it accepts any value.
 */
export function valueTypesOf(schema: JsonSchema): string[] {
  return withAlternatives(schema).flatMap(
    ({ type = [], const: only, enum: values = only === undefined ? [] : [only] }) => {
      if (values.length === 0) return [type].flat()
      return values.map((value) => typeof value).filter((name) => name !== 'string')
    },
  )
}

function readJsonSchema(schema: OwnJsonSchema, owner: string): z.ZodMiniType {
  let read: z.ZodMiniType
  try {
    read = fromJSONSchema(schema)
  } catch (error) {
    throw codedError(
      'GREENHOUSE_INVALID_DEFINITION',
      `${owner} is not a JSON Schema that Greenhouse can read: ${toReason(error)}`,
    )
  }
  assertEnforced(schema, { owner, root: schema, path: [], isJoined: false })
  return read
}

/** The keywords that hold one schema, and those that hold several, by name or in a list. */
const holdingOne = ['additionalProperties', 'propertyNames', 'items', 'additionalItems', 'contains']
const combining = ['allOf', 'anyOf', 'oneOf']
const holdingSeveral = ['properties', 'patternProperties', 'prefixItems', ...combining]

/** The keywords that may stand anywhere: they constrain nothing by themselves. */
const notes =
  'type format $defs definitions $schema $id $comment title description default example examples deprecated readOnly writeOnly contentEncoding contentMediaType'.split(
    ' ',
  )

const keywords = [
  ...holdingOne,
  ...holdingSeveral,
  ...notes,
  ...'required minProperties maxProperties uniqueItems minItems maxItems minContains maxContains minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf $ref not enum const'.split(
    ' ',
  ),
]

/** Where a schema stands in the whole one. */
interface KeywordPlace {
  readonly owner: string
  readonly root: Fields
  readonly path: readonly string[]
  /** True if a value has to match another schema, too, as in `allOf`. */
  readonly isJoined: boolean
}

/** Asserts that Zod drops no keyword of a schema, and of those inside it. @throws TypeError */
function assertEnforced(schema: unknown, place: KeywordPlace): void {
  if (!isObject(schema)) return
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined || keyword.startsWith('x-')) continue
    const path = [...place.path, keyword]
    const isJoined =
      combining.includes(keyword) &&
      (keyword === 'allOf' || place.isJoined || schema['type'] !== undefined)
    for (const [name, inner] of schemasBelow(keyword, value))
      assertEnforced(inner, { ...place, path: [...path, ...name], isJoined })
    // It comes last: a keyword whose schemas have no effect has none either.
    const problem = findSchemaProblem(schema, keyword, place)
    if (problem !== undefined)
      throw codedError(
        'GREENHOUSE_INVALID_DEFINITION',
        `${place.owner} has ${quote(path.join('.'))}, ${problem}`,
      )
  }
}

/** Returns the schemas in a keyword, with the rest of their paths. */
function schemasBelow(keyword: string, value: unknown): [path: string[], schema: unknown][] {
  // A schema of names needs no "type": names are strings.
  if (keyword === 'propertyNames') return [[[], { type: 'string', ...(value as Fields) }]]
  if (holdingOne.includes(keyword) && !Array.isArray(value)) return [[[], value]]
  if (![...holdingOne, ...holdingSeveral, '$defs', 'definitions'].includes(keyword)) return []
  return Object.entries(value ?? {}).map(([name, schema]) => [[name], schema])
}

/** Says why a keyword would be dropped, as the end of a sentence. */
function findSchemaProblem(
  schema: Fields,
  keyword: string,
  { root, isJoined }: KeywordPlace,
): string | undefined {
  if (!keywords.includes(keyword))
    return describeProblem('a keyword that Greenhouse does not know', keyword, keywords)
  const undeclared = keyword === 'required' ? findUndeclaredRequired(schema) : undefined
  if (undeclared !== undefined) return undeclared
  // Zod then accepts a field that only one of several schemas refuses, or any.
  const isOpen = isJoined || !schema['type'] || combining.some((name) => schema[name] !== undefined)
  const isOpened = keyword === 'additionalProperties' && schema[keyword] !== true && isOpen
  if (isOpened || hasNoEffect(schema, keyword, root))
    return 'which has no effect as it stands. Check its value, and the "type" and the other keywords beside it.'
  return undefined
}

/** Returns whether Zod reads a schema in the same way without a keyword that says something. */
function hasNoEffect(
  schema: Fields,
  keyword: string,
  { $schema, $defs, definitions }: Fields,
): boolean {
  const { [keyword]: value, ...others } = schema
  const plain = ['{}', '[]', 'false', String(keyword !== 'uniqueItems')]
  if (notes.includes(keyword) || plain.includes(JSON.stringify(value))) return false
  const [read, without] = [schema, others].map((one) => {
    const zodSchema = fromJSONSchema({ ...one, $schema, $defs, definitions } as OwnJsonSchema)
    return JSON.stringify(toJsonSchemaOf(zodSchema, keyword, 'input'))
  })
  return read === without
}

/** Says which of the names in `required` is not in `properties`. */
function findUndeclaredRequired(schema: Fields): string | undefined {
  const names = Object.keys((schema['properties'] as Fields | undefined) ?? {})
  const missing = [schema['required']].flat().find((name) => !names.includes(name as string))
  if (missing === undefined) return undefined
  return describeProblem(
    `but no ${quote(String(missing))} in its "properties"`,
    String(missing),
    names,
  )
}
