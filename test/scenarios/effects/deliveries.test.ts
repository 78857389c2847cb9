import { expect, test } from 'vitest'
import { createPlants, open, subscribe } from '../../webhooks/open.ts'
import { startReceiver } from '../../webhooks/receiver.ts'

test('each event comes twice, with the same webhook-id', async () => {
  const client = open({ use: ['webhook-duplicate'] })
  const receiver = await startReceiver()
  await subscribe(client, receiver.url)
  await createPlants(client, 2)
  await client.world.settled()
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(ids).toHaveLength(4)
  expect(new Set(ids).size).toBe(2)
})

test.each([['webhook-late'], [{ deliver: [{ kind: 'late' }] }]] as const)(
  'an event is delivered an hour late by %j, with its original time in the payload',
  async (late) => {
    const client = open({ use: [late] })
    const receiver = await startReceiver()
    await subscribe(client, receiver.url)
    await createPlants(client, 1)
    client.world.clock.advance('59m')
    await client.world.settled()
    expect(receiver.received).toHaveLength(0)
    client.world.clock.advance('1m')
    await client.world.settled()
    const [got] = receiver.received
    expect(
      Number(got!.headers['webhook-timestamp']) * 1_000 -
        Date.parse(JSON.parse(got!.body).timestamp),
    ).toBe(3_600_000)
  },
)

test('an event is never delivered, and a redelivery brings it', async () => {
  const client = open({ use: [{ name: 'webhook-lost', events: 'plant.*' }] })
  const receiver = await startReceiver()
  const webhook = await subscribe(client, receiver.url)
  await createPlants(client, 1)
  client.world.clock.advance('30d')
  await client.world.settled()
  expect(receiver.received).toHaveLength(0)
  const [lost] = (await client.call('GET', `/v1/webhooks/${webhook.id}/deliveries`)).body.data
  expect(lost).toMatchObject({ status: 'lost', attempts: [], next_attempt_at: null })
  await client.call('POST', `/v1/webhooks/${webhook.id}/deliveries/${lost.id}/redeliver`)
  await client.world.settled()
  expect(receiver.received).toHaveLength(1)
  client.world.useOnly(['webhook-lost'])
  const test = await client.call('POST', `/v1/webhooks/${webhook.id}/test`)
  expect([test.status, test.body.status]).toEqual([202, 'lost'])
  expect(await client.world.trigger('plant.created')).toMatchObject([{ status: 'lost' }])
})

const idOf = ({ body }: { body: string }) => JSON.parse(body).data.id

const ways = ['webhook-out-of-order', { deliver: [{ kind: 'out-of-order' }] }] as const

test('a delivery that was deleted while it waited for a later one is not sent', async () => {
  const client = open({ use: ['webhook-out-of-order'] })
  const receiver = await startReceiver()
  await subscribe(client, receiver.url)
  await createPlants(client, 1, 1_001)
  await client.world.settled()
  const { deliveries } = client.world.records
  for (const { id, type } of deliveries.all()) if (type === 'plant.created') deliveries.delete(id)
  await createPlants(client, 1, 1_002)
  await client.world.settled()
  expect(receiver.received.map(idOf)).toEqual([1_002])
})

test.each(ways)(
  'events come in pairs that have changed places; the last one waits a minute (%j)',
  async (scenario) => {
    const client = open({ use: [scenario] })
    const receiver = await startReceiver()
    await subscribe(client, receiver.url)
    for (let id = 1_001; id <= 1_005; id++) {
      await createPlants(client, 1, id)
      await client.world.settled()
    }
    const sent = [1_002, 1_001, 1_004, 1_003]
    expect(receiver.received.map(idOf)).toEqual(sent)
    client.world.clock.advance('59s')
    await client.world.settled()
    expect(receiver.received.map(idOf)).toEqual(sent)
    client.world.clock.advance('1s')
    await client.world.settled()
    expect(receiver.received.map(idOf)).toEqual([...sent, 1_005])
  },
)

test('events at once keep their places if a scenario does not mean them', async () => {
  const client = open({ use: [{ deliver: [{ kind: 'out-of-order', after: 1 }] }] })
  const receiver = await startReceiver()
  await subscribe(client, receiver.url)
  await createPlants(client, 3, 1_001)
  await client.world.settled()
  expect(receiver.received.map(idOf)).toEqual([1_001, 1_003, 1_002])
})

test('a delivery that releases another one is duplicated all the same', async () => {
  const client = open({ use: ['webhook-out-of-order', 'webhook-duplicate'] })
  const receiver = await startReceiver()
  await subscribe(client, receiver.url)
  for (const id of [1_001, 1_002]) {
    await createPlants(client, 1, id)
    await client.world.settled()
  }
  client.world.clock.advance('1h')
  await client.world.settled()
  expect(receiver.received.map(idOf).sort()).toEqual([1_001, 1_001, 1_002, 1_002])
})

test('a delivery that waited its minute alone is tried again as any other', async () => {
  const client = open({ use: ['webhook-out-of-order'] })
  const receiver = await startReceiver(() => 500)
  await subscribe(client, receiver.url)
  await createPlants(client, 1)
  for (const [by, count] of [
    ['1m', 1],
    ['4s', 1],
    ['1s', 2],
  ] as const) {
    client.world.clock.advance(by)
    await client.world.settled()
    expect(receiver.received).toHaveLength(count)
  }
})
