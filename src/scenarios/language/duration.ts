import * as z from 'zod/mini'
import { toMilliseconds } from '../../core/time/time-text.ts'

export const durationSchema = durationThat(
  (value) => toMilliseconds(value) >= 0,
  'expected a duration, such as "90s", "5m", "2h" or "1d"',
)

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
