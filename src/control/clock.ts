import { toClockTime, toMovedTime } from '../core/time/time-text.ts'
import type { World } from '../greenhouse/world.ts'
import { check } from './body.ts'
import { clockSchema } from './schemas.ts'

/**
 * Sets, moves, freezes or runs a world's clock. `advance` counts from `now`. @throws ControlError or RangeError; then
 * nothing has changed.
 */
export function changeClock({ clock }: World, body: unknown): void {
  const { now, advance, frozen } = check(clockSchema, body)
  const start = now === undefined ? clock.now() : toClockTime(now)
  const target = advance === undefined ? start : toMovedTime(start, advance)
  if (frozen) clock.freeze()
  if (now !== undefined || advance !== undefined) clock.set(target)
  if (frozen === false) clock.run()
}
