import { expect, test } from 'vitest'
import { createPlants, open, subscribe } from '../../webhooks/open.ts'
import { startReceiver, verifies } from '../../webhooks/receiver.ts'

test('the first attempt is signed with another secret; its retry is good', async () => {
  const client = open({ use: ['webhook-bad-signature'] })
  let secret = ''
  const receiver = await startReceiver((got) => (verifies(secret, got, client.world.clock.now()) ? 200 : 401))
  ;({ secret } = await subscribe(client, receiver.url))
  await createPlants(client, 1)
  client.world.clock.advance('5s')
  await client.world.settled()
  expect(receiver.received[0]!.headers['webhook-signature']).toMatch(/^v1,/)
  expect(client.world.records.deliveries.find(({ type }) => type === 'plant.created')).toMatchObject([
    { status: 'succeeded', attempts: [{ status: 401 }, { status: 200 }] },
  ])
})
