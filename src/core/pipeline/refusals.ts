import type { Assume } from '../contract/assumptions.ts'
import { ApiError, type ErrorCode } from '../contract/errors.ts'
import type { RefusedWith } from './endpoint.ts'
import type { Area, Operation } from './operation.ts'

export function refusalsOf(area: Area, operation: Operation, assume: Assume): Map<number, Map<ErrorCode, ApiError>> {
  const refusals = new Map<number, Map<ErrorCode, ApiError>>()
  for (const refused of [...commonRefusals(area, operation), ...(operation.refusals?.(assume) ?? [])]) {
    const error = typeof refused === 'string' ? new ApiError(refused) : new ApiError(refused[0], undefined, refused[1])
    const status = area.toStatus(error, { assume })
    const others = refusals.get(status) ?? new Map<ErrorCode, ApiError>()
    if (!others.has(error.code)) refusals.set(status, others.set(error.code, error))
  }
  return new Map([...refusals].sort(([a], [b]) => a - b))
}

function commonRefusals(area: Area, { scope, body, path }: Operation): RefusedWith[] {
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
