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
import type { QueryParameters } from './query.ts'
import type { Fields } from '../text/values.ts'

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
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Body
  /** The JSON object as the client sent it, unknown fields included. */
  readonly sent: Fields
}

export type DeclaredError = ErrorCode | readonly [code: ErrorCode, status: number]

/** An operation of an area, as its table declares it. */
export interface OperationDeclaration<Body> {
  readonly id: string
  readonly method: Method
  readonly path: string
  readonly title: string
  /** It is ours unless it names another source. */
  readonly source?: Provenance
  readonly scope: Scope | 'any'
  readonly isOwn?: true
  /** Parameters of its path that are not ids of the area, by name. */
  readonly params?: QueryParameters
  readonly query?: QueryParameters
  readonly queryUnder?: (assume: Assume) => QueryParameters
  readonly body?: z.ZodMiniType<Body>
  readonly bodyUnder?: (assume: Assume) => Readonly<Record<string, JsonSchema>>
  readonly exclusive?: readonly [string, string]
  readonly bodyIsOptional?: boolean
  readonly result?: z.ZodMiniType
  readonly resultUnder?: (assume: Assume) => z.ZodMiniType
  readonly statuses?: (assume: Assume) => readonly number[]
  readonly example?: Fields
  readonly stream?: (assume: Assume) => {
    readonly status: number
    readonly events: Readonly<Record<string, z.ZodMiniType>>
  }
  readonly errors?: (assume: Assume) => readonly DeclaredError[]
  /**
   * True if it may change the world. Such an operation runs as a transaction: if it throws, nothing
   * has changed. All but GET may.
   */
  readonly writes?: boolean
  /**
   * Runs the operation in one synchronous step: nothing happens between a check and the write after
   * it. Throws an `ApiError` on refusal.
   */
  handle(exchange: AuthenticatedExchange, input: Input<Body>): Outcome
}

export interface Operation<Body = unknown> extends OperationDeclaration<Body> {
  readonly source: Provenance
  readonly writes: boolean
}

export function declareOperation<Body>(operation: OperationDeclaration<Body>): Operation {
  return {
    source: 'ours',
    writes: operation.method !== 'GET',
    ...operation,
  } as Operation
}

export function parametersOf(
  { query = {}, queryUnder }: Operation,
  assume: Assume,
): QueryParameters {
  return queryUnder?.(assume) ?? query
}
