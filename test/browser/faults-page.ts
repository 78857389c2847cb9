import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { setupWorker } from 'msw/browser'
import { observeSituation, type Observed } from '../parity/observe.ts'
import { toScenario, type Situation } from '../parity/situations.ts'
import type { World } from 'greenhouse-mock'
import { bases } from './transcript.ts'

declare global {
  var observeInPage: (situations: readonly Situation[], start: string) => Promise<Observed[]>
}

/** One after the other: a page has one service worker. */
globalThis.observeInPage = async (situations, start) => {
  const observed: Observed[] = []
  const worker = setupWorker()
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
  for (const situation of situations) {
    const greenhouse = createGreenhouse({
      now: start,
      scenarios: { situation: toScenario(situation) },
    })
    worker.resetHandlers(...createHandlers(greenhouse, bases))
    const send = (path: string, init?: RequestInit) =>
      fetch((path.startsWith('/v1') ? 'http://apps.test' : bases.plants) + path, init)
    try {
      observed.push(
        await observeSituation(send, greenhouse.world() as unknown as World, situation, start),
      )
    } catch (error) {
      if ((error as Error).name !== 'UnsupportedFaultError') throw error
      observed.push('refused when switched on')
    }
  }
  return observed
}
