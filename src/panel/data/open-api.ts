import type { JsonSchema } from './shapes.ts'

export interface OpenApi {
  readonly servers: readonly ApiServer[]
  readonly paths: Readonly<Record<string, ApiPath>>
  readonly webhooks?: Readonly<Record<string, { readonly post: ApiOperation }>>
  readonly tags: readonly { readonly name: string }[]
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly headers: Readonly<Record<string, ApiHeader>>
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>
  }
}

export type ApiComponents = Pick<OpenApi, 'components'>

interface ApiServer {
  readonly url: string
}

type ApiPath = { readonly servers?: readonly ApiServer[] } & Readonly<
  Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', ApiOperation>>
>

export interface ApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly ApiParameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, ApiResponse>>
  readonly 'x-greenhouse-source': string
  readonly 'x-greenhouse-scope'?: string
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

interface ApiHeader {
  readonly description?: string
  readonly $ref?: string
}

interface ApiMedia {
  readonly schema: JsonSchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>
}

type Content = Readonly<Record<string, ApiMedia>>

export function examplesOf({ example, examples = {} }: ApiMedia, { components }: OpenApi): readonly unknown[] {
  if (example !== undefined) return [example]
  return Object.values(examples).flatMap(({ $ref }) => components.examples[$ref.split('/').at(-1)!]?.value ?? [])
}

export function resolveSchema(schema: JsonSchema, { components }: ApiComponents): JsonSchema {
  return resolveRef(schema, components.schemas)
}

export function resolveRef(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  return (name === undefined ? undefined : schemas[name]) ?? schema
}
