import { useComputed } from '@preact/signals'
import { toIso, toTimestamp } from '../../core/time/time-text.ts'
import { usePanel } from '../data/panel.ts'
import { toDurationText, toRelativeText } from './words.ts'

export function RelativeTime({ at }: { readonly at: string }) {
  const now = usePanel().world.now.value
  const text = now === undefined ? toShortTime(at) : toRelativeText(toTimestamp(at), now)
  return (
    <time dateTime={at} title={at}>
      {text}
    </time>
  )
}

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

export function Duration({ ms }: { readonly ms: number }) {
  return <span title={`${Math.round(ms * 100) / 100} ms`}>{toDurationText(ms)}</span>
}

function toShortTime(at: string): string {
  return at.slice(11, 23).replace('Z', '')
}
