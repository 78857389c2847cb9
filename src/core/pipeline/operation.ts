import type * as z from 'zod/mini'
import type { Assumptions } from '../definitions/assumptions.ts'
import type { ApiError, ErrorCode } from '../definitions/errors.ts'
import type { Outcome } from '../http/outcome.ts'
import type { Reply } from '../http/reply.ts'
import type { AreaLifecycle, WorldEventListener } from '../world/lifecycle.ts'
import type { PendingWork } from '../world/pending.ts'
import type { Endpoint, Input } from './endpoint.ts'
import type { AreaRules, Exchange } from './exchange.ts'

/** One endpoint and what it does. */
export interface Operation<Body = unknown> extends Endpoint<Body> {
  /** Does it, in one turn: nothing else happens between a check and the write that follows it. Throws an `ApiError` when it can't. */
  handle(exchange: Exchange, input: Input<Body>): Outcome
}

/** Declares an operation. */
export function defineOperation<Body>(operation: Operation<Body>): Operation {
  return operation as Operation
}

/** One of the two interfaces: its operations, what the reference leaves open about it, and how it says no. */
export interface Area extends AreaRules {
  /** What people call it. */
  readonly title: string
  /** The version of the API. */
  readonly version: string
  readonly operations: readonly Operation[]
  readonly assumptions: Assumptions
  /** What requests and replies carry, by the names that the OpenAPI document has for it. */
  readonly schemas: Readonly<Record<string, z.ZodMiniType>>
  /** What each event of the area tells. */
  readonly eventSchemas: Readonly<Record<string, z.ZodMiniType>>
  /** The shape of an error. */
  readonly errorSchema: z.ZodMiniType
  /** The status that an error has in this area. */
  toStatus(error: Pick<ApiError, 'code' | 'status'>, exchange: Pick<Exchange, 'assume'>): number
  /** Whether a body with unknown fields is refused. */
  rejectsUnknownFields(exchange: Pick<Exchange, 'assume'>): boolean
  /** Whether unknown fields are stored, and so are not mistakes. */
  keepsUnknownFields?(exchange: Pick<Exchange, 'assume'>): boolean
  /** The longest text that a field of a body may hold, in characters. */
  longestText?(exchange: Pick<Exchange, 'assume'>): number
  /** What the ids in its paths look like. */
  readonly idSchema: Readonly<Record<string, unknown>>
  /** What the ids of records begin with, by the names that parameters and fields have for them: `app_id` is `app`. */
  readonly idPrefixes?: Readonly<Record<string, string>>
  /** What an id in a path that leads to nothing brings about, where the operation does not say. */
  readonly unknownId?: ErrorCode | undefined
  /** Is told of what happens in any world. */
  readonly listen?: WorldEventListener
  readonly lifecycles?: readonly AreaLifecycle[]
  /** What records leave to be done that no request made. */
  readonly pending?: readonly PendingWork[]
  /** An error in the area's own shape, for a request that was turned away before it reached any world, whose assumptions therefore don't count. */
  toRefusal(error: ApiError, requestId: string): Reply
}
