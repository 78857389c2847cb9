import { toTimestamp } from '../../core/time/time-text.ts'
import { ApiError } from '../../core/contract/errors.ts'
import type { QueryParameter } from '../../core/pipeline/query.ts'

const bareOffset = / (?=\d\d:\d\d$)/

export function timeParameter(description: string): QueryParameter {
  return {
    description,
    check: (text) =>
      toTime(text) === undefined ? 'must be a time in ISO 8601, such as 2026-01-31 or 2026-01-31T12:00:00Z' : undefined,
    findSlip: (text) =>
      bareOffset.test(text) && toTime(text) !== undefined ? 'has a "+" that is not escaped: send %2B' : undefined,
  }
}

/** Returns the time of a parameter, in milliseconds since 1970; `undefined` if it is missing or invalid. */
export function readTime(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  return text === null ? undefined : toTime(text)
}

export function assertInOrder(from: number, to: number): void {
  if (from >= to) throw new ApiError('invalid_request', 'from must be a time before "to".')
}

function toTime(text: string): number | undefined {
  const time = text.replace(bareOffset, '+')
  if (!/^\d{4}-\d\d-\d\d$/.test(time) && !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(time))
    return undefined
  try {
    return toTimestamp(time)
  } catch {
    return undefined
  }
}
