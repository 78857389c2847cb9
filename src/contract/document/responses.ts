import type { ApiError } from '../../core/definitions/errors.ts'
import { refusalsOf } from '../../core/pipeline/refusals.ts'
import type { Components, ReferenceObject, SchemaObject } from './components.ts'
import { toHeaders } from './headers.ts'
import type { Assume } from '../../core/definitions/assumptions.ts'
import type { Area, Operation } from '../../core/pipeline/operation.ts'
import type { Example } from './examples.ts'

export interface Described {
  readonly area: Area
  readonly operation: Operation
  readonly assume: Assume
  readonly components: Components
  readonly example?: Example | undefined
}

interface MediaObject {
  readonly schema: SchemaObject
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, ReferenceObject>>
}

export interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, ReferenceObject>>
  readonly content?: Readonly<Record<string, MediaObject>>
}

export function toResponses(described: Described): Record<string, ResponseObject> {
  const { area, operation, assume } = described
  const responses: Record<string, ResponseObject> = {}
  for (const status of new Set(operation.statuses?.(assume) ?? [200])) responses[status] = toSuccess(described, status)
  addStream(described, responses)
  for (const [status, refused] of refusalsOf(area, operation, assume))
    responses[status] = toRefusal(described, status, [...refused.values()])
  return responses
}

function toSuccess(described: Described, status: number): ResponseObject {
  const { operation, assume, components, example } = described
  const result = operation.resultUnder?.(assume) ?? operation.result
  const headers = headersOf(described, status)
  const description = operation.title + '.'
  if (!result) return { description, ...headers }
  const shown = example?.status === status && example.reply !== undefined && { example: example.reply }
  return {
    description,
    ...headers,
    content: { 'application/json': { schema: components.use(result, 'output'), ...shown } },
  }
}

/**
 * Adds a streamed reply. It is text, and the description names its events, because OpenAPI 3.1 has no schema for them.
 * JSON comes first, even for a status of the stream only: generators and mock servers read the first content of the
 * first success.
 */
function addStream(described: Described, responses: Record<string, ResponseObject>): void {
  const { operation, assume, components, example } = described
  const stream = operation.stream?.(assume)
  if (!stream) return
  const events = Object.entries(stream.events).map(([name, schema]) => ({
    event: name,
    data: components.use(schema, 'output'),
  }))
  const known = responses[stream.status]
  const [json] = Object.values(responses)
  responses[stream.status] = {
    description: known
      ? known.description
      : `${operation.title}, as server-sent events. The JSON reply has another status. It is listed here too, since generators read only one success.`,
    ...headersOf(described, stream.status),
    content: {
      ...json?.content,
      'text/event-stream': {
        schema: {
          type: 'string',
          description: `Server-sent events: ${events.map(({ event }) => `\`${event}\``).join(', ')}. The data of each is JSON.`,
          'x-greenhouse-events': events,
        },
        ...(example?.stream !== undefined && { example: example.stream }),
      },
    },
  }
}

function toRefusal(described: Described, status: number, refused: readonly ApiError[]): ResponseObject {
  const { area, components } = described
  return {
    description: refused.map(({ message }) => message).join(' Or: '),
    ...headersOf(described, status),
    content: {
      'application/json': {
        schema: components.use(area.errorSchema, 'output'),
        examples: Object.fromEntries(refused.map((error) => [error.code, toExample(described, status, error)])),
      },
    },
  }
}

function toExample({ area, assume, components }: Described, status: number, error: ApiError): ReferenceObject {
  const { body } = area.toErrorReply({ assume, requestId: 'req_7s2kq4vn6d5xw3ha' }, error)
  const value = JSON.parse(body as string) as unknown
  return components.example(`${area.name}.${status}.${error.code}`, { summary: error.message, value })
}

function headersOf(
  { area, operation, assume, components }: Described,
  status: number,
): Pick<ResponseObject, 'headers'> {
  const headers = toHeaders(area, operation, assume, status, components)
  return Object.keys(headers).length === 0 ? {} : { headers }
}
