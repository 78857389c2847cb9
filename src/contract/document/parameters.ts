import type { Assume } from '../../core/definitions/assumptions.ts'
import type { Area, Operation } from '../../core/pipeline/operation.ts'
import type { QueryParameter } from '../../core/pipeline/query.ts'
import type { SchemaObject } from './components.ts'
import type { Example } from './examples.ts'

export interface ParameterObject {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: SchemaObject
  readonly example?: unknown
}

export function toParameters(
  area: Area,
  operation: Operation,
  assume: Assume,
  example: Example | undefined,
): ParameterObject[] {
  const inPath = Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, name]) => name!)
  const known = operation.queryUnder?.(assume) ?? operation.query ?? {}
  return [
    ...inPath.map((name) => {
      const { description = '', schema = area.idSchema } = operation.params?.[name] ?? {}
      return {
        name,
        in: 'path' as const,
        required: true,
        ...(description !== '' && { description }),
        schema,
        ...(example && { example: toShown(example.params[name]!, schema) }),
      }
    }),
    ...Object.entries(known).map(([name, parameter]) => toQueryParameter(name, parameter)),
    ...(area.hasIdempotencyKeys && operation.method === 'POST' && operation.writes ? [idempotencyKey] : []),
  ]
}

function toShown(id: string, { type }: SchemaObject): unknown {
  return type === 'integer' ? Number(id) : id
}

const idempotencyKey: ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A request that is sent again with the same key runs only once, and receives the first reply.',
  schema: { type: 'string', maxLength: 255 },
}

function toQueryParameter(
  name: string,
  { description, values, default: fallback, schema }: QueryParameter,
): ParameterObject {
  const shape = schema ?? { type: 'string', ...(values && { enum: values }) }
  const value = fallback === undefined ? undefined : shape['type'] === 'integer' ? Number(fallback) : fallback
  return {
    name,
    in: 'query',
    required: false,
    description,
    schema: { ...shape, ...(value !== undefined && { default: value }) },
  }
}
