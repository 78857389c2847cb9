import * as z from 'zod/mini'
import { toMilliseconds, toTimestamp } from './clock.ts'
import { quote } from './quote.ts'
import { firstTime, lastStoredTime, timeRange } from './time-range.ts'

/** The longest time before the start: with any clock, what comes of it can be named. */
const longestAgo = 36_500

/** A time as the store keeps it, in milliseconds since 1970. */
export const storedTime = z.number().check(z.gte(firstTime, `expected a time in ${timeRange}, in milliseconds since 1970`), z.lte(lastStoredTime, `expected a time in ${timeRange}, in milliseconds since 1970`))

/** A time in a fixture: ISO 8601, or how long before the start it was, as `30d ago`. */
export const fixtureTime = z.string().check(
  z.refine((text) => {
    try {
      return toFixtureTimestamp(text, 0) !== undefined
    } catch {
      return false
    }
  }, `Invalid time: expected ISO 8601 in ${timeRange}, such as "2026-01-31T12:00:00Z", or a length of time before the start, such as "30d ago", of at most ${longestAgo}d`),
)

/** Milliseconds since 1970 of a fixture's time. @param now when the service starts. @throws RangeError */
export function toFixtureTimestamp(time: string | number, now: number): number {
  if (typeof time !== 'string' || !time.endsWith(' ago')) return typeof time === 'number' ? now + time : toTimestamp(time)
  const ago = toMilliseconds(time.slice(0, -' ago'.length))
  if (Math.abs(ago) <= toMilliseconds(`${longestAgo}d`)) return now - ago
  throw new RangeError(`Failed to read the time ${quote(time)}: expected at most ${longestAgo}d ago.`)
}
