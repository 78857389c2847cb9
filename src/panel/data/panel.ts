import { useSignal, batch, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'
import type { Answers, RouteName } from '../../control/actions/index.ts'
import { type ActionFields, ControlApi } from '../../control/client/control-api.ts'
import type { Backend, ControlEventType, ClockChange, ClockSummary } from './control.ts'
import { EventStream, latest, type Live, type Reading, type ReadonlySignals } from './live.ts'
import { createRouter } from './router.ts'
import type { Surface } from './surface.ts'
import { CallError } from '../../control/client/errors.ts'
import { after, monotonicNow } from '../../core/time/clock.ts'
import { isSame } from '../../core/text/values.ts'
import { toTimestamp } from '../../core/time/time-text.ts'
import { type ActiveEntry, toEntries } from './choice.ts'

export type Panel = ReturnType<typeof createPanel>

/** What a call changed in a world. The server keeps the state before, under the id of the change. */
export interface MadeChange {
  world: string
  change: string
}

export function createPanel(
  { send, ...options }: Backend,
  surface: Surface,
  views: readonly string[],
) {
  const router = createRouter(surface.route, views)
  const connect = (send: Backend['fetch']) =>
    new ControlApi(options.server, {
      ...options,
      fetch: send,
      // The world that is shown when a call begins.
      get world() {
        return router.world.peek()
      },
      advice: { token: 'enter the value of --token' },
    })
  const control = connect(options.fetch)
  const live: Live = new EventStream(control, router.world)
  const world: ReadonlySignals<ShownWorld> = new ShownWorld(control, live, router.world)
  const ends = [router.world.subscribe(live.follow), live.end, router.end, world.end]
  return {
    surface,
    send,
    control,
    live,
    router,
    world,
    /** Makes a change by one call. `made` is absent if there is nothing to take back. */
    async track<T>(work: (control: ControlApi) => Promise<T>) {
      const found: { made?: MadeChange } = {}
      // The header of an answer names its change. Each work has its client, because works overlap.
      const tracked = connect(async (url, init) => {
        const response = await (options.fetch ?? fetch)(url, init)
        const change = response.headers.get('x-greenhouse-undo')
        if (change !== null)
          found.made = {
            world: worldIn(url),
            change,
          }
        return response
      })
      return {
        answer: await work(tracked),
        made: found.made,
      }
    },
    onEnd: (...work: readonly (() => void)[]) => void ends.push(...work),
    end: () => ends.splice(0).forEach((end) => end()),
  }
}

function worldIn({ pathname }: URL): string {
  return decodeURIComponent(pathname.split('/worlds/')[1]?.split('/')[0] ?? '')
}

export const PanelContext = createContext<Panel | undefined>(undefined)

export function usePanel(): Panel {
  return useContext(PanelContext)!
}

export function useAnswer<Route extends RouteName>(
  route: Route,
  fields?: ActionFields<Route>,
  reloadOn: readonly ControlEventType[] = [],
): PanelResource<Answers[Route]> {
  const { control } = usePanel()
  return useResource(() => control.call(route, fields), [JSON.stringify(fields)], reloadOn)
}

export interface PanelResource<T> {
  /** The last value; stays during a reload. */
  value: T | undefined
  error: Error | undefined
  /** Loads it again, together with every other resource whose last load failed. */
  reload(): void
}

const mounted = new Set<Reading>()

/**
 * Loads a value when the component mounts, when `inputs` change, when the connection is back, and
 * after events.
 * @param reloadOn further events that reload it, at most four times a second.
 */
export function useResource<T>(
  load: () => Promise<T>,
  inputs: readonly unknown[],
  reloadOn: readonly ControlEventType[] = [],
): PanelResource<T> {
  const panel = usePanel()
  const value = useSignal<T | undefined>(undefined)
  const error = useSignal<Error | undefined>(undefined)
  const newest = useRef(load)
  newest.current = load
  const reading = useRef<Reading>(undefined)
  const types: readonly ControlEventType[] = ['world', 'reload', ...reloadOn]

  // A layout effect sends the call before the page is painted.
  useLayoutEffect(() => {
    const mine = latest(panel.live, error, async (isLatest) => {
      const found = await newest.current()
      if (isLatest()) value.value = found
    })
    reading.current = mine
    mounted.add(mine)
    void mine.load()
    const endEvents = panel.live.on(types, mine.loadSoon)
    return () => {
      mounted.delete(mine)
      endEvents()
      mine.end()
    }
  }, [...inputs, types.join()])

  const reload = () => {
    for (const one of mounted) if (one === reading.current || one.error.peek()) void one.load()
  }
  return {
    value: value.value,
    error: error.value,
    reload,
  }
}

type WorldPresence = 'loading' | 'there' | 'missing' | 'impossible'

const stateByCode: Record<string, WorldPresence> = {
  unknown_world: 'missing',
  invalid_world: 'impossible',
}

/** The part of the chosen world that the page shows. Events of the server keep it up to date. */
class ShownWorld {
  readonly name: ReadonlySignal<string>
  readonly state = signal<WorldPresence>('loading')
  readonly clock = signal<ClockSummary | undefined>(undefined)
  /** Its time in milliseconds since 1970, updated every second while the clock runs. */
  readonly now = signal<number | undefined>(undefined)
  readonly active = signal<readonly ActiveEntry[]>([])
  readonly snapshots = signal<readonly string[]>([])
  readonly worlds = signal<readonly string[]>([])
  readonly error = signal<Error | undefined>(undefined)
  #control: ControlApi
  #reading: Reading
  #naming: Reading
  #clockRead = 0
  #stopTicking = () => {}

  constructor(control: ControlApi, live: Live, name: ReadonlySignal<string>) {
    this.#control = control
    this.name = name
    this.#reading = latest(live, this.error, (isLatest) => this.#read(isLatest))
    this.#naming = latest(live, signal(undefined), (isLatest) => this.#readNames(isLatest))
    this.#tick()
    name.subscribe(() => {
      this.#reading.discard()
      this.#forget('loading')
    })
    this.#follow(live)
  }

  readonly changeClock = (change: ClockChange, world = this.name.peek()) =>
    this.#thenRead(this.#control.call('PATCH /worlds/{world}/clock', { ...change, world }))

  readonly runNext = () => this.#thenRead(this.#control.call('POST /worlds/{world}/due/next'))

  /** Also reads the names of the worlds, which no event brings. */
  readonly refresh = () => Promise.all([this.#reading.load(), this.#naming.load()])

  readonly end = () => {
    this.#stopTicking()
    this.#reading.end()
    this.#naming.end()
  }

  #follow(live: Live) {
    const { load, loadSoon } = this.#reading
    live.onRestart(() => this.#forget('loading'))
    // The answer says why there is no stream. Without a stream, nothing else would load the world.
    live.connection.subscribe((connection) => /rejected|crowded/.test(connection) && void load())
    live.on(['clock', 'scenarios', 'world', 'snapshots', 'reload'], loadSoon)
    // An event does not say whether a scenario acted for the last time.
    live.on(
      ['request'],
      (events) => events.some(({ data }) => data.scenarios.length > 0) && loadSoon(),
    )
  }

  async #read(isLatest: () => boolean) {
    try {
      const [summary, { active }] = await Promise.all([
        this.#control.call('GET /worlds/{world}'),
        this.#control.call('GET /worlds/{world}/scenarios'),
      ])
      if (!isLatest()) return
      this.#clockRead = monotonicNow()
      batch(() => {
        this.state.value = 'there'
        set(this.clock, summary.clock)
        this.now.value = toTimestamp(summary.clock.now)
        set(this.active, toEntries(active, summary.scenarios, summary.used_up))
        set(this.snapshots, summary.snapshots)
      })
    } catch (thrown) {
      const found = thrown instanceof CallError ? stateByCode[thrown.code] : undefined
      if (!found) throw thrown
      if (isLatest()) this.#forget(found)
    }
  }

  async #readNames(isLatest: () => boolean) {
    const { data } = await this.#control.call('GET /worlds')
    if (isLatest()) set(this.worlds, data.map((world) => world.name).sort())
  }

  async #thenRead<T>(call: Promise<T>) {
    const answer = await call
    await this.#reading.load()
    return answer
  }

  #forget(next: WorldPresence) {
    batch(() => {
      this.state.value = next
      this.clock.value = this.now.value = this.error.value = undefined
      this.active.value = this.snapshots.value = []
    })
  }

  #tick() {
    const shown = this.clock.peek()
    if (shown && !shown.frozen)
      this.now.value = toTimestamp(shown.now) + (monotonicNow() - this.#clockRead)
    this.#stopTicking = after(1_000, () => this.#tick())
  }
}

/** Draws nothing again that is the same. */
function set<T>(of: Signal<T>, value: T) {
  if (!isSame(of.peek(), value)) of.value = value
}
