import { once } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { adapters } from '../support/adapters.ts'
import { serve } from 'greenhouse-mock/server'
import { openSocket } from '../support/socket.ts'
import { createCaller, start, testApi, toInit } from '../support/test-api.ts'
import { creditsOf, giveCredits, startConversation } from '../conversations/chat.ts'
import { startReceiver } from '../webhooks/receiver.ts'

// Everything that Vitest can fake but nextTick and queueMicrotask, by which Node itself moves
// requests and bodies.
const faked = [
  ...([
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'setImmediate',
    'clearImmediate',
  ] as const),
  ...(['Date', 'performance', 'hrtime'] as const),
]
beforeEach(() => {
  vi.useFakeTimers({ toFake: faked, now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

testApi('with all timers faked, requests are answered', async ({ call }) => {
  expect((await call('GET', '/plants')).status).toBe(200)
  expect((await call('POST', '/v1/apps', { body: { name: 'helper' } })).status).toBe(201)
})

testApi(
  'with all timers faked, a reply that is held back comes, and a body that drips',
  async ({ send, world }) => {
    world.use('slow', { ms: 5 })
    expect((await send('/plants', toInit('GET'))).status).toBe(200)
    world.clear()
    world.use('drip', { 'bytes-per-second': 1e6 })
    expect(await (await send('/plants', toInit('GET'))).json()).toEqual(expect.any(Array))
  },
)

testApi('with all timers faked, a streamed message comes whole', async (client) => {
  giveCredits(client, 10)
  const { path } = await startConversation(client)
  const { text } = await client.call('POST', `${path}/messages`, { body: { content: 'Hello' } })
  expect(JSON.parse(text)).toMatchObject({ role: 'assistant' })
  const body = { content: 'Hello', stream: true }
  const response = await client.send(`${path}/messages`, toInit('POST', { body }))
  expect(await response.text()).toContain('message.completed')
  expect(creditsOf(client)).toBe(8)
})

testApi(
  'with all timers faked, a request without an answer ends when its client gives up',
  async (client) => {
    client.world.use('timeout')
    const controller = new AbortController()
    const pending = client.send('/plants', { signal: controller.signal })
    controller.abort()
    await expect(pending).rejects.toThrow(/abort/i)
  },
)

test("a faked Date moves no world: its own clock does, and runs with the machine's", async () => {
  vi.setSystemTime('2040-01-01T00:00:00Z')
  const greenhouse = createGreenhouse()
  const { clock } = greenhouse.world()
  const real = clock.now()
  expect(real).toBeGreaterThan(Date.parse('2026-01-01T00:00:00Z'))
  expect(real).toBeLessThan(Date.parse('2040-01-01T00:00:00Z'))
  vi.advanceTimersByTime(86_400_000)
  expect(clock.now() - real).toBeLessThan(86_400_000)
  clock.freeze()
  clock.set(Date.now())
  expect(new Date(clock.now()).toISOString()).toBe('2040-01-02T00:00:00.000Z')
})

test('with all timers faked, due work is done and a webhook delivered', async () => {
  const receiver = await startReceiver()
  const greenhouse = createGreenhouse({ now: start })
  await using server = await serve(greenhouse)
  const call = createCaller((path, init) => fetch(server.url + path, init))
  await call('POST', '/v1/webhooks', { body: { url: receiver.url, events: ['plant.created'] } })
  await call('POST', '/plants', { body: { id: 9_001, name: 'Fern' } })
  await greenhouse.world().settled()
  expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['plant.created'])
  const { clock } = greenhouse.world()
  await new Promise<void>((resolve) => clock.schedule(clock.now() + 20, resolve))
})

test('with faked timers, the control API answers and the server closes, even on silent clients', async () => {
  const server = await serve(createGreenhouse())
  const health = await fetch(`${server.url}/__greenhouse/health`)
  expect(await health.json()).toMatchObject({ status: 'ok' })
  const socket = await openSocket(server.port)
  socket.resume().write('GET /plants HTTP/1.1\r\nHo')
  const left = once(socket, 'close')
  await server.close()
  socket.destroy()
  await left
})

test.each(adapters)(
  'with all timers faked, many requests at once are answered ($name)',
  async (adapter) => {
    const { send, close } = await adapter.open(createGreenhouse())
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => send('/plants', toInit('GET'))),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200))
    await Promise.all(replies.map((reply) => reply.arrayBuffer()))
    await close()
  },
)
