import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { createCaller, start } from '../support/test-api.ts'
import { startReceiver } from './receiver.ts'
import { open, subscribe } from './open.ts'

const seconds = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1_000

test('a failed delivery is retried on time: two hours later, four attempts are made in order', async () => {
  const client = open()
  const receiver = await startReceiver(() => 500)
  const webhook = await subscribe(client, receiver.url)
  await client.call('POST', '/plants', { body: { id: 9_001, name: 'Fern' } })
  await client.world.settled()
  expect(receiver.received).toHaveLength(1)
  client.world.clock.advance('2h')
  await client.world.settled()
  expect(receiver.received).toHaveLength(4)
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  const { body } = await client.call('GET', `/v1/webhooks/${webhook.id}/deliveries`)
  expect(body.data).toHaveLength(1)
  expect(body.data[0]).toMatchObject({
    status: 'pending',
    type: 'plant.created',
    next_attempt_at: '2026-03-01T14:35:35.000Z',
  })
  expect(body.data[0].attempts.map(({ at, status }: any) => [seconds(start, at), status])).toEqual([
    [0, 500],
    [5, 500],
    [305, 500],
    [2_105, 500],
  ])
})

test('a delivery that was ended or postponed by hand while it waited is not sent in its turn', async () => {
  const client = open()
  const receiver = await startReceiver(() => 500)
  await subscribe(client, receiver.url)
  const { deliveries } = client.world.records
  for (const changes of [{ status: 'failed' }, { next_attempt_at: Date.parse('2026-04-01T00:00:00Z') }] as const) {
    const sent = receiver.received.length + 1
    await client.call('POST', '/plants', { body: { id: 9_000 + sent, name: 'Fern' } })
    await client.world.settled()
    deliveries.update(deliveries.find({ type: 'plant.created' }).at(-1)!.id, changes)
    client.world.clock.advance('1d')
    await client.world.settled()
    expect(receiver.received).toHaveLength(sent)
  }
})

test('after the tenth attempt nothing more is tried', async () => {
  const client = open()
  const receiver = await startReceiver(() => 503)
  const webhook = await subscribe(client, receiver.url)
  await client.call('POST', '/plants', { body: { id: 9_001, name: 'Fern' } })
  client.world.clock.advance('30d')
  await client.world.settled()
  expect(receiver.received).toHaveLength(10)
  const { body } = await client.call('GET', `/v1/webhooks/${webhook.id}/deliveries`)
  expect(body.data[0]).toMatchObject({ status: 'failed', next_attempt_at: null })
  expect(body.data[0].attempts.map(({ at }: any) => seconds(start, at))).toEqual([
    0, 5, 305, 2_105, 9_305, 27_305, 63_305, 113_705, 185_705, 272_105,
  ])
})

test('a receiver that recovers gets the delivery, and then no more', async () => {
  const client = open()
  const receiver = await startReceiver((_, place) => (place < 2 ? 500 : 204))
  const webhook = await subscribe(client, receiver.url)
  await client.call('POST', '/plants', { body: { id: 9_001, name: 'Fern' } })
  client.world.clock.advance('30d')
  await client.world.settled()
  const { body } = await client.call('GET', `/v1/webhooks/${webhook.id}/deliveries`)
  expect(body.data[0]).toMatchObject({
    status: 'succeeded',
    next_attempt_at: null,
    attempts: [{ status: 500 }, { status: 500 }, { status: 204 }],
  })
})

test.each([
  ['fast', [0, 1, 3]],
  ['none', [0]],
] as const)('the retries "%s" are at %j seconds', async (choice, times) => {
  const client = open({ assumptions: { 'webhooks.retries': choice } })
  const receiver = await startReceiver(() => 500)
  const webhook = await subscribe(client, receiver.url)
  await client.call('POST', '/plants', { body: { id: 9_001, name: 'Fern' } })
  client.world.clock.advance('30d')
  await client.world.settled()
  const { body } = await client.call('GET', `/v1/webhooks/${webhook.id}/deliveries`)
  expect(body.data[0].attempts.map(({ at }: any) => seconds(start, at))).toEqual(times)
})

test('while time runs by itself, a retry comes by itself', async () => {
  const greenhouse = createGreenhouse({ assumptions: { 'webhooks.retries': 'fast' } })
  const call = createCaller((path, init) => greenhouse.fetch(new Request('http://greenhouse.test' + path, init)))
  let told = () => {}
  const second = new Promise<void>((resolve) => (told = resolve))
  const receiver = await startReceiver((_, place) => (place === 0 ? 500 : (told(), 200)))
  await call('POST', '/v1/webhooks', { body: { url: receiver.url, events: ['plant.created'] } })
  await call('POST', '/plants', { body: { id: 9_001, name: 'Fern' } })
  await second
  expect(receiver.received).toHaveLength(2)
})
