import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('account puts callers on another plan for the requests that it names', async ({ world, call }) => {
  world.use({ account: [{ plan: 'free', on: 'apps.list', where: { plan: 'pro' } }] })
  const limit = async (path: string, key = 'key_pro') =>
    (await call('GET', path, { key })).headers.get('x-ratelimit-limit')
  const [app] = world.records.apps.all().filter(({ account }) => account === 'acct_pro')
  expect([await limit('/v1/apps'), await limit(`/v1/apps/${app!.id}`), await limit('/v1/apps', 'key_lite')]).toEqual([
    '60',
    '300',
    '120',
  ])
  expect(world.records.accounts.get('acct_pro')!.plan, 'what is stored stays').toBe('pro')
})

const limitOf = (headers: Headers) => headers.get('x-ratelimit-limit')

testApi('of two plans the last one counts, and clearing it gives the first', async ({ world, call }) => {
  world.use('plan-downgrade')
  world.use('plan-upgrade')
  expect(limitOf((await call('GET', '/v1/apps')).headers)).toBe('600')
  world.clear('plan-upgrade')
  expect(limitOf((await call('GET', '/v1/apps')).headers)).toBe('60')
  world.clear()
  expect(limitOf((await call('GET', '/v1/apps')).headers)).toBe('300')
})

testApi('what was spent counts against the plan that comes', async ({ world, call }) => {
  for (let round = 0; round < 61; round++) await call('GET', '/v1/apps')
  world.use('plan-downgrade')
  expect((await call('GET', '/v1/apps')).status).toBe(429)
  world.use('plan-downgrade', { plan: 'lite' })
  expect((await call('GET', '/v1/apps')).headers.get('x-ratelimit-remaining')).toBe('58')
})

testApi('a header changes the plan for its request, in its world', {}, async ({ greenhouse, call }) => {
  const headers = { 'x-greenhouse-scenario': 'plan-upgrade' }
  expect(limitOf((await call('GET', '/v1/apps', { headers })).headers)).toBe('600')
  expect(limitOf((await call('GET', '/v1/apps')).headers)).toBe('300')
  greenhouse.world('other').use('plan-downgrade')
  expect([
    limitOf((await call('GET', '/v1/apps')).headers),
    limitOf((await call('GET', '/~other/v1/apps')).headers),
  ]).toEqual(['300', '60'])
})

testApi('plan-downgrade lowers limits and caps at once and takes nothing away', async ({ world, call }) => {
  const before = (await call('GET', '/v1/apps?limit=100')).body
  world.use('plan-downgrade')
  const { headers, body } = await call('GET', '/v1/apps?limit=100')
  expect(headers.get('x-ratelimit-limit')).toBe('60')
  expect(body).toEqual(before)
  expect((await call('GET', '/v1/account')).body.plan).toBe('free')
  expect(world.records.accounts.get('acct_pro')!.plan, 'what is stored stays').toBe('pro')
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
  world.useOnly(['rate-limited-day:plan=lite', 'plan-downgrade:plan=lite'])
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

testApi('plan-upgrade raises limits and caps at once', async ({ world, call }) => {
  const create = () => call('POST', '/v1/apps', { key: 'key_free', body: { name: 'more' } })
  while ((await create()).status === 201);
  world.use('plan-upgrade')
  const { status, headers } = await create()
  expect([status, headers.get('x-ratelimit-limit')]).toEqual([201, '600'])
  world.clear()
  expect((await create()).status).toBe(403)
})
