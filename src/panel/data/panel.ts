import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { createApi, type Api } from './api.ts'
import { createLive, type Live } from './live.ts'
import { createRouter, type Router } from './router.ts'
import type { Surface } from './surface.ts'
import type { Transport } from './transport.ts'
import { createWorld, type World } from './world.ts'

/** All that views read and call. */
export interface Panel {
  readonly surface: Surface
  readonly transport: Transport
  readonly api: Api
  readonly live: Live
  readonly router: Router
  readonly world: World
  /** Does something as the panel ends. */
  onEnd(work: () => void): void
  /** Ends it: it hears nothing any more. */
  end(): void
}

/** Connects a panel, and follows the world that its route names. */
export function createPanel(transport: Transport, surface: Surface): Panel {
  const live = createLive(transport)
  // Who answers a call has a stream of events too.
  const api = createApi(transport, live.retry)
  const router = createRouter(surface.place)
  const world = createWorld(api, live, router.world)
  const ends = [router.world.subscribe((name) => live.follow(name)), live.end, router.end, world.end]
  return {
    surface,
    transport,
    api,
    live,
    router,
    world,
    onEnd: (work) => void ends.push(work),
    end: () => ends.splice(0).forEach((end) => end()),
  }
}

/** Gives the panel to what is drawn below it. */
export const PanelContext = createContext<Panel | undefined>(undefined)

/** The panel that a component is part of. */
export function usePanel(): Panel {
  const panel = useContext(PanelContext)
  if (!panel) throw new Error('Failed to draw a part of the panel: it stands outside of PanelContext.')
  return panel
}
