import { createGreenhouse, type Greenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { mountPanel, type MountedPanel, type MountOptions } from 'greenhouse-mock/panel'
import { setupWorker } from 'msw/browser'
import { bases } from './transcript.ts'

declare global {
  var greenhouse: Greenhouse
  var mount: (options?: MountOptions) => MountedPanel
  /** The status of a request that the page itself sends. */
  var ask: (url: string, init?: RequestInit & { key?: string }) => Promise<number>
  var isReady: boolean
}

globalThis.greenhouse = createGreenhouse({ seed: 7, now: '2026-03-01T12:00:30.000Z' })
globalThis.mount = (options) => mountPanel(greenhouse, options)
globalThis.ask = async (url, { key = 'key_pro', ...init } = {}) => {
  const response = await fetch(url, {
    ...init,
    headers: { authorization: `Bearer ${key}`, ...init.headers },
  })
  await response.text()
  return response.status
}
const worker = setupWorker(...createHandlers(greenhouse, bases))
await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
globalThis.isReady = true
