import { mapFields, namesInPath } from '../core/text/values.ts'
import type * as z from 'zod/mini'
import { version } from '../../package.json'
import type { Catalogue } from '../catalogue/fold-areas.ts'
import { Components } from '../contract/document/components.ts'
import { toParameter } from '../contract/document/operation.ts'
import { toTags } from '../contract/document/index.ts'
import type { JsonSchema } from '../core/contract/json-schema.ts'
import { givenOf } from '../core/contract/options.ts'
import { worldName } from '../core/http/urls.ts'
import { nextTurn } from '../core/time/system-time.ts'
import { type ControlAction, takesBody } from './call.ts'
import { describeParameter } from './parameters.ts'
import { failureSchema } from './shapes.ts'

interface ControlOperation {
  readonly operationId: string
  readonly summary: string
}

/** Creates the OpenAPI document of the control API, one action per turn of the event loop. */
export async function createControlDocument(
  actions: readonly ControlAction[],
  {
    server,
    catalogue,
  }: {
    server: string
    catalogue: Catalogue
  },
) {
  const components = new Components([])
  const paths: Record<string, Record<string, ControlOperation>> = {}
  for (const action of actions) {
    const item = (paths[action.path] ??= {})
    item[action.method.toLowerCase()] = toActionOperation(action, catalogue, components)
    await nextTurn()
  }
  const failure = components.ofReply(failureSchema)
  const responses = mapFields(failures, (description) => ({
    description,
    content: { 'application/json': { schema: failure } },
  }))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of Greenhouse',
      version,
      summary: 'Everything that can be done to a running Greenhouse.',
      description:
        'x-read-only marks what changes nothing, x-destructive what deletes something for good. A change creates a world that does not exist. Integers of 64 bits are exact JSON numbers.',
      contact: { name: 'Greenhouse' },
      license: {
        name: 'MIT',
        identifier: 'MIT',
      },
    },
    servers: [
      {
        url: `${server}/__greenhouse`,
        description: 'A local Greenhouse',
      },
    ],
    tags: toTags({ operations: actions }),
    security: [{}, { token: [] }],
    paths,
    components: {
      schemas: components.toJson().schemas,
      responses,
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'The value of --token, if the server has one.',
        },
      },
    },
  }
}

function toActionOperation(action: ControlAction, catalogue: Catalogue, components: Components) {
  const { id, method, path, title, description, input, destructive } = action
  const read = (schema: z.ZodMiniType) => components.ofBody(catalogue.open(schema), (json) => json)
  const hasBody = takesBody(action)
  const parameters: object[] = toPathParameters(path, catalogue)
  if (input && !hasBody) parameters.push(...toQueryParameters(read(input)))
  return givenOf({
    operationId: id,
    summary: title,
    description,
    tags: id.split('.', 1),
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: input && hasBody ? toRequestBody(read(input)) : undefined,
    responses: { ...toActionSuccess(action, catalogue, components), ...toFailures(action) },
    'x-read-only': method === 'GET' || undefined,
    'x-destructive': destructive,
  })
}

/** An absent body leaves out every field. */
function toRequestBody(schema: JsonSchema) {
  return {
    required: !schema.properties || !!schema.required,
    content: { 'application/json': { schema } },
  }
}

function toPathParameters(path: string, { collections }: Catalogue) {
  const schemas: Readonly<Record<string, JsonSchema>> = {
    world: {
      type: 'string',
      pattern: worldName.source,
    },
    snapshot: {
      type: 'string',
      pattern: worldName.source,
    },
    collection: {
      type: 'string',
      enum: collections.map(({ name }) => name),
    },
  }
  return namesInPath(path).map((name) =>
    toParameter('path', name, schemas[name] ?? { type: 'string' }, {
      description: describeParameter(path, name),
    }),
  )
}

function toQueryParameters({
  properties = {},
  required = [],
  additionalProperties: free,
}: JsonSchema) {
  const named = Object.entries(properties).map(([name, { description, ...schema }]) =>
    toParameter('query', name, schema, {
      description,
      required: required.includes(name),
    }),
  )
  if (typeof free !== 'object') return named
  const { description, ...schema } = free
  const fields = toParameter(
    'query',
    'fields',
    { type: 'object', additionalProperties: schema },
    { description },
  )
  return [...named, { ...fields, style: 'form', explode: true }]
}

function toActionSuccess(action: ControlAction, catalogue: Catalogue, components: Components) {
  const { title, output, status = 200, events } = action
  const description = `${title}.`
  if (!output) return { 204: { description } }
  const read = (schema: z.ZodMiniType) => components.ofReply(catalogue.open(schema))
  if (!events)
    return {
      [status]: {
        description,
        content: { 'application/json': { schema: read(output) } },
      },
    }
  const text = {
    type: 'string',
    description: `Server-sent events: ${Object.keys(events).join(', ')}. The data of each is JSON.`,
    'x-greenhouse-events': Object.entries(events).map(([event, schema]) => ({
      event,
      data: read(schema),
    })),
  } as const
  return {
    200: {
      description,
      content: { 'text/event-stream': { schema: text } },
    },
  }
}

/** The reasons of errors, by status. `error.code` says which it is. */
const failures = {
  400: 'The call is not valid.',
  401: 'The token is missing or wrong.',
  403: 'The caller may not use the control API: a page of another site, a wrong host.',
  404: 'Something that the path names does not exist.',
  409: 'The present state does not allow it.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  500: 'Greenhouse failed. Its log says why.',
  503: 'The server is closing, or cannot load the control API now.',
  507: 'The limit for data is reached.',
}

function toFailures(action: ControlAction) {
  const isRead = action.method === 'GET'
  const isPossible: Readonly<Record<string, boolean>> = {
    404: action.path.includes('{'),
    409: action.path.includes('{') || action.events !== undefined,
    413: !isRead,
    415: !isRead,
    507: !isRead,
  }
  const statuses = Object.keys(failures).filter((status) => isPossible[status] ?? true)
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]),
  )
}
