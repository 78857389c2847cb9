import { expect, test } from 'vitest'
import { startReceiver, verifies } from './receiver.ts'
import { createPlants, open, subscribe } from './open.ts'

test('after a rotation both secrets sign for 24 hours, then only the new one', async () => {
  const client = open()
  const receiver = await startReceiver()
  const { id, secret: former } = await subscribe(client, receiver.url)
  const { status, body } = await client.call('POST', `/v1/webhooks/${id}/rotate-secret`)
  expect(status).toBe(200)
  expect(body.secret).not.toBe(former)
  const now = () => client.world.clock.now()
  for (const [wait, both] of [['0s', true], ['23h', true], ['1h', false]] as const) {
    client.world.clock.advance(wait)
    await createPlants(client, 1, 9_000 + receiver.received.length)
    await client.world.settled()
    const got = receiver.received.at(-1)!
    expect(String(got.headers['webhook-signature']).split(' ')).toHaveLength(both ? 2 : 1)
    expect(verifies(body.secret, got, now())).toBe(true)
    expect(verifies(former, got, now())).toBe(both)
  }
})

test('the secret is shown at creation and rotation, and nowhere else', async () => {
  const client = open()
  const { id, secret } = await subscribe(client, 'http://127.0.0.1:9/')
  for (const [method, path, body] of [['GET', '/v1/webhooks'], ['GET', `/v1/webhooks/${id}`], ['PATCH', `/v1/webhooks/${id}`, { enabled: false }]] as const)
    expect((await client.call(method, path, { body })).text).not.toContain(secret)
})
