import * as z from 'zod/mini'
import { toMilliseconds } from '../core/time/time-text.ts'

/** A duration of 0 or more: text such as `90s` or `1h30m`, or a number of milliseconds. */
export const durationSchema = durationThat(
  (value) => toMilliseconds(value) >= 0,
  'expected a duration, such as "90s", "5m", "2h" or "1d"',
)

/** Returns the schema of the durations that fulfill a condition. @param holds may throw for a text that is not a duration. */
export function durationThat(holds: (value: string | number) => boolean, message: string) {
  return z.union([z.string(), z.number()]).check(
    z.refine((value) => {
      try {
        return holds(value)
      } catch {
        return false
      }
    }, message),
  )
}
