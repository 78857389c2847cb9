import type { RequestListener } from 'node:http'
import { createMiddleware as mountHandlers } from '@mswjs/http-middleware'
import express from 'express'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { createMiddleware } from 'greenhouse-mock/express'
import { createHandlers } from 'greenhouse-mock/msw'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse, type Greenhouse, type GreenhouseOptions } from 'greenhouse-mock'
import { listen } from './listen.ts'

/** Sends a request to a path of the service: `/plants`, `/v1/apps`. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>

export interface Adapter {
  name: string
  overSocket?: boolean
  /** What stands behind a Greenhouse that forwards. */
  openTarget?(): Promise<GreenhouseOptions['proxy']>
  open(greenhouse: Greenhouse): Promise<{ send: Send; close(): Promise<void> }>
}

/** Webhook URLs without a receiver: the connection fails under MSW as it does without. */
const nobody = http.all(/^http:\/\/127\.0\.0\.1:(9|40\d\d)\/|^https:\/\/crm\.invalid\//, () =>
  HttpResponse.error(),
)

/** Every way to reach a Greenhouse from Node; whatever goes in must come out the same. */
export const adapters: Adapter[] = [
  {
    name: 'core',
    open: async (greenhouse) => ({
      send: (path, init) => greenhouse.fetch(new Request('http://greenhouse.test' + path, init)),
      close: async () => undefined,
    }),
  },
  {
    name: 'msw',
    async open(greenhouse) {
      const bases = { plants: 'http://plants.test', apps: 'http://apps.test/v1' }
      const server = setupServer(...createHandlers(greenhouse, bases), nobody)
      server.listen({ onUnhandledRequest: 'error' })
      const originOf = (path: string) =>
        /^(\/~[^/]+)?\/v1/.test(path) ? 'http://apps.test' : bases.plants
      return {
        send: (path, init) => fetch(originOf(path) + path, init),
        close: async () => server.close(),
      }
    },
  },
  {
    name: 'node server',
    overSocket: true,
    async open(greenhouse) {
      const server = await serve(greenhouse)
      return { send: (path, init) => fetch(server.url + path, init), close: () => server.close() }
    },
  },
  {
    name: 'express',
    overSocket: true,
    open: (greenhouse) => openApp(createApp().use(createMiddleware(greenhouse))),
  },
  {
    name: 'http-middleware',
    open: (greenhouse) => openApp(createApp().use(mountHandlers(...createHandlers(greenhouse)))),
  },
]

/** The server in front of another one, which has what the situations need. */
export const inFront: Adapter = {
  name: 'proxy',
  async openTarget() {
    const real = createGreenhouse({ now: '2026-03-01T12:00:30.000Z', frozen: true })
    await real.world().records.conversations.create({
      id: 'conv_streamed',
      account: 'acct_pro',
      app: 'app_w33c4cwmhfyfktiv',
      user: null,
      platform: 'web',
      created_at: 0,
    })
    const { url, close } = await serve(real)
    targets.push(close)
    return { plants: url, apps: `${url}/v1` }
  },
  async open(greenhouse) {
    const server = await serve(greenhouse)
    return { send: (path, init) => fetch(server.url + path, init), close: () => server.close() }
  },
}

const targets: (() => Promise<void>)[] = []

export async function closeTargets(): Promise<void> {
  await Promise.all(targets.splice(0).map((close) => close()))
}

const createApp = () => express().disable('x-powered-by')

export async function openApp(app: RequestListener): ReturnType<Adapter['open']> {
  const { url, close } = await listen(app)
  return { send: (path, init) => fetch(url + path, init), close }
}
