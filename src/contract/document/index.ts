import { version as ownVersion } from '../../../package.json'
import type { AreaName } from '../../areas/event-types.ts'
import { builtInCatalogue } from '../../catalogue/catalogue.ts'
import type { Catalogue } from '../../catalogue/fold-areas.ts'
import type { AssumptionChoices } from '../../api/names.ts'
import { type Assume, toAssume } from '../../core/contract/assumptions.ts'
import type { Area, Contract } from '../../core/pipeline/area.ts'
import { Components } from './components.ts'
import { type OperationObject, toOperationObject, toParameter } from './operation.ts'
import type { Method } from '../../core/pipeline/operation.ts'
import type { JsonSchema } from '../../core/contract/json-schema.ts'
import { nextTurn } from '../../core/time/system-time.ts'
import { examplesUnder } from './examples.ts'

interface OpenApiOptions {
  area?: AreaName
  server?: string
  assumptions?: AssumptionChoices
  catalogue?: Catalogue
  examples?: boolean
}

interface ServerObject {
  readonly url: string
  readonly description: string
}

export type PathItem = { servers?: ServerObject[] } & {
  [M in Lowercase<Method>]?: OperationObject
}

export type OpenApiDocument = Awaited<ReturnType<typeof createOpenApi>>

/**
 * Creates the OpenAPI document of the areas under the assumptions, one operation per turn of the
 * event loop.
 */
export async function createOpenApi(options: OpenApiOptions = {}) {
  const {
    area: wanted,
    server = 'http://127.0.0.1:4010',
    assumptions = {},
    catalogue = builtInCatalogue,
    examples = true,
  } = options
  const values = catalogue.assumptionRegistry.resolve(assumptions)
  // An example is a real exchange with a world of this catalogue.
  const exampleOf = examples ? await examplesUnder(catalogue, values, assumptions) : undefined
  const assume = toAssume({ assumptions: values })
  const areas = catalogue.areas.filter(({ name }) => wanted === undefined || name === wanted)
  const components = new Components(areas)
  // Two areas share only the root as their base: a path below another base names its server.
  const [{ base: onlyBase } = { base: '' }] = areas
  const base = areas.length === 1 ? onlyBase : ''
  const paths: Record<string, PathItem> = {}
  for (const { area, operation, path, isAtRoot } of pathsOf(areas, base)) {
    const item = (paths[path] ??= isAtRoot ? {} : { servers: [toServer(server + area.base)] })
    const example = exampleOf?.(operation.id)
    const described = toOperationObject({
      area,
      operation,
      assume,
      components,
      example,
    })
    item[operation.method.toLowerCase() as Lowercase<Method>] = described
    await nextTurn()
  }
  const hasWebhooks = areas.some(({ name }) => name === 'apps')
  return {
    openapi: '3.1.0',
    info: infoOf(areas),
    servers: [toServer(server + base)],
    tags: areas.flatMap(toTags),
    security: [{ bearerKey: [] }],
    paths,
    webhooks: hasWebhooks ? toWebhooks(components, assume, catalogue) : undefined,
    components: {
      ...components.toJson(),
      securitySchemes: { bearerKey },
    },
  }
}

function infoOf(areas: readonly Area[]) {
  const [version] = areas.map((area) => area.version)
  return {
    title: areas.map(({ title }) => title).join(' and '),
    version,
    'x-greenhouse-version': ownVersion,
    summary: 'As Greenhouse mocks it.',
    description:
      'x-greenhouse-source says where a part comes from: stated by the reference, published elsewhere, a convention of well-known APIs, or ours. x-greenhouse-assumptions names the assumptions that decide it, and their values here.',
    license: {
      name: 'MIT',
      identifier: 'MIT',
    },
  }
}

function toServer(url: string): ServerObject {
  return {
    url,
    description: 'A local Greenhouse',
  }
}

const bearerKey = {
  type: 'http',
  scheme: 'bearer',
  description: 'An API key: `Authorization: Bearer key_pro`.',
}

/** Returns a tag for each resource: the first part of the ids of operations. */
export function toTags({
  operations,
}: {
  readonly operations: readonly { readonly id: string }[]
}) {
  const names = [...new Set(operations.flatMap(({ id }) => id.split('.', 1)))]
  return names.map((name) => ({
    name,
    description: `${name.charAt(0).toUpperCase()}${name.slice(1)}.`,
  }))
}

function toWebhooks(
  components: Components,
  assume: Assume,
  { areas }: Contract,
): Record<string, unknown> {
  const header = (name: string, schema: JsonSchema, description: string) =>
    toParameter('header', name, schema, {
      description,
      required: true,
    })
  const parameters = [
    header(
      'webhook-id',
      { type: 'string' },
      'Identifies the event: the same at every attempt. Ignore an event that you have already received.',
    ),
    header('webhook-timestamp', { type: 'integer' }, 'When it was sent, in seconds since 1970.'),
  ]
  if (assume('webhooks.signature') === 'standard-webhooks')
    parameters.push(
      header(
        'webhook-signature',
        { type: 'string' },
        'Signatures of Standard Webhooks: `v1,` and base64.',
      ),
    )
  return Object.fromEntries(
    areas
      .flatMap(({ eventSchemas }) => Object.entries(eventSchemas))
      .map(([type, data]) => [
        type,
        {
          post: {
            operationId: `webhook.${type}`,
            summary: `The event ${type}.`,
            tags: ['webhooks'],
            security: [],
            parameters,
            requestBody: {
              required: true,
              content: {
                'application/json': { schema: toPayloadSchema(type, components.ofReply(data)) },
              },
            },
            responses: {
              '2XX': {
                description:
                  'Received. After any other status, or no reply within the time limit, the event is sent again.',
              },
            },
            'x-greenhouse-source': 'ours',
          },
        },
      ]),
  )
}

/**
 * Returns the operations with their paths in the document. A path is without the base of its area,
 * and names a server with the base, unless that server is the document's own, or another area has
 * the same path: then the path itself has the base, and `isAtRoot` is true.
 */
function pathsOf(areas: readonly Area[], base: string) {
  return areas.flatMap((area) =>
    area.operations.map((operation) => {
      const others = areas.filter((other) => other.base !== area.base)
      const isAtRoot =
        area.base === base ||
        others.some((other) => other.operations.some(({ path }) => path === operation.path))
      const path = isAtRoot ? area.base.slice(base.length) + operation.path : operation.path
      return {
        area,
        operation,
        path,
        isAtRoot,
      }
    }),
  )
}

function toPayloadSchema(type: string, data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      type: { const: type },
      timestamp: {
        type: 'string',
        format: 'date-time',
      },
      data,
    },
    required: ['type', 'timestamp', 'data'],
    additionalProperties: false,
  }
}
