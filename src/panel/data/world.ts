import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { ControlApi } from '../../control/client/control-api.ts'
import { CallError } from '../../control/client/errors.ts'
import { after, monotonicNow } from '../../core/time/clock.ts'
import { isSame } from '../../core/text/values.ts'
import { toTimestamp } from '../../core/time/time-text.ts'
import { type ActiveEntry, toEntries } from './choice.ts'
import { latest, type Live } from './live.ts'
import type { ClockChange, ClockSummary } from './shapes.ts'

type WorldPresence = 'loading' | 'there' | 'missing' | 'impossible'

const stateByCode: Record<string, WorldPresence> = {
  unknown_world: 'missing',
  invalid_world: 'impossible',
}

export function createWorld(control: ControlApi, live: Live, name: ReadonlySignal<string>) {
  const state = signal<WorldPresence>('loading')
  const clock = signal<ClockSummary | undefined>(undefined)
  /** Its time in milliseconds since 1970, updated every second while the clock runs. */
  const now = signal<number | undefined>(undefined)
  const active = signal<readonly ActiveEntry[]>([])
  const snapshots = signal<readonly string[]>([])
  const worlds = signal<readonly string[]>([])
  const error = signal<Error | undefined>(undefined)
  let clockRead = 0

  const forget = (next: WorldPresence) =>
    batch(() => {
      state.value = next
      clock.value = now.value = error.value = undefined
      active.value = snapshots.value = []
    })
  const readWorld = async (isLatest: () => boolean) => {
    try {
      const [summary, { active: choices }] = await Promise.all([
        control.call('GET /worlds/{world}'),
        control.call('GET /worlds/{world}/scenarios'),
      ])
      if (!isLatest()) return
      clockRead = monotonicNow()
      batch(() => {
        state.value = 'there'
        set(clock, summary.clock)
        now.value = toTimestamp(summary.clock.now)
        set(active, toEntries(choices, summary.scenarios, summary.used_up))
        set(snapshots, summary.snapshots)
      })
    } catch (thrown) {
      const found = thrown instanceof CallError ? stateByCode[thrown.code] : undefined
      if (!found) throw thrown
      if (isLatest()) forget(found)
    }
  }
  const reading = latest(live, error, readWorld)
  const naming = latest(live, signal(undefined), async (isLatest) => {
    const { data } = await control.call('GET /worlds')
    if (isLatest()) set(worlds, data.map((world) => world.name).sort())
  })

  let stopTicking = () => {}
  const tick = () => {
    const shown = clock.peek()
    if (shown && !shown.frozen) now.value = toTimestamp(shown.now) + (monotonicNow() - clockRead)
    stopTicking = after(1_000, tick)
  }
  tick()

  name.subscribe(() => {
    reading.discard()
    forget('loading')
  })
  live.onRestart(() => forget('loading'))
  // The answer says why there is no stream. Without a stream, nothing else would load the world.
  live.connection.subscribe(
    (connection) => /rejected|crowded/.test(connection) && void reading.load(),
  )
  live.on(['clock', 'scenarios', 'world', 'snapshots', 'reload'], reading.loadSoon)
  // An event does not say whether a scenario acted for the last time.
  live.on(
    ['request'],
    (events) => events.some(({ data }) => data.scenarios.length > 0) && reading.loadSoon(),
  )

  const thenRead = async <T>(call: Promise<T>) => {
    const answer = await call
    await reading.load()
    return answer
  }
  return {
    name,
    state,
    clock,
    now,
    active,
    snapshots,
    worlds,
    error,
    changeClock: (body: ClockChange, of = name.peek()) =>
      thenRead(control.call('PATCH /worlds/{world}/clock', { path: { world: of }, body })),
    runNext: () => thenRead(control.call('POST /worlds/{world}/due/next')),
    /** Also reads the names of the worlds, which no event brings. */
    refresh: () => Promise.all([reading.load(), naming.load()]),
    end() {
      stopTicking()
      reading.end()
      naming.end()
    },
  }
}

/** Draws nothing again that is the same. */
function set<T>(of: Signal<T>, value: T) {
  if (!isSame(of.peek(), value)) of.value = value
}
