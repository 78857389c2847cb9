import * as z from 'zod/mini'
import type { Endpoint } from '../../core/pipeline/exchange.ts'

export type JsonType = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

export interface JsonSchema {
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly type?: JsonType | 'integer' | readonly (JsonType | 'integer')[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
}

/**
 * Returns the JSON Schema (2020-12) of the body of an operation's success, without additional properties; `undefined`
 * if it has none.
 */
export function toReplySchema({ result }: Endpoint): JsonSchema | undefined {
  return result && (z.toJSONSchema(result, { io: 'output', unrepresentable: 'any' }) as JsonSchema)
}

export function alternativesOf(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  if (schema.$ref !== undefined) return alternativesOf(follow(schema.$ref, root), root)
  const alternatives = schema.anyOf ?? schema.oneOf
  return alternatives ? alternatives.flatMap((alternative) => alternativesOf(alternative, root)) : [schema]
}

export function typesOf(schema: JsonSchema): JsonType[] | undefined {
  const listed = valuesOf(schema)
  if (schema.type === undefined) return listed?.map(toJsonType)
  return [schema.type].flat().map((type) => (type === 'integer' ? 'number' : type))
}

export function valuesOf(schema: JsonSchema): readonly unknown[] | undefined {
  return 'const' in schema ? [schema.const] : schema.enum
}

/** Returns the JSON type of a value; that of `undefined` is `null`. */
export function toJsonType(value: unknown): JsonType {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'string' || type === 'boolean' || type === 'object' ? type : 'number'
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
