import { test } from 'vitest'
import { createGreenhouse, type Greenhouse, type GreenhouseOptions, type World } from 'greenhouse-mock'
import { adapters, type Adapter, type Send } from './adapters.ts'

/** What a test of the API's behaviour works with. */
export interface Client {
  greenhouse: Greenhouse
  /** Whether a page of a browser could send the same over a socket, which is then judged by its origin. */
  overSocket?: boolean
  /** The world `default`, its clock frozen at the start. */
  world: World
  /** Sends anything. */
  send: Send
  /** Sends a request with a key, `key_pro` unless named, and a JSON body where there is one. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
}

export interface CallOptions {
  key?: string | null
  body?: unknown
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  /** The parsed JSON body; `undefined` when there is none. */
  body: any
  text: string
}

/** When tests begin, unless they say otherwise: in the middle of a minute and of a day. */
export const start = '2026-03-01T12:00:30.000Z'

/** Runs one test of the API's behaviour through every adapter, or those that can show it, each with a Greenhouse of its own. */
export function through(
  title: string,
  run: (client: Client) => Promise<void>,
  options: GreenhouseOptions = {},
  among: readonly Adapter[] = adapters,
): void {
  for (const adapter of among)
    test(`${title} (${adapter.name})`, async () => {
      const greenhouse = createGreenhouse({ now: start, ...options })
      const world = greenhouse.world('default')
      world.clock.freeze()
      world.clock.set(options.now ?? start)
      const { send, close } = await adapter.open(greenhouse)
      try {
        await run({ greenhouse, overSocket: adapter.overSocket === true, world, send, call: createCaller(send) })
      } finally {
        await close()
      }
    })
}

/** Makes what sends JSON with a key and reads JSON. */
export function createCaller(send: Send): Client['call'] {
  return async (method, path, { key = 'key_pro', body, headers = {} } = {}) => {
    const response = await send(path, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
      text,
    }
  }
}
