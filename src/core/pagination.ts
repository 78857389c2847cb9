import { ApiError } from './errors.ts'
import { firstFrom, type Entry } from './record-index.ts'

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
export function paginate<T>(entries: readonly Entry<T>[], query: URLSearchParams): Page<T> {
  const limit = readLimit(query.get('limit'))
  const end = query.has('cursor') ? firstFrom(entries, readCursor(query.get('cursor')!)) : entries.length
  const start = Math.max(0, end - limit)
  const page = entries.slice(start, end).reverse()
  const hasMore = start > 0
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
