import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

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
