import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { toTimestamp } from '../../../core/time/time-text.ts'
import { attempt, Button, EmptyState, Link, Loaded, toPlural, useKeys, ViewHead } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { ClockChange } from '../../data/shapes.ts'
import { DueTable } from './due-table.tsx'
import { Lanes } from './lanes.tsx'
import { Now } from './now.tsx'
import { LastMove, type Move } from './ran.tsx'

const changes = ['clock', 'delivery', 'records', 'request', 'scenarios', 'assumptions']

export default function Time() {
  const { api, world } = usePanel()
  const name = world.name.value
  const due = useResource(() => api.due(name), [name], { reloadOn: changes })
  const last = useSignal<Move | undefined>(undefined)
  const moves = useRef(0)
  /** Shows the result of a move, unless a later move has started. */
  const show = (number: number, move: Move) => {
    if (number === moves.current) last.value = move
    due.reload()
  }
  const move = async (change: ClockChange) => {
    const number = ++moves.current
    const before = await api.due(name)
    const { now: to } = await world.changeClock(name, change)
    show(number, { to, done: before.filter(({ at }) => toTimestamp(at) <= toTimestamp(to)) })
  }
  const runNext = async () => {
    const number = ++moves.current
    const { clock, done } = await world.runNext(name)
    show(number, { to: clock.now, done })
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
          >
            Run to the next
          </Button>
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
