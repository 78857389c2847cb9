import { expect, test } from 'vitest'
import { startReceiver } from './receiver.ts'
import { createPlants, open, subscribe } from './open.ts'

const idsOf = (received: { headers: Record<string, unknown> }[]) => received.map(({ headers }) => headers['webhook-id'])

test('an event that happens after a restore has an id that no event had before it', async () => {
  const client = open()
  const receiver = await startReceiver()
  await subscribe(client, receiver.url)
  client.world.snapshot('before')
  for (let round = 0; round < 4; round++) {
    await createPlants(client, 3)
    await client.world.settled()
    client.world.restore('before')
  }
  expect(receiver.received).toHaveLength(12)
  expect(new Set(idsOf(receiver.received)).size).toBe(12)
})

test('an event triggered or examined after a restore has a new id too', async () => {
  const client = open()
  const receiver = await startReceiver()
  const { id } = await subscribe(client, receiver.url)
  client.world.snapshot('before')
  for (let round = 0; round < 2; round++) {
    await client.world.trigger('plant.created')
    await client.world.settled()
    await client.world.examine(id)
    client.world.restore('before')
  }
  const [first, second] = [idsOf(receiver.received.slice(0, 5)), idsOf(receiver.received.slice(5))]
  expect(first).toHaveLength(5)
  expect(second).toHaveLength(5)
  expect(first.filter((one) => second.includes(one))).toEqual([])
})

test('the same seed and the same restores give the same ids', async () => {
  const run = async () => {
    const client = open({ seed: 7 })
    const receiver = await startReceiver()
    await subscribe(client, receiver.url)
    client.world.snapshot('before')
    for (let round = 0; round < 3; round++) {
      await createPlants(client, 2)
      await client.world.settled()
      client.world.restore('before')
    }
    return idsOf(receiver.received)
  }
  expect(await run()).toEqual(await run())
})

test('a delivery that was pending at a snapshot keeps the id of its event', async () => {
  const client = open()
  const receiver = await startReceiver((_, place) => (place === 0 ? 500 : 200))
  await subscribe(client, receiver.url)
  await createPlants(client, 1)
  await client.world.settled()
  client.world.snapshot('pending')
  client.world.clock.advance('5s')
  await client.world.settled()
  client.world.restore('pending')
  await client.world.settled()
  expect(receiver.received).toHaveLength(2)
  client.world.clock.advance('5s')
  await client.world.settled()
  expect(receiver.received).toHaveLength(3)
  expect(new Set(idsOf(receiver.received)).size).toBe(1)
})
