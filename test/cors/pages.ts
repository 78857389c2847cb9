import { readFileSync } from 'node:fs'
import { Window } from 'happy-dom'
import { JSDOM, VirtualConsole } from 'jsdom'
import type { Page } from 'playwright-core'

declare global {
  var axios: { request(config: object): Promise<{ status: number; headers: Record<string, string> }> }
}

export interface Asked {
  readonly by: 'fetch' | 'XHR' | 'axios'
  readonly url: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** What a page reads of a reply; the status is 0 if the browser hides the reply. */
export type Ask = (asked: Asked) => Promise<{ status: number; headers: Record<string, string> }>

export const ways = ['fetch', 'XHR', 'axios'] as const

/** Runs in the page: sends a request with cookies. */
async function ask({ by, url, method = 'GET', headers = {}, body }: Asked): ReturnType<Ask> {
  // happy-dom keeps the case of letters.
  const toRecord = (read: Iterable<[string, string]>) =>
    Object.fromEntries(Array.from(read, ([name, value]) => [name.toLowerCase(), value]))
  try {
    if (by === 'fetch') {
      const reply = await fetch(url, { method, headers, ...(body && { body }), credentials: 'include' })
      return { status: reply.status, headers: toRecord(reply.headers) }
    }
    if (by === 'axios') {
      const options = { url, method, headers, data: body, withCredentials: true, validateStatus: null }
      const reply = await globalThis.axios.request(options)
      return { status: reply.status, headers: toRecord(Object.entries(reply.headers)) }
    }
    const request = new XMLHttpRequest()
    request.open(method, url)
    request.withCredentials = true
    for (const name in headers) request.setRequestHeader(name, headers[name]!)
    await new Promise((done, fail) => {
      request.onload = done
      request.onerror = fail
      request.send(body)
    })
    const lines = request.getAllResponseHeaders().trim().split('\r\n')
    return { status: request.status, headers: toRecord(lines.map((line) => line.split(': ', 2) as [string, string])) }
  } catch {
    return { status: 0, headers: {} }
  }
}

const axios = readFileSync(new URL('../../node_modules/axios/dist/axios.min.js', import.meta.url), 'utf8')

export async function inChromium(page: Page): Promise<Ask> {
  await page.addScriptTag({ content: axios })
  return (asked) => page.evaluate(ask, asked)
}

/** jsdom has no fetch of its own: with Vitest and Jest, a page there uses that of Node. */
export function inJsdom(url: string): Ask {
  const { window } = new JSDOM('', { url, runScripts: 'outside-only', virtualConsole: new VirtualConsole() })
  return inWindow(Object.assign(window, { fetch }))
}

export function inHappyDom(url: string): Ask {
  const settings = { enableJavaScriptEvaluation: true, suppressInsecureJavaScriptEnvironmentWarning: true }
  return inWindow(new Window({ url, settings }))
}

function inWindow(window: { eval(code: string): unknown }): Ask {
  window.eval(axios)
  return window.eval(`(${ask})`) as Ask
}

export const key = { authorization: 'Bearer key_pro' }
const typed = { ...key, 'Content-Type': 'application/json' }

/** Sends requests with and without a preflight in every way. */
export async function askAll(ask: Ask, { plants, apps }: { plants: string; apps: string }): Promise<typeof read> {
  const all: typeof read = []
  for (const by of ways) {
    const created = { by, method: 'POST', url: `${plants}/plants`, headers: typed, body: '{"id":1001,"name":"Fern"}' }
    const replies = [
      await ask({ by, url: `${apps}/apps` }),
      await ask(created),
      await ask({ by, method: 'DELETE', url: `${plants}/plants/1001`, headers: key }),
      await ask({ by, method: 'PATCH', url: `${apps}/apps/none`, headers: typed, body: '{"name":"new"}' }),
      await ask({ by, method: 'PUT', url: `${apps}/apps`, headers: typed, body: '{}' }),
      await ask({ by, url: `${apps}/apps`, headers: { ...key, 'X-Custom': '1' } }),
    ]
    all.push([by, ...replies.map(({ status }) => status), replies.at(-1)!.headers['x-ratelimit-limit']])
  }
  return all
}

/** What `askAll` returns if the page may read every reply. */
export const read: (string | number | undefined)[][] = ways.map((by) => [by, 401, 200, 204, 404, 404, 200, '300'])
