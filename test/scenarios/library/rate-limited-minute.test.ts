import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

const plans = [
  ['free', 60],
  ['lite', 120],
  ['pro', 300],
  ['pro_plus', 600],
] as const

for (const [plan, limit] of plans)
  testApi(`the plan ${plan} has spent its minute, and no other plan has`, async ({ world, call }) => {
    world.use('rate-limited-minute', { plan })
    const key = `key_${plan}`
    const { status, body, headers } = await call('GET', '/v1/apps', { key })
    expect([status, body.error.code]).toEqual([429, 'rate_limit_exceeded'])
    expect(['limit', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`))).toEqual([String(limit), '0'])
    expect(headers.get('retry-after')).toBe('60')
    for (const [other] of plans)
      if (other !== plan) expect((await call('GET', '/v1/apps', { key: `key_${other}` })).status, other).toBe(200)
    world.clock.advance('1m')
    expect((await call('GET', '/v1/apps', { key })).status).toBe(200)
  })

testApi('the world has spent nothing when the minute is not spent any more', async ({ world, call }) => {
  world.use('rate-limited-minute')
  await call('GET', '/v1/apps')
  world.clear()
  expect((await call('GET', '/v1/apps')).headers.get('x-ratelimit-remaining')).toBe('299')
})
