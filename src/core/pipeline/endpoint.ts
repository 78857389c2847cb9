import type * as z from 'zod/mini'
import type { Scope } from '../accounts/accounts.ts'
import type { Assume, Provenance } from '../definitions/assumptions.ts'
import type { ErrorCode } from '../definitions/errors.ts'
import type { QueryParameters } from './query.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The input of an operation: the decoded parameters and query, and the body as its schema returns it. */
export interface Input<Body> {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Body
  /** The JSON object as the client sent it, unknown fields included. */
  readonly sent: Readonly<Record<string, unknown>>
}

/** An error that an operation may return, and its status if that differs from the error's own. */
export type RefusedWith = ErrorCode | readonly [code: ErrorCode, status: number]

/** The server-sent events of a streamed reply. */
interface StreamReply {
  readonly status: number
  /** The shape of each event's data, by the event's name. */
  readonly events: Readonly<Record<string, z.ZodMiniType>>
}

/** One endpoint, as data. */
export interface Endpoint<Body = unknown> {
  /** `<resource>.<verb>`: `plants.create`. */
  readonly id: string
  readonly method: Method
  /** Below the area's base, with parameters in braces: `/plants/{id}`. */
  readonly path: string
  readonly title: string
  /** The source of its existence and shape. */
  readonly source: Provenance
  /** The scope that the key needs; `any` if every valid key may call it. */
  readonly scope: Scope | 'any'
  /** Whether a user defined it. */
  readonly isOwn?: true
  /** Parameters of its path that are not ids of the area, by name. */
  readonly params?: QueryParameters
  /** Its query parameters, by name, unless they depend on assumptions. */
  readonly query?: QueryParameters
  /** Query parameters that depend on assumptions, in place of `query`. */
  readonly queryUnder?: (assume: Assume) => QueryParameters
  /** The shape of the JSON body, which is required unless `bodyIsOptional`. */
  readonly body?: z.ZodMiniType<Body>
  /** Further rules for fields of the body that depend on assumptions, as JSON Schema. */
  readonly bodyUnder?: (assume: Assume) => Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Two fields that exclude each other. */
  readonly exclusive?: readonly [string, string]
  /** Whether the body is optional; a missing one counts as `{}`. */
  readonly bodyIsOptional?: boolean
  /** The schema of a successful reply, unless it depends on assumptions. */
  readonly result?: z.ZodMiniType
  /** A schema that depends on assumptions, in place of `result`. */
  readonly resultUnder?: (assume: Assume) => z.ZodMiniType
  /** The statuses of successful replies; 200 by default. */
  readonly statuses?: (assume: Assume) => readonly number[]
  /** An example body, for the documentation. */
  readonly example?: Readonly<Record<string, unknown>>
  /** The successful reply to a client that asked for a stream. */
  readonly stream?: (assume: Assume) => StreamReply
  /** Its own errors, apart from those of keys, limits, input and the ids in its path. */
  readonly refusals?: (assume: Assume) => readonly RefusedWith[]
  /** Whether it may change the world. Such an operation runs as a transaction: if it throws, nothing has changed. */
  readonly writes: boolean
}
