import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { start, testApi } from '../support/test-api.ts'
import { startReceiver, verifies } from './receiver.ts'
import { open, subscribe, listen, deliver, deliverPlants, advance, logOf } from './open.ts'

testApi('a delivery has Standard Webhooks headers that a verifier accepts', {}, async ({ call, world }) => {
  const receiver = await startReceiver()
  const { status, body: webhook } = await call('POST', '/v1/webhooks', {
    body: { url: receiver.url, events: ['plant.created'] },
  })
  expect(status).toBe(201)
  expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
  await call('POST', '/plants', { body: { id: 9_001, name: 'Fern', tag: 'ü' } })
  await world.settled()
  expect(receiver.received).toHaveLength(1)
  const [got] = receiver.received
  expect(got).toMatchObject({ method: 'POST', path: '/hook' })
  expect(got!.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': expect.stringMatching(/^evt_[a-z2-7]{16}$/),
    'webhook-timestamp': String((Date.parse(start) / 1_000) | 0),
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    'user-agent': expect.stringContaining('Greenhouse'),
  })
  expect(got!.headers.authorization).toBeUndefined()
  expect(JSON.parse(got!.body)).toEqual({
    type: 'plant.created',
    timestamp: start,
    data: { id: 9_001, name: 'Fern', tag: 'ü' },
  })
  const now = Date.parse(start)
  expect(verifies(webhook.secret, got!, now)).toBe(true)
  expect(verifies(webhook.secret, { ...got!, body: got!.body + ' ' }, now)).toBe(false)
  expect(verifies('whsec_' + btoa('another'), got!, now)).toBe(false)
  expect(new Webhook(webhook.secret).sign(String(got!.headers['webhook-id']), new Date(start), got!.body)).toBe(
    got!.headers['webhook-signature'],
  )
})

testApi('without signatures a delivery still has its event id and its time', {}, async ({ call, world }) => {
  world.assume('webhooks.signature', 'none')
  const { receiver } = await listen({ call })
  await deliverPlants({ call, world }, 1)
  expect(receiver.received[0]!.headers).toMatchObject({
    'webhook-id': expect.any(String),
    'webhook-timestamp': expect.any(String),
  })
  expect(receiver.received[0]!.headers).not.toHaveProperty('webhook-signature')
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
  const { receiver, id, secret: first } = await listen(client)
  const rotate = async () => (await client.call('POST', `/v1/webhooks/${id}/rotate-secret`)).body.secret as string
  const second = await rotate()
  client.world.clock.advance('1h')
  const third = await rotate()
  const signing = async () => {
    await deliverPlants(client, 1, 9_000 + receiver.received.length)
    const got = receiver.received.at(-1)!
    return [first, second, third].filter((secret) => verifies(secret, got, client.world.clock.now()))
  }
  expect(await signing()).toEqual([first, second, third])
  client.world.clock.advance('23h')
  expect(await signing()).toEqual([second, third])
  client.world.clock.advance('1h')
  expect(await signing()).toEqual([third])
})

test('the present secret and the newest four before it sign, however often it is rotated', async () => {
  const client = open()
  const { receiver, id, secret } = await listen(client)
  const secrets = [secret]
  for (let rotation = 0; rotation < 8; rotation++)
    secrets.push((await client.call('POST', `/v1/webhooks/${id}/rotate-secret`)).body.secret)
  await deliverPlants(client, 1)
  const [got] = receiver.received
  const signing = secrets.map((known) => verifies(known, got!, client.world.clock.now()))
  expect(signing).toEqual([...Array(4).fill(false), ...Array(5).fill(true)])
})

test('without an overlap only the new secret signs', async () => {
  const client = open({ assumptions: { 'webhooks.rotation-overlap': 'none' } })
  const { receiver, id, secret } = await listen(client)
  const { body } = await client.call('POST', `/v1/webhooks/${id}/rotate-secret`)
  await deliverPlants(client, 1)
  const [got] = receiver.received
  const now = client.world.clock.now()
  expect([secret, body.secret].map((known) => verifies(known, got!, now))).toEqual([false, true])
})

const secondsOf = ({ headers }: { headers: Record<string, unknown> }) => Number(headers['webhook-timestamp'])

test('a receiver on the time of the world accepts every retry that an advanced clock releases', async () => {
  const client = open()
  let secret = ''
  const taken: boolean[] = []
  const receiver = await startReceiver(
    (received) => (taken.push(verifies(secret, received, client.world.clock.now())), 500),
  )
  ;({ secret } = await subscribe(client, receiver.url))
  await deliverPlants(client, 1)
  await advance(client, '2h')
  expect(taken).toEqual([true, true, true, true])
})

test('an attempt is stamped when "sent" or when "due"; the log and the schedule use the due time', async () => {
  for (const [choice, expected] of [
    ['sent', [0, 7_200, 7_200, 7_200]],
    ['due', [0, 5, 305, 2_105]],
  ] as const) {
    const { client, receiver, id } = await deliver(1, () => 500, { assumptions: { 'webhooks.timestamp': choice } })
    await advance(client, '2h')
    const begun = Math.floor(Date.parse(start) / 1_000)
    expect([choice, receiver.received.map((one) => secondsOf(one) - begun)]).toEqual([choice, expected])
    const [delivery] = await logOf(client, { id })
    const times = delivery.attempts.map(({ at }: any) => (Date.parse(at) - Date.parse(start)) / 1_000)
    expect(times).toEqual([0, 5, 305, 2_105])
  }
})

test('by "real" a receiver on real time takes deliveries and examinations of a world years away', async () => {
  const client = open({ now: '2031-05-05T12:00:00Z', assumptions: { 'webhooks.timestamp': 'real' } })
  let secret = ''
  const { webhook } = await listen(client, (received) => (verifies(secret, received, Date.now()) ? 200 : 401))
  ;({ secret } = webhook)
  await deliverPlants(client, 1)
  expect(client.world.records.deliveries.find({ webhook: webhook.id })).toMatchObject([{ status: 'succeeded' }])
  const { checks } = await client.world.examine(webhook.id)
  expect(checks.find(({ name }) => name === 'refuses-stale-timestamps')).toMatchObject({ result: 'passed' })
  expect(checks.find(({ name }) => name === 'verifies-signatures')).toMatchObject({ result: 'passed' })
})

test.each([
  ['webhook-bad-signature', 'sent'],
  ['webhook-stale-timestamp', 'sent'],
  ['webhook-stale-timestamp', 'due'],
  ['webhook-stale-timestamp', 'real'],
] as const)('under %s with the timestamp "%s" the first attempt is bad, its retry is not', async (scenario, choice) => {
  const client = open({ assumptions: { 'webhooks.timestamp': choice } })
  const now = () => (choice === 'real' ? Date.now() : client.world.clock.now())
  let secret = ''
  const receiver = await startReceiver((received) => (verifies(secret, received, now()) ? 200 : 401))
  ;({ secret } = await subscribe(client, receiver.url))
  client.world.use(scenario)
  await deliverPlants(client, 1)
  const [first] = receiver.received
  expect(first!.headers['webhook-signature']).toMatch(/^v1,/)
  const isStale = scenario === 'webhook-stale-timestamp'
  expect(verifies(secret, first!, now() - 600_000), 'what it was signed for').toBe(isStale)
  await advance(client, '5s')
  expect(client.world.records.deliveries.find(({ type }) => type === 'plant.created')).toMatchObject([
    { status: 'succeeded', attempts: [{ status: 401 }, { status: 200 }] },
  ])
  await advance(client, '30d')
  expect(receiver.received).toHaveLength(2)
})
