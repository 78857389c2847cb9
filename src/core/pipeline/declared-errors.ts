import type { Assume } from '../contract/assumptions.ts'
import { ApiError, type ErrorCode } from '../contract/errors.ts'
import type { DeclaredError } from './endpoint.ts'
import type { Area, Operation } from './operation.ts'

export function errorsOf(area: Area, operation: Operation, assume: Assume): Map<number, Map<ErrorCode, ApiError>> {
  const errors = new Map<number, Map<ErrorCode, ApiError>>()
  for (const rejected of [...commonErrors(area, operation), ...(operation.errors?.(assume) ?? [])]) {
    const error =
      typeof rejected === 'string' ? new ApiError(rejected) : new ApiError(rejected[0], undefined, rejected[1])
    const status = area.toStatus(error, { assume })
    const others = errors.get(status) ?? new Map<ErrorCode, ApiError>()
    if (!others.has(error.code)) errors.set(status, others.set(error.code, error))
  }
  return new Map([...errors].sort(([a], [b]) => a - b))
}

function commonErrors(area: Area, { scope, body, path }: Operation): DeclaredError[] {
  return [
    'invalid_request',
    'missing_api_key',
    'invalid_api_key',
    ...(scope === 'any' ? [] : (['insufficient_permissions'] as const)),
    ...(area.unknownId && path.includes('{') ? [area.unknownId] : []),
    ...(body ? (['payload_too_large', 'unsupported_encoding', 'unsupported_media_type'] as const) : []),
    // Also without limits: a scenario can answer with it.
    'rate_limit_exceeded',
    'internal_error',
  ]
}
