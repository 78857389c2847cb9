import { useComputed } from '@preact/signals'
import { isTime, toIso, toTimestamp } from '../../core/time/time-text.ts'
import { toDurationText, toRelativeText } from './words.ts'
import { usePanel } from '../data/panel.ts'

export type Tone = 'good' | 'note' | 'warning' | 'bad' | 'gone' | 'waiting' | 'plain'

const shapes: Record<Tone, string> = {
  good: 'M8 3a5 5 0 1 0 0 10a5 5 0 1 0 0-10z',
  note: 'M8 2.5L13.5 8 8 13.5 2.5 8z',
  warning: 'M8 2.5l6 10.500h-12z',
  bad: 'M3 3h10v10h-10z',
  gone: 'M3.5 2L8 6.5 12.5 2 14 3.5 9.5 8 14 12.5 12.5 14 8 9.5 3.5 14 2 12.5 6.5 8 2 3.500z',
  waiting: 'M8 3a5 5 0 1 0 0 10a5 5 0 1 0 0-10zM8 5.500a2.5 2.5 0 1 1 0 5a2.5 2.5 0 1 1 0-5z',
  plain: 'M2.5 7h11v2h-11z',
}

export function Mark({ tone }: { tone: Tone }) {
  return (
    <svg class="mark" fill={`var(--${tone})`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={shapes[tone]} fill-rule="evenodd" />
    </svg>
  )
}

/** The tones of the words that states have. A word of no judgement is plain. */
const tones: Record<string, Tone> = {
  runs: 'good',
  works: 'good',
  passed: 'good',
  succeeded: 'good',
  renewal: 'good',
  settlement: 'good',
  certificate: 'good',
  pending: 'waiting',
  due: 'waiting',
  quota: 'waiting',
  reply: 'waiting',
  frozen: 'note',
  yes: 'note',
  delivery: 'note',
  event: 'note',
  retrying: 'warning',
  expired: 'warning',
  charge: 'warning',
  'dns-timeout': 'warning',
  failed: 'bad',
  lost: 'gone',
  revoked: 'gone',
  'no answer': 'gone',
  'ended early': 'gone',
  cancellation: 'gone',
}

export function toneOfState(state: string): Tone {
  return tones[state] ?? 'plain'
}

type BadgeProps = {
  text: string
  tone?: Tone
  title?: string
}

export function Badge({ text, tone = toneOfState(text), title }: BadgeProps) {
  return (
    <span class={`badge badge-${tone}`} title={title}>
      <Mark tone={tone} />
      {text}
    </span>
  )
}

export function Tag({ text, title }: { text: string; title?: string }) {
  return (
    <span class="tag clip muted" title={title}>
      {text}
    </span>
  )
}

/** A reply, which may not be sent yet, or may have ended early; the status 0 is none at all. */
type Answered = {
  response: { status: number }
  pending?: boolean
  aborted?: boolean
}

export function StatusBadge({ of }: { of: Answered }) {
  const text = of.pending ? 'pending' : String(of.response.status || 'cut')
  return <Badge tone={toneOfReply(of)} text={text} />
}

export function toneOfReply({ response: { status }, pending, aborted }: Answered): Tone {
  if (pending) return 'waiting'
  if (aborted || status === 0) return 'gone'
  if (status >= 500) return 'bad'
  if (status >= 400) return 'warning'
  return status >= 300 ? 'note' : 'good'
}

export function RelativeTime({ at }: { at: string }) {
  const now = usePanel().world.now.value
  return (
    <Time
      at={at}
      text={now === undefined ? toShortTime(at) : toRelativeText(toTimestamp(at), now)}
    />
  )
}

/** A time of a sentence, `at 2026-…`: one in a path or in quotes was sent by a client. */
const isoTime = /(?<= )(?:at )?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z)/

/** A sentence of the server, which says its times in words, as they were at a time. */
export function Sentence({ text, at }: { text: string; at: string }) {
  const then = toTimestamp(at)
  // The expression has a group, so the times are parts as well.
  return (
    <>
      {text
        .split(isoTime)
        .map((part, index) =>
          isTime(part) ? (
            <Time key={index} at={part} text={toRelativeText(toTimestamp(part), then)} />
          ) : (
            part
          ),
        )}
    </>
  )
}

export function ClockTime({ at, isShort = false }: { at: string; isShort?: boolean }) {
  const { now } = usePanel().world
  const today = useComputed(() => now.value !== undefined && toIso(now.value).slice(0, 10)).value
  const date = at.slice(0, 10)
  const otherDay = isShort ? `${date.slice(5)} ${at.slice(11, 16)}` : `${date} ${toShortTime(at)}`
  return <Time at={at} text={today === false || today === date ? toShortTime(at) : otherDay} />
}

function Time({ at, text }: { at: string; text: string }) {
  return (
    <time dateTime={at} title={at}>
      {text}
    </time>
  )
}

export function Duration({ ms }: { ms: number }) {
  return <span title={`${Math.round(ms * 100) / 100} ms`}>{toDurationText(ms)}</span>
}

function toShortTime(at: string): string {
  return at.slice(11, 23).replace('Z', '')
}

const paths = {
  check: 'M3 8.5l3.2 3.2L13 4.8',
  chevron: 'M4 6l4 4 4-4',
  clock: 'M8 2.500a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11zM8 5v3.200l2.2 1.400',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h7v7h-7zM3.5 10.5v-7h7',
  download: 'M8 2.5v7M5 7l3 3 3-3M3 13h10',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  send: 'M2.5 8L13.5 3l-3 10.500-3-4.500z',
  switch: 'M5.5 4.500h5a3.5 3.5 0 0 1 0 7h-5a3.5 3.5 0 0 1 0-7zM5.5 7.500h.01',
  table: 'M2.5 3.500h11v9h-11zM2.5 7h11M6.5 3.500v9',
  filter: 'M2.5 3.5h11L9.5 8.5v4l-3-1.5v-2.5z',
  moon: 'M12.8 9.800a5.5 5.5 0 1 1-6.6-6.6 4.5 4.5 0 0 0 6.6 6.600z',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  pause: 'M5.5 3.500v9M10.5 3.500v9',
  play: 'M5 3.500l7.5 4.5-7.5 4.500z',
  plus: 'M8 3v10M3 8h10',
  redo: 'M12.5 6.500h-6a3.2 3.2 0 0 0 0 6.500h3M10 4l2.5 2.500L10 9',
  trash: 'M3.5 4.500h9M6.5 4.500v-2h3v2M5 4.500l.5 9h5l.5-9',
  undo: 'M3.5 6.500h6a3.2 3.2 0 0 1 0 6.500h-3M6 4l-2.5 2.500L6 9',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}

interface LanesProps {
  /** The time at the left edge, in milliseconds since 1970, and what it is called there. */
  from: number
  fromTitle: string
  lanes: readonly {
    title: string
    points: readonly LanePoint[]
  }[]
}

type LanePoint = {
  at: string
  title: string
  tone: Tone
}

/** The labels that the axis can have, in minutes. */
const steps = {
  '1 min': 1,
  '10 min': 10,
  '1 h': 60,
  '6 h': 360,
  '1 d': 1_440,
  '7 d': 10_080,
  '30 d': 43_200,
  '1 y': 525_600,
}

/** The least distance of two labels, as a share of the width. */
const minDistance = 0.11

/** The times that the axis names: as many as have room. */
function toLabels(last: number, toShare: (minutes: number) => number) {
  const labels: {
    title: string
    share: number
  }[] = []
  for (const [title, minutes] of Object.entries(steps))
    if (minutes <= last && toShare(minutes) - (labels.at(-1)?.share ?? 0) >= minDistance)
      labels.push({
        title,
        share: toShare(minutes),
      })
  return labels
}

/**
 * Points in time, on lines above one axis. It is logarithmic, so that seconds and months are seen
 * together. A list next to it says the same.
 */
export function Lanes({ from, fromTitle, lanes }: LanesProps) {
  const minutesTo = (at: string) => Math.max(0, (toTimestamp(at) - from) / 60_000)
  const last = Math.max(1, ...lanes.flatMap(({ points }) => points.map(({ at }) => minutesTo(at))))
  const toShare = (minutes: number) => Math.log1p(minutes) / Math.log1p(last)
  return (
    <div class="lanes muted" aria-hidden="true">
      {lanes.map(({ title, points }) => (
        <div class="lane" key={title}>
          <span>{title}</span>
          {points.map(({ at, title, tone }, index) => (
            <span
              key={index}
              title={`${title}, ${at}`}
              style={{ left: `${toShare(minutesTo(at)) * 100}%` }}
            >
              <Mark tone={tone} />
            </span>
          ))}
        </div>
      ))}
      <div class="lane">
        <span>{fromTitle}</span>
        {toLabels(last, toShare).map(({ title, share }) => (
          <span key={title} style={{ left: `${share * 100}%` }}>
            {title}
          </span>
        ))}
      </div>
    </div>
  )
}
