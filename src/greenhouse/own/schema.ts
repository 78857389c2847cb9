import * as z from 'zod/mini'
import { fromJSONSchema } from 'zod/v4'
import { toReason } from '../../core/definitions/reason.ts'
import { assertEnforced } from './assert-enforced.ts'

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

/** The values that a schema accepts. TypeScript does not read JSON Schemas: theirs are objects with unknown fields. */
export type ValueOf<Schema> = Schema extends LibrarySchema<infer Value> ? Value : Readonly<Record<string, unknown>>

/**
 * @param owner what the schema describes: `the body of "plants.water"`. @param directions which directions the document shows.
 * @throws TypeError for anything that cannot be documented.
 */
export function toZod(
  schema: OwnSchema,
  owner: string,
  directions: readonly ('input' | 'output')[] = ['input', 'output'],
): z.ZodMiniType {
  if (typeof schema !== 'object' || schema === null)
    throw new TypeError(`${owner} takes a schema of Zod 4 or a JSON Schema.`)
  if (!('_zod' in schema) && ('~standard' in schema || '_def' in schema))
    throw new TypeError(`${owner} is a schema of another library. It takes a schema of Zod 4 or a JSON Schema.`)
  const found = '_zod' in schema ? (schema as unknown as z.ZodMiniType) : readJsonSchema(schema, owner)
  for (const io of directions) toParts(found, owner, io)
  return found
}

/** Returns the JSON Schema of a schema. @throws TypeError if it has none, as that of a date. */
export function toParts(schema: z.ZodMiniType, owner: string, io: 'input' | 'output'): SchemaParts {
  try {
    return z.toJSONSchema(schema, { io }) as SchemaParts
  } catch (error) {
    throw new TypeError(`${owner} cannot be documented: ${toReason(error)}`)
  }
}

/** The parts of a JSON Schema that Greenhouse reads. */
export interface SchemaParts {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly SchemaParts[]
  readonly oneOf?: readonly SchemaParts[]
  readonly allOf?: readonly SchemaParts[]
  readonly description?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, SchemaParts>>
  readonly items?: SchemaParts
}

/** Returns a JSON Schema and its alternatives. */
export function leavesOf(schema: SchemaParts): SchemaParts[] {
  const below = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((parts = []) => parts)
  return [schema, ...below.flatMap(leavesOf)]
}

/** Returns the types of the values that a JSON Schema accepts, without `string` if it lists the strings; none if it accepts any value. */
export function valueTypesOf(schema: SchemaParts): string[] {
  return leavesOf(schema).flatMap(({ type = [], const: only, enum: values = only === undefined ? [] : [only] }) =>
    values.length === 0 ? type : values.map((value) => typeof value).filter((name) => name !== 'string'),
  )
}

function readJsonSchema(schema: OwnJsonSchema, owner: string): z.ZodMiniType {
  let read: z.ZodMiniType
  try {
    read = fromJSONSchema(schema as never) as unknown as z.ZodMiniType
  } catch (error) {
    throw new TypeError(`${owner} is not a JSON Schema that Greenhouse can read: ${toReason(error)}`)
  }
  assertEnforced(schema, owner)
  return read
}
