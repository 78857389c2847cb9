import { expect, test } from 'vitest'
import { eventTypes, type EventType } from '../../src/areas/event-types.ts'
import { areas } from '../../src/catalogue/catalogue.ts'
import { start, type Client } from '../support/test-api.ts'
import { testControl, expectInvalid } from '../support/control.ts'
import { open, listen, deliver, deliverPlants, advance } from './open.ts'
import { startReceiver } from './receiver.ts'

type Shape = string | readonly Shape[] | { readonly [name: string]: Shape }

/** Keys and types, recursively; of a list that of its first item. */
function shapeOf(value: unknown): Shape {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]))
  return typeof value
}

/**
 * The shape with `null` in the place of whatever is null in the other one: a field that may be null
 * may also not be.
 */
function nulledAs(shape: Shape, other: Shape | undefined): Shape {
  if (other === 'null') return 'null'
  if (typeof shape !== 'object' || typeof other !== 'object') return shape
  if (Array.isArray(shape))
    return shape.map((item, place) => nulledAs(item, (other as readonly Shape[])[place]))
  const others = other as { readonly [name: string]: Shape }
  return Object.fromEntries(
    Object.entries(shape).map(([name, part]) => [name, nulledAs(part, others[name])]),
  )
}

function expectSameShape(one: unknown, other: unknown, what: string): void {
  const [first, second] = [shapeOf(one), shapeOf(other)]
  expect(nulledAs(first, second), what).toEqual(nulledAs(second, first))
}

async function subscribeToAll({ world, call }: Client, key = 'key_pro'): Promise<string> {
  world.assume('webhooks.retries', 'none')
  return (await call('POST', '/v1/webhooks', { key, body: { url: 'http://127.0.0.1:9/none' } }))
    .body.id
}

const dataOf = ({ world }: Client, webhook: string) =>
  world.records.deliveries
    .find((delivery) => delivery.webhook === webhook)
    .map(({ type, payload }) => ({ type, data: JSON.parse(payload).data as Record<string, any> }))

/** Posts and gives what was made. */
const make = async ({ call }: Client, path: string, body: object = {}) =>
  (await call('POST', path, { body })).body

/** Causes every event for the account of `key_pro`. */
async function live(client: Client): Promise<void> {
  const { call, world } = client
  await call('POST', '/plants', { body: { id: 9_001, name: 'Fern', tag: 'green' } })
  const brief = await make(client, '/v1/apps', { name: 'brief' })
  await call('DELETE', `/v1/apps/${brief.id}`)
  const app = await make(client, '/v1/apps', { name: 'helper' })
  await call('PATCH', `/v1/apps/${app.id}`, { body: { description: 'Helps.' } })
  const conversation = await make(client, `/v1/apps/${app.id}/conversations`, {
    user: { email: 'kim@example.com' },
    platform: 'ios',
  })
  const { balance } = (await call('GET', '/v1/credits')).body
  await world.records.credits.update('acct_pro', {
    spent: world.records.credits.get('acct_pro')!.spent + balance - 12,
  })
  for (let message = 0; message < 2; message++)
    await call('POST', `/v1/apps/${app.id}/conversations/${conversation.id}/messages`, {
      body: { content: 'Hello?' },
    })
  await call('POST', `/v1/apps/${app.id}/conversations/${conversation.id}/end`)
  await call('POST', `/v1/apps/${app.id}/deployments`, { body: {} })
  const custom = await make(client, `/v1/apps/${app.id}/deployments`, {
    domain: 'shop.example.org',
  })
  await call('POST', `/v1/apps/${app.id}/deployments/${custom.id}/verify`)
  await call('POST', `/v1/apps/${app.id}/deployments`, { body: { domain: 'other.example.org' } })
  for (const payment_method of ['pm_ok', 'pm_fails_later'])
    await call('POST', '/v1/credits/purchases', { body: { amount: 50, payment_method } })
  await advance(client, '73h')
  await call('PUT', '/v1/subscription', { body: { plan: 'lite' } })
  await call('DELETE', '/v1/subscription')
  await advance(client, '31d')
}

async function happened(): Promise<{ client: Client; webhook: string; real: Map<EventType, any> }> {
  const client = open()
  const webhook = await subscribeToAll(client)
  await live(client)
  await client.call('POST', `/v1/webhooks/${webhook}/test`)
  await client.world.settled()
  return {
    client,
    webhook,
    real: new Map(dataOf(client, webhook).map(({ type, data }) => [type, data])),
  }
}

const schemas: (typeof areas)[number]['eventSchemas'] = Object.assign(
  {},
  ...areas.map(({ eventSchemas }) => eventSchemas),
)

test('a triggered event has the shape of its schema and of a real event', async () => {
  const { client, webhook, real } = await happened()
  expect([...real.keys()].sort()).toEqual([...eventTypes].sort())
  for (const type of eventTypes) {
    await client.world.trigger(type, undefined, { account: 'acct_pro' })
    const told = dataOf(client, webhook).at(-1)!
    expect(told.type).toBe(type)
    expectSameShape(told.data, real.get(type), type)
    // No field too many either: the schema would leave it out.
    const { data, error } = schemas[type]!.safeParse(told.data)
    expect(data, `${type}: ${error}`).toEqual(told.data)
  }
})

test('a triggered end of a subscription has the plan that the account pays, or could', async () => {
  const client = open()
  const webhook = await subscribeToAll(client)
  const formerOf = async (plan: 'pro' | 'free') => {
    client.world.records.accounts.update('acct_pro', { plan })
    await client.world.trigger('subscription.canceled', undefined, { account: 'acct_pro' })
    return dataOf(client, webhook).at(-1)!.data.former_plan
  }
  expect(await formerOf('pro')).toBe('pro')
  expect(await formerOf('free')).toBe('lite')
  const canceled_at = Date.parse(start) - 60_000
  const ended = { status: 'canceled', former_plan: 'pro_plus', canceled_at, anchor: 0 } as const
  client.world.records.subscriptions.replace([{ ...ended, account: 'acct_pro' }])
  expect(await formerOf('free')).toBe('pro_plus')
})

test('a trigger without a record that fits is about the newest one, as if it did', async () => {
  const client = open()
  const { world, call } = client
  for (const name of ['webhooks', 'deployments'] as const) world.records[name].replace([])
  const app = await make(client, '/v1/apps', { name: 'newest' })
  const body = { url: 'http://127.0.0.1:9/none', app_id: app.id }
  const webhook = await make(client, '/v1/webhooks', body)
  const told = async (type: EventType) => {
    await world.trigger(type, undefined, { account: 'acct_pro' })
    return dataOf(client, webhook.id).at(-1)!.data
  }
  expect(await told('deployment.live')).toMatchObject({ app_id: app.id, state: 'live' })
  const path = `/v1/apps/${app.id}/conversations`
  const [ended, newest] = [await make(client, path), await make(client, path)]
  expect((await told('conversation.ended'))['conversation']).toMatchObject({
    id: newest.id,
    status: 'ended',
    ended_at: start,
  })
  await call('POST', `${path}/${ended.id}/end`)
  world.clock.advance('1h')
  expect((await told('conversation.ended'))['conversation']).toMatchObject({
    id: ended.id,
    ended_at: start,
  })
  for (const name of ['ann', 'ben'])
    await make(client, path, { user: { email: `${name}@example.com` } })
  expect((await told('user.signed_up'))['user']).toMatchObject({ name: 'ben' })
})

test('a trigger may name an older app, and takes what failed before what only waits', async () => {
  const client = open()
  const webhook = await subscribeToAll(client)
  const older = await make(client, '/v1/apps', { name: 'older' })
  await make(client, '/v1/apps', { name: 'newest' })
  const path = `/v1/apps/${older.id}/deployments`
  const failed = await make(client, path, { domain: 'dns-fails.example' })
  await client.call('POST', `${path}/${failed.id}/verify`)
  await make(client, path, { domain: 'waits.example.org' })
  for (const [type, id] of [
    ['app.updated', older.id],
    ['deployment.failed', failed.id],
  ] as const) {
    await client.world.trigger(type, undefined, { app: older.id })
    expect(dataOf(client, webhook).at(-1)!.data['id']).toBe(id)
  }
})

test('a message has the duration of its conversation, in seconds', async () => {
  const client = open()
  const webhook = await subscribeToAll(client)
  const app = await make(client, '/v1/apps', { name: 'helper' })
  const path = `/v1/apps/${app.id}/conversations`
  const { id } = await make(client, path)
  for (const [by, seconds] of [
    ['90.4s', 90],
    ['-1h', 0],
  ] as const) {
    client.world.clock.advance(by)
    await make(client, `${path}/${id}/messages`, { content: 'Hello?' })
    await client.world.settled()
    const told = dataOf(client, webhook).find(
      ({ type, data }) => type === 'message.sent' && data['metadata'].session_duration === seconds,
    )
    expect(told, by).toBeDefined()
  }
})

test('a trigger of a payment without a settled purchase settles the newest', async () => {
  const client = open()
  const webhook = await subscribeToAll(client)
  client.world.records.purchases.replace([])
  const purchase = { amount: 7, payment_method: 'pm_ok' }
  const { id, created_at } = await make(client, '/v1/credits/purchases', purchase)
  for (const [type, status] of [
    ['credits.purchased', 'succeeded'],
    ['payment.failed', 'failed'],
  ] as const) {
    await client.world.trigger(type, undefined, { account: 'acct_pro' })
    expect(dataOf(client, webhook).at(-1)!.data).toMatchObject({
      id,
      status,
      amount: 7,
      created_at,
      settled_at: start,
    })
  }
})

const placeholder = (prefix: string) => `${prefix}_${'a'.repeat(16)}`
const ofApp = { app_id: placeholder('app'), app_name: 'sample' }
const sam = { id: placeholder('usr'), email: 'sam@example.com', name: 'Sam', signup_date: start }
const madeUpApp = { id: placeholder('app'), name: 'sample', created_at: start, updated_at: start }
const unpaid = { plan: 'free', period_start: '2026-02-06T00:00:00.000Z', canceled_at: null }
const settled = { id: placeholder('pur'), amount: 1_000, settled_at: start, balance: 0 }
const deployment = {
  id: placeholder('dep'),
  app_id: placeholder('app'),
  domain: 'chat.example.com',
  dns_records: [{ value: `${'a'.repeat(16)}.edge.greenhouse-apps.example` }, {}],
  created_at: start,
  updated_at: start,
}

/** What is told of an account without records. */
const madeUp: Record<EventType, object> = {
  'plant.created': { id: 1, name: 'Ficus', tag: 'tree' },
  'app.created': madeUpApp,
  'app.updated': madeUpApp,
  'app.deleted': madeUpApp,
  'user.signed_up': { ...ofApp, user: sam },
  'message.sent': {
    ...ofApp,
    user: sam,
    conversation: {
      id: placeholder('conv'),
      message_count: 2,
      last_message: 'How often should I water a ficus?',
      ai_response: 'Once a week.',
    },
    metadata: { session_duration: 0, platform: 'web' },
  },
  'condition.met': {
    ...ofApp,
    condition: { name: 'credits_low', threshold: 10, balance: 10 },
  },
  'conversation.ended': {
    ...ofApp,
    conversation: {
      id: placeholder('conv'),
      app_id: placeholder('app'),
      user_id: placeholder('usr'),
      created_at: start,
      ended_at: start,
    },
  },
  'deployment.live': { ...deployment, state: 'live', live_at: start, failure: null },
  'deployment.failed': {
    ...deployment,
    state: 'failed',
    live_at: null,
    failure: { code: 'dns_timeout' },
  },
  'subscription.updated': { ...unpaid, status: 'active', former_plan: null },
  'subscription.canceled': {
    ...unpaid,
    status: 'canceled',
    canceled_at: start,
    former_plan: 'lite',
  },
  'credits.purchased': { ...settled, payment_method: 'pm_ok', status: 'succeeded' },
  'payment.failed': { ...settled, payment_method: 'pm_fails_later', status: 'failed' },
  'webhook.test': { message: 'This is a test.', sent_at: start },
}

test('events triggered with made-up records have the same shape, where an account has none', async () => {
  const { real } = await happened()
  const fixtures = {
    accounts: [{ id: 'acct_new', name: 'New', email: 'new@example.com', plan: 'free' }],
    keys: [{ secret: 'key_new', account: 'acct_new' }],
  }
  const client = open({ fixtures })
  const webhook = await subscribeToAll(client, 'key_new')
  for (const type of eventTypes) {
    await client.world.trigger(type)
    const told = dataOf(client, webhook).at(-1)!
    expect(told.type).toBe(type)
    expectSameShape(told.data, real.get(type), type)
    expect(told.data, type).toMatchObject(madeUp[type])
  }
})

test('a trigger takes the newest record that fits, from an app that has one, with its user', async () => {
  const client = open()
  const { world, call } = client
  // The default world's webhooks are about other apps.
  world.records.webhooks.replace([])
  const webhook = await subscribeToAll(client)
  const app = await make(client, '/v1/apps', { name: 'helper' })
  const conversation = await make(client, `/v1/apps/${app.id}/conversations`, {
    user: { email: 'kim@example.com', name: 'Kim' },
  })
  await call('POST', `/v1/apps/${app.id}/conversations/${conversation.id}/messages`, {
    body: { content: 'Hello?' },
  })
  const anonymous = await make(client, `/v1/apps/${app.id}/conversations`, {})
  await call('POST', `/v1/apps/${app.id}/conversations/${anonymous.id}/messages`, {
    body: { content: 'Hello!' },
  })
  const deployment = await make(client, `/v1/apps/${app.id}/deployments`, {})
  await call('POST', `/v1/apps/${app.id}/deployments`, { body: { domain: 'waits.example.org' } })
  await call('POST', '/v1/apps', { body: { name: 'empty' } })
  await world.settled()
  const before = dataOf(client, webhook).filter(({ type }) => type === 'message.sent')
  for (const type of ['message.sent', 'deployment.live', 'user.signed_up'] as const)
    await world.trigger(type, undefined, { account: 'acct_pro' })
  const [message, live, user] = dataOf(client, webhook).slice(-3)
  expect(message!.data).toEqual(before[0]!.data)
  expect(message!.data['user']).toMatchObject({ name: 'Kim' })
  expect(live!.data).toEqual(deployment)
  expect(user!.data).toMatchObject({ app_id: app.id, user: { email: 'kim@example.com' } })
})

test('a trigger of a payment takes the newest purchase that ended so', async () => {
  const client = open()
  const webhook = await subscribeToAll(client)
  for (const payment_method of ['pm_ok', 'pm_fails_later']) {
    await make(client, '/v1/credits/purchases', { amount: 7, payment_method })
    client.world.clock.advance('1m')
  }
  await client.world.settled()
  for (const type of ['credits.purchased', 'payment.failed'] as const) {
    const [real] = dataOf(client, webhook).filter((event) => event.type === type)
    await client.world.trigger(type, undefined, { account: 'acct_pro' })
    expect(dataOf(client, webhook).at(-1)!.data).toMatchObject({
      id: real!.data['id'],
      status: real!.data['status'],
    })
  }
})

test('a deployment not in the state yet is sent as if it were, and its record stays as it is', async () => {
  const client = open()
  const { world } = client
  const app = await make(client, '/v1/apps', { name: 'helper' })
  const deployment = await make(client, `/v1/apps/${app.id}/deployments`, {
    domain: 'waits.example.org',
  })
  const webhook = await subscribeToAll(client)
  await world.trigger('deployment.failed', undefined, { app: app.id })
  expect(dataOf(client, webhook)).toMatchObject([
    { data: { id: deployment.id, state: 'failed', failure: { code: 'dns_timeout' } } },
  ])
  expect(world.records.deployments.get(deployment.id)!.state).toBe('pending_dns')
})

test('a triggered webhook.test goes to every webhook, with the id of that webhook', async () => {
  const client = open()
  const hooks = [await subscribeToAll(client, 'key_lite'), await subscribeToAll(client, 'key_lite')]
  await client.world.trigger('webhook.test', undefined, { account: 'acct_lite' })
  for (const webhook of hooks)
    expect(dataOf(client, webhook)).toMatchObject([
      { data: { webhook_id: webhook, message: 'This is a test.', sent_at: expect.any(String) } },
    ])
})

test('an event with data of its own is about the newest app, if the account has one', async () => {
  const client = open()
  const { world } = client
  for (const { id, account } of world.records.apps.all())
    if (account === 'acct_free') world.records.apps.delete(id)
  const pro = 'acct_pro'
  world.records.webhooks.replace([])
  const all = await subscribeToAll(client)
  const app = await make(client, '/v1/apps', { name: 'newest' })
  const [older] = world.records.apps.find({ account: pro })
  const ofApp = (id: string) =>
    make(client, '/v1/webhooks', { url: 'http://127.0.0.1:9/none', app_id: id })
  const [mine] = [await ofApp(app.id), await ofApp(older!.id)]
  const free = await subscribeToAll(client, 'key_free')
  const webhooksOf = async (account: string) =>
    (await world.trigger('app.created', { name: 'mine' }, { account })).map(
      ({ webhook_id }) => webhook_id,
    )
  expect([await webhooksOf(pro), await webhooksOf('acct_free')]).toEqual([[all, mine.id], [free]])
})

test('no event is made of a conversation without an answer', async () => {
  const client = open()
  const webhook = await subscribeToAll(client)
  const app = await make(client, '/v1/apps', { name: 'helper' })
  const { id } = await make(client, `/v1/apps/${app.id}/conversations`, {})
  await client.call('POST', `/v1/apps/${app.id}/conversations/${id}/messages`, {
    body: { content: 'Hello?' },
  })
  await make(client, `/v1/apps/${app.id}/conversations`, {})
  const [sent] = client.world.records.messages.find({ conversation: id })
  for (const roles of [['assistant'], ['user', 'user'], ['assistant', 'assistant']] as const) {
    const other = await make(client, `/v1/apps/${app.id}/conversations`, {})
    for (const role of roles)
      client.world.records.messages.create({
        ...sent!,
        id: `msg_${other.id}_${client.world.records.messages.count()}`,
        conversation: other.id,
        role,
      })
  }
  await client.world.trigger('message.sent', undefined, { app: app.id })
  expect(dataOf(client, webhook).at(-1)!.data).toMatchObject({ conversation: { id }, user: null })
})

test('an unknown event cannot be triggered', async () => {
  const { world } = open()
  await expect(world.trigger('plant.create' as never)).rejects.toThrow(
    /no such event.*plant\.created/,
  )
  await expect(world.trigger('plant.created', {}, { account: 'acct_none' })).rejects.toThrow(
    /no account/,
  )
  await expect(world.trigger('app.created', {}, { app: 'app_none' })).rejects.toThrow(/no app/)
})

testControl(
  'over HTTP an event answers with the deliveries that were made',
  async ({ control, call }) => {
    const receiver = await startReceiver()
    await call('/v1/webhooks', {
      method: 'POST',
      body: JSON.stringify({ url: receiver.url, events: ['plant.created'] }),
    })
    const { status, body } = await control('POST', '/worlds/default/events', {
      type: 'plant.created',
      data: { id: 5 },
    })
    expect(status).toBe(200)
    expect(body.data).toMatchObject([
      {
        status: 'succeeded',
        url: receiver.url,
        payload: { data: { id: 5 } },
        attempts: [{ status: 200 }],
      },
    ])
    await expectInvalid(control('POST', '/worlds/default/events', { type: 'nope' }))
  },
)

const idsOf = (received: { headers: Record<string, unknown> }[]) =>
  received.map(({ headers }) => headers['webhook-id'])

test('an event triggered or examined after a restore has a new id too', async () => {
  const client = open()
  const { receiver, id } = await listen(client)
  client.world.snapshot('before')
  for (let round = 0; round < 2; round++) {
    await client.world.trigger('plant.created')
    await client.world.settled()
    await client.world.examine(id)
    client.world.restore('before')
  }
  const [first, second] = [idsOf(receiver.received.slice(0, 5)), idsOf(receiver.received.slice(5))]
  expect(first).toHaveLength(5)
  expect(second).toHaveLength(5)
  expect(first.filter((one) => second.includes(one))).toEqual([])
})

test('the same seed and the same restores give the same ids', async () => {
  const run = async () => {
    const client = open({ seed: 7 })
    const { receiver } = await listen(client)
    client.world.snapshot('before')
    for (let round = 0; round < 3; round++) {
      await deliverPlants(client, 2)
      client.world.restore('before')
    }
    return idsOf(receiver.received)
  }
  expect(await run()).toEqual(await run())
})

test('a delivery that was pending at a snapshot keeps the id of its event', async () => {
  const { client, receiver } = await deliver(1, (_, place) => (place === 0 ? 500 : 200))
  client.world.snapshot('pending')
  await advance(client, '5s')
  client.world.restore('pending')
  await client.world.settled()
  expect(receiver.received).toHaveLength(2)
  await advance(client, '5s')
  expect(receiver.received).toHaveLength(3)
  expect(new Set(idsOf(receiver.received)).size).toBe(1)
})
