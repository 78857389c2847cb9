import { expect, onTestFinished, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { createCaller, start, testApi } from '../support/test-api.ts'
import { startReceiver, verifies } from './receiver.ts'
import {
  advance,
  createPlants,
  deliver,
  deliverPlants,
  listen,
  logOf,
  open,
  subscribe,
} from './open.ts'
import { Webhook } from 'standardwebhooks'

const url = 'http://127.0.0.1:9/hook'
const app = 'app_w33c4cwmhfyfktiv'

testApi('a webhook is made, read, changed and deleted', async ({ call }) => {
  const given = { url, app_id: app, enabled: false }
  const made = await call('POST', '/v1/webhooks', {
    body: { ...given, events: ['app.created', 'app.created'] },
  })
  expect(made.status).toBe(201)
  const { secret: _, ...webhook } = made.body
  expect(webhook).toMatchObject({ ...given, events: ['app.created'] })
  expect(webhook.id).toMatch(/^wh_[a-z2-7]{16}$/)
  const path = `/v1/webhooks/${webhook.id}`
  expect((await call('GET', path)).body).toEqual(webhook)
  expect((await call('GET', '/v1/webhooks?limit=1')).body).toMatchObject({
    data: [webhook],
    has_more: true,
  })
  const changes = { app_id: null, url: 'https://example.com/' }
  expect((await call('PATCH', path, { body: changes })).body).toMatchObject({
    ...changes,
    events: ['app.created'],
  })
  expect((await call('DELETE', path)).status).toBe(204)
  expect((await call('GET', path)).status).toBe(404)
})

testApi('a webhook without events subscribes to all of them', async ({ call }) => {
  expect((await call('POST', '/v1/webhooks', { body: { url } })).body.events).toContain(
    'message.sent',
  )
})

testApi('a webhook of one app receives only the events of that app', async ({ call, world }) => {
  const { body: webhook } = await call('POST', '/v1/webhooks', {
    body: { url, events: ['app.updated'], app_id: app },
  })
  const { body: other } = await call('POST', '/v1/apps', { body: { name: 'Other' } })
  for (const id of [other.id, app]) await call('PATCH', `/v1/apps/${id}`, { body: { name: 'New' } })
  await world.settled()
  const told = world.records.deliveries.find({ webhook: webhook.id })
  expect(told.map(({ payload }) => JSON.parse(payload).data.id)).toEqual([app])
})

testApi(
  'a test event needs no subscription, and is resent with the same id',
  {},
  async ({ call, world }) => {
    const receiver = await startReceiver()
    const { body: webhook } = await call('POST', '/v1/webhooks', {
      body: { url: receiver.url, events: ['app.deleted'] },
    })
    const path = `/v1/webhooks/${webhook.id}`
    const tested = await call('POST', `${path}/test`)
    expect(tested).toMatchObject({ status: 202, body: { type: 'webhook.test', status: 'pending' } })
    await world.settled()
    world.records.deliveries.update(tested.body.id, { status: 'pending', next_attempt_at: null })
    const again = await call('POST', `${path}/deliveries/${tested.body.id}/redeliver`)
    expect(again).toMatchObject({ status: 202, body: { id: tested.body.id, status: 'pending' } })
    await world.settled()
    const { event_id } = tested.body
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([
      event_id,
      event_id,
    ])
    expect((await call('GET', `${path}/deliveries`)).body.data).toMatchObject([
      { status: 'succeeded', attempts: [{ status: 200 }, { status: 200 }] },
    ])
    await call('PATCH', path, { body: { enabled: false } })
    expect((await call('POST', `${path}/test`)).status).toBe(400)
    expect((await call('POST', `${path}/deliveries/${tested.body.id}/redeliver`)).status).toBe(400)
  },
)

testApi('an account creates at most 1,000 webhooks', async ({ world, call }) => {
  const [first] = world.records.webhooks.find({ account: 'acct_pro' })
  const others = world.records.webhooks.find(({ account }) => account !== 'acct_pro')
  const own = Array.from({ length: 999 }, (_, place) => ({ ...first!, id: `wh_${place}` }))
  world.records.webhooks.replace([...others, ...own])
  const create = () => call('POST', '/v1/webhooks', { body: { url: 'http://127.0.0.1:9/hook' } })
  expect((await create()).status).toBe(201)
  const { status, body } = await create()
  expect([status, body.error.message]).toEqual([400, 'The account has 1000 webhooks already.'])
  expect((await call('DELETE', '/v1/webhooks/wh_5')).status).toBe(204)
  expect((await create()).status).toBe(201)
})

const guest = { origin: 'https://shop.example' }

async function serveWithDelivery(cors = [guest.origin]) {
  const receiver = await startReceiver(() => ({ status: 200, body: 'what a local service says' }))
  const greenhouse = createGreenhouse({ cors })
  const server = await serve(greenhouse)
  onTestFinished(() => server.close())
  const call = createCaller((path, init) => fetch(server.url + path, init))
  const webhook = await subscribe({ call }, receiver.url)
  await createPlants({ call }, 1)
  await greenhouse.world().settled()
  return { log: `/v1/webhooks/${webhook.id}/deliveries`, call }
}

test('a page of another origin may use the delivery log, but not read what receivers answered', async () => {
  const { log, call } = await serveWithDelivery()
  for (const query of ['', '?limit=1']) {
    const shown = async (headers: Record<string, string>) =>
      (await call('GET', log + query, { headers })).body.data[0].attempts[0]
    const whole = await shown({})
    expect(whole).toMatchObject({ status: 200, response: 'what a local service says' })
    expect(await shown(guest)).toEqual({ ...whole, response: null })
    expect(
      await shown({ origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' }),
    ).toEqual(whole)
    expect(await shown({})).toEqual(whole)
  }
})

test('a link of another site hides the answers of receivers, where all origins are allowed', async () => {
  const { log, call } = await serveWithDelivery(['*'])
  const shown = async (site: string) =>
    (await call('GET', log, { headers: { 'sec-fetch-site': site } })).body.data[0].attempts[0]
      .response
  expect([await shown('same-origin'), await shown('cross-site')]).toEqual([
    'what a local service says',
    null,
  ])
})

test('redelivering shows the page no response either, even with the idempotency key of another', async () => {
  const { log, call } = await serveWithDelivery()
  const [{ id }] = (await call('GET', log)).body.data
  const again = async (headers: Record<string, string>) =>
    (
      await call('POST', `${log}/${id}/redeliver`, {
        headers: { 'idempotency-key': 'same', ...headers },
      })
    ).body.attempts[0]
  expect((await again({})).response).toBe('what a local service says')
  expect((await again(guest)).response).toBeNull()
})

test('the test of a webhook shows no attempts, to nobody', async () => {
  const { log, call } = await serveWithDelivery()
  for (const headers of [{}, guest])
    expect(
      (await call('POST', log.replace('/deliveries', '/test'), { headers })).body,
    ).not.toHaveProperty('attempts')
})

test('a page in the tested process sees all webhooks, whatever its origin', async () => {
  const { client, webhook } = await deliver(1, () => ({ status: 200, body: 'thanks' }))
  const { body } = await client.call('GET', `/v1/webhooks/${webhook.id}/deliveries`, {
    headers: guest,
  })
  expect(body.data[0].attempts[0].response).toBe('thanks')
})

testApi(
  'a delivery has Standard Webhooks headers that a verifier accepts',
  {},
  async ({ call, world }) => {
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
    expect(
      new Webhook(webhook.secret).sign(
        String(got!.headers['webhook-id']),
        new Date(start),
        got!.body,
      ),
    ).toBe(got!.headers['webhook-signature'])
  },
)

testApi(
  'without signatures a delivery still has its event id and its time',
  {},
  async ({ call, world }) => {
    world.assume('webhooks.signature', 'none')
    const { receiver } = await listen({ call })
    await deliverPlants({ call, world }, 1)
    expect(receiver.received[0]!.headers).toMatchObject({
      'webhook-id': expect.any(String),
      'webhook-timestamp': expect.any(String),
    })
    expect(receiver.received[0]!.headers).not.toHaveProperty('webhook-signature')
  },
)

test('a URL names a web server, and nobody', async () => {
  const { call } = open()
  const status = async (url: string) =>
    (await call('POST', '/v1/webhooks', { body: { url } })).status
  for (const url of ['http://a.test', 'https://a.test/hook?a=1'])
    expect(await status(url), url).toBe(201)
  for (const url of ['ftp://a.test/', 'https://u@a.test/', 'https://:p@a.test/', 'a.test', '/hook'])
    expect(await status(url), url).toBe(400)
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
  const rotate = async () =>
    (await client.call('POST', `/v1/webhooks/${id}/rotate-secret`)).body.secret as string
  const second = await rotate()
  client.world.clock.advance('1h')
  const third = await rotate()
  const signing = async () => {
    await deliverPlants(client, 1, 9_000 + receiver.received.length)
    const got = receiver.received.at(-1)!
    return [first, second, third].filter((secret) =>
      verifies(secret, got, client.world.clock.now()),
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
  const { receiver, id, secret } = await listen(client)
  const secrets = [secret]
  for (let rotation = 0; rotation < 8; rotation++)
    secrets.push((await client.call('POST', `/v1/webhooks/${id}/rotate-secret`)).body.secret)
  await deliverPlants(client, 1)
  const [got] = receiver.received
  const signing = secrets.map((known) => verifies(known, got!, client.world.clock.now()))
  expect(signing).toEqual([...Array(4).fill(false), ...Array(5).fill(true)])
})

test('a secret that signs no more leaves its place to one that does', async () => {
  const client = open()
  const { receiver, id, secret } = await listen(client)
  const rotate = () => client.call('POST', `/v1/webhooks/${id}/rotate-secret`)
  await rotate()
  client.world.assume('webhooks.rotation-overlap', 'none')
  for (let rotation = 0; rotation < 5; rotation++) await rotate()
  await deliverPlants(client, 1)
  expect(verifies(secret, receiver.received[0]!, client.world.clock.now())).toBe(true)
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

const secondsOf = ({ headers }: { headers: Record<string, unknown> }) =>
  Number(headers['webhook-timestamp'])

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
    const { client, receiver, id } = await deliver(1, () => 500, {
      assumptions: { 'webhooks.timestamp': choice },
    })
    await advance(client, '2h')
    const begun = Math.floor(Date.parse(start) / 1_000)
    expect([choice, receiver.received.map((one) => secondsOf(one) - begun)]).toEqual([
      choice,
      expected,
    ])
    const [delivery] = await logOf(client, { id })
    const times = delivery.attempts.map(
      ({ at }: any) => (Date.parse(at) - Date.parse(start)) / 1_000,
    )
    expect(times).toEqual([0, 5, 305, 2_105])
  }
})

test('by "real" a receiver on real time takes deliveries and examinations of a world years away', async () => {
  const client = open({
    now: '2031-05-05T12:00:00Z',
    assumptions: { 'webhooks.timestamp': 'real' },
  })
  let secret = ''
  const { webhook } = await listen(client, (received) =>
    verifies(secret, received, Date.now()) ? 200 : 401,
  )
  ;({ secret } = webhook)
  await deliverPlants(client, 1)
  expect(client.world.records.deliveries.find({ webhook: webhook.id })).toMatchObject([
    { status: 'succeeded' },
  ])
  const { checks } = await client.world.examine(webhook.id)
  expect(checks.find(({ name }) => name === 'refuses-stale-timestamps')).toMatchObject({
    result: 'passed',
  })
  expect(checks.find(({ name }) => name === 'verifies-signatures')).toMatchObject({
    result: 'passed',
  })
})

test.each([
  ['webhook-bad-signature', 'sent'],
  ['webhook-stale-timestamp', 'sent'],
  ['webhook-stale-timestamp', 'due'],
  ['webhook-stale-timestamp', 'real'],
] as const)(
  'under %s with the timestamp "%s" the first attempt is bad, its retry is not',
  async (scenario, choice) => {
    const client = open({ assumptions: { 'webhooks.timestamp': choice } })
    const now = () => (choice === 'real' ? Date.now() : client.world.clock.now())
    let secret = ''
    const receiver = await startReceiver((received) =>
      verifies(secret, received, now()) ? 200 : 401,
    )
    ;({ secret } = await subscribe(client, receiver.url))
    client.world.use(scenario)
    await deliverPlants(client, 1)
    const [first] = receiver.received
    expect(first!.headers['webhook-signature']).toMatch(/^v1,/)
    const isStale = scenario === 'webhook-stale-timestamp'
    expect(verifies(secret, first!, now() - 600_000), 'what it was signed for').toBe(isStale)
    await advance(client, '5s')
    expect(
      client.world.records.deliveries.find(({ type }) => type === 'plant.created'),
    ).toMatchObject([{ status: 'succeeded', attempts: [{ status: 401 }, { status: 200 }] }])
    await advance(client, '30d')
    expect(receiver.received).toHaveLength(2)
  },
)
