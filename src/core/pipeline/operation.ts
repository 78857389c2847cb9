import type * as z from 'zod/mini'
import type { Caller, Scope } from '../accounts/accounts.ts'
import type { Assume, Assuming, Provenance } from '../contract/assumptions.ts'
import type { ErrorCode } from '../contract/errors.ts'
import type { JsonSchema } from '../contract/json-schema.ts'
import type { Outcome } from '../http/reply.ts'
import type { ServiceRequest } from '../http/request.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import type { CollectionStore } from '../store/records.ts'
import type { ChargeEffect, EffectiveSettings, LayerEffect } from '../world/effective-settings.ts'
import type { LiveWorld } from '../world/live-world.ts'
import type { QueryParameters } from './list-query.ts'
import type { Fields, Texts } from '../text/values.ts'

/** A source of records: a world, or a request, whose scenarios replace some. */
export interface StoreSource {
  collection<T extends object>(definition: CollectionDefinition<T>): CollectionStore<T>
}

/** A request in a world, and what is in force for it. */
export interface WorldExchange extends Assuming {
  readonly world: LiveWorld
  readonly request: ServiceRequest
  readonly now: number
  readonly effectiveSettings: EffectiveSettings
}

/** A request as operations get it: its operation is known, and its key was checked. */
export interface AuthenticatedExchange extends WorldExchange, StoreSource {
  readonly operation: Operation
  readonly caller: Caller
  readonly effects: { for(step: 'charge'): readonly ChargeEffect[] }
  /** Notes that an effect changed something. */
  fire(effect: LayerEffect): void
  emit(type: string, app: string | null, data: Fields): void
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Input<Body> {
  readonly params: Texts
  readonly query: URLSearchParams
  readonly body: Body
  /** The body's JSON object as the client sent it, unknown fields included. */
  readonly sent: Fields
}

/** An error that an operation can reply with; by default with the status of its code. */
export type DeclaredError = ErrorCode | readonly [code: ErrorCode, status: number]

/**
 * An operation of an area, as its table declares it. Some members are functions of the assumptions
 * in force.
 */
export interface OperationDeclaration<Body> {
  readonly id: string
  readonly method: Method
  readonly path: string
  readonly title: string
  /** Where its description comes from; by default `ours`. */
  readonly source?: Provenance
  /** The scope that its callers need. */
  readonly scope: Scope | 'any'
  /** True if a user defined it. */
  readonly isOwn?: true
  /** Parameters of its path that are not ids of the area, by name. */
  readonly params?: QueryParameters
  /** The parameters of the query that are checked before it runs. */
  readonly query?: QueryParameters
  /** All parameters of the query that are documented; by default those of `query`. */
  readonly queryUnder?: (assume: Assume) => QueryParameters
  readonly body?: z.ZodMiniType<Body>
  /** Rules for fields of the body that `body` does not have, by name. */
  readonly bodyUnder?: (assume: Assume) => Readonly<Record<string, JsonSchema>>
  /** Two fields of the body that must not be sent together. */
  readonly exclusive?: readonly [string, string]
  readonly bodyIsOptional?: boolean
  readonly result?: z.ZodMiniType
  /** The schema of the result where it depends on assumptions. */
  readonly resultUnder?: (assume: Assume) => z.ZodMiniType
  /** The statuses of success; by default 200. */
  readonly statuses?: (assume: Assume) => readonly number[]
  /** A body for the documentation. */
  readonly example?: Fields
  /** The events that it can reply with, by name, where it streams. */
  readonly stream?: (assume: Assume) => {
    readonly status: number
    readonly events: Readonly<Record<string, z.ZodMiniType>>
  }
  readonly errors?: (assume: Assume) => readonly DeclaredError[]
  /**
   * True if it may change the world, by default for all methods but GET. Such an operation runs as
   * a transaction: if it throws, nothing has changed.
   */
  readonly writes?: boolean
  /**
   * Runs the operation in one synchronous step: nothing happens between a check and the write after
   * it. Throws an `ApiError` on refusal.
   */
  handle(exchange: AuthenticatedExchange, input: Input<Body>): Outcome
}

/** An operation whose defaults are filled in. */
export interface Operation<Body = unknown> extends OperationDeclaration<Body> {
  readonly source: Provenance
  readonly writes: boolean
}

export function declareOperation<Body>(operation: OperationDeclaration<Body>): Operation {
  return {
    source: 'ours',
    writes: operation.method !== 'GET',
    ...operation,
  }
}

export function parametersOf(
  { query = {}, queryUnder }: Operation,
  assume: Assume,
): QueryParameters {
  return queryUnder?.(assume) ?? query
}
