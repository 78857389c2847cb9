import { ApiError } from './errors.ts'
import type { Timeline } from './timeline.ts'

/** One page of a list, newest first. */
export interface Page<T> {
  readonly records: Readonly<T>[]
  readonly hasMore: boolean
  /** What asks for the next page; `null` on the last one. */
  readonly nextCursor: string | null
}

const cursorPrefix = 'c_'

/**
 * The page that `?limit=` (1–100, default 20) and `?cursor=` ask for.
 * @throws ApiError 400 when one of them is not valid.
 */
export function paginate<T>(timeline: Timeline<T>, query: URLSearchParams): Page<T> {
  const limit = readLimit(query.get('limit'))
  const cursor = query.get('cursor')
  const found = timeline.newest(limit + 1, cursor === null ? undefined : readCursor(cursor))
  const hasMore = found.length > limit
  const page = found.slice(0, limit)
  return {
    records: page.map((entry) => entry.record),
    hasMore,
    nextCursor: hasMore ? cursorPrefix + page.at(-1)!.sequence.toString(36) : null,
  }
}

function readLimit(text: string | null): number {
  if (text === null) return 20
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > 100) throw new ApiError('invalid_request', 'limit: expected a whole number from 1 to 100.')
  return limit
}

function readCursor(text: string): number {
  if (!/^c_[0-9a-z]{1,10}$/.test(text)) throw new ApiError('invalid_request', 'cursor: expected a next_cursor of this list.')
  return Number.parseInt(text.slice(cursorPrefix.length), 36)
}
