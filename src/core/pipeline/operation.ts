import type * as z from 'zod/mini'
import type { Assumptions } from '../definitions/assumptions.ts'
import type { ApiError, ErrorCode } from '../definitions/errors.ts'
import type { Outcome } from '../http/outcome.ts'
import type { Reply } from '../http/reply.ts'
import type { AreaLifecycle, WorldEventListener } from '../world/lifecycle.ts'
import type { PendingWork } from '../world/pending.ts'
import type { Endpoint, Input } from './endpoint.ts'
import type { AreaRules, Exchange } from './exchange.ts'

export interface Operation<Body = unknown> extends Endpoint<Body> {
  /** Runs the operation in one synchronous step: nothing happens between a check and the write after it. Throws an `ApiError` on refusal. */
  handle(exchange: Exchange, input: Input<Body>): Outcome
}

export function declareOperation<Body>(operation: Operation<Body>): Operation {
  return operation as Operation
}

/** One of the two APIs: its operations, its assumptions, its error shape. */
export interface Area extends AreaRules {
  /** The display name. */
  readonly title: string
  readonly version: string
  readonly operations: readonly Operation[]
  readonly assumptions: Assumptions
  /** Schemas of requests and replies, by their names in the OpenAPI document. */
  readonly schemas: Readonly<Record<string, z.ZodMiniType>>
  readonly eventSchemas: Readonly<Record<string, z.ZodMiniType>>
  readonly errorSchema: z.ZodMiniType
  toStatus(error: Pick<ApiError, 'code' | 'status'>, exchange: Pick<Exchange, 'assume'>): number
  /** Whether a body with unknown fields is refused. */
  rejectsUnknownFields(exchange: Pick<Exchange, 'assume'>): boolean
  /** Whether unknown fields are stored, so they are not mistakes. */
  keepsUnknownFields?(exchange: Pick<Exchange, 'assume'>): boolean
  /** Returns the maximum length of a text field in a body, in characters. */
  longestText?(exchange: Pick<Exchange, 'assume'>): number
  /** The JSON Schema of ids in its paths. */
  readonly idSchema: Readonly<Record<string, unknown>>
  /** The prefixes of ids, by the names of parameters and fields: that of `app_id` is `app`. */
  readonly idPrefixes?: Readonly<Record<string, string>>
  /** The error for an unknown id in a path, unless the operation sets it. */
  readonly unknownId?: ErrorCode | undefined
  /** Called with every event of any world. */
  readonly listen?: WorldEventListener
  readonly lifecycles?: readonly AreaLifecycle[]
  /** Scheduled work that records cause without a request: those of fixtures, for example. */
  readonly pending?: readonly PendingWork[]
  /** Converts an error of a request that reached no world, so no assumptions apply. */
  toRefusal(error: ApiError, requestId: string): Reply
}
