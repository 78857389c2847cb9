import { useComputed } from '@preact/signals'
import { toIso, toTimestamp } from '../../core/time/time-text.ts'
import { usePanel } from '../data/panel.ts'
import { toDurationText, toRelativeText } from './words.ts'

/** Shows a time relative to the world's clock: `5 s ago`; its title is the exact time. @param at ISO 8601. */
export function RelativeTime({ at }: { readonly at: string }) {
  const now = usePanel().world.now.value
  const text = now === undefined ? toShortTime(at) : toRelativeText(toTimestamp(at), now)
  return (
    <time dateTime={at} title={at}>
      {text}
    </time>
  )
}

/**
 * Shows the time of day, `10:32:59.123`, with its date unless that is today in the world. Its title is the whole time.
 * @param at ISO 8601. @param isShort shows the time of another day as `11-25 10:32`
 */
export function ClockTime({ at, isShort = false }: { readonly at: string; readonly isShort?: boolean }) {
  const { now } = usePanel().world
  const today = useComputed(() => now.value !== undefined && toIso(now.value).slice(0, 10)).value
  const date = at.slice(0, 10)
  const otherDay = isShort ? `${date.slice(5)} ${at.slice(11, 16)}` : `${date} ${toShortTime(at)}`
  return (
    <time dateTime={at} title={at}>
      {today === false || today === date ? toShortTime(at) : otherDay}
    </time>
  )
}

/** Shows a duration; its title is exact to a hundredth of a millisecond. @param ms in milliseconds. */
export function Duration({ ms }: { readonly ms: number }) {
  return <span title={`${Math.round(ms * 100) / 100} ms`}>{toDurationText(ms)}</span>
}

/** Returns the time of day of an ISO time: `10:32:59.123`. */
function toShortTime(at: string): string {
  return at.slice(11, 23).replace('Z', '')
}
