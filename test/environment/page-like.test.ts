import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { getResponse } from 'msw'
import { expect, onTestFinished, test } from 'vitest'
import { toInit } from '../support/test-api.ts'
import { entry, runScript } from './node.ts'
import { stubPage } from './page.ts'

/**
 * Hides globals, as page-like test environments do; Node's own parts that lean on them are loaded
 * before.
 */
const hide = (names: readonly string[]) => `
  void [new Request('http://a.test', { method: 'POST', body: 'a' }), new Response('a'), new Headers(), fetch, structuredClone, crypto, performance]
  const hidden = ${JSON.stringify(names)}
  const console = globalThis.console
  for (const name of hidden) Object.defineProperty(globalThis, name, { value: undefined, configurable: true, writable: true })`

const writing = `
  const { createGreenhouse } = await import('${entry('index')}')
  const { serve } = await import('${entry('server')}')
  const greenhouse = createGreenhouse()
  const server = await serve(greenhouse)
  // Node's own fetch needs what is hidden here.
  const { request: requestHttp } = await import('node:http')
  const overHttp = (path, { body, ...init }) =>
    new Promise((resolve) => requestHttp(server.url + path, init, async (reply) => {
      let text = ''
      for await (const chunk of reply) text += chunk
      resolve({ status: reply.statusCode, json: () => JSON.parse(text) })
    }).end(body))
  const ask = async (send, method, path, body) => {
    const reply = await send(path, { method, headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' }, body: JSON.stringify(body) })
    return [reply.status, await reply.json()]
  }
  const result = []
  for (const send of [overHttp, (path, init) => greenhouse.fetch(new Request('http://a.test' + path, init))]) {
    const [status, { id }] = await ask(send, 'POST', '/v1/apps', { name: 'one' })
    const [changed, { name }] = await ask(send, 'PATCH', '/v1/apps/' + id, { name: 'two' })
    result.push(status, changed, name)
  }
  await server.close()
  console.log(JSON.stringify(result))`

test.each([
  [
    "Jest's jsdom hides crypto, structuredClone, performance and setImmediate",
    hide(
      'crypto structuredClone performance setImmediate clearImmediate MessageChannel BroadcastChannel'.split(
        ' ',
      ),
    ),
  ],
  [
    'crypto has no randomUUID, as in jsdom 20',
    `Object.defineProperty(globalThis, 'crypto', { value: { getRandomValues() {} } })`,
  ],
  [
    'timers are numbers, as in a page',
    'const { setTimeout } = globalThis; globalThis.setTimeout = (...args) => Number(setTimeout(...args))',
  ],
  [
    'nothing has setImmediate',
    'process.getBuiltinModule = undefined' + hide(['setImmediate', 'clearImmediate']),
  ],
])('records are made and changed where %s', async (_where, before) => {
  expect(await runScript(before + writing)).toEqual([201, 200, 'two', 201, 200, 'two'])
})

test('a global that is needed and not there is an error at once, which names it', async () => {
  const script = (names: string[]) => `${hide(names)}
    const { createGreenhouse } = await import('${entry('index')}')
    try { createGreenhouse() } catch (error) { console.log(JSON.stringify(error.message)) }`
  const message =
    /^Failed to start Greenhouse: there is no TextDecoder, no TextEncoder here\..*jest-fixed-jsdom/
  expect(await runScript(script(['TextDecoder', 'TextEncoder']))).toMatch(message)
})

test("a Greenhouse is created without Node's fetch, which takes a fifth of a start to load", async () => {
  const script = `
    const { createGreenhouse } = await import('${entry('index')}')
    console.log(JSON.stringify([createGreenhouse() && process.moduleLoadList.join().includes('undici')]))`
  expect(await runScript(script)).toEqual([false])
})

test('without a global Response, fetch says so and a server works', async () => {
  const script = `${hide(['Response', 'ReadableStream', 'Headers'])}
    import { get } from 'node:http'
    const { createGreenhouse } = await import('${entry('index')}')
    const { serve } = await import('${entry('server')}')
    const greenhouse = createGreenhouse()
    const message = await greenhouse.fetch({ url: 'http://a.test/plants' }).catch((error) => error.message)
    const server = await serve(greenhouse)
    const status = await new Promise((resolve) => get(server.url + '/plants', { headers: { authorization: 'Bearer key_pro' } }, (reply) => resolve(reply.resume().statusCode)))
    await server.close()
    console.log(JSON.stringify([status, message]))`
  expect(await runScript(script)).toEqual([
    200,
    expect.stringMatching(
      /^Failed to answer a Request: there is no Headers, no ReadableStream, no Response here\./,
    ),
  ])
})

/** Node 25 and later have the storages. */
test.each([
  [
    'sessionStorage',
    () => createGreenhouse({ persist: 'session' }),
    'needs the sessionStorage of a page, and there is none',
  ],
  [
    'localStorage',
    () => createGreenhouse({ persist: 'local' }),
    'needs the localStorage of a page, and there is none here',
  ],
  [
    'location',
    () => createHandlers(createGreenhouse(), { plants: '/api' }),
    'plants: expected an absolute URL',
  ],
])('a global %s makes no page, and is not touched', (name, run, message) => {
  const own = Object.getOwnPropertyDescriptor(globalThis, name)
  const get = () => expect.fail('It was touched.')
  Object.defineProperty(globalThis, name, { get, configurable: true })
  onTestFinished(() => {
    Reflect.deleteProperty(globalThis, name)
    if (own) Object.defineProperty(globalThis, name, own)
  })
  expect(run).toThrow(message)
})

test('headers count in any case, as happy-dom keeps it', async () => {
  const { Headers: Own } = globalThis
  const capitalize = (name: string) => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
  class KeepsCase extends Own {
    override [Symbol.iterator]() {
      return Array.from(super.entries(), ([name, value]): [string, string] => [
        capitalize(name),
        value,
      ]).values()
    }
  }
  const greenhouse = createGreenhouse()
  const request = new Request('http://a.test/v1/apps')
  const value = new KeepsCase({ authorization: 'Bearer key_pro', 'x-greenhouse-world': 'other' })
  Object.defineProperty(request, 'headers', { value })
  expect(Array.from(request.headers)[0]).toEqual(['Authorization', 'Bearer key_pro'])
  const reply = await greenhouse.fetch(request)
  expect([reply.status, reply.headers.get('x-greenhouse')]).toEqual([
    200,
    'world=other; operation=apps.list',
  ])
  expect(greenhouse.world('other').journal.calls()[0]!.request.headers['authorization']).toMatch(
    /^Bearer fp_/,
  )
})

test('in a page a path is a base URL of its origin, as msw has it', async () => {
  stubPage({ location: new URL('https://shop.example/cart?open') })
  const handlers = createHandlers(createGreenhouse(), { plants: '/garden', apps: '/api/v1' })
  const ask = async (url: string) =>
    (await getResponse(handlers, new Request(url, toInit('GET'))))?.status
  expect(await ask('https://shop.example/garden/plants')).toBe(200)
  expect(await ask('https://shop.example/~checkout/api/v1/apps')).toBe(200)
  expect(await ask('https://other.example/api/v1/apps')).toBeUndefined()
  const message = 'or, in a browser page, a path, such as "/api"'
  expect(() => createHandlers(createGreenhouse(), { plants: 'garden' })).toThrow(message)
})
