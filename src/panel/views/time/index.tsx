import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { after, systemNow } from '../../../core/time/clock.ts'
import { toIso, toTimestamp } from '../../../core/time/time-text.ts'
import { Button, IconButton } from '../../components/controls.tsx'
import { TextField } from '../../components/form/field.tsx'
import { useKeys } from '../../components/keys.ts'
import { Link, ViewHead } from '../../components/layout.tsx'
import { type Column, Table } from '../../components/lists.tsx'
import {
  Badge,
  ClockTime,
  FrozenBadge,
  Mark,
  RelativeTime,
  StatusBadge,
  Tag,
  type Tone,
} from '../../components/marks.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { attempt } from '../../components/toast.tsx'
import { groupBy, toDurationText, toPlural } from '../../components/words.ts'
import type { ControlApi } from '../../../control/client/control-api.ts'
import { useDraft, useFailure, useSubmit } from '../../data/form.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import { countRounds } from '../../data/latest.ts'
import type { ClockChange, DueSummary } from '../../data/shapes.ts'
import { toMessage, readRecord } from '../../data/control.ts'

const changes = ['clock', 'delivery', 'records', 'request', 'scenarios', 'assumptions'] as const

export default function Time() {
  const { control, world } = usePanel()
  const name = world.name.value
  const due = useResource(async () => (await control.call('GET /worlds/{world}/due')).data, [name], changes)
  const last = useSignal<Move | undefined>(undefined)
  const { begin } = useMemo(countRounds, [])
  /** Shows the result of a move, unless a later move has started. */
  const show = (isLatest: () => boolean, move: Move) => {
    if (isLatest()) last.value = move
    due.reload()
  }
  const move = async (change: ClockChange) => {
    const isLatest = begin()
    const before = (await control.call('GET /worlds/{world}/due', { path: { world: name } })).data
    const { now: to } = await world.changeClock(change, name)
    show(isLatest, { to, done: before.filter(({ at }) => toTimestamp(at) <= toTimestamp(to)) })
  }
  const runNext = async () => {
    const isLatest = begin()
    const { clock, done } = await world.runNext()
    show(isLatest, { to: clock.now, done })
  }
  useKeys([{ keys: 'n', title: 'Run to what is due next', run: () => void attempt(runNext) }], [name])
  const now = world.now.value

  return (
    <>
      <ViewHead
        title="Time"
        actions={
          <Button
            kind="primary"
            icon="play"
            title="Moves the clock to the next due work, and does it (n)"
            onClick={runNext}
            text="Run to the next"
          />
        }
      />
      <Now onMove={move} />
      {last.value && <LastMove move={last.value} onClose={() => (last.value = undefined)} />}
      <section class="section" aria-label="Due">
        <Loaded resource={due} lines={10}>
          {(list) => (
            <>
              <div class="row">
                <h2>Due next</h2>
                <span class="muted">{list.length === 0 ? '' : toPlural(list.length, 'thing')}</span>
              </div>
              {list.length === 0 ? (
                <EmptyState title="Nothing is due">
                  Buy credits with <Link to={{ view: 'docs', rest: ['purchases.create'] }}>purchases.create</Link>, or
                  let a receiver of <Link to={{ view: 'webhooks' }}>webhooks</Link> fail: the next step appears here.
                </EmptyState>
              ) : (
                <>
                  {now !== undefined && <Lanes due={list} now={now} />}
                  <DueTable due={list} onRunTo={(at) => move({ now: at })} />
                </>
              )}
            </>
          )}
        </Loaded>
      </section>
    </>
  )
}

function DueTable({ due, onRunTo }: { due: readonly DueSummary[]; onRunTo: (at: string) => Promise<void> }) {
  const columns: readonly Column<DueSummary>[] = [
    { id: 'when', title: 'When', cell: ({ at }) => <RelativeTime at={at} /> },
    { id: 'at', title: 'At (UTC)', isExtra: true, cell: ({ at }) => <span class="muted nowrap">{toShort(at)}</span> },
    {
      id: 'kind',
      title: 'Kind',
      isExtra: true,
      cell: ({ kind }) => <KindBadge kind={kind} />,
    },
    { id: 'title', title: 'What happens', cell: ({ title }) => <span class="breaks">{title}</span> },
    { id: 'about', title: 'About', isExtra: true, cell: ({ subject }) => <Subject subject={subject} /> },
    {
      id: 'run',
      title: 'Clock',
      align: 'end',
      cell: ({ at, title }) => (
        <Button
          kind="quiet"
          label={`Run to here: ${title}`}
          title={`Set the clock to ${at}`}
          onClick={() => onRunTo(at)}
          text="Run to here"
        />
      ),
    },
  ]
  return <Table label="What is due" columns={columns} rows={due} keyOf={({ at, title }) => `${at} ${title}`} />
}

function toShort(at: string): string {
  return at.slice(0, 19).replace('T', ' ')
}

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

function Lanes({ due, now }: { readonly due: readonly DueSummary[]; readonly now: number }) {
  const last = Math.max(minute, ...due.map(({ at }) => toTimestamp(at) - now))
  const place = (after: number) => Math.log1p(Math.max(0, after) / minute) / Math.log1p(last / minute)
  const lanes = groupBy(due, ({ kind }) => [kind])
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

const max = 20

interface Move {
  readonly to: string
  readonly done: readonly DueSummary[]
}

function LastMove({ move: { to, done }, onClose }: { readonly move: Move; readonly onClose: () => void }) {
  const shown = done.slice(0, max)
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
            <KindBadge kind={task.kind} />
            <span class="breaks">{task.title}</span>
            <WorkOutcome task={task} />
            <Subject subject={task.subject} />
          </li>
        ))}
      </ol>
      {done.length > max && <p class="muted">And {done.length - max} more.</p>}
    </section>
  )
}

function WorkOutcome({ task }: { readonly task: DueSummary }) {
  const { control, world } = usePanel()
  const name = world.name.value
  const outcome = useResource(() => readOutcome(control, task), [name, task], ['delivery', 'records'])
  const value = outcome.value.value
  if (value === undefined) return null
  return (
    <>
      {value.answered !== undefined && <StatusBadge status={value.answered} />}
      {value.error !== undefined && <span class="muted">{value.error}</span>}
      {value.status !== undefined && <Tag>{value.status}</Tag>}
    </>
  )
}

interface Read {
  readonly answered?: number
  readonly error?: string
  readonly status?: string
}

async function readOutcome(control: ControlApi, { subject, kind }: DueSummary): Promise<Read> {
  if (!subject || kind === 'quota') return {}
  if (subject.collection === 'deliveries') {
    const { attempts, status } = await control.call('GET /worlds/{world}/deliveries/{id}', {
      path: { id: subject.id },
    })
    const last = attempts.at(-1)
    return { status, ...(last && { answered: last.status ?? 0, ...(last.error !== null && { error: last.error }) }) }
  }
  const record = await readRecord(control, { collection: subject.collection, id: subject.id })
  const status = record['status'] ?? record['state']
  return typeof status === 'string' ? { status } : {}
}

function Subject({ subject }: Pick<DueSummary, 'subject'>) {
  if (!subject) return null
  const { collection, id } = subject
  const to =
    collection === 'deliveries'
      ? { view: 'webhooks', rest: [collection, id] }
      : { view: 'data', rest: [collection, id] }
  return (
    <Link to={to} class="mono nowrap">
      {id}
    </Link>
  )
}

const kinds: Readonly<Record<string, { readonly title: string; readonly tone: Tone }>> = {
  delivery: { title: 'Attempt', tone: 'note' },
  event: { title: 'Event', tone: 'note' },
  settlement: { title: 'Settlement', tone: 'good' },
  renewal: { title: 'Renewal', tone: 'good' },
  charge: { title: 'Charge', tone: 'warning' },
  cancellation: { title: 'Cancellation', tone: 'gone' },
  certificate: { title: 'Certificate', tone: 'good' },
  'dns-timeout': { title: 'DNS timeout', tone: 'bad' },
  quota: { title: 'Quota', tone: 'waiting' },
  reply: { title: 'Reply', tone: 'waiting' },
  scheduled: { title: 'Scheduled', tone: 'plain' },
}

function KindBadge({ kind }: { kind: string }) {
  const { tone, title } = kindOf(kind)
  return <Badge tone={tone}>{title}</Badge>
}

function kindOf(name: string): { readonly title: string; readonly tone: Tone } {
  return kinds[name] ?? { title: name, tone: 'plain' }
}

const presets = [
  ['10s', '10 s'],
  ['1m', '1 min'],
  ['5m', '5 min'],
  ['30m', '30 min'],
  ['1h', '1 h'],
  ['1d', '1 day'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const

const alike = 2_000

function Now({ onMove }: { readonly onMove: (change: ClockChange) => Promise<void> }) {
  const { world } = usePanel()
  const now = world.now.value
  const clock = world.clock.value
  const isFrozen = clock?.frozen === true
  // While the clock is frozen, this machine's time moves away from it.
  const ticks = useSignal(0)
  useEffect(() => (isFrozen ? after(1_000, () => ticks.value++) : undefined), [isFrozen, ticks.value])
  if (now === undefined || !clock) return null
  const shown = toIso(now)
  const off = now - systemNow()
  const freeze = (frozen: boolean) => world.changeClock({ frozen })
  return (
    <section class="section" aria-label="The clock">
      <div class="time-now row">
        <time dateTime={shown} title={shown}>
          {shown.slice(0, 10)} <b>{shown.slice(11, 19)}</b> UTC
        </time>
        <FrozenBadge frozen={clock.frozen} />
        <Button
          icon={clock.frozen ? 'play' : 'freeze'}
          onClick={() => freeze(!clock.frozen)}
          text={clock.frozen ? 'Let it run' : 'Freeze'}
        />
        <span class="muted">
          {Math.abs(off) < alike
            ? 'the same as this machine'
            : `${toDurationText(Math.abs(off))} ${off > 0 ? 'ahead of' : 'behind'} this machine`}
        </span>
        {Math.abs(off) >= alike && (
          <Button kind="quiet" onClick={() => onMove({ now: toIso(systemNow()) })} text="Set to this machine’s time" />
        )}
      </div>
      <div class="time-presets row" role="group" aria-label="Advance the clock">
        <span class="muted">Advance</span>
        {presets.map(([advance, words]) => (
          <Button
            key={advance}
            label={`Advance the clock by ${words}`}
            onClick={() => onMove({ advance })}
            text={`+${words}`}
          />
        ))}
      </div>
      <div class="time-forms">
        <MoveForm
          title="Advance by"
          hint="A duration: ms, s, m, h, d. What falls due on the way happens in order."
          placeholder="90m"
          action="Advance"
          onSubmit={(advance) => onMove({ advance })}
        />
        <MoveForm
          title="Set to"
          hint="ISO 8601. Going back in time undoes nothing, and refills no quota."
          placeholder={toIso(toTimestamp(shown) + 86_400_000).slice(0, 10) + 'T09:00:00Z'}
          action="Set"
          onSubmit={(at) => onMove({ now: at })}
        />
      </div>
    </section>
  )
}

interface MoveFormProps {
  readonly title: string
  readonly hint: string
  readonly placeholder: string
  readonly action: string
  readonly onSubmit: (text: string) => Promise<void>
}

function MoveForm({ onSubmit, ...field }: MoveFormProps) {
  const text = useDraft(`clock ${field.title}`).part('text', '')
  const error = useFailure()
  const { submit } = useSubmit(error, () => {
    const typed = text.peek().trim()
    if (typed === '') throw new Error(`Write ${field.placeholder}, for example.`)
    return onSubmit(typed)
  })
  return (
    <form noValidate onSubmit={submit}>
      <TextField {...field} error={toMessage(error.value)} isRequired of={text} />
    </form>
  )
}
