import { expect, test } from 'vitest'
import { createPlants, open, subscribe } from '../../webhooks/open.ts'
import { startReceiver } from '../../webhooks/receiver.ts'

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
})
