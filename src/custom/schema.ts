import { codedError } from '../core/text/error-codes.ts'
import * as z from 'zod/mini'
import { fromJSONSchema } from 'zod/v4'
import type { JsonSchema } from '../core/contract/json-schema.ts'
import { describeProblem, quote, suggest } from '../core/text/messages.ts'
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
  assertEnforced(schema, owner)
  return read
}

/** A keyword of JSON Schema, with what it needs, so that Zod does not drop it. */
interface Keyword {
  /** The types of values that it constrains: without one of them it has no effect. */
  readonly types?: readonly string[]
  /** Other keywords: without one of them it has no effect. */
  readonly needs?: readonly string[]
  readonly takesNumber?: true
  /** What its value is: a schema, or several, by name or in a list. */
  readonly below?: 'schema' | 'schemas'
  /** True if it combines schemas. */
  readonly combines?: true
  /** True if Zod reads no other constraint next to it. */
  readonly isAlone?: true
  /** True if it constrains nothing. */
  readonly isNote?: true
}

const forEachOf = (names: string, keyword: Keyword) =>
  Object.fromEntries(names.split(' ').map((name) => [name, keyword]))

const object = { types: ['object'] }
const array = { types: ['array'] }
const string = { types: ['string'] }
const number = {
  types: ['number', 'integer'],
  takesNumber: true,
} as const

const keywords: Readonly<Record<string, Keyword>> = {
  ...forEachOf('properties patternProperties', {
    ...object,
    below: 'schemas',
  }),
  ...forEachOf('additionalProperties propertyNames', {
    ...object,
    below: 'schema',
  }),
  required: object,
  ...forEachOf('minProperties maxProperties', {
    ...object,
    takesNumber: true,
  }),
  ...forEachOf('items prefixItems additionalItems contains', {
    ...array,
    below: 'schema',
  }),
  uniqueItems: array,
  ...forEachOf('minItems maxItems', {
    ...array,
    takesNumber: true,
    needs: ['items', 'prefixItems'],
  }),
  ...forEachOf('minContains maxContains', {
    ...array,
    takesNumber: true,
  }),
  ...forEachOf('minLength maxLength', {
    ...string,
    takesNumber: true,
  }),
  pattern: string,
  ...forEachOf('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf', number),
  format: { types: [...string.types, ...number.types] },
  ...forEachOf('allOf anyOf oneOf', {
    combines: true,
    below: 'schemas',
  }),
  ...forEachOf('$ref not enum const', { isAlone: true }),
  type: {},
  ...forEachOf('$defs definitions', {
    isNote: true,
    below: 'schemas',
  }),
  ...forEachOf('$schema $id $comment title description default example examples', { isNote: true }),
  ...forEachOf('deprecated readOnly writeOnly contentEncoding contentMediaType', { isNote: true }),
}

/**
 * Asserts that Zod drops no keyword of a schema, and of those inside it.
 * @param path the path of this schema in the whole one
 * @param isJoined whether a value has to match another schema, too, as in `allOf`
 * @throws TypeError
 */
function assertEnforced(
  part: unknown,
  owner: string,
  path: readonly string[] = [],
  isJoined = false,
) {
  if (typeof part !== 'object' || part === null) return
  const schema = part as Fields
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined || keyword.startsWith('x-')) continue
    const keywordPath = [...path, keyword]
    const problem = findSchemaProblem(schema, keyword, isJoined)
    if (problem !== undefined)
      throw codedError(
        'GREENHOUSE_INVALID_DEFINITION',
        `${owner} has ${quote(keywordPath.join('.'))}, ${problem}`,
      )
    const { combines } = keywords[keyword]!
    const joins = combines && (keyword === 'allOf' || isJoined || schema['type'] !== undefined)
    for (const [name, inner] of schemasBelow(keyword, value))
      assertEnforced(inner, owner, [...keywordPath, ...name], joins)
  }
}

/** Returns the schemas in a keyword, with the rest of their paths. */
function schemasBelow(keyword: string, value: unknown): [path: string[], schema: unknown][] {
  const { below } = keywords[keyword]!
  if (below === undefined) return []
  // A schema of names needs no "type": names are strings.
  if (keyword === 'propertyNames') return [[[], { type: 'string', ...(value as Fields) }]]
  if (below === 'schema' && !Array.isArray(value)) return [[[], value]]
  return Object.entries(value ?? {}).map(([name, schema]) => [[name], schema])
}

/**
 * Says why a keyword would be dropped, as the end of a sentence. This is code, not a schema of
 * schemas: whether a keyword has an effect depends on its neighbours and on the schema around it,
 * such as `allOf`.
 */
function findSchemaProblem(schema: Fields, keyword: string, isJoined: boolean): string | undefined {
  const needed = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined
  if (!needed)
    return describeProblem(
      'a keyword that Greenhouse does not know',
      keyword,
      Object.keys(keywords),
    )
  if (needed.isNote) return undefined
  return (
    findRival(schema, keyword) ??
    findMissingNeed(schema, keyword, needed) ??
    (keyword === 'additionalProperties' ? findRivalOfAdditional(schema, isJoined) : undefined) ??
    (keyword === 'required' ? findUndeclaredRequired(schema) : undefined)
  )
}

/** Says which other keyword keeps Zod from reading this one. */
function findRival(schema: Fields, keyword: string): string | undefined {
  const alone = Object.keys(keywords).filter((name) => keywords[name]!.isAlone && name !== keyword)
  const rival =
    (keyword === 'type' ? ['$ref'] : alone).find((name) => schema[name] !== undefined) ??
    (keywords[keyword]!.combines && schema['type'] === undefined
      ? findCombining(schema, keyword)
      : undefined)
  if (rival === undefined) return undefined
  return `which has no effect beside "${rival}".`
}

/** Finds another keyword that combines schemas. */
function findCombining(schema: Fields, keyword: string): string | undefined {
  return Object.keys(schema).find((name) => name !== keyword && keywords[name]?.combines)
}

/** Says what a keyword needs and does not have. */
function findMissingNeed(schema: Fields, keyword: string, needed: Keyword): string | undefined {
  const { types, takesNumber, needs } = needed
  const given = [schema['type']].flat()
  if (types && !types.some((type) => given.includes(type)))
    return `which has no effect without "type": ${types.map(quote).join(' or ')}.`
  if (takesNumber && typeof schema[keyword] !== 'number') return 'which takes a number.'
  if (needs?.every((name) => schema[name] === undefined))
    return `which has no effect without "${needs[0]}". Add "${needs[0]}": {}.`
  return undefined
}

/** Says what keeps Zod from reading `additionalProperties`. */
function findRivalOfAdditional(schema: Fields, isJoined: boolean): string | undefined {
  const value = schema['additionalProperties']
  if (value === true) return undefined
  const combining = findCombining(schema, '')
  if (isJoined || combining !== undefined)
    return `which has no effect beside ${quote(combining ?? 'allOf')} or in it.`
  if (value === false || schema['patternProperties'] === undefined) return undefined
  return 'which has no effect beside "patternProperties".'
}

/** Says which of the names in `required` is not in `properties`. */
function findUndeclaredRequired(schema: Fields): string | undefined {
  const names = Object.keys((schema['properties'] as Fields | undefined) ?? {})
  const missing = [schema['required']].flat().find((name) => !names.includes(name as string))
  if (missing)
    return `but no ${quote(String(missing))} in its "properties".${suggest(String(missing), names)}`
  return undefined
}
