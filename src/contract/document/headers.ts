import type { Assume } from '../../core/definitions/assumptions.ts'
import { coreAssumptions } from '../../core/pipeline/assumptions.ts'
import type { Area, Operation } from '../../core/pipeline/operation.ts'
import type { Components, HeaderObject, SchemaObject } from './components.ts'

export function toHeaders(
  area: Area,
  { method, writes }: Operation,
  assume: Assume,
  status: number,
  components: Components,
): Record<string, { readonly $ref: string }> {
  const headers: Record<string, HeaderObject> = {}
  if ((status === 429 || area.isRateLimited({ assume })) && hasQuota(assume, status))
    Object.assign(headers, toQuotaHeaders(assume))
  if (status === 429 && assume(coreAssumptions, 'rate-limit.retry-after') === 'sent')
    headers['Retry-After'] = toHeader('How many seconds to wait.', { type: 'integer', minimum: 1 })
  if (area.hasRequestId({ assume }))
    headers['X-Request-Id'] = toHeader('Names the request; the same as error.request_id.', {
      type: 'string',
      pattern: '^req_[a-z0-9]{16}$',
    })
  if (area.hasIdempotencyKeys && method === 'POST' && writes)
    headers['Idempotent-Replayed'] = {
      ...toHeader('The reply is the one that the first request with this Idempotency-Key received.', { const: 'true' }),
      required: false,
    }
  return Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, components.header(name, header)]))
}

function hasQuota(assume: Assume, status: number): boolean {
  return status !== 401 || assume(coreAssumptions, 'rate-limit.unauthenticated') === 'free-plan'
}

function toQuotaHeaders(assume: Assume): Record<string, HeaderObject> {
  const window = assume(coreAssumptions, 'rate-limit.reported')
  const described = window === 'tightest' ? 'window that has the fewest left' : window
  return {
    'X-RateLimit-Limit': toHeader(`How many requests the ${described} holds.`, { type: 'integer', minimum: 1 }),
    'X-RateLimit-Remaining': toHeader('How many of them are left.', { type: 'integer', minimum: 0 }),
    'X-RateLimit-Reset': resets[assume(coreAssumptions, 'rate-limit.reset-unit')],
  }
}

const resets = {
  'epoch-seconds': toHeader('When the window is full again, in seconds since 1970.', { type: 'integer' }),
  'delta-seconds': toHeader('In how many seconds the window is full again.', { type: 'integer', minimum: 1 }),
  'epoch-milliseconds': toHeader('When the window is full again, in milliseconds since 1970.', { type: 'integer' }),
  'iso-8601': toHeader('When the window is full again.', { type: 'string', format: 'date-time' }),
}

function toHeader(description: string, schema: SchemaObject): HeaderObject {
  return { description, required: true, schema }
}
