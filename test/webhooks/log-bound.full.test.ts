import { expect, test } from 'vitest'
import { heapInUse } from '../memory/heap.ts'
import { times } from '../support/soak.ts'
import {
  open,
  openServed,
  subscribe,
  createPlants,
  listen,
  deliverPlants,
  advance,
} from './open.ts'
import { startReceiver } from './receiver.ts'

const kept = 1_000

test('a log keeps 1,000 deliveries, even pending ones: the oldest are dropped and never retried', async () => {
  const client = open()
  const { receiver, webhook } = await listen(client, () => 500)
  await deliverPlants(client, kept + 200)
  const log = () => client.world.records.deliveries.find({ webhook: webhook.id })
  expect(log()).toHaveLength(kept)
  expect(log().every(({ status }) => status === 'pending')).toBe(true)
  expect(JSON.parse(log()[0]!.payload).data.id).toBe(9_200)
  const before = receiver.received.length
  await advance(client, '5s')
  expect(receiver.received.length - before).toBe(kept)
})

test('the log keeps 1,000 while a receiver hangs, and dropped deliveries are never sent', async () => {
  const client = open({ assumptions: { 'webhooks.timeout': '30s', 'webhooks.retries': 'none' } })
  const ids: number[] = []
  const receiver = await startReceiver((received) => {
    ids.push(JSON.parse(received.body).data.id)
    return ids.length === 1 ? 'never' : 200
  })
  const webhook = await subscribe(client, receiver.url)
  await createPlants(client, kept + 200)
  expect(client.world.records.deliveries.find({ webhook: webhook.id })).toHaveLength(kept)
  await expect.poll(() => ids).toHaveLength(1)
  receiver.server.closeAllConnections()
  await client.world.settled()
  expect(ids).toEqual([9_000, ...Array.from({ length: kept }, (_, index) => 9_200 + index)])
})

test('while a webhook waits for its turn, what its log drops does not hold up the rest', async () => {
  const client = open()
  const hung = await startReceiver(() => 'never')
  for (let webhook = 0; webhook < 8; webhook++) await subscribe(client, hung.url, ['app.created'])
  await client.call('POST', '/v1/apps', { body: { name: 'Helper' } })
  const { receiver } = await listen(client)
  await createPlants(client, kept + 2)
  await expect.poll(() => hung.received).toHaveLength(8)
  hung.close()
  await client.world.settled()
  expect(receiver.received).toHaveLength(kept)
})

const deliveries = times(1_000, 100)

test(`${deliveries} failing deliveries get all attempts in three days, and memory stays flat`, async () => {
  const { client } = await openServed({ assumptions: { 'plants.rate-limits': 'off' } })
  const { receiver, webhook } = await listen(client, () => 500)
  const heaps: number[] = []
  for (let round = 0; round < 3; round++) {
    await createPlants(client, deliveries, 10_000 * (round + 1))
    await advance(client, '3d')
    expect(receiver.received).toHaveLength(9 * deliveries)
    await advance(client, '1d')
    expect(receiver.received).toHaveLength(10 * deliveries)
    receiver.received.length = 0
    const logged = client.world.records.deliveries.find({ webhook: webhook.id })
    expect(logged).toHaveLength(Math.min(kept, (round + 1) * deliveries))
    heaps.push(heapInUse())
  }
  expect(heaps[2]! - heaps[1]!).toBeLessThan(4 * 2 ** 20)
})
