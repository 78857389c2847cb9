import * as z from 'zod/mini'
import { toMilliseconds } from '../core/time/clock.ts'

/** A duration of 0 or more: text such as `90s` or `1h30m`, or a number of milliseconds. */
export const durationSchema = z.union([z.string(), z.number()]).check(
  z.refine((value) => {
    try {
      return toMilliseconds(value) >= 0
    } catch {
      return false
    }
  }, 'expected a duration, such as "90s", "5m", "2h" or "1d"'),
)
