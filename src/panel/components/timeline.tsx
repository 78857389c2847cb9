import { toTimestamp } from '../../core/time/time-text.ts'
import type { Tone } from './status.tsx'

interface TimelinePoint {
  readonly id: string
  /** ISO 8601. */
  readonly at: string
  readonly title: string
  readonly tone: Tone
}

interface TimelineProps {
  readonly label: string
  readonly points: readonly TimelinePoint[]
  readonly now: string | undefined
}

/** A line with at least one point in time. */
export function Timeline({ label, points, now }: TimelineProps) {
  const times = [...points.map(({ at }) => toTimestamp(at)), ...(now === undefined ? [] : [toTimestamp(now)])]
  const first = Math.min(...times)
  const length = Math.max(1, Math.max(...times) - first)
  const x = (at: string) => 8 + ((toTimestamp(at) - first) / length) * 584
  return (
    <svg viewBox="0 0 600 24" class="timeline-line" role="img" aria-label={label}>
      <line x1="8" x2="592" y1="12" y2="12" />
      {now !== undefined && <line class="timeline-now" x1={x(now)} x2={x(now)} y1="2" y2="22" />}
      {points.map((point) => (
        <g key={point.id} class={`mark mark-${point.tone}`} transform={`translate(${x(point.at)} 12)`}>
          <title>{`${point.title}, ${point.at}`}</title>
          {point.tone === 'good' ? <circle r="5" /> : <path d="M0 -6L6 0L0 6L-6 0z" />}
        </g>
      ))}
    </svg>
  )
}
