import type * as z from 'zod/mini'
import type { Assumptions } from '../contract/assumptions.ts'
import type { ApiError, ErrorCode } from '../contract/errors.ts'
import type { Outcome } from '../http/event-stream.ts'
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

export interface Area extends AreaRules {
  /** The display name. */
  readonly title: string
  readonly version: string
  readonly operations: readonly Operation[]
  readonly assumptions: Assumptions
  readonly schemas: Readonly<Record<string, z.ZodMiniType>>
  readonly eventSchemas: Readonly<Record<string, z.ZodMiniType>>
  readonly errorSchema: z.ZodMiniType
  toStatus(error: Pick<ApiError, 'code' | 'status'>, exchange: Pick<Exchange, 'assume'>): number
  rejectsUnknownFields(exchange: Pick<Exchange, 'assume'>): boolean
  keepsUnknownFields?(exchange: Pick<Exchange, 'assume'>): boolean
  /** Returns the maximum length of a text field in a body, in characters. */
  longestText?(exchange: Pick<Exchange, 'assume'>): number
  readonly idSchema: Readonly<Record<string, unknown>>
  /** The prefixes of ids, by the names of parameters and fields: that of `app_id` is `app`. */
  readonly idPrefixes?: Readonly<Record<string, string>>
  readonly unknownId?: ErrorCode | undefined
  readonly listen?: WorldEventListener
  readonly lifecycles?: readonly AreaLifecycle[]
  /** Scheduled work that records cause without a request: those of fixtures, for example. */
  readonly pending?: readonly PendingWork[]
  /** Converts an error of a request that reached no world, so no assumptions apply. */
  toRejectionReply(error: ApiError, requestId: string): Reply
}
