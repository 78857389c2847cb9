import type * as z from 'zod/mini'
import type { Assumptions, Provenance } from '../definitions/assumptions.ts'
import type { Scope } from '../accounts/accounts.ts'
import type { ApiError } from '../definitions/errors.ts'
import type { ServerSentEvent } from '../http/event-stream.ts'
import type { WorldEventListener } from '../definitions/events.ts'
import type { Exchange } from './exchange.ts'
import type { QueryParameters } from './query.ts'
import type { Refusal } from './refusal.ts'
import type { PendingWork } from '../world/pending.ts'
import type { Reply } from '../http/reply.ts'
import type { World } from '../world/world.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What an operation is given: everything that was sent, decoded, and the body as its schema returns it. */
export interface Input<Body> {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Body
  /** The body's JSON object as it was sent, fields that the schema does not know included. */
  readonly sent: Readonly<Record<string, unknown>>
}

/** What an operation returns: a status and the value of a JSON body, or no body. */
export interface Outcome {
  readonly status: number
  readonly body?: unknown
  /** The body's JSON text, where it is known already. */
  readonly text?: string
  /** How many bytes the text takes, where that is known already. */
  readonly length?: number
  /** Leaves as server-sent events in the place of a JSON body. */
  readonly events?: readonly ServerSentEvent[]
}

/** One endpoint, as data. */
export interface Operation<Body = unknown> {
  /** `<resource>.<verb>`: `plants.create`. */
  readonly id: string
  readonly method: Method
  /** Below the area's base, with parameters in braces: `/plants/{id}`. */
  readonly path: string
  readonly title: string
  /** Where its existence and shape come from. */
  readonly source: Provenance
  /** What the key must be permitted to do; `any` where every good key may. */
  readonly scope: Scope | 'any'
  /** What the query can ask for, by name. */
  readonly query?: QueryParameters
  /** The shape of the JSON body; it is required unless `bodyIsOptional`. */
  readonly body?: z.ZodMiniType<Body>
  /** Whether the body may be left out, and is an empty object then. */
  readonly bodyIsOptional?: boolean
  /** The shape of the body of a success. */
  readonly result?: z.ZodMiniType
  /** Whether it may change the world; then it runs when no other such operation of the world does. */
  readonly writes: boolean
  /** Does it. Throws an `ApiError` when it can't. */
  handle(exchange: Exchange, input: Input<Body>): Outcome | Promise<Outcome>
}

/** Declares an operation. */
export function defineOperation<Body>(operation: Operation<Body>): Operation {
  return operation as Operation
}

/** What an area does in a world by itself and outside of it, where the world must be able to end it. */
export interface AreaLife {
  /** Ends what is under way: the world starts anew, goes back to a snapshot, or is gone. */
  halt(world: World): void
  /** Ends what leaves the world: what carried it has closed. */
  disconnect?(world: World): void
  /** Takes up what a snapshot left unfinished. */
  resume?(world: World): void
  /** Is told when other scenarios or assumptions are in force. */
  refresh?(world: World): void
}

/** One of the two interfaces: its operations, what the reference leaves open about it, and how it says no. */
export interface Area {
  readonly name: 'plants' | 'apps'
  /** The path that its operations stand below: '' or '/v1'. */
  readonly base: string
  readonly operations: readonly Operation[]
  readonly assumptions: Assumptions
  /** Is told of what happens in any world. */
  readonly listen?: WorldEventListener
  readonly lives?: readonly AreaLife[]
  /** What records leave to be done that no request made. */
  readonly pending?: readonly PendingWork[]
  /** Whether a POST may carry an `Idempotency-Key`. */
  readonly hasIdempotencyKeys: boolean
  /** Notes what the area takes of no request, whatever the operation says: names that nobody knows, say. */
  check(exchange: Exchange, operation: Operation, input: Pick<Input<unknown>, 'query' | 'sent'>, refusal: Refusal): void
  /** Whether plan limits, and the headers that tell of them, apply to this exchange. */
  isRateLimited(exchange: Exchange): boolean
  /** Whether the reply carries X-Request-Id. */
  hasRequestId(exchange: Exchange): boolean
  /** An error in the area's own shape. */
  toErrorReply(exchange: Exchange, error: ApiError): Reply
  /** The same for a request that was turned away before it reached any world, whose assumptions therefore don't count. */
  toRefusal(error: ApiError, requestId: string): Reply
}
