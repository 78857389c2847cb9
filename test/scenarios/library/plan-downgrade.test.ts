import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('plan-downgrade lowers limits and caps at once and takes nothing away', async ({ world, call }) => {
  const before = (await call('GET', '/v1/apps?limit=100')).body
  world.use('plan-downgrade')
  const { headers, body } = await call('GET', '/v1/apps?limit=100')
  expect(headers.get('x-ratelimit-limit')).toBe('60')
  expect(body).toEqual(before)
  expect(await call('POST', '/v1/apps', { body: { name: 'one too many' } })).toMatchObject({
    status: 403,
    body: { error: { code: 'insufficient_permissions' } },
  })
  world.use('plan-downgrade', { plan: 'lite', account: 'acct_pro_plus' })
  expect((await call('GET', '/v1/apps')).headers.get('x-ratelimit-limit')).toBe('300')
  expect((await call('GET', '/v1/apps', { key: 'key_pro_plus' })).headers.get('x-ratelimit-limit')).toBe('120')
})

testApi('what is said of a plan after it means the plan that it gives', async ({ world, call }) => {
  world.use('plan-downgrade', { plan: 'lite' })
  world.use('rate-limited-day', { plan: 'lite' })
  expect((await call('GET', '/v1/apps')).status).toBe(429)
  world.useOnly([
    { name: 'rate-limited-day', plan: 'lite' },
    { name: 'plan-downgrade', plan: 'lite' },
  ])
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})
