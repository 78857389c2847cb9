import { toIso, toTimestamp } from '../../../core/clock.ts'
import { ApiError } from '../../../core/errors.ts'
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

/** How far back a range goes without `from`, in milliseconds. */
const usual: Record<Interval, number> = { hour: 86_400_000, day: 30 * 86_400_000, month: 365 * 86_400_000 }

/** How many buckets a reply has at most. */
const mostBuckets = 10_000

/** The range that `?from=&to=&interval=` asks for: by default 30 days until `now`, by the day. @throws ApiError 400 */
export function readRange(query: URLSearchParams, now: number): Range {
  const interval = readInterval(query.get('interval'))
  const to = readTime(query, 'to') ?? now
  const from = readTime(query, 'from') ?? to - usual[interval]
  if (from >= to) throw new ApiError('invalid_request', 'from: expected a time before "to".')
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
  if (interval === 'month') return toTimestamp(`${toIso(at).slice(0, -'-01T00:00:00.000Z'.length)}-01T00:00:00.000Z`)
  return Math.floor(at / lengths[interval]) * lengths[interval]
}

/** The start of the next bucket; no month has 32 days. */
function next(interval: Interval, start: number): number {
  return interval === 'month' ? startOf('month', start + 32 * lengths.day) : start + lengths[interval]
}
