import type { Assume } from '../../core/definitions/assumptions.ts'
import type { Contract } from '../../core/pipeline/contract.ts'
import type { Area } from '../../core/pipeline/operation.ts'
import { toOperationObject, type OperationObject } from './operation.ts'
import { Components } from './components.ts'
import { toWebhooks } from './webhooks.ts'
import type { ExampleOf } from './examples.ts'
import { turn } from './turn.ts'

/** What a document is made of. */
export interface DocumentOptions {
  readonly contract: Contract
  readonly version: string
  /** The values of the assumptions: the document changes as the server does. */
  readonly values: ReadonlyMap<string, string>
  /** Only this area; both without. */
  readonly area?: 'plants' | 'apps' | undefined
  /** Where the service is. */
  readonly server: string
  /** What operations were asked and answered; without it the document has no examples. */
  readonly exampleOf?: ExampleOf | undefined
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: Readonly<Record<string, unknown>>
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly webhooks?: Readonly<Record<string, unknown>>
  readonly components: Readonly<Record<string, unknown>>
}

/** Writes the rules of both areas as an OpenAPI document, as the assumptions have them: an operation a turn. */
export async function createDocument(options: DocumentOptions): Promise<OpenApiDocument> {
  const { contract, version, values, area: wanted, server } = options
  const assume: Assume = (_, id) => values.get(id)!
  const areas = contract.areas.filter(({ name }) => wanted === undefined || name === wanted)
  const components = new Components(areas)
  const paths: Record<string, Record<string, OperationObject>> = {}
  for (const area of areas)
    for (const operation of area.operations) {
      ;(paths[area.base + operation.path] ??= {})[operation.method.toLowerCase()] = toOperationObject({
        area,
        operation,
        assume,
        components,
        example: options.exampleOf?.(operation.id),
      })
      await turn()
    }
  const webhooks = areas.some(({ name }) => name === 'apps') ? toWebhooks(components, assume, contract) : undefined
  return {
    openapi: '3.1.0',
    info: {
      title: areas.map(({ title }) => title).join(' and '),
      version,
      summary: 'As Greenhouse mocks it.',
      description:
        'x-greenhouse-source says where a part comes from: stated by the reference, published elsewhere, a convention of well-known APIs, or ours. x-greenhouse-assumptions names the assumptions that decide it, and their values here.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server, description: 'A local Greenhouse' }],
    tags: areas.flatMap(toTags),
    security: [{ bearerKey: [] }],
    paths,
    ...(webhooks && { webhooks }),
    components: { ...components.toJson(), securitySchemes: { bearerKey } },
  }
}

const bearerKey = {
  type: 'http',
  scheme: 'bearer',
  description: 'An API key: `Authorization: Bearer key_pro`.',
}

function toTags({ operations }: Area) {
  const names = [...new Set(operations.map(({ id }) => id.split('.')[0]!))]
  return names.map((name) => ({ name, description: `${name[0]!.toUpperCase()}${name.slice(1)}.` }))
}
