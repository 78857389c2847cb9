import { Mark } from '../../components/index.ts'
import { toTimestamp } from '../../../core/time/time-text.ts'
import type { DueSummary } from '../../data/shapes.ts'
import { kindOf } from './kinds.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Possible labels of the time axis, in milliseconds from now. */
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

const apart = 0.11

export function Lanes({ due, now }: { readonly due: readonly DueSummary[]; readonly now: number }) {
  const last = Math.max(minute, ...due.map(({ at }) => toTimestamp(at) - now))
  const place = (after: number) => Math.log1p(Math.max(0, after) / minute) / Math.log1p(last / minute)
  const lanes = new Map<string, DueSummary[]>()
  for (const task of due) lanes.set(task.kind, [...(lanes.get(task.kind) ?? []), task])
  const shown: { title: string; at: number }[] = [{ title: 'now', at: 0 }]
  for (const [title, after] of steps)
    if (after <= last && place(after) - shown.at(-1)!.at >= apart) shown.push({ title, at: place(after) })
  return (
    <div class="time-lanes" aria-hidden="true">
      {[...lanes].map(([kind, tasks]) => (
        <div class="time-lane" key={kind}>
          <span class="muted small">{kindOf(kind).title}</span>
          <div class="time-lane-line">
            {tasks.map((task, number) => (
              <span
                key={number}
                class="time-mark"
                title={`${task.title}, ${task.at}`}
                style={{ left: `${place(toTimestamp(task.at) - now) * 100}%` }}
              >
                <Mark tone={kindOf(kind).tone} />
              </span>
            ))}
          </div>
        </div>
      ))}
      <div class="time-lane time-scale">
        <span />
        <div class="time-lane-line">
          {shown.map(({ title, at }) => (
            <span key={title} class="time-step muted small" style={{ left: `${at * 100}%` }}>
              {title}
            </span>
          ))}
        </div>
      </div>
    </div>
  )
}
