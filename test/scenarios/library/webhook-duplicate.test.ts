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
