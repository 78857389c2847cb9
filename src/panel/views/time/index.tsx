import { useSignal } from '@preact/signals'
import { toIso } from '../../../core/time/time-text.ts'
import { Button } from '../../components/controls.tsx'
import { bound, LineForm } from '../../components/form/form.tsx'
import { useCommands } from '../../components/keys.ts'
import { Badge, ClockTime, Lanes, RelativeTime, toneOfState } from '../../components/marks.tsx'
import { Link, ViewHead } from '../../components/layout.tsx'
import { type Column, Table } from '../../components/lists.tsx'
import { EmptyState, Loaded } from '../../components/content.tsx'
import { attempt } from '../../components/toast.tsx'
import { groupBy, toPlural } from '../../components/words.ts'
import { usePanel, useResource } from '../../data/panel.ts'
import type { ClockChange, DueSummary } from '../../data/control.ts'

const changes = ['clock', 'delivery', 'records', 'request', 'scenarios', 'assumptions'] as const

type Move = {
  to: string
  done: readonly DueSummary[]
}

export default function Time() {
  const { control, world } = usePanel()
  const name = world.name.value
  const readDue = async () => (await control.call('GET /worlds/{world}/due', { world: name })).data
  const due = useResource(readDue, [name], changes)
  const last = useSignal<Move | undefined>(undefined)
  const show = (move: Move) => {
    last.value = move
    due.reload()
  }
  const move = async (change: ClockChange) => {
    const before = await readDue()
    const { now: to } = await world.changeClock(change, name)
    show({
      to,
      done: before.filter(({ at }) => at <= to),
    })
  }
  const runNext = async () => {
    const { clock, done } = await world.runNext()
    show({
      to: clock.now,
      done,
    })
  }
  useCommands(
    [
      {
        keys: 'n',
        title: 'Run to what is due next',
        run: () => void attempt(runNext),
      },
    ],
    [name],
  )
  return (
    <>
      <ViewHead
        title="Time"
        actions={
          <Button
            kind="primary"
            icon="play"
            title="Key n"
            onClick={runNext}
            text="Run to the next"
          />
        }
      />
      <Now onMove={move} />
      {last.value && <LastMove key={last.value.to} move={last.value} />}
      <section class="section" aria-label="Due">
        <Loaded resource={due}>
          {(list) => <Due list={list} onRunTo={(now) => move({ now })} />}
        </Loaded>
      </section>
    </>
  )
}

function NothingDue() {
  return (
    <EmptyState title="Nothing is due">
      <Link to={{ view: 'traffic', params: { compose: 'purchases.create' } }}>Buy credits</Link>, or
      let a receiver of <Link to={{ view: 'webhooks' }}>webhooks</Link> fail: the next step appears
      here.
    </EmptyState>
  )
}

const presets = ['10s', '1m', '5m', '30m', '1h', '1d', '7d', '30d']

function Now({ onMove }: { onMove: (change: ClockChange) => Promise<void> }) {
  const { world } = usePanel()
  const now = world.now.value
  const isFrozen = world.clock.value?.frozen === true
  const typed = useSignal('')
  const moveAsTyped = () => {
    const text = typed.peek().trim()
    return onMove(/^\d{4}-/.test(text) ? { now: text } : { advance: text })
  }
  if (now === undefined) return null
  const shown = toIso(now)
  return (
    <section class="section" aria-label="The clock">
      <div class="row below">
        <time class="time-now" dateTime={shown} title={shown}>
          {shown.slice(0, 10)} <b>{shown.slice(11, 19)}</b> UTC
        </time>
        <Badge text={isFrozen ? 'frozen' : 'runs'} />
        <Button
          icon={isFrozen ? 'play' : 'pause'}
          onClick={() => world.changeClock({ frozen: !isFrozen })}
          text={isFrozen ? 'Let it run' : 'Freeze'}
        />
      </div>
      <div class="row time-move">
        <LineForm
          title="Advance by, or set to"
          placeholder={`90m, or ${shown.slice(0, 11)}23:59:50Z`}
          action="Move"
          onSubmit={moveAsTyped}
          {...bound(typed)}
        />
        {presets.map((by) => (
          <Button
            key={by}
            label={`Advance by ${by}`}
            onClick={() => onMove({ advance: by })}
            text={`+${by}`}
          />
        ))}
      </div>
    </section>
  )
}

const maxDone = 20

function LastMove({ move: { to, done } }: { move: Move }) {
  return (
    <section class="section callout" aria-label="What was done">
      <details open>
        <summary>
          <b>{done.length === 0 ? 'Nothing' : toPlural(done.length, 'thing')} fell due</b> by{' '}
          <ClockTime at={to} />
        </summary>
        <ol>
          {done.slice(0, maxDone).map((task) => (
            <li class="row" key={task.at + task.title}>
              <Badge text={task.kind} />
              <span class="breaks">{task.title}</span>
              {task.subject && (
                <Link to={toPlace(task.subject)} class="mono" text={task.subject.id} />
              )}
            </li>
          ))}
        </ol>
        {done.length > maxDone && <p class="muted">And {done.length - maxDone} more.</p>}
      </details>
    </section>
  )
}

function toPlace({ collection, id }: NonNullable<DueSummary['subject']>) {
  return {
    view: collection === 'deliveries' ? 'webhooks' : 'data',
    rest: [collection, id],
  }
}

function toLanes(list: readonly DueSummary[]) {
  return [...groupBy(list, ({ kind }) => kind)].map(([title, tasks]) => ({
    title,
    points: tasks.map((task) => ({
      ...task,
      tone: toneOfState(title),
    })),
  }))
}

function Due({
  list,
  onRunTo,
}: {
  list: readonly DueSummary[]
  onRunTo: (at: string) => Promise<void>
}) {
  const { router, world } = usePanel()
  const now = world.now.value
  if (list.length === 0) return <NothingDue />
  const columns: readonly Column<DueSummary>[] = [
    {
      title: 'When',
      cell: ({ at }) => <RelativeTime at={at} />,
    },
    {
      title: 'Kind',
      isExtra: true,
      cell: ({ kind }) => <Badge text={kind} />,
    },
    {
      title: 'What happens',
      cell: ({ title }) => <span class="breaks">{title}</span>,
    },
    {
      title: 'Clock',
      align: 'end',
      cell: ({ at, title }) => (
        <Button
          kind="quiet"
          label={`Run to here: ${title}`}
          onClick={() => onRunTo(at)}
          text="Run to here"
        />
      ),
    },
  ]
  return (
    <>
      <div class="row">
        <h2>Due next</h2>
        <small>{toPlural(list.length, 'thing')}</small>
      </div>
      {now !== undefined && <Lanes from={now} fromTitle="now" lanes={toLanes(list)} />}
      <Table
        label="What is due"
        columns={columns}
        rows={list}
        keyOf={({ at, title }) => `${at} ${title}`}
        onOpen={({ subject }) => subject && router.go(toPlace(subject))}
      />
    </>
  )
}
