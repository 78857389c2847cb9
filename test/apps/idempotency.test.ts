import { expect } from 'vitest'
import { openApp } from '../conversations/chat.ts'
import type { World } from 'greenhouse-mock'
import { type Answer, type CallOptions, type Client, start, testApi } from '../support/test-api.ts'
import { fillApps } from './walk.ts'

const headers = { 'idempotency-key': 'first' }
const once = { body: { name: 'x' }, headers }

type Outcome = 'replayed' | 'created' | 'reused'
type Again = [
  what: string,
  second: CallOptions,
  outcome: Outcome,
  between?: (world: World) => unknown,
]

const again: Again[] = [
  ['the same body, minutes later', {}, 'replayed', ({ clock }) => clock.advance('5m')],
  ['the same body with white space', { body: ' { "name" : "x" } ' }, 'replayed'],
  ['another letter case of the key', { headers: { 'idempotency-key': 'First' } }, 'created'],
  ['no key', { headers: {} }, 'created'],
  ['another name', { body: { name: 'y' } }, 'reused'],
  ['one more field', { body: { name: 'x', login_required: false } }, 'reused'],
  ['one more unknown field', { body: { name: 'x', colour: 'green' } }, 'reused'],
  ['the key of another account', { key: 'key_lite', body: { name: 'y' } }, 'created'],
  [
    'another key of the account',
    { key: 'key_second' },
    'replayed',
    ({ records }) => records.keys.create({ secret: 'key_second', account: 'acct_pro' }),
  ],
  [
    'a millisecond less than 24 hours later',
    {},
    'replayed',
    ({ clock }) => clock.advance(24 * 3_600_000 - 1),
  ],
  ['24 hours later', {}, 'created', ({ clock }) => clock.advance('24h')],
  [
    'another body, 24 hours later',
    { body: { name: 'y' } },
    'created',
    ({ clock }) => clock.advance('24h'),
  ],
  ['another body after a reset', { body: { name: 'y' } }, 'created', (world) => world.reset()],
]

/** Creates an app, and asks again. */
async function expectOutcome(
  { call, world }: Client,
  first: CallOptions,
  [, second, outcome, between]: Again,
) {
  const made = await call('POST', '/v1/apps', first)
  expect(made.status).toBe(201)
  await between?.(world)
  const before = world.records.apps.count()
  const { status, body, text, headers } = await call('POST', '/v1/apps', { ...first, ...second })
  expect(world.records.apps.count() - before).toBe(outcome === 'created' ? 1 : 0)
  if (outcome === 'reused')
    return expect([status, body.error.code]).toEqual([400, 'idempotency_key_reused'])
  expect([status, headers.get('idempotent-replayed')]).toEqual([
    201,
    outcome === 'replayed' ? 'true' : null,
  ])
  expect(text === made.text).toBe(outcome === 'replayed')
}

for (const row of again)
  testApi(`after a creation with an Idempotency-Key, ${row[0]}: ${row[2]}`, (client) =>
    expectOutcome(client, once, row),
  )

testApi('an empty Idempotency-Key is no key', (client) =>
  expectOutcome(client, { ...once, headers: { 'idempotency-key': '' } }, ['', {}, 'created']),
)

const numbers = '{"name":"x","extra":{"a":1,"b":[1,2.50,1e2]},"big":9007199254740993,"zero":0}'
const listed = '{"name":"x","list":[1,2],"big":9007199254740993}'

const bodies: [first: string, second: string, outcome: Outcome][] = [
  [
    numbers,
    '{"zero":0.00000000000000000000,"big":9007199254740993,"extra":{"b":[1.0,2.5,100],"a":1},"name":"x"}',
    'replayed',
  ],
  [
    numbers,
    '{ "name":"\\u0078", "extra":{"a":1E0,"b":[1,25e-1,100.0]}, "big":9007199254740993.0, "zero":0e-30 }',
    'replayed',
  ],
  ['{"name":"x","big":9007199254740993.4}', '{"name":"x","big":9007199254740997.4}', 'reused'],
  [listed, '{"name":"x","list":[2,1],"big":9007199254740993}', 'reused'],
  [listed, '{"name":"x","list":["1",2],"big":9007199254740993}', 'reused'],
  [listed, '{"name":"x","list":[1,2],"big":9007199254740992}', 'reused'],
  [listed, '{"name":"x","list":[1,2],"big":9007199254740993.4}', 'reused'],
  [listed, '{"name":"x","list":[1,2],"big":"9007199254740993"}', 'reused'],
  [listed, '{"name":"x","list":[1,2]}', 'reused'],
  [listed, '{"name":"x","list":[1,2],"big":9007199254740993,"more":null}', 'reused'],
]

testApi(
  'bodies are the same by their JSON value, whatever its order and notation',
  async (client) => {
    for (const [at, [body, second, outcome]] of bodies.entries())
      await expectOutcome(client, { body, headers: { 'idempotency-key': `k${at}` } }, [
        second,
        { body: second },
        outcome,
      ])
  },
)

testApi(
  'the app that is replayed is the one of the time, changed or deleted since',
  async ({ call, world }) => {
    const first = await call('POST', '/v1/apps', once)
    await call('PATCH', `/v1/apps/${first.body.id}`, { body: { name: 'y' } })
    expect((await call('POST', '/v1/apps', once)).text).toBe(first.text)
    await call('DELETE', `/v1/apps/${first.body.id}`)
    expect((await call('POST', '/v1/apps', once)).text).toBe(first.text)
    expect(world.records.apps.get(first.body.id)).toBeUndefined()
  },
)

testApi('a replay has its own request id and spends one more request', async ({ call }) => {
  const first = await call('POST', '/v1/apps', once)
  const again = await call('POST', '/v1/apps', once)
  expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  const [left, before] = [again, first].map((answer) =>
    Number(answer.headers.get('x-ratelimit-remaining')),
  )
  expect(left).toBe(before! - 1)
})

testApi('only a POST replays', async ({ call }) => {
  const { body } = await call('POST', '/v1/apps', { body: { name: 'x' } })
  const path = `/v1/apps/${body.id}`
  expect((await call('PATCH', path, { body: { name: 'y' }, headers })).body.name).toBe('y')
  expect((await call('PATCH', path, { body: { name: 'z' }, headers })).body.name).toBe('z')
  expect((await call('DELETE', path, { headers })).status).toBe(204)
  expect((await call('DELETE', path, { headers })).status).toBe(404)
})

testApi('after a refused reuse the first request still replays', async ({ call }) => {
  const first = await call('POST', '/v1/apps', once)
  await call('POST', '/v1/apps', { body: { name: 'y' }, headers })
  expect((await call('POST', '/v1/apps', once)).text).toBe(first.text)
})

testApi(
  'a stream is replayed as a stream, and says that it is a replay',
  async ({ call, send, world }) => {
    const { body } = await call('POST', `/v1/apps/${openApp}/conversations`)
    const say = (text: string) =>
      send(`/v1/apps/${openApp}/conversations/${body.id}/messages`, {
        method: 'POST',
        headers: {
          authorization: 'Bearer key_pro',
          'content-type': 'application/json',
          'idempotency-key': 's',
        },
        body: text,
      })
    const first = await say('{"content":"Hello","stream":true}')
    const text = await first.text()
    const again = await say('{"stream":true,"content":"Hello"}')
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([
      null,
      'true',
    ])
    expect(await again.text()).toBe(text)
    expect(
      world.records.messages.find(({ conversation }) => conversation === body.id),
    ).toHaveLength(2)
  },
)

testApi('a page of another origin may read the header of a replay', async ({ call }) => {
  const sent = {
    body: { name: 'x' },
    headers: { origin: 'http://localhost:5173', 'idempotency-key': 'once' },
  }
  await call('POST', '/v1/apps', sent)
  const { headers } = await call('POST', '/v1/apps', sent)
  expect(headers.get('access-control-expose-headers')).toContain('Idempotent-Replayed')
})

/** The parts of a reply that a replay repeats. */
const toReply = ({ status, text, headers }: Answer) => ({
  status,
  text,
  id: headers.get('x-request-id'),
})

testApi(
  'a 400 that an operation decided on is replayed with the original request id',
  async ({ call, world }) => {
    const buy = () =>
      call('POST', '/v1/credits/purchases', {
        body: { amount: 5, payment_method: 'pm_declined' },
        headers,
      })
    const first = await buy()
    expect([first.status, first.body.error.code]).toEqual([400, 'payment_declined'])
    world.clock.advance('5m')
    const again = await buy()
    expect(toReply(again)).toEqual(toReply(first))
    expect(again.body.error.request_id).toBe(again.headers.get('x-request-id'))
    expect([first, again].map((answer) => answer.headers.get('idempotent-replayed'))).toEqual([
      null,
      'true',
    ])
  },
)

testApi('a 403 is replayed, also once its reason is gone', async ({ call, world }) => {
  fillApps(world, 'acct_free', 5)
  const create = (key: string) =>
    call('POST', '/v1/apps', {
      key: 'key_free',
      body: { name: 'sixth' },
      headers: { 'idempotency-key': key },
    })
  const refused = await create('first')
  expect(refused.status).toBe(403)
  world.records.apps.delete('app_0')
  expect(toReply(await create('first'))).toEqual(toReply(refused))
  expect((await create('second')).status).toBe(201)
})

testApi('a 404 is replayed, also once the object is there', async ({ call, world }) => {
  const path = '/v1/apps/app_late/conversations'
  const first = await call('POST', path, { headers })
  expect(first.status).toBe(404)
  await world.records.apps.create({
    id: 'app_late',
    account: 'acct_pro',
    name: 'late',
    created_at: 0,
    updated_at: 0,
  })
  expect(toReply(await call('POST', path, { headers }))).toEqual(toReply(first))
  expect((await call('POST', path)).status).toBe(201)
})

testApi(
  'errors of parameters, key, scope, limit or scenario are not replayed',
  async ({ call, world }) => {
    const create = (body: unknown, key = 'key_pro', more: Record<string, string> = {}) =>
      call('POST', '/v1/apps', { key, body, headers: { ...headers, ...more } })
    expect((await create({ name: '' })).status).toBe(400)
    expect((await create({ name: 'x'.repeat(20_000) })).status).toBe(400)
    expect((await create({ name: 'x' }, 'key_unknown')).status).toBe(401)
    expect((await create({ name: 'x' }, 'key_readonly')).status).toBe(403)
    expect(
      (await create({ name: 'x' }, 'key_pro', { 'x-greenhouse-scenario': 'rate-limited-plan' }))
        .status,
    ).toBe(429)
    expect(
      (await create({ name: 'x' }, 'key_pro', { 'x-greenhouse-scenario': 'server-error' })).status,
    ).toBe(500)
    world.assume('apps.unknown-fields', 'reject')
    expect((await create({ name: 'x', colour: 'green' })).status).toBe(400)
    const made = await create({ name: 'x' })
    expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([201, null])
  },
)

testApi('a request that is refused has changed nothing', async ({ call, world }) => {
  const { webhooks, users, credits } = world.records
  const look = () => [webhooks.all(), users.count(), credits.all()]
  const before = look()
  world.assume('messages.no-credits', '400')
  await call('PATCH', '/v1/webhooks/wh_m4t7qzc2xk5wr3nd', {
    body: { enabled: false, app_id: 'app_nobody' },
  })
  await call('POST', '/v1/webhooks', {
    body: { url: 'http://127.0.0.1:9/', app_id: 'app_nobody' },
    headers,
  })
  await call('POST', `/v1/apps/${openApp}/conversations`, {
    body: { user_id: 'usr_nobody' },
    headers: { 'idempotency-key': 'other' },
  })
  expect(look()).toEqual(before)
})

const body = { name: 'x' }

testApi('a replay does not make a key last longer', async ({ call, world }) => {
  const first = await call('POST', '/v1/apps', { body, headers })
  world.clock.advance('23h')
  await call('POST', '/v1/apps', { body, headers })
  world.clock.advance('1h')
  expect((await call('POST', '/v1/apps', { body, headers })).body.id).not.toBe(first.body.id)
})

testApi(
  'a key that was used after the clock went back expires in its own time',
  async ({ call, world }) => {
    world.clock.set(start)
    await call('POST', '/v1/apps', { body, headers: { 'idempotency-key': 'later' } })
    world.clock.advance('-10h')
    const first = await call('POST', '/v1/apps', { body, headers })
    world.clock.advance('24h')
    expect((await call('POST', '/v1/apps', { body, headers })).body.id).not.toBe(first.body.id)
  },
)
