import { useSignal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'
import type { Answers, RouteName } from '../../control/actions/index.ts'
import { type ActionFields, ControlApi } from '../../control/client/control-api.ts'
import type { Backend } from './control.ts'
import { EventStream, latest, type Live, type Reading, type ReadonlySignals } from './live.ts'
import { createRouter } from './router.ts'
import type { ControlEventType } from './shapes.ts'
import type { Surface } from './surface.ts'
import { ShownWorld } from './world.ts'

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
