import { readFileSync } from 'node:fs'
import { Window } from 'happy-dom'
import { JSDOM, VirtualConsole } from 'jsdom'
import type { Page } from 'playwright-core'

declare global {
  var axios: {
    request(config: object): Promise<{ status: number; headers: { get(name: string): string } }>
  }
}

interface Asked {
  readonly by: (typeof ways)[number]
  readonly url: string
  readonly method?: string
  readonly headers?: Record<string, string>
}

/**
 * Sends a request with cookies. Returns the status and the minute's limit; rejects if the browser
 * hides the reply.
 */
export type Ask = (asked: Asked) => Promise<[number, string | null]>

async function ask({ by, url, method = 'GET', headers = {} }: Asked): ReturnType<Ask> {
  const limit = 'x-ratelimit-limit'
  const body = method === 'GET' || method === 'DELETE' ? null : '{"name":"fern"}'
  if (by !== 'XHR') {
    const options = {
      url,
      method,
      headers,
      data: body ?? undefined,
      withCredentials: true,
      validateStatus: null,
    }
    const reply = await (by === 'axios'
      ? globalThis.axios.request(options)
      : fetch(url, { method, headers, body, credentials: 'include' }))
    return [reply.status, reply.headers.get(limit)]
  }
  const request = new XMLHttpRequest()
  request.open(method, url)
  request.withCredentials = true
  for (const name in headers) request.setRequestHeader(name, headers[name]!)
  await new Promise((done, fail) =>
    Object.assign(request, { onload: done, onerror: fail }).send(body),
  )
  return [request.status, request.getResponseHeader(limit)]
}

const axios = readFileSync(
  new URL('../../node_modules/axios/dist/axios.min.js', import.meta.url),
  'utf8',
)

export async function inChromium(page: Page): Promise<Ask> {
  await page.addScriptTag({ content: axios })
  return (asked) => page.evaluate(ask, asked)
}

/** jsdom has no fetch of its own: with Vitest and Jest, a page there uses that of Node. */
export function inJsdom(url: string): Ask {
  const { window } = new JSDOM('', {
    url,
    runScripts: 'outside-only',
    virtualConsole: new VirtualConsole(),
  })
  return inWindow(Object.assign(window, { fetch }))
}

export function inHappyDom(url: string): Ask {
  const settings = {
    enableJavaScriptEvaluation: true,
    suppressInsecureJavaScriptEnvironmentWarning: true,
  }
  return inWindow(new Window({ url, settings }))
}

const inWindow = (window: { eval(code: string): unknown }) =>
  window.eval(`${axios}\n;(${ask})`) as Ask

const ways = ['fetch', 'XHR', 'axios'] as const
const key = { authorization: 'Bearer key_pro' }

const requests = [
  ['GET', '/apps', 200],
  ['POST', '/apps', 201],
  ['PUT', '/apps', 404],
  ['PATCH', '/apps/none', 404],
  ['DELETE', '/apps/none', 404],
] as const

/** Sends requests with and without a preflight. Returns those that the page cannot read. */
export async function findHidden(ask: Ask, apps: string): Promise<string[]> {
  const hidden: string[] = []
  const headers = { ...key, 'Content-Type': 'application/json', 'X-Custom': '1' }
  for (const by of ways) {
    const [simple] = await ask({ by, url: `${apps}/apps` }).catch(String)
    if (simple !== 401) hidden.push(`GET without a key by ${by}: ${simple}`)
    for (const [method, path, expected] of requests) {
      const [status, limit] = await ask({ by, method, url: apps + path, headers }).catch(String)
      if (status !== expected || (method !== 'PUT' && limit !== '300'))
        hidden.push(`${method} by ${by}: ${status} ${limit}`)
    }
  }
  return hidden
}
