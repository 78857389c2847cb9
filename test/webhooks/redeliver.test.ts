import { expect, test } from 'vitest'
import { testApi, type Client } from '../support/test-api.ts'
import { startReceiver } from './receiver.ts'
import { createPlants, open, subscribe } from './open.ts'

testApi('each redelivery that is accepted is sent, also while the clock stands still', {}, async (client) => {
  const { call, world } = client
  const receiver = await startReceiver()
  const { id } = await subscribe(client, receiver.url)
  await createPlants(client, 1)
  await world.settled()
  const path = `/v1/webhooks/${id}/deliveries`
  const { body: log } = await call('GET', path)
  const answers = await Promise.all([1, 2, 3].map(() => call('POST', `${path}/${log.data[0].id}/redeliver`)))
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
  await world.settled()
  expect(receiver.received).toHaveLength(4)
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  const { body } = await call('GET', path)
  expect(body.data).toMatchObject([
    {
      status: 'succeeded',
      next_attempt_at: null,
      attempts: [{ status: 200 }, { status: 200 }, { status: 200 }, { status: 200 }],
    },
  ])
})

test('a redelivery accepted during an attempt follows it, whether time stands still or runs', async () => {
  for (const wait of ['0s', '1s', '-1s']) {
    const client = open()
    let answer = (_: number) => {}
    const sent: number[] = []
    client.greenhouse.deliverThrough({
      send: () =>
        new Promise((resolve) => (sent.push(sent.length), (answer = (status) => resolve({ status, body: '' })))),
    })
    const { id } = await subscribe(client, 'http://127.0.0.1:9/hook')
    await createPlants(client, 1)
    await expect.poll(() => sent.length).toBe(1)
    client.world.clock.advance(wait)
    const path = `/v1/webhooks/${id}/deliveries`
    const { body: log } = await client.call('GET', path)
    for (let time = 0; time < 2; time++)
      expect((await client.call('POST', `${path}/${log.data[0].id}/redeliver`)).status).toBe(202)
    for (let made = 1; made <= 3; made++) {
      await expect.poll(() => sent.length).toBe(made)
      answer(200)
    }
    await client.world.settled()
    expect(sent, wait).toHaveLength(3)
    expect(client.world.records.deliveries.get(log.data[0].id)).toMatchObject({
      status: 'succeeded',
      next_attempt_at: null,
      attempts: [{ status: 200 }, { status: 200 }, { status: 200 }],
    })
  }
})

test('disabling a webhook drops what it waited for, but not how its last attempt ended', async () => {
  const client = open()
  let answer = () => {}
  const sent: number[] = []
  client.greenhouse.deliverThrough({
    send: ({ body }) =>
      new Promise((resolve) => {
        sent.push(JSON.parse(body).data.id)
        answer = () => resolve({ status: 200, body: '' })
      }),
  })
  const path = `/v1/webhooks/${(await subscribe(client, 'http://127.0.0.1:9/hook')).id}`
  await createPlants(client, 3)
  await expect.poll(() => sent).toEqual([9_000])
  for (const enabled of [false, true]) await client.call('PATCH', path, { body: { enabled } })
  const log = async () => (await client.call('GET', `${path}/deliveries`)).body.data
  for (const { id } of (await log()).slice(0, 2)) await client.call('POST', `${path}/deliveries/${id}/redeliver`)
  for (const expected of [[9_000], [9_000, 9_002], [9_000, 9_002, 9_001]]) {
    await expect.poll(() => sent).toEqual(expected)
    answer()
  }
  await client.world.settled()
  expect((await log()).map(({ status }: any) => status)).toEqual(Array(3).fill('succeeded'))
})

/** Subscribes, and delivers one event. */
async function deliverOne(client: Client, url: string) {
  const { id } = await subscribe(client, url)
  await createPlants(client, 1)
  await client.world.settled()
  const path = `/v1/webhooks/${id}/deliveries`
  const { body: log } = await client.call('GET', path)
  return { path, first: log.data[0].id as string }
}

test('the last redelivery that fails is tried again as any delivery is', async () => {
  const client = open({ assumptions: { 'webhooks.retries': 'fast' } })
  const receiver = await startReceiver((_, place) => (place === 0 ? 200 : 500))
  const { path, first } = await deliverOne(client, receiver.url)
  for (let time = 0; time < 3; time++) await client.call('POST', `${path}/${first}/redeliver`)
  await client.world.settled()
  expect(receiver.received).toHaveLength(4)
  client.world.clock.advance('1m')
  await client.world.settled()
  expect(receiver.received).toHaveLength(6)
  expect((await client.call('GET', path)).body.data[0]).toMatchObject({ status: 'failed', next_attempt_at: null })
})

test('redeliveries that a snapshot caught unsent are sent after its restore', async () => {
  const client = open()
  const receiver = await startReceiver()
  const { path, first } = await deliverOne(client, receiver.url)
  await Promise.all([1, 2, 3].map(() => client.call('POST', `${path}/${first}/redeliver`)))
  client.world.snapshot('asked')
  const { redeliveries = 0, status } = client.world.records.deliveries.get(first)!
  await client.world.settled()
  const before = receiver.received.length
  client.world.restore('asked')
  await client.world.settled()
  expect(receiver.received.length - before).toBe(redeliveries + (status === 'pending' ? 1 : 0))
})

test('a webhook that is disabled gets none of the redeliveries that waited', async () => {
  const client = open()
  const receiver = await startReceiver((_, place) => (place === 1 ? 410 : 200))
  const { path, first } = await deliverOne(client, receiver.url)
  for (let time = 0; time < 3; time++) await client.call('POST', `${path}/${first}/redeliver`)
  await client.world.settled()
  expect(receiver.received).toHaveLength(2)
  expect(client.world.records.deliveries.get(first)).toMatchObject({ status: 'failed', next_attempt_at: null })
  expect(client.world.records.deliveries.get(first)!.redeliveries ?? 0).toBe(0)
})

test('a redelivery that fails takes its turn after the retries that are due at the same time', async () => {
  const client = open()
  const receiver = await startReceiver(() => 500)
  const { path, first } = await deliverOne(client, receiver.url)
  await createPlants(client, 1, 9_001)
  await client.world.settled()
  await client.call('POST', `${path}/${first}/redeliver`)
  await client.world.settled()
  client.world.clock.advance('5s')
  await client.world.settled()
  expect(receiver.received.map(({ body }) => JSON.parse(body).data.id)).toEqual([9_000, 9_001, 9_000, 9_001, 9_000])
})
