import { codedError } from '../core/text/error-codes.ts'
import * as z from 'zod/mini'
import { fromJSONSchema } from 'zod/v4'
import type { JsonSchema } from '../core/contract/json-schema.ts'
import { describeProblem, quote, suggest } from '../core/text/messages.ts'
import { toReason } from '../core/contract/errors.ts'

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
    ({ type = [], const: only, enum: values = only === undefined ? [] : [only] }) =>
      values.length === 0
        ? [type].flat()
        : values.map((value) => typeof value).filter((name) => name !== 'string'),
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

const words = (text: string) => text.split(' ')
const ofNumbers = words('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf format')

/** The keywords that constrain values of a type. Without the type, Zod drops them. */
const byType: Readonly<Record<string, readonly string[]>> = {
  object: words(
    'properties required additionalProperties patternProperties propertyNames minProperties maxProperties',
  ),
  array: words(
    'items prefixItems additionalItems minItems maxItems uniqueItems contains minContains maxContains',
  ),
  string: words('minLength maxLength pattern format'),
  number: ofNumbers,
  integer: ofNumbers,
}
const combining = words('allOf anyOf oneOf')
/** Zod reads no other constraint next to one of these. */
const alone = words('$ref not enum const')
const notes = words(
  '$schema $id $comment $defs definitions title description default example examples deprecated readOnly writeOnly contentEncoding contentMediaType',
)
const known = [...Object.values(byType).flat(), ...combining, ...alone, 'type', ...notes]
const mapping = words('properties patternProperties $defs definitions')
const nesting = words(
  'items additionalItems additionalProperties prefixItems contains propertyNames',
)

type Schema = Readonly<Record<string, unknown>>

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
  const schema = part as Schema
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined || keyword.startsWith('x-')) continue
    const at = [...path, keyword]
    const problem = findProblem(schema, keyword, isJoined)
    if (problem !== undefined)
      throw codedError(
        'GREENHOUSE_INVALID_DEFINITION',
        `${owner} has ${quote(at.join('.'))}, ${problem}`,
      )
    const joins =
      keyword === 'allOf' ||
      (combining.includes(keyword) && (isJoined || schema['type'] !== undefined))
    if (
      mapping.includes(keyword) ||
      combining.includes(keyword) ||
      (nesting.includes(keyword) && Array.isArray(value))
    )
      for (const [name, below] of Object.entries(value ?? {}))
        assertEnforced(below, owner, [...at, name], joins)
    // Names are strings without a "type".
    else if (keyword === 'propertyNames')
      assertEnforced({ type: 'string', ...(value as Schema) }, owner, at)
    else if (nesting.includes(keyword)) assertEnforced(value, owner, at)
  }
}

function findProblem(schema: Schema, keyword: string, isJoined: boolean): string | undefined {
  if (!known.includes(keyword))
    return describeProblem('a keyword that Greenhouse does not know', keyword, known)
  if (notes.includes(keyword)) return undefined
  const has = (other: string) => other !== keyword && schema[other] !== undefined
  const hides = alone.find((other) => has(other) && (keyword !== 'type' || other === '$ref'))
  if (hides) return `which has no effect beside "${hides}".`
  const types = Object.keys(byType).filter((type) => byType[type]!.includes(keyword))
  if (types.length > 0 && ![schema['type']].flat().some((type) => types.includes(type as string)))
    return `which has no effect without "type": ${types.map(quote).join(' or ')}.`
  if (/^(min|max|multipleOf|exclusive)/.test(keyword) && typeof schema[keyword] !== 'number')
    return 'which takes a number.'
  if (/^m..Items$/.test(keyword) && !has('items') && !has('prefixItems'))
    return 'which has no effect without "items". Add "items": {}.'
  const combined = combining.find(has)
  if (combined && combining.includes(keyword) && !has('type'))
    return `which has no effect beside "${combined}".`
  if (keyword === 'additionalProperties' && schema[keyword] !== true) {
    if (isJoined || combined)
      return `which has no effect beside ${quote(combined ?? 'allOf')} or in it.`
    if (schema[keyword] !== false && has('patternProperties'))
      return 'which has no effect beside "patternProperties".'
  }
  const names = Object.keys((schema['properties'] as Schema | undefined) ?? {})
  const missing =
    keyword === 'required' &&
    [schema[keyword]].flat().find((name) => !names.includes(name as string))
  return missing
    ? `but no ${quote(String(missing))} in its "properties".${suggest(String(missing), names)}`
    : undefined
}
