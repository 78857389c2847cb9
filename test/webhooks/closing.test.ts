import { once } from 'node:events'
import { setupServer } from 'msw/node'
import { http, HttpResponse } from 'msw'
import { expect, onTestFinished, test } from 'vitest'
import { createHandlers } from 'greenhouse-mock/msw'
import { serve } from 'greenhouse-mock/server'
import type { Client } from '../support/test-api.ts'
import { startReceiver } from './receiver.ts'
import { createPlants, open, subscribe } from './open.ts'

/** Returns the results of a webhook's deliveries: the status, and the last attempt's answer and error. */
const outcomes = (client: Client, webhook: string) =>
  client.world.records.deliveries
    .all()
    .filter((delivery) => delivery.webhook === webhook)
    .map(({ status, attempts, next_attempt_at }) => ({
      status,
      next_attempt_at,
      tries: attempts.length,
      answer: attempts.at(-1)?.status,
      error: attempts.at(-1)?.error,
    }))

/** Returns the deliveries of the test's events. */
const toldOf = (world: Client['world']) => world.records.deliveries.find(({ type }) => type === 'plant.created')

/** Waits until so many requests have reached a receiver. */
async function reached({ received }: { received: unknown[] }, count: number): Promise<void> {
  await expect.poll(() => received.length, { timeout: 20_000 }).toBe(count)
}

test('closing ends what is under way and what waits, and says so in the log', async () => {
  const client = open()
  const server = await serve(client.greenhouse)
  const receiver = await startReceiver(() => 'never')
  const webhook = await subscribe(client, receiver.url)
  await createPlants(client, 3)
  await reached(receiver, 1)
  await server.close()
  await client.world.settled()
  const over = { status: 'failed', next_attempt_at: null, tries: 1, answer: null }
  expect(outcomes(client, webhook.id)).toEqual([
    { ...over, error: 'No answer: the server was closed.' },
    { ...over, error: 'Not sent: the server was closed.' },
    { ...over, error: 'Not sent: the server was closed.' },
  ])
  expect(receiver.received).toHaveLength(1)
})

test('nothing is delivered after the close: no retry, no new event, in no world, by no other way', async () => {
  const client = open()
  const server = await serve(client.greenhouse)
  const receiver = await startReceiver(() => 500)
  const other = client.greenhouse.world('other')
  await subscribe(client, receiver.url)
  const call: Client['call'] = (method, path, options) => client.call(method, `/~other${path}`, options)
  const { body: there } = await call('POST', '/v1/webhooks', { body: { url: receiver.url, events: ['plant.created'] } })
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
      expect([status, attempts.at(-1)!.error]).toEqual(['failed', 'Not sent: the server was closed.'])
  expect(toldOf(other).map(({ webhook }) => webhook)).toEqual([there.id])
})

test('a new server delivers again, both new events and redeliveries', async () => {
  const client = open()
  const first = await serve(client.greenhouse)
  const receiver = await startReceiver()
  const webhook = await subscribe(client, receiver.url)
  await first.close()
  await createPlants(client, 1)
  await client.world.settled()
  await using _second = await serve(client.greenhouse)
  await createPlants(client, 1, 9_500)
  const { id } = toldOf(client.world)[0]!
  expect((await client.call('POST', `/v1/webhooks/${webhook.id}/deliveries/${id}/redeliver`)).status).toBe(202)
  await client.world.settled()
  expect(outcomes(client, webhook.id)).toMatchObject([
    { status: 'succeeded', tries: 2 },
    { status: 'succeeded', tries: 1 },
  ])
})

test('of two servers, the one that stays goes on to deliver', async () => {
  const client = open()
  await using _first = await serve(client.greenhouse)
  const second = await serve(client.greenhouse)
  const receiver = await startReceiver((_, place) => (place === 0 ? 'never' : 200))
  const webhook = await subscribe(client, receiver.url)
  await createPlants(client, 2)
  await reached(receiver, 1)
  await second.close()
  client.world.clock.advance('10s')
  await client.world.settled()
  expect(outcomes(client, webhook.id)).toMatchObject([
    { status: 'succeeded', tries: 2 },
    { status: 'succeeded', tries: 1 },
  ])
})

test('where MSW answers too, what happens after the close leaves by it', async () => {
  const client = open()
  const server = await serve(client.greenhouse)
  const caught: string[] = []
  const hook = http.post('https://hooks.example.com/in', async ({ request }) => {
    caught.push(await request.text())
    return new HttpResponse(null, { status: 204 })
  })
  const msw = setupServer(
    hook,
    ...createHandlers(client.greenhouse, { plants: 'http://plants.test', apps: 'http://apps.test/v1' }),
  )
  msw.listen({ onUnhandledRequest: 'bypass' })
  onTestFinished(() => msw.close())
  await subscribe(client, 'https://hooks.example.com/in')
  await server.close()
  await createPlants(client, 1)
  await client.world.settled()
  expect(caught).toHaveLength(1)
})

test('a receiver that is being sent to sees its connection end with the server', async () => {
  const client = open()
  const server = await serve(client.greenhouse)
  const receiver = await startReceiver(() => 'never')
  await subscribe(client, receiver.url)
  const asked = once(receiver.server, 'request')
  await createPlants(client, 1)
  const [request] = await asked
  const gone = once(request.socket, 'close')
  await server.close()
  await gone
})

test('an examination under way ends with the server', async () => {
  const client = open()
  const server = await serve(client.greenhouse)
  const receiver = await startReceiver(() => 'never')
  const webhook = await subscribe(client, receiver.url)
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
