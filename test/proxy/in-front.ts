import type { RequestListener } from 'node:http'
import type { Server } from 'node:net'
import { onTestFinished } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse, type GreenhouseOptions, type World } from 'greenhouse-mock'
import { listen } from '../support/listen.ts'
import { start } from '../support/test-api.ts'

export type Proxy = NonNullable<GreenhouseOptions['proxy']>

/** Stands in front of a service until the end of the test. */
export async function standInFront(proxy: Proxy, options: GreenhouseOptions = {}) {
  const greenhouse = createGreenhouse({ now: start, trace: false, ...options, proxy })
  const server = await serve(greenhouse)
  onTestFinished(() => server.close())
  const world: World = greenhouse.world()
  const send = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, { ...init, headers: { authorization: 'Bearer key_pro', ...init.headers } })
  return { greenhouse, server, world, send, port: server.port, url: server.url }
}

/** Stands in front of a server that is none of ours, until the end of the test. */
export async function inFrontOf(app: RequestListener | Server, proxy: Proxy = {}, options?: GreenhouseOptions) {
  const { url, close } = await listen(app as RequestListener)
  onTestFinished(close)
  return { target: url, ...(await standInFront({ plants: url, apps: `${url}/v1`, ...proxy }, options)) }
}
