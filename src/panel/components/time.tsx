import { toTimestamp } from '../../core/time/clock.ts'
import { usePanel } from '../data/panel.ts'
import { toDurationText, toRelativeText } from './words.ts'

/** A time on the world's clock, as far from its now as it is: `5 s ago`; the exact one in the title. @param at ISO 8601. */
export function RelativeTime({ at }: { readonly at: string }) {
  const now = usePanel().world.now.value
  const text = now === undefined ? toShortTime(at) : toRelativeText(toTimestamp(at), now)
  return (
    <time dateTime={at} title={at}>
      {text}
    </time>
  )
}

/** A time of a list: `10:32:59.123`; the whole in the title. @param at ISO 8601. */
export function ClockTime({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {toShortTime(at)}
    </time>
  )
}

/** Shows a duration; the title has it to the hundredth of a millisecond. @param ms in milliseconds. */
export function Duration({ ms }: { readonly ms: number }) {
  return <span title={`${Math.round(ms * 100) / 100} ms`}>{toDurationText(ms)}</span>
}

/** `10:32:59.123` of an ISO time. */
function toShortTime(at: string): string {
  return at.slice(11, 23).replace('Z', '')
}
