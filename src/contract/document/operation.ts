import type { Assume } from '../../core/contract/assumptions.ts'
import type { ApiError } from '../../core/contract/errors.ts'
import { idempotencyKeySchema } from '../../core/pipeline/input.ts'
import { type Area, errorsOf } from '../../core/pipeline/area.ts'
import { type Operation, parametersOf } from '../../core/pipeline/operation.ts'
import type { JsonSchema } from '../../core/contract/json-schema.ts'
import { givenOf } from '../../core/contract/options.ts'
import { mapFields, namesInPath, type Texts } from '../../core/text/values.ts'
import type { Components, SchemaReference } from './components.ts'

export type OperationObject = ReturnType<typeof toOperationObject>

/** Returns the object of an operation in OpenAPI, which also names the assumptions that it uses. */
export function toOperationObject(given: DescribedOperation) {
  const { operation, components, example } = given
  // Whatever asks for an assumption below notes it here.
  const assumed = new Map<string, string>()
  const assume: Assume = (id) => {
    const value = given.assume(id)
    assumed.set(id, value)
    return value
  }
  const described = { ...given, assume }
  const { id, title, source, scope, body, bodyIsOptional = false } = operation
  const parameters = toParameters(described)
  const responses = toResponses(described)
  const requestBody = body && {
    required: !bodyIsOptional,
    content: {
      'application/json': givenOf({
        schema: components.ofBody(body, (schema) => withLimits(described, schema)),
        example: example?.body,
      }),
    },
  }
  return givenOf({
    operationId: id,
    summary: title,
    tags: id.split('.', 1),
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody,
    responses,
    'x-greenhouse-source': source,
    'x-greenhouse-scope': scope,
    'x-greenhouse-assumptions': assumed.size > 0 ? Object.fromEntries(assumed) : undefined,
  })
}

/** Returns the schema of a body with the limits that it has under the assumptions. */
function withLimits(
  { area, operation, assume }: DescribedOperation,
  schema: JsonSchema,
): JsonSchema {
  const longest = area.longestText?.({ assume })
  const isClosed = area.rejectsUnknownFields({ assume })
  const limited = changeDeep(schema, (part) => {
    if (isClosed && part.properties)
      return {
        ...part,
        additionalProperties: false,
      }
    if (longest !== undefined && isFreeText(part))
      return {
        ...part,
        maxLength: longest,
      }
    return part
  })
  const changes = Object.entries(operation.bodyUnder?.(assume) ?? {})
  const changed = changes.map(([name, change]) => [
    name,
    { ...limited.properties?.[name], ...change },
  ])
  return {
    ...limited,
    properties: { ...limited.properties, ...Object.fromEntries(changed) },
  }
}

function isFreeText(schema: JsonSchema): boolean {
  const isText = [schema.type].flat().includes('string')
  return (
    isText &&
    schema.enum === undefined &&
    schema.const === undefined &&
    schema.maxLength === undefined
  )
}

/** Returns a schema with changes of it and of all schemas inside it, the innermost first. */
function changeDeep(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const { properties, items, anyOf } = schema
  const changed = (part: JsonSchema) => changeDeep(part, change)
  const parts = {
    properties: properties && mapFields(properties, changed),
    items: items && changed(items),
    anyOf: anyOf?.map(changed),
  }
  return change({ ...schema, ...givenOf(parts) })
}

/** @param place where the parameter is; only those of a path are always required */
export function toParameter(
  place: 'path' | 'query' | 'header',
  name: string,
  schema: JsonSchema,
  { description, required = place === 'path', example }: ParameterText,
) {
  return givenOf({
    name,
    in: place,
    required,
    description,
    schema,
    example,
  })
}

interface ParameterText {
  readonly description?: string
  readonly required?: boolean
  readonly example?: unknown
}

function toParameters({ area, operation, assume, example }: DescribedOperation) {
  const parameters = namesInPath(operation.path).map((name) => {
    const { description, schema = area.idSchema } = operation.params?.[name] ?? {}
    const shown = toExample(example?.params[name], schema)
    return toParameter('path', name, schema, {
      description,
      example: shown,
    })
  })
  const queryParameters = Object.entries(parametersOf(operation, assume))
  for (const [name, { description, default: text, schema: declared }] of queryParameters) {
    const schema: JsonSchema = declared ?? { type: 'string' }
    const value = toExample(text, schema)
    const withDefault =
      value === undefined
        ? schema
        : {
            ...schema,
            default: value,
          }
    parameters.push(toParameter('query', name, withDefault, { description }))
  }
  if (takesIdempotencyKey(area, operation)) parameters.push(idempotencyKey)
  return parameters
}

const idempotencyKey = toParameter('header', 'Idempotency-Key', idempotencyKeySchema, {
  description:
    'A request that is sent again with the same key runs only once, and receives the first reply.',
})

function takesIdempotencyKey({ hasIdempotencyKeys }: Area, { method, writes }: Operation): boolean {
  return hasIdempotencyKeys && method === 'POST' && writes
}

/** Returns the value of a parameter, as its schema has it, from its text. */
function toExample(text: string | undefined, { type }: JsonSchema): unknown {
  if (type === 'integer' && text !== undefined) return Number(text)
  return text
}

/** A successful call of an operation. */
export interface Example {
  readonly params: Texts
  readonly body?: unknown
  readonly status: number
  readonly reply?: unknown
  /** The reply to the same call as server-sent events, if the operation has a stream. */
  readonly stream?: string
}

interface DescribedOperation {
  readonly area: Area
  readonly operation: Operation
  readonly assume: Assume
  readonly components: Components
  readonly example?: Example
}

interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, SchemaReference>>
  readonly content?: Readonly<
    Record<
      string,
      {
        schema: JsonSchema
        example?: unknown
        examples?: Readonly<Record<string, SchemaReference>>
      }
    >
  >
}

function toResponses(described: DescribedOperation): Record<string, ResponseObject> {
  const { area, operation, assume } = described
  const responses: Record<string, ResponseObject> = {}
  for (const status of new Set(operation.statuses?.(assume) ?? [200]))
    responses[status] = toSuccess(described, status)
  addStream(described, responses)
  for (const [status, rejected] of errorsOf(area, operation, assume))
    responses[status] = toErrorResponse(described, status, [...rejected.values()])
  return responses
}

function toSuccess(described: DescribedOperation, status: number): ResponseObject {
  const { operation, assume, components, example } = described
  const result = operation.resultUnder?.(assume) ?? operation.result
  const head = {
    description: operation.title + '.',
    ...headersOf(described, status),
  }
  if (!result) return head
  const shown = example?.status === status ? example.reply : undefined
  const content = givenOf({
    schema: components.ofReply(result),
    example: shown,
  })
  return {
    ...head,
    content: { 'application/json': content },
  }
}

const whyJsonToo =
  'The JSON reply has another status. It is listed here too, since generators read only one success.'

/**
 * Adds the reply of a stream, after JSON: generators of clients read the first content of the first
 * success. OpenAPI 3.1 has no schema for events, so a field of ours has theirs.
 */
function addStream(described: DescribedOperation, responses: Record<string, ResponseObject>) {
  const { operation, assume, components, example } = described
  const stream = operation.stream?.(assume)
  if (!stream) return
  const events = Object.entries(stream.events).map(([event, schema]) => ({
    event,
    data: components.ofReply(schema),
  }))
  const sameStatus = responses[stream.status]
  const [json] = Object.values(responses)
  responses[stream.status] = {
    description: sameStatus
      ? sameStatus.description
      : `${operation.title}, as server-sent events. ${whyJsonToo}`,
    ...headersOf(described, stream.status),
    content: {
      ...json?.content,
      'text/event-stream': givenOf({
        schema: {
          type: 'string',
          description: `Server-sent events: ${events.map(({ event }) => `\`${event}\``).join(', ')}. The data of each is JSON.`,
          'x-greenhouse-events': events,
        },
        example: example?.stream,
      }),
    },
  }
}

function toErrorResponse(
  described: DescribedOperation,
  status: number,
  rejected: readonly ApiError[],
): ResponseObject {
  const { area, assume, components } = described
  const examples = rejected.map((error) => {
    const { body } = area.toErrorReply(
      {
        assume,
        requestId: 'req_7s2kq4vn6d5xw3ha',
      },
      error,
    )
    const value = JSON.parse(body as string) as unknown
    const shown = {
      summary: error.message,
      value,
    }
    return [error.code, components.refer('examples', `${area.name}.${status}.${error.code}`, shown)]
  })
  return {
    description: rejected.map(({ message }) => message).join(' Or: '),
    ...headersOf(described, status),
    content: {
      'application/json': {
        schema: components.ofReply(area.errorSchema),
        examples: Object.fromEntries(examples),
      },
    },
  }
}

function headersOf({ area, operation, assume, components }: DescribedOperation, status: number) {
  const headers: Record<string, object> = {}
  // Without a valid key there is no quota, unless such requests count as those of the free plan.
  const isLimited = status === 429 || area.isRateLimited({ assume })
  if (isLimited && (status !== 401 || assume('rate-limit.unauthenticated') === 'free-plan'))
    Object.assign(headers, toQuotaHeaders(assume))
  if (status === 429 && assume('rate-limit.retry-after') === 'sent')
    headers['Retry-After'] = toHeader('How many seconds to wait.', {
      type: 'integer',
      minimum: 1,
    })
  if (area.hasRequestId({ assume }))
    headers['X-Request-Id'] = toHeader('Names the request; the same as error.request_id.', {
      type: 'string',
      pattern: '^req_[a-z0-9]{16}$',
    })
  if (takesIdempotencyKey(area, operation))
    headers['Idempotent-Replayed'] = {
      description:
        'The reply is the one that the first request with this Idempotency-Key received.',
      required: false,
      schema: { const: 'true' },
    }
  const entries = Object.entries(headers).map(([name, header]) => [
    name,
    components.refer('headers', name, header),
  ])
  if (entries.length === 0) return {}
  return { headers: Object.fromEntries(entries) }
}

function toQuotaHeaders(assume: Assume) {
  const window = assume('rate-limit.reported')
  const described = window === 'tightest' ? 'window that has the fewest left' : window
  return {
    'X-RateLimit-Limit': toHeader(`How many requests the ${described} holds.`, {
      type: 'integer',
      minimum: 1,
    }),
    'X-RateLimit-Remaining': toHeader('How many of them are left.', {
      type: 'integer',
      minimum: 0,
    }),
    'X-RateLimit-Reset': resetHeaders[assume('rate-limit.reset-unit')],
  }
}

const resetHeaders = {
  'epoch-seconds': toHeader('When the window is full again, in seconds since 1970.', {
    type: 'integer',
  }),
  'delta-seconds': toHeader('In how many seconds the window is full again.', {
    type: 'integer',
    minimum: 1,
  }),
  'epoch-milliseconds': toHeader('When the window is full again, in milliseconds since 1970.', {
    type: 'integer',
  }),
  'iso-8601': toHeader('When the window is full again.', {
    type: 'string',
    format: 'date-time',
  }),
}

function toHeader(description: string, schema: JsonSchema) {
  return {
    description,
    required: true,
    schema,
  }
}
