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
 * @param owner what the schema describes: `the body of "plants.water"`. @param directions which
 * directions the document shows.
 * @throws TypeError for anything that cannot be documented.
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
  const found =
    '_zod' in schema ? (schema as unknown as z.ZodMiniType) : readJsonSchema(schema, owner)
  for (const io of directions) toParts(found, owner, io)
  return found
}

/** Returns the JSON Schema of a schema. @throws TypeError if it has none, as that of a date. */
export function toParts(schema: z.ZodMiniType, owner: string, io: 'input' | 'output'): JsonSchema {
  try {
    return z.toJSONSchema(schema, { io }) as JsonSchema
  } catch (error) {
    throw codedError(
      'GREENHOUSE_INVALID_DEFINITION',
      `${owner} cannot be documented: ${toReason(error)}`,
    )
  }
}

/** Returns a JSON Schema and its alternatives. */
export function leavesOf(schema: JsonSchema): JsonSchema[] {
  const below = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((parts = []) => parts)
  return [schema, ...below.flatMap(leavesOf)]
}

/**
 * Returns the types of the values that a JSON Schema accepts, without `string` if it lists the
 * strings; none if it accepts any value.
 */
export function valueTypesOf(schema: JsonSchema): string[] {
  return leavesOf(schema).flatMap(
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

/** What a keyword needs, so that Zod does not drop it. */
interface Keyword {
  /** The types of values that it constrains: without one of them it has no effect. */
  readonly types?: readonly string[]
  /** Other keywords: without one of them it has no effect. */
  readonly needs?: readonly string[]
  readonly takesNumber?: true
  /** What is below it: a schema, or several, by name or in a list. */
  readonly below?: 'schema' | 'schemas'
  /** True if it combines schemas. */
  readonly combines?: true
  /** True if Zod reads no other constraint next to it. */
  readonly isAlone?: true
  /** True if it constrains nothing. */
  readonly isNote?: true
}

const all = (names: string, keyword: Keyword) =>
  Object.fromEntries(names.split(' ').map((name) => [name, keyword]))

const object = { types: ['object'] }
const array = { types: ['array'] }
const string = { types: ['string'] }
const number = { types: ['number', 'integer'], takesNumber: true } as const

const keywords: Readonly<Record<string, Keyword>> = {
  ...all('properties patternProperties', { ...object, below: 'schemas' }),
  ...all('additionalProperties propertyNames', { ...object, below: 'schema' }),
  ...all('required', object),
  ...all('minProperties maxProperties', { ...object, takesNumber: true }),
  ...all('items prefixItems additionalItems contains', { ...array, below: 'schema' }),
  ...all('uniqueItems', array),
  ...all('minItems maxItems', {
    ...array,
    takesNumber: true,
    needs: ['items', 'prefixItems'],
  }),
  ...all('minContains maxContains', { ...array, takesNumber: true }),
  ...all('minLength maxLength', { ...string, takesNumber: true }),
  ...all('pattern', string),
  ...all('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf', number),
  ...all('format', { types: [...string.types, ...number.types] }),
  ...all('allOf anyOf oneOf', { combines: true, below: 'schemas' }),
  ...all('$ref not enum const', { isAlone: true }),
  ...all('type', {}),
  ...all('$defs definitions', { isNote: true, below: 'schemas' }),
  ...all('$schema $id $comment title description default example examples', { isNote: true }),
  ...all('deprecated readOnly writeOnly contentEncoding contentMediaType', { isNote: true }),
}

/**
 * @param path of the schema in its root. @param isJoined whether the value has to match another
 * schema too.
 * @throws TypeError for a keyword of a JSON Schema that Zod would drop.
 */
function assertEnforced(
  part: unknown,
  owner: string,
  path: readonly string[] = [],
  isJoined = false,
): void {
  if (typeof part !== 'object' || part === null) return
  const schema = part as Fields
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined || keyword.startsWith('x-')) continue
    const at = [...path, keyword]
    const problem = findSchemaProblem(schema, keyword, isJoined)
    if (problem !== undefined)
      throw codedError(
        'GREENHOUSE_INVALID_DEFINITION',
        `${owner} has ${quote(at.join('.'))}, ${problem}`,
      )
    const { combines } = keywords[keyword]!
    const joins = combines && (keyword === 'allOf' || isJoined || schema['type'] !== undefined)
    for (const [name, below] of schemasBelow(keyword, value))
      assertEnforced(below, owner, [...at, ...name], joins)
  }
}

/** Returns the schemas in a keyword, with the rest of their paths. */
function schemasBelow(keyword: string, value: unknown): [path: string[], schema: unknown][] {
  const { below } = keywords[keyword]!
  if (below === undefined) return []
  // Names are strings without a "type".
  if (keyword === 'propertyNames') return [[[], { type: 'string', ...(value as Fields) }]]
  if (below === 'schema' && !Array.isArray(value)) return [[[], value]]
  return Object.entries(value ?? {}).map(([name, schema]) => [[name], schema])
}

/**
 * Says why a keyword would be dropped, as the end of a sentence. No schema says it: whether a keyword
 * has an effect depends on its neighbours and on the schema around, as that of `allOf`.
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
    findLack(schema, keyword, needed) ??
    (keyword === 'additionalProperties' ? findOpenRival(schema, isJoined) : undefined) ??
    (keyword === 'required' ? findUndeclared(schema) : undefined)
  )
}

/** Finds another keyword that keeps Zod from reading this one. */
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

function findCombining(schema: Fields, keyword: string): string | undefined {
  return Object.keys(schema).find((name) => name !== keyword && keywords[name]?.combines)
}

/** Finds what a keyword needs and does not have. */
function findLack(schema: Fields, keyword: string, needed: Keyword): string | undefined {
  const { types, takesNumber, needs } = needed
  const given = [schema['type']].flat()
  if (types && !types.some((type) => given.includes(type)))
    return `which has no effect without "type": ${types.map(quote).join(' or ')}.`
  if (takesNumber && typeof schema[keyword] !== 'number') return 'which takes a number.'
  if (needs?.every((name) => schema[name] === undefined))
    return `which has no effect without "${needs[0]}". Add "${needs[0]}": {}.`
  return undefined
}

function findOpenRival(schema: Fields, isJoined: boolean): string | undefined {
  const value = schema['additionalProperties']
  if (value === true) return undefined
  const combining = findCombining(schema, '')
  if (isJoined || combining !== undefined)
    return `which has no effect beside ${quote(combining ?? 'allOf')} or in it.`
  if (value === false || schema['patternProperties'] === undefined) return undefined
  return 'which has no effect beside "patternProperties".'
}

function findUndeclared(schema: Fields): string | undefined {
  const names = Object.keys((schema['properties'] as Fields | undefined) ?? {})
  const missing = [schema['required']].flat().find((name) => !names.includes(name as string))
  if (missing)
    return `but no ${quote(String(missing))} in its "properties".${suggest(String(missing), names)}`
  return undefined
}
