import { signal, type ReadonlySignal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { after } from '../../core/time/clock.ts'
import { createApi, type Api } from './api.ts'
import { createDrafts, type FormDrafts } from './drafts.ts'
import { createLive, type Live } from './live.ts'
import { createRouter, type PanelRouter } from './router.ts'
import type { Surface } from './surface.ts'
import type { Transport } from './transport.ts'
import { createWorld, type PanelWorld } from './world.ts'

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
  const router = createRouter(surface.place)
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
