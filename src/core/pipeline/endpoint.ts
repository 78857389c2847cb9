import type * as z from 'zod/mini'
import type { Scope } from '../accounts/accounts.ts'
import type { Provenance } from '../definitions/assumptions.ts'
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
  /** The shape of the JSON body; it is required unless `bodyIsOptional`. */
  readonly body?: z.ZodMiniType<Body>
  /** Whether the body may be left out, and is an empty object then. */
  readonly bodyIsOptional?: boolean
  /** The shape of the body of a success. */
  readonly result?: z.ZodMiniType
  /** Whether it may change the world; then it runs when no other such operation of the world does. */
  readonly writes: boolean
}
