import type * as z from 'zod/mini'
import type { Scope } from '../accounts/accounts.ts'
import type { Assume, Provenance } from '../contract/assumptions.ts'
import type { ErrorCode } from '../contract/errors.ts'
import type { QueryParameters } from './query.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Input<Body> {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Body
  /** The JSON object as the client sent it, unknown fields included. */
  readonly sent: Readonly<Record<string, unknown>>
}

export type DeclaredError = ErrorCode | readonly [code: ErrorCode, status: number]

interface StreamReply {
  readonly status: number
  readonly events: Readonly<Record<string, z.ZodMiniType>>
}

export interface Endpoint<Body = unknown> {
  readonly id: string
  readonly method: Method
  /** Below the area's base, with parameters in braces: `/plants/{id}`. */
  readonly path: string
  readonly title: string
  readonly source: Provenance
  readonly scope: Scope | 'any'
  readonly isOwn?: true
  /** Parameters of its path that are not ids of the area, by name. */
  readonly params?: QueryParameters
  readonly query?: QueryParameters
  readonly queryUnder?: (assume: Assume) => QueryParameters
  readonly body?: z.ZodMiniType<Body>
  readonly bodyUnder?: (assume: Assume) => Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly exclusive?: readonly [string, string]
  /** Whether the body is optional; a missing one counts as `{}`. */
  readonly bodyIsOptional?: boolean
  readonly result?: z.ZodMiniType
  readonly resultUnder?: (assume: Assume) => z.ZodMiniType
  /** The statuses of successful replies; 200 by default. */
  readonly statuses?: (assume: Assume) => readonly number[]
  readonly example?: Readonly<Record<string, unknown>>
  readonly stream?: (assume: Assume) => StreamReply
  /** Its own errors, apart from those of keys, limits, input and the ids in its path. */
  readonly errors?: (assume: Assume) => readonly DeclaredError[]
  /** Whether it may change the world. Such an operation runs as a transaction: if it throws, nothing has changed. */
  readonly writes: boolean
}
