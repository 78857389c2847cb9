import type { Assume } from '../../core/definitions/assumptions.ts'
import { errors, type ErrorCode } from '../../core/definitions/errors.ts'
import type { RefusedWith } from '../../core/pipeline/endpoint.ts'
import type { Area, Operation } from '../../core/pipeline/operation.ts'
import type { SchemaObject } from './components.ts'
import { toHeaders } from './headers.ts'
import type { Described } from './described.ts'

/** A reply of an OpenAPI document. */
export interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>
  readonly content?: Readonly<Record<string, { readonly schema: SchemaObject; readonly example?: unknown }>>
}

/** Every reply that an operation can give, by status. */
export function toResponses(described: Described): Record<string, ResponseObject> {
  const { area, operation, assume } = described
  const responses: Record<string, ResponseObject> = {}
  for (const status of new Set(operation.statuses?.(assume) ?? [200])) responses[status] = toSuccess(described, status)
  addStream(described, responses)
  const refusals = new Map<number, ErrorCode[]>()
  for (const refused of [...usualRefusals(area, operation, assume), ...(operation.refusals?.(assume) ?? [])]) {
    const [code, own] = toPair(refused)
    const status = area.toStatus({ code, status: own }, { assume })
    refusals.set(status, [...new Set([...(refusals.get(status) ?? []), code])])
  }
  for (const [status, codes] of [...refusals].sort(([a], [b]) => a - b))
    responses[status] = toRefusal(described, status, codes)
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

/** A stream is text, whose events the description names: a schema of OpenAPI 3.1 tells of no event of it. */
function addStream(described: Described, responses: Record<string, ResponseObject>): void {
  const { operation, assume, components } = described
  const stream = operation.stream?.(assume)
  if (!stream) return
  const events = Object.entries(stream.events).map(([name, schema]) => ({
    event: name,
    data: components.use(schema, 'output'),
  }))
  const known = responses[stream.status]
  responses[stream.status] = {
    description: known ? known.description : `${operation.title}, as server-sent events.`,
    ...headersOf(described, stream.status),
    content: {
      ...known?.content,
      'text/event-stream': {
        schema: {
          type: 'string',
          description: `Server-sent events: ${events.map(({ event }) => `\`${event}\``).join(', ')}. The data of each is JSON.`,
          'x-greenhouse-events': events,
        },
      },
    },
  }
}

/** What keys, limits and input can end in, whatever the operation. */
function usualRefusals(area: Area, { scope, body, path }: Operation, assume: Assume): RefusedWith[] {
  return [
    'invalid_request',
    'missing_api_key',
    'invalid_api_key',
    ...(scope === 'any' ? [] : (['insufficient_permissions'] as const)),
    ...(area.unknownId && path.includes('{') ? [area.unknownId] : []),
    ...(body ? (['payload_too_large', 'unsupported_encoding', 'unsupported_media_type'] as const) : []),
    ...(area.isRateLimited({ assume }) ? (['rate_limit_exceeded'] as const) : []),
    'internal_error',
  ]
}

function toPair(refused: RefusedWith): [code: ErrorCode, status: number] {
  return typeof refused === 'string' ? [refused, errors[refused].status] : [refused[0], refused[1]]
}

function toRefusal(described: Described, status: number, codes: readonly ErrorCode[]): ResponseObject {
  const { area, components } = described
  return {
    description: codes.map((code) => errors[code].message).join(' Or: '),
    ...headersOf(described, status),
    content: { 'application/json': { schema: components.use(area.errorSchema, 'output') } },
  }
}

function headersOf(
  { area, operation, assume, components }: Described,
  status: number,
): Pick<ResponseObject, 'headers'> {
  const headers = toHeaders(area, operation, assume, status, components)
  return Object.keys(headers).length === 0 ? {} : { headers }
}
