import type * as z from 'zod/mini'
import type { Assume, AssumptionRegistry, Assumptions, Assuming } from '../contract/assumptions.ts'
import { cached } from '../contract/cache.ts'
import { ApiError, type ErrorCode, type ErrorHead } from '../contract/errors.ts'
import type { JsonSchema } from '../contract/json-schema.ts'
import type { Reply } from '../http/reply.ts'
import type { WebhookTransport } from '../http/webhook-transport.ts'
import type { AnyCollection } from '../store/collection.ts'
import type { PendingWork } from '../world/pending.ts'
import type { AreaLifecycle, WorldEventListener } from '../world/live-world.ts'
import type { DeclaredError, Operation } from './operation.ts'
import type { Texts } from '../text/values.ts'

/** A request whose error becomes a reply. */
interface RejectedExchange extends Assuming {
  readonly requestId: string
}

export interface Area {
  readonly name: string
  readonly base: string
  readonly hasIdempotencyKeys: boolean
  isRateLimited(exchange: Assuming): boolean
  hasRequestId(exchange: Assuming): boolean
  toErrorReply(exchange: RejectedExchange, error: ApiError): Reply
  readonly title: string
  readonly version: string
  readonly operations: readonly Operation[]
  readonly collections: Readonly<Record<string, { readonly name: string }>>
  readonly assumptions: Assumptions
  readonly schemas: Readonly<Record<string, z.ZodMiniType>>
  readonly eventSchemas: Readonly<Record<string, z.ZodMiniType>>
  readonly eventTypes?: readonly string[]
  readonly deliveries?: {
    /** Creates the transport for a Greenhouse without a server. */
    readonly createTransport: (
      hosts: readonly string[],
      isIntercepted: () => boolean,
    ) => WebhookTransport
    /** The transport after all servers have closed: it rejects every delivery. */
    readonly closedTransport: WebhookTransport
  }
  readonly errorSchema: z.ZodMiniType
  toStatus(error: ErrorHead, exchange: Assuming): number
  rejectsUnknownFields(exchange: Assuming): boolean
  rejectsUnknownQuery(exchange: Assuming): boolean
  keepsUnknownFields?(exchange: Assuming): boolean
  longestText?(exchange: Assuming): number | undefined
  readonly idSchema: JsonSchema
  /** The prefixes of ids, by the names of parameters and fields: that of `app_id` is `app`. */
  readonly idPrefixes?: Texts
  readonly unknownId?: ErrorCode
  readonly listen?: WorldEventListener
  readonly lifecycles?: readonly AreaLifecycle[]
  /** Scheduled work that records cause without a request: those of fixtures, for example. */
  readonly pending?: readonly PendingWork[]
  /** Converts an error of a request that reached no world, so no assumptions apply. */
  toRejectionReply(error: ApiError, requestId: string): Reply
}

export interface Contract {
  readonly areas: readonly Area[]
  readonly operations: readonly Operation[]
  readonly collections: readonly AnyCollection[]
  readonly assumptionRegistry: AssumptionRegistry
  readonly scopes: readonly string[]
  readonly plans: readonly string[]
  /** Returns a built-in schema that lists all scopes, events and plans: also those of users. */
  readonly open: <T extends z.ZodMiniType>(schema: T) => T
  /**
   * An addition to a message about an unknown name: ` This Greenhouse does not have the area
   * "apps".` Empty with all areas.
   */
  readonly missingAreasNote: string
  readonly eventTypes: readonly string[]
}

export function errorsOf(
  area: Area,
  operation: Operation,
  assume: Assume,
): Map<number, Map<ErrorCode, ApiError>> {
  const errors = new Map<number, Map<ErrorCode, ApiError>>()
  const own = operation.errors?.(assume) ?? []
  for (const rejected of [...commonErrors(area, operation), ...own]) {
    const [code, ownStatus] = typeof rejected === 'string' ? [rejected] : rejected
    const error = new ApiError(code, undefined, ownStatus)
    const status = area.toStatus(error, { assume })
    const others = cached(errors, status, () => new Map<ErrorCode, ApiError>())
    cached(others, error.code, () => error)
  }
  return new Map([...errors].sort(([a], [b]) => a - b))
}

function commonErrors(area: Area, { scope, body, path }: Operation): DeclaredError[] {
  const errors: DeclaredError[] = ['invalid_request', 'missing_api_key', 'invalid_api_key']
  if (scope !== 'any') errors.push('insufficient_permissions')
  if (area.unknownId && path.includes('{')) errors.push(area.unknownId)
  if (body) errors.push('payload_too_large', 'unsupported_encoding', 'unsupported_media_type')
  return [
    ...errors,
    // The error is listed without limits, too: a scenario can answer with it.
    'rate_limit_exceeded',
    'internal_error',
  ]
}
