import {
  firstTime,
  monthOf,
  startOfMonth,
  toIso,
  toTimestamp,
} from '../../../core/time/time-text.ts'
import { invalidRequest } from '../../../core/contract/errors.ts'
import {
  choiceOf,
  type QueryParameter,
  type QueryParameters,
} from '../../../core/pipeline/list-query.ts'
import { intervals, type Interval } from './schemas.ts'

/**
 * A time range in buckets; times are in milliseconds since 1970. It includes `from` and excludes
 * `to`.
 */
export interface Range {
  readonly from: number
  readonly to: number
  readonly interval: Interval
  /** The start of each bucket, aligned to UTC; the first may be before `from`. */
  readonly starts: readonly number[]
}

/** The least length of each. */
const lengths = {
  hour: 3_600_000,
  day: 86_400_000,
  month: 28 * 86_400_000,
}

const defaultBuckets: Record<Interval, number> = {
  hour: 24,
  day: 30,
  month: 12,
}

export const rangeQuery = {
  from: timeParameter(
    'Where the range begins: a time in ISO 8601. By default 24 hours, 30 days or 12 months before its end.',
  ),
  to: timeParameter(
    'Where the range ends; the end is not included. By default with the current interval.',
  ),
  interval: {
    description: 'How long a bucket is.',
    schema: choiceOf(intervals),
    default: 'day',
  },
} satisfies QueryParameters

const maxBuckets = 10_000

export function readRange(query: URLSearchParams, now: number): Range {
  const interval = (query.get('interval') ?? rangeQuery.interval.default) as Interval
  const to = readTime(query, 'to') ?? nextStart(interval, startOf(interval, now))
  const from = readTime(query, 'from') ?? stepBack(interval, to, defaultBuckets[interval])
  if (query.has('to')) assertInOrder(from, to)
  if (from >= to)
    throw invalidRequest(
      `from must be a time before ${toIso(to)}, the end of the range without "to".`,
    )
  if (from < firstTime)
    throw invalidRequest(
      'to must be later, or send "from" too: the range begins before the year 0000.',
    )
  if ((to - from) / lengths[interval] > maxBuckets)
    throw invalidRequest(
      `from must be later, or the interval longer: the range holds more than ${maxBuckets} buckets.`,
    )
  const starts: number[] = []
  for (let at = startOf(interval, from); at < to; at = nextStart(interval, at)) starts.push(at)
  return {
    from,
    to,
    interval,
    starts,
  }
}

function startOf(interval: Interval, at: number): number {
  if (interval === 'month') return startOfMonth(monthOf(at))
  return Math.floor(at / lengths[interval]) * lengths[interval]
}

/**
 * Returns the start of the first of `buckets` buckets, the last of which contains the moment before
 * `to`.
 */
function stepBack(interval: Interval, to: number, buckets: number): number {
  let start = startOf(interval, to - 1)
  for (let left = buckets - 1; left > 0; left--) start = startOf(interval, start - 1)
  return start
}

function nextStart(interval: Interval, start: number): number {
  if (interval === 'month') return startOfMonth(monthOf(start) + 1)
  return start + lengths[interval]
}

const bareOffset = / (?=\d\d:\d\d$)/

export function timeParameter(description: string): QueryParameter {
  return {
    description,
    check(text) {
      if (readRangeTime(text) !== undefined) return undefined
      return 'must be a time in ISO 8601, such as 2026-01-31 or 2026-01-31T12:00:00Z'
    },
    findSlip(text) {
      if (!bareOffset.test(text) || readRangeTime(text) === undefined) return undefined
      return 'has a "+" that is not escaped: send %2B'
    },
  }
}

export function readTime(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  return text === null ? undefined : readRangeTime(text)
}

export function assertInOrder(from: number, to: number): void {
  if (from >= to) throw invalidRequest('from must be a time before "to".')
}

function readRangeTime(text: string): number | undefined {
  const time = text.replace(bareOffset, '+')
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(time))
    return undefined
  try {
    return toTimestamp(time)
  } catch {
    return undefined
  }
}
