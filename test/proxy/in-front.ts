import type { RequestListener } from 'node:http'
import type { Server } from 'node:net'
import { expect, onTestFinished } from 'vitest'
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
    fetch(server.url + path, {
      ...init,
      headers: { authorization: 'Bearer key_pro', ...init.headers },
    })
  return { greenhouse, server, world, send, port: server.port, url: server.url }
}

/** Stands in front of a server that is none of ours, until the end of the test. */
export async function inFrontOf(
  app: RequestListener | Server,
  proxy: Proxy = {},
  options?: GreenhouseOptions,
) {
  const { url, close } = await listen(app as RequestListener)
  onTestFinished(close)
  return {
    target: url,
    ...(await standInFront({ plants: url, apps: `${url}/v1`, ...proxy }, options)),
  }
}

/** Compares what comes through the proxy with what comes from the target itself. */
export async function expectSame(
  asked: readonly [string, RequestInit?][],
  send: (path: string, init?: RequestInit) => Promise<Response>,
  target: string,
): Promise<void> {
  for (const [path, init] of asked) {
    const direct = { ...init, headers: { authorization: 'Bearer key_pro', ...init?.headers } }
    const [through, expected] = await Promise.all(
      [await send(path, init), await fetch(target + path, direct)].map(async (reply) => ({
        status: reply.status,
        text: unbound(await reply.text()),
        headers: [...reply.headers]
          .filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
          // The service writes its own address into links, and only a Location leads back here.
          .map(([name, value]) => [
            name,
            unbound(value).replaceAll(
              name === 'link' ? /http:[^?>]+(?=\/)/g : new URL(reply.url).origin,
              'ORIGIN',
            ),
          ]),
      })),
    )
    expect(through, path).toEqual(expected)
  }
}

/** The boundary of several ranges is another one each time. */
const unbound = (text: string) => text.replaceAll(/(boundary=|--)\d{20}/g, '$1')
