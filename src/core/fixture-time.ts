import * as z from 'zod/mini'
import { toMilliseconds, toTimestamp } from './clock.ts'

/** A time in a fixture: ISO 8601, or how long before the start it was, as `30d ago`. */
export const fixtureTime = z.string().check(
  z.refine((text) => {
    try {
      return toFixtureTimestamp(text, 0) !== undefined
    } catch {
      return false
    }
  }, 'Invalid time: expected ISO 8601, such as "2026-01-31T12:00:00Z", or a length of time before the start, such as "30d ago"'),
)

/** Milliseconds since 1970 of a fixture's time. @param now when the service starts. @throws RangeError */
export function toFixtureTimestamp(time: string | number, now: number): number {
  if (typeof time === 'string' && time.endsWith(' ago')) return now - toMilliseconds(time.slice(0, -' ago'.length))
  return typeof time === 'number' ? now + time : toTimestamp(time)
}
