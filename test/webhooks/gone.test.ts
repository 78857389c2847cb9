import { expect, test } from 'vitest'
import { startReceiver } from './receiver.ts'
import { createPlants, open, subscribe } from './open.ts'

test('a receiver that answers 410 is never sent anything again, not even what was due already', async () => {
  const client = open()
  const receiver = await startReceiver((_, place) => (place < 3 ? 500 : 410))
  const webhook = await subscribe(client, receiver.url)
  await createPlants(client, 3)
  await client.world.settled()
  expect(receiver.received).toHaveLength(3)
  client.world.clock.advance('30d')
  await client.world.settled()
  expect(receiver.received).toHaveLength(4)
  expect((await client.call('GET', `/v1/webhooks/${webhook.id}`)).body.enabled).toBe(false)
  await createPlants(client, 1, 9_100)
  client.world.clock.advance('30d')
  await client.world.settled()
  expect(receiver.received).toHaveLength(4)
  const { body } = await client.call('GET', `/v1/webhooks/${webhook.id}/deliveries`)
  expect(body.data.map(({ status, next_attempt_at }: any) => [status, next_attempt_at])).toEqual([
    ['failed', null],
    ['failed', null],
    ['failed', null],
  ])
})

test('with webhooks.gone "retry", 410 is a failure like any other', async () => {
  const client = open({ assumptions: { 'webhooks.gone': 'retry', 'webhooks.retries': 'fast' } })
  const receiver = await startReceiver(() => 410)
  const webhook = await subscribe(client, receiver.url)
  await createPlants(client, 1)
  client.world.clock.advance('1m')
  await client.world.settled()
  expect(receiver.received).toHaveLength(3)
  expect((await client.call('GET', `/v1/webhooks/${webhook.id}`)).body.enabled).toBe(true)
})

test('a webhook that is disabled or deleted gets no more attempts', async () => {
  for (const [method, body] of [
    ['PATCH', { enabled: false }],
    ['DELETE', undefined],
  ] as const) {
    const client = open()
    const receiver = await startReceiver(() => 500)
    const webhook = await subscribe(client, receiver.url)
    await createPlants(client, 2)
    await client.world.settled()
    expect(receiver.received).toHaveLength(2)
    await client.call(method, `/v1/webhooks/${webhook.id}`, { body })
    client.world.clock.advance('30d')
    await client.world.settled()
    expect(receiver.received, method).toHaveLength(2)
  }
})
