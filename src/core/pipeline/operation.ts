import type * as z from 'zod/mini'
import type { Assume, AssumptionRegistry } from '../contract/assumptions.ts'
import { ApiError, type ErrorCode } from '../contract/errors.ts'
import type { AnyCollection } from '../store/collection.ts'
import type { Area, DeclaredError, Operation } from './exchange.ts'
import type { QueryParameters } from './query.ts'

export type { Area, Operation } from './exchange.ts'

type Defaulted = 'source' | 'writes'
export type OperationDeclaration<Body> = Omit<Operation<Body>, Defaulted> &
  Pick<Partial<Operation>, Defaulted>

/**
 * Declares an operation of an area. All but GET may write. It is ours unless it names another
 * source.
 */
export function declareOperation<Body>(operation: OperationDeclaration<Body>): Operation {
  return { source: 'ours', writes: operation.method !== 'GET', ...operation } as Operation
}

export function parametersOf(
  { query = {}, queryUnder }: Operation,
  assume: Assume,
): QueryParameters {
  return queryUnder?.(assume) ?? query
}

export interface Contract {
  readonly areas: readonly Area[]
  readonly operations: readonly Operation[]
  readonly collections: readonly AnyCollection[]
  readonly assumptionRegistry: AssumptionRegistry
  readonly scopes: readonly string[]
  readonly plans: readonly string[]
  /** Returns a built-in schema that lists all scopes, events and plans: also those of users. */
  readonly open: <T extends z.ZodMiniType>(schema: T) => T
  /**
   * An addition to a message about an unknown name: ` This Greenhouse does not have the area
   * "apps".` Empty with all areas.
   */
  readonly missing: string
  readonly eventTypes: readonly string[]
}

export function errorsOf(
  area: Area,
  operation: Operation,
  assume: Assume,
): Map<number, Map<ErrorCode, ApiError>> {
  const errors = new Map<number, Map<ErrorCode, ApiError>>()
  for (const rejected of [
    ...commonErrors(area, operation),
    ...(operation.errors?.(assume) ?? []),
  ]) {
    const error =
      typeof rejected === 'string'
        ? new ApiError(rejected)
        : new ApiError(rejected[0], undefined, rejected[1])
    const status = area.toStatus(error, { assume })
    const others = errors.get(status) ?? new Map<ErrorCode, ApiError>()
    if (!others.has(error.code)) errors.set(status, others.set(error.code, error))
  }
  return new Map([...errors].sort(([a], [b]) => a - b))
}

function commonErrors(area: Area, { scope, body, path }: Operation): DeclaredError[] {
  const errors: DeclaredError[] = ['invalid_request', 'missing_api_key', 'invalid_api_key']
  if (scope !== 'any') errors.push('insufficient_permissions')
  if (area.unknownId && path.includes('{')) errors.push(area.unknownId)
  if (body) errors.push('payload_too_large', 'unsupported_encoding', 'unsupported_media_type')
  return [
    ...errors,
    // The error is listed without limits, too: a scenario can answer with it.
    'rate_limit_exceeded',
    'internal_error',
  ]
}
