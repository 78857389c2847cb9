import { batch, computed, signal, type ReadonlySignal } from '@preact/signals'
import { after, monotonicNow, toTimestamp } from '../../core/time/clock.ts'
import type { Api } from './api.ts'
import { ApiFailure } from './failure.ts'
import type { Live } from './live.ts'
import type { ClockState, ScenarioChoice, WorldSummary } from './shapes.ts'

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
  /** All worlds, this one among them. */
  readonly worlds: ReadonlySignal<readonly string[]>
  /** Takes what a call answered, before its event comes. */
  takeClock(clock: ClockState): void
  takeActive(active: readonly ScenarioChoice[]): void
  /** Reads all of it again. */
  refresh(): Promise<void>
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

  const takeClock = (given: ClockState) =>
    batch(() => {
      clockTaken = monotonicNow()
      clock.value = given
      now.value = toTimestamp(given.now)
    })
  const takeActive = (given: readonly ScenarioChoice[]) => void (active.value = given)
  const take = (summary: WorldSummary) =>
    batch(() => {
      state.value = 'there'
      snapshots.value = summary.snapshots
      seed.value = summary.seed
      takeActive(summary.scenarios)
      takeClock(summary.clock)
    })

  const refreshNames = async () => void (worlds.value = (await api.worlds()).map((world) => world.name).sort())
  const refresh = async () => {
    const wanted = name.peek()
    void refreshNames().catch(() => undefined)
    try {
      const summary = await api.world(wanted)
      if (name.peek() === wanted) take(summary)
    } catch (error) {
      if (name.peek() !== wanted || !(error instanceof ApiFailure) || error.code !== 'unknown_world') return
      batch(() => {
        state.value = 'missing'
        clock.value = undefined
        now.value = undefined
        active.value = []
      })
    }
  }

  const tick = () => {
    const shown = clock.peek()
    if (shown && !shown.frozen) now.value = toTimestamp(shown.now) + (monotonicNow() - clockTaken)
    after(1_000, tick)
  }
  tick()

  name.subscribe(() => void (state.value = 'loading'))
  live.onFresh(() => void refresh())
  live.on(['clock', 'scenarios', 'world', 'snapshots', 'reload'], (events) => {
    for (const { type, data } of events) {
      const told = data as { world?: string; name?: string } & Partial<ClockState> & { active?: ScenarioChoice[] }
      const isOurs = (told.world ?? told.name) === name.peek()
      if (type === 'clock' && isOurs && told.now !== undefined)
        takeClock({ now: told.now, frozen: told.frozen ?? false })
      else if (type === 'scenarios' && isOurs && told.active) takeActive(told.active)
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
  }
}
