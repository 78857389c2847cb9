import type { ComponentChildren } from 'preact'
import { toTimestamp } from '../../core/time/time-text.ts'

export type Tone = 'good' | 'note' | 'warning' | 'bad' | 'gone' | 'waiting' | 'plain'

const shapes: Readonly<Record<Tone, string>> = {
  good: 'M8 3a5 5 0 1 0 0 10a5 5 0 1 0 0-10z',
  note: 'M8 2.5L13.5 8 8 13.5 2.5 8z',
  warning: 'M8 2.5l6 10.500h-12z',
  bad: 'M3 3h10v10h-10z',
  gone: 'M3.5 2L8 6.5 12.5 2 14 3.5 9.5 8 14 12.5 12.5 14 8 9.5 3.5 14 2 12.5 6.5 8 2 3.500z',
  waiting: 'M8 3a5 5 0 1 0 0 10a5 5 0 1 0 0-10zM8 5.500a2.5 2.5 0 1 1 0 5a2.5 2.5 0 1 1 0-5z',
  plain: 'M2.5 7h11v2h-11z',
}

export function Mark({ tone }: { readonly tone: Tone }) {
  return (
    <svg class={`mark mark-${tone}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={shapes[tone]} fill-rule="evenodd" />
    </svg>
  )
}

export function Badge({ tone, children, title }: { tone: Tone; children: ComponentChildren; title?: string }) {
  return (
    <span class={`badge badge-${tone}`} title={title}>
      <Mark tone={tone} />
      {children}
    </span>
  )
}

export function Tag({ children, title }: { readonly children: ComponentChildren; readonly title?: string }) {
  return (
    <span class="tag clip muted small" title={title}>
      {children}
    </span>
  )
}

type StatusBadgeProps = { readonly status: number; readonly pending?: boolean; readonly aborted?: boolean }

/** Shows the status of a reply, marked by its class unless it ended early; 0 is a connection that ended without a reply. */
export function StatusBadge({ status, pending = false, aborted = false }: StatusBadgeProps) {
  if (pending) return <Badge tone="waiting">pending</Badge>
  return <Badge tone={aborted ? 'gone' : toneOfStatus(status)}>{status === 0 ? 'cut' : status}</Badge>
}

export function toneOfStatus(status: number): Tone {
  if (status === 0) return 'gone'
  if (status >= 500) return 'bad'
  if (status >= 400) return 'warning'
  return status >= 300 ? 'note' : 'good'
}

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
