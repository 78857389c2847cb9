import type * as z from 'zod/mini'
import type { Scope } from '../accounts/accounts.ts'
import type { Assume, Provenance } from '../definitions/assumptions.ts'
import type { ErrorCode } from '../definitions/errors.ts'
import type { QueryParameters } from './query.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What an operation is given: everything that was sent, decoded, and the body as its schema returns it. */
export interface Input<Body> {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Body
  /** The body's JSON object as it was sent, fields that the schema does not know included. */
  readonly sent: Readonly<Record<string, unknown>>
}

/** An error that an operation may answer with, and its status when it differs from the error's own. */
export type RefusedWith = ErrorCode | readonly [code: ErrorCode, status: number]

/** The server-sent events that a reply may be in place of JSON. */
export interface StreamReply {
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
  /** Where its existence and shape come from. */
  readonly source: Provenance
  /** What the key must be permitted to do; `any` where every good key may. */
  readonly scope: Scope | 'any'
  /** What the query can ask for, by name. */
  readonly query?: QueryParameters
  /** The same where assumptions change it. */
  readonly queryUnder?: (assume: Assume) => QueryParameters
  /** The shape of the JSON body; it is required unless `bodyIsOptional`. */
  readonly body?: z.ZodMiniType<Body>
  /** What assumptions ask of its fields besides, as JSON Schema. */
  readonly bodyUnder?: (assume: Assume) => Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Two fields of which only one may be sent. */
  readonly exclusive?: readonly [string, string]
  /** Whether the body may be left out, and is an empty object then. */
  readonly bodyIsOptional?: boolean
  /** The shape of the body of a success. */
  readonly result?: z.ZodMiniType
  /** The same where assumptions change it. */
  readonly resultUnder?: (assume: Assume) => z.ZodMiniType
  /** The statuses that a success may have; 200 without. */
  readonly statuses?: (assume: Assume) => readonly number[]
  /** A body as a client may send it, for the documentation. */
  readonly example?: Readonly<Record<string, unknown>>
  /** How a success leaves that was asked for as a stream. */
  readonly stream?: (assume: Assume) => StreamReply
  /** What it may answer besides a success, beyond what keys, limits, input and the ids of its path bring about. */
  readonly refusals?: (assume: Assume) => readonly RefusedWith[]
  /** Whether it may change the world; then it runs when no other such operation of the world does. */
  readonly writes: boolean
}
