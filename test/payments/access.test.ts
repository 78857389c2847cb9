import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const plans = [
  ['free', 'Free', 0, 60, 1_000, 5, false, false],
  ['lite', 'Lite', 900, 120, 5_000, 50, false, false],
  ['pro', 'Pro', 2_900, 300, 25_000, 100, true, false],
  ['pro_plus', 'Pro Plus', 9_900, 600, 100_000, 1_000, true, true],
] as const

testApi('the plans are listed, the cheapest first, with their limits, prices and features', async ({ call }) => {
  const { status, body } = await call('GET', '/v1/plans')
  expect(status).toBe(200)
  const data = plans.map(([id, name, amount, minute, day, apps, custom_domain, hide_powered_by]) => ({
    id,
    name,
    price: { amount, currency: 'USD' },
    limits: { requests_per_minute: minute, requests_per_day: day, apps },
    features: { custom_domain, hide_powered_by },
  }))
  expect(body).toEqual({ data, has_more: false, next_cursor: null })
})
