import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { createApi, type Api } from './api.ts'
import { createLive, type Live } from './live.ts'
import { createRouter, type Router } from './router.ts'
import type { Transport } from './transport.ts'
import { createWorld, type World } from './world.ts'

/** All that views read and call. */
export interface Panel {
  readonly transport: Transport
  readonly api: Api
  readonly live: Live
  readonly router: Router
  readonly world: World
}

/** Connects a panel, and follows the world that the URL names. */
export function createPanel(transport: Transport): Panel {
  const api = createApi(transport)
  const live = createLive(transport)
  const router = createRouter()
  const world = createWorld(api, live, router.world)
  router.world.subscribe((name) => live.follow(name))
  return { transport, api, live, router, world }
}

/** Gives the panel to what is drawn below it. */
export const PanelContext = createContext<Panel | undefined>(undefined)

/** The panel that a component is part of. */
export function usePanel(): Panel {
  const panel = useContext(PanelContext)
  if (!panel) throw new Error('Failed to draw a part of the panel: it stands outside of PanelContext.')
  return panel
}
