import { expect, test } from 'vitest'
import { entry, runScript } from './node.ts'

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
