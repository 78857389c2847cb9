import { toTimestamp } from '../../core/time/time-text.ts'
import { Mark, type Tone } from './marks.tsx'

interface LanesProps {
  /** The time at the left edge, in milliseconds since 1970, and what it is called there. */
  readonly from: number
  readonly fromTitle: string
  readonly lanes: readonly { readonly title: string; readonly points: readonly LanePoint[] }[]
}

export interface LanePoint {
  /** ISO 8601. */
  readonly at: string
  readonly title: string
  readonly tone: Tone
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
const apart = 0.11

/** Points in time, on lines above one axis. It is logarithmic, so that seconds and months are seen together. A list next to it says the same. */
export function Lanes({ from, fromTitle, lanes }: LanesProps) {
  const minutesTo = (at: string) => Math.max(0, (toTimestamp(at) - from) / 60_000)
  const last = Math.max(1, ...lanes.flatMap(({ points }) => points.map(({ at }) => minutesTo(at))))
  const toShare = (minutes: number) => Math.log1p(minutes) / Math.log1p(last)
  const labels = [{ title: fromTitle, share: 0 }]
  for (const [title, minutes] of Object.entries(steps))
    if (minutes <= last && toShare(minutes) - labels.at(-1)!.share >= apart)
      labels.push({ title, share: toShare(minutes) })
  return (
    <div class="lanes small muted" aria-hidden="true">
      {lanes.map(({ title, points }) => (
        <div class="lane" key={title}>
          <span>{title}</span>
          {points.map(({ at, title, tone }, index) => (
            <span key={index} title={`${title}, ${at}`} style={{ left: `${toShare(minutesTo(at)) * 100}%` }}>
              <Mark tone={tone} />
            </span>
          ))}
        </div>
      ))}
      <div class="lane">
        <span />
        {labels.map(({ title, share }) => (
          <span key={title} style={{ left: `${share * 100}%` }}>
            {title}
          </span>
        ))}
      </div>
    </div>
  )
}
