import type { ControlApi } from '../../control/client/control-api.ts'
import type { OpenApiDocument } from '../../contract/document/index.ts'
import type { OperationObject } from '../../contract/document/operation.ts'
import type { JsonSchema } from './shapes.ts'

/** The OpenAPI document, with the parts that the panel reads of its components and webhooks. */
export type OpenApi = Omit<OpenApiDocument, 'components' | 'webhooks'> & {
  readonly webhooks?: Readonly<Record<string, { readonly post: Pick<OperationObject, 'requestBody'> }>>
  readonly components: {
    readonly schemas: Schemas
  }
}

export async function readOpenApi(control: ControlApi): Promise<OpenApi> {
  return (await control.call('GET /worlds/{world}/openapi.json')) as OpenApi
}

type Schemas = Readonly<Record<string, JsonSchema>>

export function resolveRef(schema: JsonSchema, schemas: Schemas = {}): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  return (name === undefined ? undefined : schemas[name]) ?? schema
}

/** The limit for the nesting of an example, because a schema may contain itself. */
const deepest = 6

export function exampleOf(given: JsonSchema, schemas: Schemas, depth = 0): unknown {
  const schema = resolveRef(given, schemas)
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  const options = schema.anyOf ?? schema.oneOf
  if (options) {
    const chosen = options.find((option) => resolveRef(option, schemas).type !== 'null') ?? options[0]
    return chosen === undefined ? null : exampleOf(chosen, schemas, depth)
  }
  const type = (Array.isArray(schema.type) ? schema.type : [schema.type]).find((name) => name !== 'null')
  switch (type) {
    case 'object':
      return Object.fromEntries(
        depth >= deepest
          ? []
          : Object.entries(schema.properties ?? {}).map(([name, part]) => [name, exampleOf(part, schemas, depth + 1)]),
      )
    case 'array':
      return schema.items && depth < deepest ? [exampleOf(schema.items, schemas, depth + 1)] : []
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'string':
      return exampleText(schema)
    default:
      return null
  }
}

function exampleText({ format, minLength = 0 }: JsonSchema): string {
  if (format === 'date-time') return '2026-01-31T12:00:00Z'
  if (format === 'date') return '2026-01-31'
  if (format === 'email') return 'ada@example.com'
  if (format === 'uri') return 'https://example.com/'
  return 'text'.padEnd(minLength, 'x')
}

export interface DocsOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly operation: OperationObject
}

export function toOperations({
  paths,
  servers,
  tags,
}: OpenApi): readonly { readonly tag: string; readonly list: DocsOperation[] }[] {
  const root = servers[0]!.url
  const all = Object.entries(paths).flatMap(([path, { servers: own = servers, ...operations }]) =>
    Object.entries(operations).map(([method, operation]): DocsOperation => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path: own[0]!.url.slice(root.length) + path,
      operation,
    })),
  )
  return tags
    .map(({ name }) => ({ tag: name, list: all.filter(({ operation }) => operation.tags[0] === name) }))
    .filter(({ list }) => list.length > 0)
}
