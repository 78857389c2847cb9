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
  for (const [wait, both] of [
    ['0s', true],
    ['23h', true],
    ['1h', false],
  ] as const) {
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
  for (const [method, path, body] of [
    ['GET', '/v1/webhooks'],
    ['GET', `/v1/webhooks/${id}`],
    ['PATCH', `/v1/webhooks/${id}`, { enabled: false }],
  ] as const)
    expect((await client.call(method, path, { body })).text).not.toContain(secret)
})

test('every former secret signs until 24 hours after its rotation, despite later rotations', async () => {
  const client = open()
  const receiver = await startReceiver()
  const { id, secret: first } = await subscribe(client, receiver.url)
  const rotate = async () => (await client.call('POST', `/v1/webhooks/${id}/rotate-secret`)).body.secret as string
  const second = await rotate()
  client.world.clock.advance('1h')
  const third = await rotate()
  const signing = async () => {
    await createPlants(client, 1, 9_000 + receiver.received.length)
    await client.world.settled()
    return [first, second, third].filter((secret) =>
      verifies(secret, receiver.received.at(-1)!, client.world.clock.now()),
    )
  }
  expect(await signing()).toEqual([first, second, third])
  client.world.clock.advance('23h')
  expect(await signing()).toEqual([second, third])
  client.world.clock.advance('1h')
  expect(await signing()).toEqual([third])
})

test('the present secret and the newest four before it sign, however often it is rotated', async () => {
  const client = open()
  const receiver = await startReceiver()
  const { id, secret } = await subscribe(client, receiver.url)
  const secrets = [secret]
  for (let rotation = 0; rotation < 8; rotation++)
    secrets.push((await client.call('POST', `/v1/webhooks/${id}/rotate-secret`)).body.secret)
  await createPlants(client, 1)
  await client.world.settled()
  const [got] = receiver.received
  expect(secrets.map((known) => verifies(known, got!, client.world.clock.now()))).toEqual([
    false,
    false,
    false,
    false,
    true,
    true,
    true,
    true,
    true,
  ])
})

test('without an overlap only the new secret signs', async () => {
  const client = open({ assumptions: { 'webhooks.rotation-overlap': 'none' } })
  const receiver = await startReceiver()
  const { id, secret } = await subscribe(client, receiver.url)
  const { body } = await client.call('POST', `/v1/webhooks/${id}/rotate-secret`)
  await createPlants(client, 1)
  await client.world.settled()
  expect(
    [secret, body.secret].map((known) => verifies(known, receiver.received[0]!, client.world.clock.now())),
  ).toEqual([false, true])
})
