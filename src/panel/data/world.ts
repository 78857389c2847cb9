import { batch, computed, signal, type ReadonlySignal } from '@preact/signals'
import { after, monotonicNow, toTimestamp } from '../../core/time/clock.ts'
import type { Api } from './api.ts'
import { nameOfChoice, toChoiceText } from './choice.ts'
import { ApiFailure, isOffline } from './failure.ts'
import type { Live } from './live.ts'
import type { ClockChange, ClockState, DoneWork, Events, ScenarioChoice, WorldSummary } from './shapes.ts'

/** The world that the panel shows, as the server's events keep it. */
export interface World {
  readonly name: ReadonlySignal<string>
  /** Not known yet, there, no such world, or a name that no world can have. */
  readonly state: ReadonlySignal<'loading' | 'there' | 'missing' | 'impossible'>
  readonly clock: ReadonlySignal<ClockState | undefined>
  /** What its clock shows, in milliseconds since 1970; moves every second while the clock runs. `undefined` until it is known. */
  readonly now: ReadonlySignal<number | undefined>
  /** What is active, in the order of activation. */
  readonly active: ReadonlySignal<readonly ScenarioChoice[]>
  /** Those that have acted as often as they may, as `nameOfChoice` names them. */
  readonly usedUp: ReadonlySignal<readonly string[]>
  readonly snapshots: ReadonlySignal<readonly string[]>
  readonly seed: ReadonlySignal<number | undefined>
  /** All worlds by name; `refresh` reads them again, since only events of this one come. */
  readonly worlds: ReadonlySignal<readonly string[]>
  /** Why the last reading failed. */
  readonly error: ReadonlySignal<Error | undefined>
  /** Moves the clock of a world; where that is the one that is shown, the answer shows before its event comes. @throws ApiFailure */
  changeClock(of: string, change: ClockChange): Promise<ClockState>
  /** Does what is due soonest in a world, likewise. @throws ApiFailure */
  runNext(of: string): Promise<DoneWork>
  /** Changes what is active in a world, likewise; gives what is active then. @throws ApiFailure */
  changeScenarios(of: string, change: () => Promise<void>): Promise<readonly ScenarioChoice[]>
  /** Reads all of it again. */
  refresh(): Promise<void>
  /** Its clock is moved no more. */
  end(): void
}

/** How long it waits before it asks which scenarios are used up, in milliseconds: many requests may come at once. */
const usedUpPause = 250

/** Keeps the world in step with the server. */
export function createWorld(
  api: Api,
  live: Live,
  name: ReadonlySignal<string>,
  answers: ReadonlySignal<number>,
): World {
  const state = signal<'loading' | 'there' | 'missing' | 'impossible'>('loading')
  const clock = signal<ClockState | undefined>(undefined)
  const active = signal<readonly ScenarioChoice[]>([])
  const usedUp = signal<readonly string[]>([])
  const snapshots = signal<readonly string[]>([])
  const seed = signal<number | undefined>(undefined)
  const worlds = signal<readonly string[]>([])
  const now = signal<number | undefined>(undefined)
  const failure = signal<Error | undefined>(undefined)
  let clockTaken = 0
  let readings = 0
  let nameReadings = 0
  // How often each was learned: what was asked for before the last time may be older than it.
  let clockTimes = 0
  let activeTimes = 0

  const takeClock = (given: ClockState) =>
    batch(() => {
      clockTimes++
      clockTaken = monotonicNow()
      clock.value = given
      now.value = toTimestamp(given.now)
    })
  const takeActive = (given: readonly ScenarioChoice[]) => {
    activeTimes++
    active.value = given
  }
  const forget = (next: 'loading' | 'missing' | 'impossible') =>
    batch(() => {
      state.value = next
      clock.value = undefined
      now.value = undefined
      active.value = []
      usedUp.value = []
      snapshots.value = []
      seed.value = undefined
      failure.value = undefined
    })

  const refreshNames = async () => {
    const reading = ++nameReadings
    const read = (await api.worlds()).map((world) => world.name).sort()
    if (reading === nameReadings) worlds.value = read
  }
  const refresh = async () => {
    const wanted = name.peek()
    const reading = ++readings
    const clockBefore = clockTimes
    const activeBefore = activeTimes
    const isLatest = () => reading === readings && name.peek() === wanted
    void refreshNames().catch(() => undefined)
    failure.value = undefined
    try {
      const [summary, choices] = await Promise.all([api.world(wanted), api.activeScenarios(wanted)])
      if (!isLatest()) return
      batch(() => {
        state.value = 'there'
        usedUp.value = usedUpOf(summary, choices)
        snapshots.value = summary.snapshots
        seed.value = summary.seed
        if (activeTimes === activeBefore) takeActive(choices)
        if (clockTimes === clockBefore) takeClock(summary.clock)
      })
    } catch (error) {
      if (!isLatest()) return
      if (error instanceof ApiFailure && error.code === 'unknown_world') forget('missing')
      else if (error instanceof ApiFailure && error.code === 'invalid_world') forget('impossible')
      else failure.value = error as Error
    }
  }
  /** Takes a clock that a call answers, unless it was learned meanwhile: that may be newer. */
  const takingClock = async <T>(of: string, call: Promise<T>, clockOf: (answer: T) => ClockState): Promise<T> => {
    const before = clockTimes
    const answer = await call
    if (name.peek() === of && clockTimes === before) takeClock(clockOf(answer))
    return answer
  }
  const changeScenarios = async (of: string, change: () => Promise<void>) => {
    await change()
    const before = activeTimes
    const answer = await api.activeScenarios(of)
    if (name.peek() !== of) return answer
    if (activeTimes === before) takeActive(answer)
    // What came meanwhile may be of before this change or of after it.
    else if (toText(active.peek()) !== toText(answer)) await refresh()
    return answer
  }

  let stopTicking = () => {}
  const tick = () => {
    const shown = clock.peek()
    if (shown && !shown.frozen) now.value = toTimestamp(shown.now) + (monotonicNow() - clockTaken)
    stopTicking = after(1_000, tick)
  }
  tick()

  name.subscribe(() => forget('loading'))
  live.onRestart(() => forget('loading'))
  live.onFresh(() => void refresh())
  // Its answer says why; without a stream nothing else lets it be read.
  live.connection.subscribe((connection) => (connection === 'refused' || connection === 'crowded') && void refresh())
  answers.subscribe(() => isOffline(failure.peek()) && void refresh())
  live.on(['clock', 'scenarios', 'world', 'snapshots', 'reload'], (events) => {
    for (const { type, data } of events) {
      const isOurs = (data as { world?: string }).world === name.peek()
      if (type === 'clock' && isOurs) takeClock(data as Events['clock'])
      else if (type === 'scenarios' && isOurs) takeActive((data as Events['scenarios']).active)
    }
    if (events.some(({ type }) => type !== 'clock' && type !== 'scenarios')) void refresh()
  })

  // Which acts for the last time, its event does not tell.
  let stopWaiting: (() => void) | undefined
  const readUsedUp = async () => {
    stopWaiting = undefined
    const wanted = name.peek()
    const read = usedUpOf(await api.world(wanted), active.peek())
    if (name.peek() === wanted && read.join() !== usedUp.peek().join()) usedUp.value = read
  }
  live.on(['request', 'scenarios'], (events) => {
    const isOne = events.some(
      ({ type, data }) => type === 'scenarios' || (data as Events['request']).scenarios.length > 0,
    )
    if (isOne) stopWaiting ??= after(usedUpPause, () => void readUsedUp().catch(() => undefined))
  })

  return {
    name,
    state: computed(() => state.value),
    clock,
    now,
    active,
    usedUp,
    snapshots,
    seed,
    worlds,
    error: failure,
    changeClock: (of, change) => takingClock(of, api.changeClock(of, change), (answer) => answer),
    runNext: (of) => takingClock(of, api.runNext(of), (answer) => answer.clock),
    changeScenarios,
    refresh,
    end() {
      stopTicking()
      stopWaiting?.()
    },
  }
}

/** The server has a name for those that are in no library too. */
function usedUpOf({ scenarios, used_up }: WorldSummary, choices: readonly ScenarioChoice[]): string[] {
  return choices.map(nameOfChoice).filter((_, place) => (used_up as readonly string[]).includes(scenarios[place]!))
}

function toText(choices: readonly ScenarioChoice[]): string {
  return choices.map(toChoiceText).join()
}
