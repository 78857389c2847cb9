import { namesInPath, type Texts } from '../core/text/values.ts'
import * as z from 'zod/mini'
import { type JsonSchema, typesOf } from '../core/contract/json-schema.ts'
import { parseJson } from '../core/http/json.ts'
import { worldNameRule } from '../core/http/urls.ts'
import type { ControlAction } from './call.ts'

/** The parameters of paths that need more words than their name, by the segment before them. */
const pathParameters: Texts = {
  'worlds/{world}': `The name of a world, such as default: ${worldNameRule}.`,
  'snapshots/{snapshot}': `The name of a snapshot: ${worldNameRule}.`,
  '{collection}/{id}': 'The id of a record; of a key, its name or fingerprint.',
  'journal/{id}': 'The id of an entry. The first one is 1.',
}

/** Says what a parameter of an action's path is. */
export function describeParameter(path: string, name: string): string {
  const segments = path.split('/')
  const before = segments[segments.indexOf(`{${name}}`) - 1]
  const known = pathParameters[`${before}/{${name}}`]
  return known ?? (name === 'id' ? `The id of one of the ${before}.` : `The name of the ${name}.`)
}

/** Returns the parameters of an action's path, without the world, which every call has. */
export function namesIn(path: string): string[] {
  return namesInPath(path).filter((name) => name !== 'world')
}

/** Returns what an action takes in its query or body. */
export function toInputSchema({ input }: ControlAction): JsonSchema {
  if (!input) return {}
  const schema = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
  }) as JsonSchema
  // The schema of a record says only that it is an object.
  const isAnyObject =
    schema.type === 'object' && !schema.properties && schema.additionalProperties === undefined
  if (isAnyObject)
    return {
      ...schema,
      additionalProperties: true,
    }
  return schema
}

export function allTypesOf(field: JsonSchema): string[] {
  const parts = field.anyOf ?? [field]
  return parts.flatMap((part) => typesOf(part) ?? [])
}

/**
 * Reads a text as its field wants it: as it is where the field takes text, otherwise as JSON if it
 * is JSON.
 */
export function toInputValue(text: string, field: JsonSchema = {}): unknown {
  const types = allTypesOf(field)
  const isOnlyText = types.length > 0 && types.every((type) => type === 'string')
  if (isOnlyText || (types.includes('string') && !/^\s*[{[]/.test(text))) return text
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
