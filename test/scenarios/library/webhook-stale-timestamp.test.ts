import { expect, test } from 'vitest'
import { createPlants, open, subscribe } from '../../webhooks/open.ts'
import { startReceiver, verifies } from '../../webhooks/receiver.ts'

test('the first attempt is signed for a time long past; its retry is good', async () => {
  const client = open({ use: ['webhook-stale-timestamp'] })
  let secret = ''
  const receiver = await startReceiver((got) => (verifies(secret, got, client.world.clock.now()) ? 200 : 400))
  ;({ secret } = await subscribe(client, receiver.url))
  await createPlants(client, 1)
  await client.world.settled()
  const [first] = receiver.received
  expect(verifies(secret, first!, client.world.clock.now())).toBe(false)
  expect(verifies(secret, first!, client.world.clock.now() - 600_000)).toBe(true)
  client.world.clock.advance('5s')
  await client.world.settled()
  expect(client.world.records.deliveries.find(({ type }) => type === 'plant.created')).toMatchObject([
    { status: 'succeeded', attempts: [{ status: 400 }, { status: 200 }] },
  ])
})
