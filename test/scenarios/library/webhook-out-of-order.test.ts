import { expect, test } from 'vitest'
import { createPlants, open, subscribe } from '../../webhooks/open.ts'
import { startReceiver } from '../../webhooks/receiver.ts'

const idOf = ({ body }: { body: string }) => JSON.parse(body).data.id

test('events come in pairs that have changed places; the last one without a partner comes after a minute', async () => {
  const client = open({ use: ['webhook-out-of-order'] })
  const receiver = await startReceiver()
  await subscribe(client, receiver.url)
  await createPlants(client, 5, 1_001)
  await client.world.settled()
  const places = receiver.received.map(idOf)
  expect(places).not.toEqual([...places].sort())
  client.world.clock.advance('1m')
  await client.world.settled()
  expect(receiver.received.map(idOf).sort()).toEqual([1_001, 1_002, 1_003, 1_004, 1_005])
  expect(receiver.received).toHaveLength(5)
})
