import { expect, test } from 'vitest'
import { createPlants, open, subscribe } from '../../webhooks/open.ts'
import { startReceiver } from '../../webhooks/receiver.ts'

test('an event is delivered an hour late, with its original time in the payload', async () => {
  const client = open({ use: ['webhook-late'] })
  const receiver = await startReceiver()
  await subscribe(client, receiver.url)
  await createPlants(client, 1)
  client.world.clock.advance('59m')
  await client.world.settled()
  expect(receiver.received).toHaveLength(0)
  client.world.clock.advance('1m')
  await client.world.settled()
  const [got] = receiver.received
  expect(Number(got!.headers['webhook-timestamp']) * 1_000 - Date.parse(JSON.parse(got!.body).timestamp)).toBe(
    3_600_000,
  )
})
