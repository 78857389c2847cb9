import type { JsonSchema } from './shapes.ts'

/** An OpenAPI 3.1 document, as far as the panel reads it. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly webhooks?: Readonly<Record<string, { readonly post: ApiOperation }>>
  readonly tags: readonly { readonly name: string }[]
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly headers: Readonly<Record<string, ApiHeader>>
  }
}

export interface ApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly ApiParameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, ApiResponse>>
  /** Where it comes from: `stated`, `published`, `convention`, `ours`. */
  readonly 'x-greenhouse-source': string
  readonly 'x-greenhouse-scope'?: string
  /** The assumptions that decide on its replies, and their values. */
  readonly 'x-greenhouse-assumptions'?: Readonly<Record<string, string>>
}

export interface ApiParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
  readonly example?: unknown
}

export interface ApiResponse {
  readonly description: string
  readonly headers?: Readonly<Record<string, ApiHeader>>
  readonly content?: Content
}

export interface ApiHeader {
  readonly description?: string
  readonly $ref?: string
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>

/** The target of a `$ref`; the schema itself without one. */
export function resolveSchema(schema: JsonSchema, { components }: Pick<OpenApi, 'components'>): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  return (name === undefined ? undefined : components.schemas[name]) ?? schema
}
