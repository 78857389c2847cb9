import { batch, type ReadonlySignal, signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { ControlApi } from '../../control/client/control-api.ts'
import { CallError } from '../../control/client/errors.ts'
import { after, monotonicNow } from '../../core/time/clock.ts'
import { toTimestamp } from '../../core/time/time-text.ts'
import { nameOfChoice, toChoiceText } from './choice.ts'
import type { Backend } from './control.ts'
import { countRounds, latest } from './latest.ts'
import { createLive, type Live, type ReadonlySignals } from './live.ts'
import { createRouter, type PanelRouter, type Route } from './router.ts'
import type { ClockChange, ClockSummary, PanelChoice, WorldSummary } from './shapes.ts'
import type { Surface } from './surface.ts'

/** The delay before `answers` changes, in milliseconds: many answers arrive together. */
const pause = 250

export interface Panel {
  readonly surface: Surface
  readonly send: Backend['send']
  readonly control: ControlApi
  readonly live: Live
  readonly router: PanelRouter
  readonly world: PanelWorld
  readonly drafts: FormDrafts
  /** Changes a moment after any answer of the server, errors included: it is reachable again. */
  readonly answers: ReadonlySignal<number>
  /** Makes a change, and returns what it answers and what undoes it; `undo` is absent if the server can't take it back. */
  track<T>(work: () => Promise<T>): Promise<{ readonly answer: T; readonly undo: (() => Promise<void>) | undefined }>
  onEnd(work: () => void): void
  end(): void
}

/** @param redirect see createRouter */
export function createPanel(
  { send, ...options }: Backend,
  surface: Surface,
  redirect?: (route: Route) => Route,
): Panel {
  const answers = signal(0)
  let stopWaiting: (() => void) | undefined
  const router = createRouter(surface.route, redirect)
  const undos = trackUndos(options.fetch)
  const control = new ControlApi(options.server, {
    ...options,
    fetch: undos.fetch,
    // The world that is shown when a call begins.
    get world() {
      return router.world.peek()
    },
    onAnswer() {
      stopWaiting ??= after(pause, () => {
        stopWaiting = undefined
        answers.value++
      })
    },
    advice: { token: 'reload the page, and enter the value of --token' },
  })
  const live = createLive(control)
  const world = createWorld(control, live, router.world, answers)
  const ends = [
    router.world.subscribe((name) => live.follow(name)),
    live.end,
    router.end,
    world.end,
    () => stopWaiting?.(),
  ]
  return {
    surface,
    send,
    control,
    live,
    router,
    world,
    drafts: createDrafts(live),
    answers,
    track: (work) => undos.track(control, work),
    onEnd: (work) => void ends.push(work),
    end: () => ends.splice(0).forEach((end) => end()),
  }
}

/** The header `X-Greenhouse-Undo` of an answer names its change. An answer belongs to the work that began last. */
function trackUndos(send: NonNullable<Backend['fetch']> = fetch) {
  const running: [world: string, change: string][][] = []
  return {
    async fetch(...[url, init]: Parameters<typeof send>) {
      const changes = running.at(-1)
      const response = await send(url, init)
      const change = response.headers.get('x-greenhouse-undo')
      if (change !== null) changes?.push([worldOf(url.pathname), change])
      return response
    },
    async track<T>(control: ControlApi, work: () => Promise<T>) {
      const changes: [world: string, change: string][] = []
      running.push(changes)
      const answer = await work().finally(() => running.splice(running.indexOf(changes), 1))
      const undo = async () => {
        for (const [world, change] of changes.toReversed())
          await control.call('POST /worlds/{world}/undo', { path: { world }, body: { change } })
      }
      return { answer, undo: changes.length > 0 ? undo : undefined }
    },
  }
}

function worldOf(path: string): string {
  return decodeURIComponent(/\/worlds\/([^/]+)/.exec(path)![1]!)
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

function createWorld(control: ControlApi, live: Live, name: ReadonlySignal<string>, answers: ReadonlySignal<number>) {
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
    const read = (await control.call('GET /worlds')).data.map((world) => world.name).sort()
    if (isLatest()) worlds.value = read
  }
  const reading = latest({ live, answers }, error, async (isLatest) => {
    const isClockSame = clockUpdates.mark()
    const isActiveSame = activeUpdates.mark()
    void readNames(isLatest).catch(() => undefined)
    try {
      const [summary, { active: choices }] = await Promise.all([
        control.call('GET /worlds/{world}'),
        control.call('GET /worlds/{world}/scenarios'),
      ])
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
      const state = thrown instanceof CallError ? stateByCode[thrown.code] : undefined
      if (!state) throw thrown
      if (isLatest()) forget(state)
    }
  })
  const refresh = reading.load
  /** Uses the clock of an answer, unless a newer one arrived meanwhile. */
  const takingClock = async <T>(call: Promise<T>, clockOf: (answer: T) => ClockSummary, of = name.peek()) => {
    const isSame = clockUpdates.mark()
    const answer = await call
    if (name.peek() === of && isSame()) takeClock(clockOf(answer))
    return answer
  }
  const changeScenarios = async (of: string, change: () => Promise<void>) => {
    await change()
    const isSame = activeUpdates.mark()
    const answer = (await control.call('GET /worlds/{world}/scenarios', { path: { world: of } })).active
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
    for (const { type, data } of events)
      if (type === 'clock' && data.world === name.peek()) takeClock(data)
      else if (type === 'scenarios' && data.world === name.peek()) takeActive(data.active)
    if (events.some(({ type }) => type !== 'clock' && type !== 'scenarios')) void refresh()
  })

  // An event does not say whether a scenario acted for the last time.
  let stopWaiting: (() => void) | undefined
  const readUsedUp = async () => {
    stopWaiting = undefined
    const wanted = name.peek()
    const read = usedUpOf(await control.call('GET /worlds/{world}'), active.peek())
    if (name.peek() === wanted && read.join() !== usedUp.peek().join()) usedUp.value = read
  }
  live.on(['request', 'scenarios'], (events) => {
    if (events.some(({ type, data }) => type === 'scenarios' || data.scenarios.length > 0))
      stopWaiting ??= after(usedUpPause, () => void readUsedUp().catch(() => undefined))
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
    changeClock: (body: ClockChange, of = name.peek()) =>
      takingClock(control.call('PATCH /worlds/{world}/clock', { path: { world: of }, body }), (answer) => answer, of),
    runNext: () => takingClock(control.call('POST /worlds/{world}/due/next'), ({ clock }) => clock),
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
    for (const { world, change } of events.map(({ data }) => data))
      if (change === 'deleted' || change === 'dropped')
        for (const key of drafts.keys()) if (key.startsWith(`${world} `)) drafts.delete(key)
  })
  return drafts
}
