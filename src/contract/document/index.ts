import { itemsOf } from '../../core/text/values.ts'
import { version as ownVersion } from '../../../package.json'
import type { AreaName } from '../../areas/event-types.ts'
import { builtInCatalogue } from '../../catalogue/catalogue.ts'
import type { Catalogue } from '../../catalogue/fold-areas.ts'
import type { AssumptionChoices } from '../../api/names.ts'
import { cached } from '../../core/contract/cache.ts'
import { isObject } from '../../core/contract/options.ts'
import { type Assume, toAssume } from '../../core/contract/assumptions.ts'
import type { Area, Contract } from '../../core/pipeline/area.ts'
import { Components } from './components.ts'
import { type Example, type OperationObject, toOperationObject, toParameter } from './operation.ts'
import type { Method, Operation } from '../../core/pipeline/operation.ts'
import type { JsonSchema } from '../../core/contract/json-schema.ts'
import { nextTurn } from '../../core/time/system-time.ts'
import { closedTransport } from '../../core/http/webhook-transport.ts'
import { createFrom } from '../../api/assembly/create.ts'
import type { Greenhouse } from '../../api/greenhouse.ts'

interface OpenApiOptions {
  area?: AreaName | undefined
  server?: string
  assumptions?: AssumptionChoices
  catalogue?: Catalogue | undefined
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
  const values = catalogue.assumptionRegistry.resolve(
    assumptions as Readonly<Record<string, string>>,
  )
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

/**
 * The examples of each catalogue by the values of its assumptions. They are kept, since creating
 * them takes most of the time.
 */
const examplesOf = new WeakMap<Catalogue, Map<string, Promise<ExampleOf>>>()
/** For how many sets of values the examples of a catalogue are kept. */
const maxChoices = 4

function examplesUnder(
  catalogue: Catalogue,
  values: ReadonlyMap<string, string>,
  assumptions: AssumptionChoices,
) {
  const known = examplesOf.get(catalogue) ?? new Map<string, Promise<ExampleOf>>()
  examplesOf.set(catalogue, known)
  return cached(known, maxChoices, JSON.stringify([...values]), (key) => {
    const examples = fetchExamples(catalogue, assumptions)
    // A failure is not kept: the next document tries again.
    examples.catch(() => known.delete(key))
    return examples
  })
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

type ExampleOf = (operation: string) => Example | undefined

/** The keys to call operations with: the next one is tried where one finds no example. */
const exampleKeys = ['key_pro', 'key_pro_plus', 'key_lite']

/** The time at which all examples happen. */
const exampleTime = '2026-03-01T12:00:00Z'

/** The most records that are tried for one parameter of a path. */
const maxTriedIds = 8

/**
 * Calls every operation of a catalogue with the bundled fixtures to get its example, each in its
 * own world.
 */
async function fetchExamples(
  catalogue: Catalogue,
  assumptions: AssumptionChoices,
): Promise<ExampleOf> {
  const greenhouse = createFrom(catalogue, {
    now: exampleTime,
    assumptions,
  })
  // Examples send no deliveries.
  greenhouse.deliverThrough(closedTransport)
  const examples = new Map<string, Example>()
  for (const area of catalogue.areas)
    for (const operation of area.operations) {
      const example = await askForExample(greenhouse, area, operation)
      if (example) examples.set(operation.id, example)
      await nextTurn()
    }
  return (operation) => examples.get(operation)
}

/**
 * Calls an operation until it succeeds, with ids that lists of its world return. Of successful
 * calls, one whose list is not empty is preferred.
 */
async function askForExample(
  greenhouse: Greenhouse,
  area: Area,
  operation: Operation,
): Promise<Example | undefined> {
  const { method, path, example: body } = operation
  const world = `example-${operation.id}`
  const base = `/~${world}${area.base}`
  const { clock } = greenhouse.world(world)
  clock.freeze()
  clock.set(exampleTime)
  try {
    for (const key of exampleKeys) {
      const found = await walkPath(key, '', path.split('/').slice(1), {})
      if (found) return found
    }
    return undefined
  } finally {
    greenhouse.deleteWorld(world)
  }

  /**
   * Replaces the parameters of a path by ids, from left to right, and then calls the operation.
   * @param walked the beginning of the path, with ids
   * @param left the other segments, which may be parameters
   * @param params the ids so far, by the names of their parameters
   */
  async function walkPath(
    key: string,
    walked: string,
    left: readonly string[],
    params: Readonly<Record<string, string>>,
  ): Promise<Example | undefined> {
    const [segment, ...rest] = left
    if (segment === undefined) {
      const request = `${method} ${base}${walked}`
      const { status, value } = await callForExample(greenhouse, request, key, body)
      if (status >= 300) return undefined
      const streamed =
        operation.stream &&
        (await callForExample(greenhouse, request, key, {
          ...body,
          stream: true,
        }))
      return {
        params,
        body,
        status,
        reply: value,
        stream: streamed?.text,
      }
    }
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name === undefined) return walkPath(key, `${walked}/${segment}`, rest, params)
    for (const id of (await idsIn(greenhouse, base, walked, key)).slice(0, maxTriedIds)) {
      const found = await walkPath(key, `${walked}/${encodeURIComponent(id)}`, rest, {
        ...params,
        [name]: id,
      })
      if (found && itemsOf(found.reply)?.length !== 0) return found
    }
    return undefined
  }
}

/** Returns the ids of the records that a path lists. */
async function idsIn(
  greenhouse: Greenhouse,
  base: string,
  walked: string,
  key: string,
): Promise<string[]> {
  const { value } = await callForExample(greenhouse, `GET ${base}${walked}`, key)
  return (itemsOf(value) ?? []).filter(isObject).flatMap((item) => {
    if ('id' in item) return String(item['id'])
    return idOfPlant(greenhouse, base, item, key)
  })
}

/** Finds the id of a listed plant in the store: plants in lists have none, says the reference. */
function idOfPlant(greenhouse: Greenhouse, base: string, shown: object, key: string): string[] {
  const { records } = greenhouse.world(base.slice(2).split('/')[0])
  const account = records.keys.get(key)?.account
  const isShown = (plant: { readonly account: string; readonly name: string }) =>
    plant.account === account && 'name' in shown && plant.name === shown.name
  return records.plants.find(isShown, { take: 1 }).map(({ id }) => String(id))
}

async function callForExample(
  greenhouse: Greenhouse,
  request: string,
  key: string,
  body?: unknown,
) {
  const [method, target] = request.split(' ') as [string, string]
  const isList = method === 'GET' && !target.includes('?')
  const headers = new Headers({ Authorization: `Bearer ${key}` })
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  const response = await greenhouse.fetch(
    new Request(`http://127.0.0.1${target}${isList ? '?limit=2' : ''}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    }),
  )
  const text = await response.text()
  const isJson = response.headers.get('Content-Type') === 'application/json'
  return {
    status: response.status,
    text,
    value: isJson ? (JSON.parse(text) as unknown) : undefined,
  }
}
