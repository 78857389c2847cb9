import { batch, computed, signal, type ReadonlySignal } from '@preact/signals'
import { after, monotonicNow, toTimestamp } from '../../core/time/clock.ts'
import type { Api } from './api.ts'
import { ApiFailure } from './failure.ts'
import type { Live } from './live.ts'
import type { ClockState, Events, ScenarioChoice } from './shapes.ts'

/** The world that the panel shows, as the server's events keep it. */
export interface World {
  readonly name: ReadonlySignal<string>
  /** Not known yet, there, or no such world. */
  readonly state: ReadonlySignal<'loading' | 'there' | 'missing'>
  readonly clock: ReadonlySignal<ClockState | undefined>
  /** What its clock shows, in milliseconds since 1970; moves every second while the clock runs. `undefined` until it is known. */
  readonly now: ReadonlySignal<number | undefined>
  /** What is active, in the order of activation. */
  readonly active: ReadonlySignal<readonly ScenarioChoice[]>
  readonly snapshots: ReadonlySignal<readonly string[]>
  readonly seed: ReadonlySignal<number | undefined>
  /** All worlds by name; `refresh` reads them again, since only events of this one come. */
  readonly worlds: ReadonlySignal<readonly string[]>
  /** Takes what a call answered, before its event comes. */
  takeClock(clock: ClockState): void
  takeActive(active: readonly ScenarioChoice[]): void
  /** Reads all of it again. */
  refresh(): Promise<void>
  /** Its clock is moved no more. */
  end(): void
}

/** Keeps the world in step with the server. */
export function createWorld(api: Api, live: Live, name: ReadonlySignal<string>): World {
  const state = signal<'loading' | 'there' | 'missing'>('loading')
  const clock = signal<ClockState | undefined>(undefined)
  const active = signal<readonly ScenarioChoice[]>([])
  const snapshots = signal<readonly string[]>([])
  const seed = signal<number | undefined>(undefined)
  const worlds = signal<readonly string[]>([])
  const now = signal<number | undefined>(undefined)
  let clockTaken = 0
  let readings = 0
  // How many events of each came: what was read before one may be older than it.
  let clockEvents = 0
  let scenarioEvents = 0

  const takeClock = (given: ClockState) =>
    batch(() => {
      clockTaken = monotonicNow()
      clock.value = given
      now.value = toTimestamp(given.now)
    })
  const takeActive = (given: readonly ScenarioChoice[]) => void (active.value = given)

  const refreshNames = async () => void (worlds.value = (await api.worlds()).map((world) => world.name).sort())
  const refresh = async () => {
    const wanted = name.peek()
    const reading = ++readings
    const clockBefore = clockEvents
    const scenariosBefore = scenarioEvents
    const isLatest = () => reading === readings && name.peek() === wanted
    void refreshNames().catch(() => undefined)
    try {
      const [summary, choices] = await Promise.all([api.world(wanted), api.activeScenarios(wanted)])
      if (!isLatest()) return
      batch(() => {
        state.value = 'there'
        snapshots.value = summary.snapshots
        seed.value = summary.seed
        if (scenarioEvents === scenariosBefore) takeActive(choices)
        if (clockEvents === clockBefore) takeClock(summary.clock)
      })
    } catch (error) {
      if (!isLatest() || !(error instanceof ApiFailure) || error.code !== 'unknown_world') return
      batch(() => {
        state.value = 'missing'
        clock.value = undefined
        now.value = undefined
        active.value = []
      })
    }
  }

  let stopTicking = () => {}
  const tick = () => {
    const shown = clock.peek()
    if (shown && !shown.frozen) now.value = toTimestamp(shown.now) + (monotonicNow() - clockTaken)
    stopTicking = after(1_000, tick)
  }
  tick()

  name.subscribe(() => void (state.value = 'loading'))
  live.onFresh(() => void refresh())
  live.on(['clock', 'scenarios', 'world', 'snapshots', 'reload'], (events) => {
    for (const { type, data } of events) {
      const isOurs = (data as { world?: string }).world === name.peek()
      if (type === 'clock' && isOurs) {
        clockEvents++
        takeClock(data as Events['clock'])
      } else if (type === 'scenarios' && isOurs) {
        scenarioEvents++
        takeActive((data as Events['scenarios']).active)
      }
    }
    if (events.some(({ type }) => type !== 'clock' && type !== 'scenarios')) void refresh()
  })

  return {
    name,
    state: computed(() => state.value),
    clock,
    now,
    active,
    snapshots,
    seed,
    worlds,
    takeClock,
    takeActive,
    refresh,
    end: () => stopTicking(),
  }
}
