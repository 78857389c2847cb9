import * as z from 'zod/mini'
import { fromJSONSchema } from 'zod/v4'
import { toReason } from '../../core/definitions/reason.ts'

/** A schema of zod 4, whichever copy of it made the schema. */
export interface ZodSchema<Value = unknown> {
  readonly _zod: { readonly output: Value }
}

/** A JSON Schema: `{ type: 'object', properties: { liters: { type: 'number' } } }`. */
export interface OwnJsonSchema {
  readonly [keyword: string]: unknown
  readonly _zod?: never
}

/** A schema of your own: of zod 4, or a JSON Schema. */
export type OwnSchema = ZodSchema | OwnJsonSchema

/** The values that a schema accepts. TypeScript does not read JSON Schemas: theirs are `any`. */
export type ValueOf<Schema> = Schema extends ZodSchema<infer Value> ? Value : any

/** @param owner what has the schema: `the body of "plants.water"`. @throws TypeError for anything that cannot be documented. */
export function toZod(schema: OwnSchema, owner: string): z.ZodMiniType {
  if (typeof schema !== 'object' || schema === null)
    throw new TypeError(`${owner} takes a schema of zod 4 or a JSON Schema.`)
  if ('_def' in schema && !('_zod' in schema))
    throw new TypeError(`${owner} is a schema of zod 3. It takes a schema of zod 4 or a JSON Schema.`)
  const found = '_zod' in schema ? (schema as unknown as z.ZodMiniType) : readJsonSchema(schema, owner)
  toParts(found, owner, 'input')
  toParts(found, owner, 'output')
  return found
}

/** Returns the JSON Schema of a schema. @throws TypeError when it has none: of a date, for example. */
export function toParts(schema: z.ZodMiniType, owner: string, io: 'input' | 'output'): SchemaParts {
  try {
    return z.toJSONSchema(schema, { io }) as SchemaParts
  } catch (error) {
    throw new TypeError(`${owner} cannot be documented: ${toReason(error)}`)
  }
}

/** The parts of a JSON Schema that Greenhouse reads. */
export interface SchemaParts {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, SchemaParts>>
  readonly required?: readonly string[]
}

function readJsonSchema(schema: OwnJsonSchema, owner: string): z.ZodMiniType {
  try {
    return fromJSONSchema(schema as never) as unknown as z.ZodMiniType
  } catch (error) {
    throw new TypeError(`${owner} is not a JSON Schema that Greenhouse can read: ${toReason(error)}`)
  }
}
