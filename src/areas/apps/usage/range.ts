import { monthOf, startOfMonth } from '../../../core/calendar.ts'
import { toIso, toTimestamp } from '../../../core/clock.ts'
import { ApiError } from '../../../core/errors.ts'
import { firstTime } from '../../../core/time-range.ts'
import { intervals, type Interval } from './schemas.ts'

/** A stretch of time in buckets; times are in milliseconds since 1970. `from` belongs to it, `to` does not. */
export interface Range {
  readonly from: number
  readonly to: number
  readonly interval: Interval
  /** Where each bucket starts, aligned to UTC; the first one may start before `from`. */
  readonly starts: readonly number[]
}

const lengths = { hour: 3_600_000, day: 86_400_000 }

/** How many buckets a range has without `from`. */
const usual: Record<Interval, number> = { hour: 24, day: 30, month: 12 }

/** How many buckets a reply has at most. */
const mostBuckets = 10_000

/**
 * The range that `?from=&to=&interval=` asks for: by default 30 days with the one of `now` as the last, or 24 hours, or 12
 * months. @throws ApiError 400
 */
export function readRange(query: URLSearchParams, now: number): Range {
  const interval = readInterval(query.get('interval'))
  const to = readTime(query, 'to') ?? next(interval, startOf(interval, now))
  const from = readTime(query, 'from') ?? stepBack(interval, to, usual[interval])
  if (from >= to)
    throw new ApiError('invalid_request', query.has('to') ? 'from: expected a time before "to".' : `from: expected a time before ${toIso(to)}, where the range ends without "to".`)
  if (from < firstTime) throw new ApiError('invalid_request', 'to: the range begins before the year 0000; name "from", too.')
  const length = interval === 'month' ? 28 * lengths.day : lengths[interval]
  if ((to - from) / length > mostBuckets) throw new ApiError('invalid_request', `from: the range holds more than ${mostBuckets} buckets; choose a longer interval.`)
  const starts: number[] = []
  for (let at = startOf(interval, from); at < to; at = next(interval, at)) starts.push(at)
  return { from, to, interval, starts }
}

function readInterval(text: string | null): Interval {
  if (text === null) return 'day'
  const interval = intervals.find((known) => known === text)
  if (!interval) throw new ApiError('invalid_request', `interval: expected one of ${intervals.join(', ')}.`)
  return interval
}

function readTime(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  // A "+" of an offset that was sent as it is arrives as a space.
  const time = text.replace(/ (?=\d\d:\d\d$)/, '+')
  if (/^\d{4}-\d\d-\d\d$/.test(time) || /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(time))
    try {
      return toTimestamp(time)
    } catch {
      // Told below.
    }
  throw new ApiError('invalid_request', `${name}: expected ISO 8601, such as 2026-01-31 or 2026-01-31T12:00:00Z.`)
}

function startOf(interval: Interval, at: number): number {
  if (interval === 'month') return startOfMonth(monthOf(at))
  return Math.floor(at / lengths[interval]) * lengths[interval]
}

/** Where the first of so many buckets starts, the last of which holds what is just before `to`. */
function stepBack(interval: Interval, to: number, buckets: number): number {
  let start = startOf(interval, to - 1)
  for (let left = buckets - 1; left > 0; left--) start = startOf(interval, start - 1)
  return start
}

/** The start of the next bucket. */
function next(interval: Interval, start: number): number {
  return interval === 'month' ? startOfMonth(monthOf(start) + 1) : start + lengths[interval]
}
