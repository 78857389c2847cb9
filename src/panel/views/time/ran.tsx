import { Badge, ClockTime, IconButton, toPlural } from '../../components/index.ts'
import type { DueSummary } from '../../data/shapes.ts'
import { kindOf } from './kinds.ts'
import { WorkOutcome } from './outcome.tsx'
import { Subject } from './subject.tsx'

const most = 20

export interface Move {
  readonly to: string
  readonly done: readonly DueSummary[]
}

export function LastMove({ move: { to, done }, onClose }: { readonly move: Move; readonly onClose: () => void }) {
  const shown = done.slice(0, most)
  return (
    <section class="section callout time-ran" aria-label="What was done">
      <div class="row">
        <h2>
          {done.length === 0 ? 'Nothing fell due' : `${toPlural(done.length, 'thing')} fell due`} by{' '}
          <ClockTime at={to} />
        </h2>
        <span class="spacer" />
        <IconButton icon="close" label="Dismiss what was done" onClick={onClose} />
      </div>
      <ol>
        {shown.map((task) => (
          <li class="row" key={`${to} ${task.at} ${task.title}`}>
            <Badge tone={kindOf(task.kind).tone}>{kindOf(task.kind).title}</Badge>
            <span class="breaks">{task.title}</span>
            <WorkOutcome task={task} />
            <Subject subject={task.subject} />
          </li>
        ))}
      </ol>
      {done.length > most && <p class="muted">And {done.length - most} more.</p>}
    </section>
  )
}
