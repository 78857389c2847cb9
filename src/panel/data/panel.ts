import { batch, type ReadonlySignal, signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { after, monotonicNow } from '../../core/time/clock.ts'
import { toTimestamp } from '../../core/time/time-text.ts'
import { type Api, createApi } from './api.ts'
import { nameOfChoice, toChoiceText } from './choice.ts'
import { countRounds, latest } from './latest.ts'
import { createLive, type Live, type ReadonlySignals } from './live.ts'
import { createRouter, type PanelRouter } from './router.ts'
import type { ClockChange, ClockSummary, ControlEvents, PanelChoice, WorldSummary } from './shapes.ts'
import type { Surface } from './surface.ts'
import { ApiFailure, type Transport } from './transport.ts'

/** The delay before `answers` changes, in milliseconds: many answers arrive together. */
const pause = 250

export interface Panel {
  readonly surface: Surface
  readonly transport: Transport
  readonly api: Api
  readonly live: Live
  readonly router: PanelRouter
  readonly world: PanelWorld
  readonly drafts: FormDrafts
  /** Changes a moment after any answer of the server, errors included: it is reachable again. */
  readonly answers: ReadonlySignal<number>
  onEnd(work: () => void): void
  end(): void
}

export function createPanel(transport: Transport, surface: Surface): Panel {
  const live = createLive(transport)
  const answers = signal(0)
  let stopWaiting: (() => void) | undefined
  const onAnswer = () => {
    // A server that answers has an event stream too.
    live.retry()
    stopWaiting ??= after(pause, () => {
      stopWaiting = undefined
      answers.value++
    })
  }
  const api = createApi(transport, onAnswer)
  const router = createRouter(surface.route)
  const world = createWorld(api, live, router.world, answers)
  const ends = [
    live.connection.subscribe((connection) => connection === 'live' && onAnswer()),
    router.world.subscribe((name) => live.follow(name)),
    live.end,
    router.end,
    world.end,
    () => stopWaiting?.(),
  ]
  return {
    surface,
    transport,
    api,
    live,
    router,
    world,
    drafts: createDrafts(live),
    answers,
    onEnd: (work) => void ends.push(work),
    end: () => ends.splice(0).forEach((end) => end()),
  }
}

export const PanelContext = createContext<Panel | undefined>(undefined)

export function usePanel(): Panel {
  const panel = useContext(PanelContext)
  if (!panel) throw new Error('Failed to draw a part of the panel: it is outside of PanelContext.')
  return panel
}

type PanelWorld = ReadonlySignals<ReturnType<typeof createWorld>>

/** The delay before it checks for used-up scenarios, in milliseconds: many requests may arrive together. */
const usedUpPause = 250

type WorldState = 'loading' | 'there' | 'missing' | 'impossible'

const stateByCode: Readonly<Record<string, WorldState>> = { unknown_world: 'missing', invalid_world: 'impossible' }

function createWorld(api: Api, live: Live, name: ReadonlySignal<string>, answers: ReadonlySignal<number>) {
  const state = signal<WorldState>('loading')
  const clock = signal<ClockSummary | undefined>(undefined)
  /** Its time in milliseconds since 1970, updated every second while the clock runs. */
  const now = signal<number | undefined>(undefined)
  /** Its active scenarios, in order of activation. */
  const active = signal<readonly PanelChoice[]>([])
  /** The scenarios that have reached their `times`, by `nameOfChoice`. */
  const usedUp = signal<readonly string[]>([])
  const snapshots = signal<readonly string[]>([])
  const seed = signal<number | undefined>(undefined)
  /** The names of all worlds. Only `refresh` updates them, because only events of this world arrive. */
  const worlds = signal<readonly string[]>([])
  const error = signal<Error | undefined>(undefined)
  // Updates of each value: an older answer must not replace a newer value.
  const clockUpdates = countRounds()
  const activeUpdates = countRounds()
  let clockTaken = 0

  const takeClock = (given: ClockSummary) =>
    batch(() => {
      clockUpdates.begin()
      clockTaken = monotonicNow()
      clock.value = given
      now.value = toTimestamp(given.now)
    })
  const takeActive = (given: readonly PanelChoice[]) => {
    activeUpdates.begin()
    active.value = given
  }
  const forget = (next: WorldState) =>
    batch(() => {
      state.value = next
      clock.value = now.value = seed.value = error.value = undefined
      active.value = []
      usedUp.value = []
      snapshots.value = []
    })

  const readNames = async (isLatest: () => boolean) => {
    const read = (await api.worlds()).map((world) => world.name).sort()
    if (isLatest()) worlds.value = read
  }
  const reading = latest({ live, answers }, error, async (isLatest) => {
    const wanted = name.peek()
    const isClockSame = clockUpdates.mark()
    const isActiveSame = activeUpdates.mark()
    void readNames(isLatest).catch(() => undefined)
    try {
      const [summary, choices] = await Promise.all([api.world(wanted), api.activeScenarios(wanted)])
      if (!isLatest()) return
      batch(() => {
        state.value = 'there'
        usedUp.value = usedUpOf(summary, choices)
        snapshots.value = summary.snapshots
        seed.value = summary.seed
        if (isActiveSame()) takeActive(choices)
        if (isClockSame()) takeClock(summary.clock)
      })
    } catch (thrown) {
      const state = thrown instanceof ApiFailure ? stateByCode[thrown.code] : undefined
      if (!state) throw thrown
      if (isLatest()) forget(state)
    }
  })
  const refresh = reading.load
  /** Uses the clock of an answer, unless a newer one arrived meanwhile. */
  const takingClock = async <T>(of: string, call: Promise<T>, clockOf: (answer: T) => ClockSummary): Promise<T> => {
    const isSame = clockUpdates.mark()
    const answer = await call
    if (name.peek() === of && isSame()) takeClock(clockOf(answer))
    return answer
  }
  const changeScenarios = async (of: string, change: () => Promise<void>) => {
    await change()
    const isSame = activeUpdates.mark()
    const answer = await api.activeScenarios(of)
    if (name.peek() !== of) return answer
    if (isSame()) takeActive(answer)
    // Events in between may be from before or after this change.
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

  name.subscribe(() => {
    reading.discard()
    forget('loading')
  })
  live.onRestart(() => forget('loading'))
  // The answer says why there is no stream. Without a stream, nothing else would load the world.
  live.connection.subscribe((connection) => (connection === 'rejected' || connection === 'crowded') && void refresh())
  live.on(['clock', 'scenarios', 'world', 'snapshots', 'reload'], (events) => {
    for (const { type, data } of events) {
      const isOurs = (data as { world?: string }).world === name.peek()
      if (type === 'clock' && isOurs) takeClock(data as ControlEvents['clock'])
      else if (type === 'scenarios' && isOurs) takeActive((data as ControlEvents['scenarios']).active)
    }
    if (events.some(({ type }) => type !== 'clock' && type !== 'scenarios')) void refresh()
  })

  // An event does not say whether a scenario acted for the last time.
  let stopWaiting: (() => void) | undefined
  const readUsedUp = async () => {
    stopWaiting = undefined
    const wanted = name.peek()
    const read = usedUpOf(await api.world(wanted), active.peek())
    if (name.peek() === wanted && read.join() !== usedUp.peek().join()) usedUp.value = read
  }
  live.on(['request', 'scenarios'], (events) => {
    const isOne = events.some(
      ({ type, data }) => type === 'scenarios' || (data as ControlEvents['request']).scenarios.length > 0,
    )
    if (isOne) stopWaiting ??= after(usedUpPause, () => void readUsedUp().catch(() => undefined))
  })

  return {
    name,
    state,
    clock,
    now,
    active,
    usedUp,
    snapshots,
    seed,
    worlds,
    error,
    changeClock: (of: string, change: ClockChange) => takingClock(of, api.changeClock(of, change), (answer) => answer),
    runNext: (of: string) => takingClock(of, api.runNext(of), (answer) => answer.clock),
    changeScenarios,
    refresh,
    end() {
      stopTicking()
      stopWaiting?.()
      reading.end()
    },
  }
}

function usedUpOf({ scenarios, used_up }: WorldSummary, choices: readonly PanelChoice[]): string[] {
  return choices.map(nameOfChoice).filter((_, index) => (used_up as readonly string[]).includes(scenarios[index]!))
}

function toText(choices: readonly PanelChoice[]): string {
  return choices.map(toChoiceText).join()
}

export type FormDrafts = Map<string, Map<string, unknown>>

function createDrafts(live: Live): FormDrafts {
  const drafts: FormDrafts = new Map()
  live.onRestart(() => drafts.clear())
  live.on(['world'], (events) => {
    for (const { world, change } of events.map(({ data }) => data as ControlEvents['world']))
      if (change === 'deleted' || change === 'dropped')
        for (const key of drafts.keys()) if (key.startsWith(`${world} `)) drafts.delete(key)
  })
  return drafts
}
