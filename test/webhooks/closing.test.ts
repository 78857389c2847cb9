import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setupServer } from 'msw/node'
import { http, HttpResponse } from 'msw'
import { expect, onTestFinished, test } from 'vitest'
import { createHandlers } from 'greenhouse-mock/msw'
import { serve } from 'greenhouse-mock/server'
import type { Client } from '../support/test-api.ts'
import { startReceiver } from './receiver.ts'
import {
  open,
  openServed,
  subscribe,
  createPlants,
  listen,
  deliverPlants,
  advance,
} from './open.ts'

/**
 * Returns the results of a webhook's deliveries: the status, and the last attempt's answer and
 * error.
 */
const outcomes = (client: Client, webhook: string) =>
  client.world.records.deliveries
    .find({ webhook })
    .map(({ status, attempts, next_attempt_at }) => ({
      status,
      next_attempt_at,
      tries: attempts.length,
      answer: attempts.at(-1)?.status,
      error: attempts.at(-1)?.error,
    }))

/** Returns the deliveries of the test's events. */
const toldOf = (world: Client['world']) =>
  world.records.deliveries.find(({ type }) => type === 'plant.created')

/** Waits until so many requests have reached a receiver. */
async function reached({ received }: { received: unknown[] }, count: number): Promise<void> {
  await expect.poll(() => received.length).toBe(count)
}

test('closing ends running and waiting deliveries, and logs it', async () => {
  const { client, server } = await openServed()
  const { receiver, webhook } = await listen(client, () => 'never')
  const asked = once(receiver.server, 'request')
  await createPlants(client, 3)
  const [request] = await asked
  const gone = once(request.socket, 'close')
  await reached(receiver, 1)
  await server.close()
  await gone
  await client.world.settled()
  const over = { status: 'failed', next_attempt_at: null, tries: 1, answer: null }
  const errors = ['No answer', 'Not sent', 'Not sent'].map(
    (why) => `${why}: the server was closed.`,
  )
  expect(outcomes(client, webhook.id)).toEqual(errors.map((error) => ({ ...over, error })))
  expect(receiver.received).toHaveLength(1)
})

test('nothing is delivered after the close: no retry, no new event, in no world, by no other way', async () => {
  const { client, server } = await openServed()
  const receiver = await startReceiver(() => 500)
  const other = client.greenhouse.world('other')
  await subscribe(client, receiver.url)
  const call: Client['call'] = (method, path, options) =>
    client.call(method, `/~other${path}`, options)
  const { body: there } = await call('POST', '/v1/webhooks', {
    body: { url: receiver.url, events: ['plant.created'] },
  })
  await createPlants(client, 1)
  await createPlants({ call }, 1)
  await client.world.settled()
  await other.settled()
  expect(receiver.received).toHaveLength(2)
  await server.close()
  await createPlants(client, 1, 9_500)
  for (const world of [client.world, other]) {
    world.clock.advance('30d')
    await world.settled()
  }
  expect(receiver.received).toHaveLength(2)
  for (const world of [client.world, other])
    for (const { status, attempts } of toldOf(world))
      expect([status, attempts.at(-1)!.error]).toEqual([
        'failed',
        'Not sent: the server was closed.',
      ])
  expect(toldOf(other).map(({ webhook }) => webhook)).toEqual([there.id])
})

test('a new server delivers again, both new events and redeliveries', async () => {
  const { client, server: first } = await openServed()
  const { webhook } = await listen(client)
  await first.close()
  await deliverPlants(client, 1)
  await using _second = await serve(client.greenhouse)
  await createPlants(client, 1, 9_500)
  const { id } = toldOf(client.world)[0]!
  expect(
    (await client.call('POST', `/v1/webhooks/${webhook.id}/deliveries/${id}/redeliver`)).status,
  ).toBe(202)
  await client.world.settled()
  expect(outcomes(client, webhook.id)).toMatchObject([
    { status: 'succeeded', tries: 2 },
    { status: 'succeeded', tries: 1 },
  ])
})

test('after one of two servers closes, the other one delivers', async () => {
  const { client } = await openServed()
  const second = await serve(client.greenhouse)
  const { receiver, webhook } = await listen(client, (_, place) => (place === 0 ? 'never' : 200))
  await createPlants(client, 2)
  await reached(receiver, 1)
  await second.close()
  await advance(client, '10s')
  expect(outcomes(client, webhook.id)).toMatchObject([
    { status: 'succeeded', tries: 2 },
    { status: 'succeeded', tries: 1 },
  ])
})

test('after the server closes, deliveries leave through MSW', async () => {
  const { client, server } = await openServed()
  const caught: string[] = []
  const hook = http.post('https://hooks.example.com/in', async ({ request }) => {
    caught.push(await request.text())
    return new HttpResponse(null, { status: 204 })
  })
  const msw = setupServer(
    hook,
    ...createHandlers(client.greenhouse, {
      plants: 'http://plants.test',
      apps: 'http://apps.test/v1',
    }),
  )
  msw.listen({ onUnhandledRequest: 'bypass' })
  onTestFinished(() => msw.close())
  await subscribe(client, 'https://hooks.example.com/in')
  await server.close()
  await deliverPlants(client, 1)
  expect(caught).toHaveLength(1)
})

test('an examination under way ends with the server', async () => {
  const { client, server } = await openServed()
  const { receiver, webhook } = await listen(client, () => 'never')
  const graded = client.world.examine(webhook.id)
  await reached(receiver, 1)
  await server.close()
  expect((await graded).checks[0]).toMatchObject({
    name: 'reachable',
    result: 'failed',
    why: expect.stringContaining('the server was closed'),
  })
  expect(receiver.received).toHaveLength(1)
})

test('many deliveries under way, and their end, make Node warn of nothing', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const { client, server } = await openServed()
  const receiver = await startReceiver(() => 'never')
  for (const [index, key] of ['key_free', 'key_lite', 'key_pro'].entries()) {
    const call: typeof client.call = (method, path, options) =>
      client.call(method, path, { key, ...options })
    for (let webhook = 0; webhook < 8; webhook++)
      await subscribe({ call }, `${receiver.url}?webhook=${webhook}`)
    await createPlants({ call }, 1, 9_000 + index)
  }
  await expect.poll(() => receiver.received.length).toBeGreaterThan(15)
  await server.close()
  await client.world.settled()
  await new Promise((resolve) => setImmediate(resolve))
  expect(warnings).toEqual([])
})

test('a delivery that succeeded is not given up afterwards', async () => {
  const client = open()
  const signals: AbortSignal[] = []
  client.greenhouse.deliverThrough({
    async send(_, signal) {
      signals.push(signal)
      return { status: 200, body: '' }
    },
  })
  await subscribe(client, 'http://127.0.0.1:9/hook')
  await deliverPlants(client, 3)
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false])
})

/**
 * Delivers three events, one after the other. Returns the statuses of all attempts, and how many
 * connections there were.
 */
async function deliverThree(
  keepAliveTimeout: number,
  cuts: Record<number, 'drop' | 'reset' | 'cut short'> = {},
) {
  const receiver = await startReceiver((_, place) => {
    if (!cuts[place]) return 200
    const socket = sockets.at(-1)!
    if (cuts[place] === 'reset') socket.resetAndDestroy()
    else socket.end(cuts[place] === 'drop' ? '' : 'HTTP/1.1 2')
    return 'never'
  })
  receiver.server.keepAliveTimeout = keepAliveTimeout
  const sockets: Socket[] = []
  receiver.server.on('connection', (socket) => sockets.push(socket))
  const { client, server } = await openServed()
  const { id } = await subscribe(client, receiver.url)
  for (let event = 0; event < 3; event++) {
    await deliverPlants(client, 1, 9_000 + event)
  }
  await server.close()
  await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true)
  const attempts = client.world.records.deliveries
    .find({ webhook: id })
    .flatMap((delivery) => delivery.attempts.map(({ status, error }) => status ?? error))
  return { attempts, connections: sockets.length, received: receiver.received.length }
}

test('deliveries share a connection that the receiver keeps alive; it closes with the server', async () => {
  expect(await deliverThree(5_000)).toEqual({
    attempts: [200, 200, 200],
    connections: 1,
    received: 3,
  })
})

test('deliveries have connections of their own if the receiver promises nothing, or too little', async () => {
  for (const timeout of [0, 1_000])
    expect(await deliverThree(timeout)).toEqual({
      attempts: [200, 200, 200],
      connections: 3,
      received: 3,
    })
})

test.each([
  ['a shared connection that the receiver drops', { 1: 'drop' }, [200, 200, 200], 4],
  ['a shared connection that the receiver resets', { 1: 'reset' }, [200, 200, 200], 4],
  [
    'a shared connection, and then the new one',
    { 1: 'drop', 2: 'drop' },
    [200, 'socket hang up', 200],
    4,
  ],
  [
    'a shared connection after the first bytes of an answer',
    { 1: 'cut short' },
    [200, 'socket hang up', 200],
    3,
  ],
  ['a new connection', { 0: 'drop' }, ['socket hang up', 200, 200], 3],
] as const)(
  'an attempt is one request, repeated once on a new connection: %s',
  async (_, cuts, attempts, received) => {
    expect(await deliverThree(5_000, cuts)).toMatchObject({ attempts, received })
  },
)
