import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

const plans = [
  ['free', 1_000],
  ['lite', 5_000],
  ['pro', 25_000],
  ['pro_plus', 100_000],
] as const

for (const [plan, limit] of plans)
  testApi(`the plan ${plan} has spent its day, for 24 hours`, async ({ world, call }) => {
    world.use('rate-limited-day', { plan })
    const key = `key_${plan}`
    const { status, headers } = await call('GET', '/v1/apps', { key })
    expect(status).toBe(429)
    expect(['limit', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`))).toEqual([String(limit), '0'])
    expect(headers.get('retry-after')).toBe(String(24 * 3_600))
    world.clock.advance('23h59m30s')
    expect((await call('GET', '/v1/apps', { key })).status).toBe(429)
    world.clock.advance('30s')
    expect((await call('GET', '/v1/apps', { key })).status).toBe(200)
  })
