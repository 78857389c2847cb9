import { expect } from 'vitest'
import { type CallOptions, testApi } from '../support/test-api.ts'

const purchase = { amount: 10, payment_method: 'pm_ok' }

const scoped: [method: string, path: string, options?: CallOptions][] = [
  ['GET', '/v1/subscription'],
  ['PUT', '/v1/subscription', { body: { plan: 'lite' } }],
  ['DELETE', '/v1/subscription'],
  ['GET', '/v1/credits'],
  ['GET', '/v1/credits/purchases'],
  ['POST', '/v1/credits/purchases', { body: purchase }],
  ['GET', '/v1/credits/purchases/pur_g6usn4pbfl2ymc5j'],
]

const all: typeof scoped = [['GET', '/v1/plans'], ['GET', '/v1/account'], ...scoped]

const stateOf = ({ accounts, subscriptions, credits, purchases }: Record<string, { all(): unknown }>) =>
  [accounts, subscriptions, credits, purchases].map((collection) => collection!.all())

for (const [method, path, options] of all)
  testApi(`${method} ${path} is 401, 429 or 500 where it has to be, and changes nothing`, async ({ call, world }) => {
    const before = stateOf(world.records as never)
    const errorOf = async (key: string | null = 'key_pro') => {
      const { status, body } = await call(method, path, { ...options, key })
      return `${status} ${body.error.code}`
    }
    expect(await errorOf(null)).toBe('401 missing_api_key')
    for (const key of ['key_unknown', 'key_expired', 'key_revoked'])
      expect(await errorOf(key), key).toBe('401 invalid_api_key')
    world.use('rate-limited-plan')
    expect(await errorOf()).toBe('429 rate_limit_exceeded')
    world.useOnly(['server-error'])
    expect(await errorOf()).toBe('500 internal_error')
    world.clear()
    expect(stateOf(world.records as never)).toEqual(before)
    expect((await call(method, path, options)).status).toBeLessThan(300)
  })

for (const [method, path, options] of scoped) {
  const needed = method === 'GET' ? 'payments:read' : 'payments:write'
  testApi(`${method} ${path} takes the scope ${needed}`, async ({ call, world }) => {
    const before = stateOf(world.records as never)
    const near = needed === 'payments:read' ? 'apps:read' : 'payments:read'
    await world.records.keys.update('key_readonly', { scopes: [near, 'apps:write', 'webhooks:write'] })
    const { status, body } = await call(method, path, { ...options, key: 'key_readonly' })
    expect(status).toBe(403)
    expect(body.error).toMatchObject({ code: 'insufficient_permissions', message: expect.stringContaining(needed) })
    expect(stateOf(world.records as never)).toEqual(before)
    await world.records.keys.update('key_readonly', { scopes: ['payments:write'] })
    expect((await call(method, path, { ...options, key: 'key_readonly' })).status).toBeLessThan(300)
  })
}

testApi('a key that reads only can show a billing page', async ({ call }) => {
  for (const path of ['subscription', 'credits', 'credits/purchases', 'plans', 'plans/pro', 'usage'])
    expect((await call('GET', `/v1/${path}`, { key: 'key_readonly' })).status, path).toBe(200)
})

testApi('bodies that are not valid are 400 and change nothing', async ({ call, world }) => {
  const before = stateOf(world.records as never)
  const bodies: Record<string, unknown[]> = {
    'PUT /v1/subscription': [
      '{',
      '[]',
      'null',
      {},
      { plan: null },
      { plan: 'gold' },
      { plan: 'Pro' },
      { plan: '__proto__' },
      { plan: ['pro'] },
    ],
    'POST /v1/credits/purchases': [
      '{',
      {},
      { amount: 10 },
      { payment_method: 'pm_ok' },
      ...[0, -1, 1.5, 1_000_001, '10', null, true].map((amount) => ({ ...purchase, amount })),
      '{"amount":9223372036854775807,"payment_method":"pm_ok"}',
      '{"amount":1e400,"payment_method":"pm_ok"}',
      ...['pm_none', '', null, 7].map((payment_method) => ({ ...purchase, payment_method })),
    ],
  }
  for (const [operation, values] of Object.entries(bodies))
    for (const body of values) {
      const [method, path] = operation.split(' ') as [string, string]
      const answer = await call(method, path, { body })
      const what = `${operation} ${JSON.stringify(body)}`
      expect([answer.status, answer.body.error.code], what).toEqual([400, 'invalid_request'])
    }
  expect(stateOf(world.records as never)).toEqual(before)
})

testApi('fields that are not known are ignored, or 400 where that is assumed', async ({ call, world }) => {
  expect((await call('POST', '/v1/credits/purchases', { body: { ...purchase, coupon: 'x' } })).status).toBe(201)
  expect((await call('PUT', '/v1/subscription', { body: { plan: 'pro', coupon: 'x' } })).status).toBe(200)
  world.assume('apps.unknown-fields', 'reject')
  const before = stateOf(world.records as never)
  for (const [method, path, body] of [
    ['POST', '/v1/credits/purchases', purchase],
    ['PUT', '/v1/subscription', { plan: 'lite' }],
  ] as const) {
    const { status, body: error } = await call(method, path, { body: { ...body, coupon: 'x' } })
    expect(status).toBe(400)
    expect(error.error.message).toContain('coupon')
  }
  expect(stateOf(world.records as never)).toEqual(before)
})

testApi('the plans are listed, the cheapest first, with their limits, prices and features', async ({ call }) => {
  const { status, body } = await call('GET', '/v1/plans')
  expect(status).toBe(200)
  const plan = (
    id: string,
    name: string,
    amount: number,
    minute: number,
    day: number,
    apps: number,
    custom_domain: boolean,
    hide_powered_by: boolean,
  ) => ({
    id,
    name,
    price: { amount, currency: 'USD' },
    limits: { requests_per_minute: minute, requests_per_day: day, apps },
    features: { custom_domain, hide_powered_by },
  })
  expect(body).toEqual({
    data: [
      plan('free', 'Free', 0, 60, 1_000, 5, false, false),
      plan('lite', 'Lite', 900, 120, 5_000, 50, false, false),
      plan('pro', 'Pro', 2_900, 300, 25_000, 100, true, false),
      plan('pro_plus', 'Pro Plus', 9_900, 600, 100_000, 1_000, true, true),
    ],
    has_more: false,
    next_cursor: null,
  })
})

testApi('plans come in pages and as a bare array, as any list', async ({ call, world }) => {
  const ids = ({ body }: { body: any }) => (body.data ?? body).map(({ id }: { id: string }) => id)
  const first = await call('GET', '/v1/plans?limit=3')
  expect(ids(first)).toEqual(['free', 'lite', 'pro'])
  expect(first.body.has_more).toBe(true)
  expect(ids(await call('GET', `/v1/plans?limit=3&cursor=${first.body.next_cursor}`))).toEqual(['pro_plus'])
  world.assume('apps.list.shape', 'array')
  const bare = await call('GET', '/v1/plans')
  expect(bare.body).toBeInstanceOf(Array)
  expect(ids(bare)).toEqual(['free', 'lite', 'pro', 'pro_plus'])
})

testApi('every good key may see the plans, whatever its scopes', async ({ call, world }) => {
  await world.records.keys.update('key_readonly', { scopes: [] })
  expect((await call('GET', '/v1/plans', { key: 'key_readonly' })).status).toBe(200)
})
