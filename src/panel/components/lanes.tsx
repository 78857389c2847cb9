import { toTimestamp } from '../../core/time/time-text.ts'
import { Mark, type Tone } from './marks.tsx'

export interface Lane {
  readonly title: string
  /** Their times are ISO 8601. */
  readonly points: readonly { readonly at: string; readonly title: string; readonly tone: Tone }[]
}

interface LanesProps {
  /** The time at the left edge, in milliseconds since 1970, and what it is called there. */
  readonly from: number
  readonly fromTitle: string
  readonly lanes: readonly Lane[]
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The labels that the time axis can have. */
const steps = [
  ['1 min', minute],
  ['10 min', 10 * minute],
  ['1 h', hour],
  ['6 h', 6 * hour],
  ['1 d', day],
  ['7 d', 7 * day],
  ['30 d', 30 * day],
  ['1 year', 365 * day],
] as const

/** The least distance of two labels, as a share of the width. */
const apart = 0.11

/** Points in time, on lines above one axis. It is logarithmic, so that seconds and months are seen together. A list next to it says the same. */
export function Lanes({ from, fromTitle, lanes }: LanesProps) {
  const last = Math.max(minute, ...lanes.flatMap(({ points }) => points.map(({ at }) => toTimestamp(at) - from)))
  const toShare = (after: number) => Math.log1p(Math.max(0, after) / minute) / Math.log1p(last / minute)
  const labels = [{ title: fromTitle, share: 0 }]
  for (const [title, after] of steps)
    if (after <= last && toShare(after) - labels.at(-1)!.share >= apart) labels.push({ title, share: toShare(after) })
  return (
    <div class="lanes small muted" aria-hidden="true">
      {lanes.map(({ title, points }) => (
        <div class="lane" key={title}>
          <span>{title}</span>
          {points.map(({ at, title, tone }, index) => (
            <span key={index} title={`${title}, ${at}`} style={{ left: toPercent(toShare(toTimestamp(at) - from)) }}>
              <Mark tone={tone} />
            </span>
          ))}
        </div>
      ))}
      <div class="lane">
        <span />
        {labels.map(({ title, share }) => (
          <span key={title} style={{ left: toPercent(share) }}>
            {title}
          </span>
        ))}
      </div>
    </div>
  )
}

function toPercent(share: number): string {
  return `${share * 100}%`
}
