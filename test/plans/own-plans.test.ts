import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const fixtures = {
  extends: 'default',
  plans: [
    { id: 'free', minute: 10 },
    { id: 'lite', price: 5_900 },
    { id: 'team', name: 'Team', minute: 1_000, day: 500_000, apps: 2, white_label: true, price: 4_900 },
  ],
  accounts: [{ id: 'acct_team', name: 'Team', email: 'team@example.com', plan: 'team' }],
  keys: [{ secret: 'key_team', account: 'acct_team' }],
}
const deployment = { domain: 'chat.example.org', branding: { hide_powered_by: true } }

testApi('limits, headers and refusals follow the plans of fixtures', { fixtures }, async ({ call }) => {
  const limitOf = async (key: string | null) =>
    (await call('GET', '/v1/account', { key })).headers.get('x-ratelimit-limit')
  expect(await Promise.all(['key_free', 'key_lite', 'key_team', null].map(limitOf))).toEqual([
    '10',
    '120',
    '1000',
    '10',
  ])
  for (let sent = 1; sent < 10; sent++) expect((await call('GET', '/v1/apps', { key: 'key_free' })).status).toBe(200)
  const refused = await call('GET', '/v1/apps', { key: 'key_free' })
  expect([refused.status, refused.headers.get('x-ratelimit-remaining')]).toEqual([429, '0'])
  expect((await call('GET', '/v1/account', { key: 'key_team' })).body.plan).toBe('team')
})

testApi(
  'plans are listed by price, with what they permit',
  { fixtures, plans: [{ id: 'team', name: 'Crew' } as never] },
  async ({ call }) => {
    const { body } = await call('GET', '/v1/plans')
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['free', 'pro', 'team', 'lite', 'pro_plus'])
    expect(body.data[2]).toEqual({
      id: 'team',
      name: 'Crew',
      price: { amount: 4_900, currency: 'USD' },
      limits: { requests_per_minute: 1_000, requests_per_day: 500_000, apps: 2 },
      features: { custom_domain: false, hide_powered_by: true },
    })
    expect((await call('GET', '/v1/plans/team')).body).toEqual(body.data[2])
    expect((await call('GET', '/v1/plans/teem')).status).toBe(404)
    expect((await call('GET', '/v1/plans?order=desc&limit=1')).body.data[0].id).toBe('pro_plus')
  },
)

testApi(
  'caps and features of a plan decide, and the refusal names the plans that have them',
  { fixtures },
  async ({ call, world }) => {
    const create = (name: string) => call('POST', '/v1/apps', { key: 'key_team', body: { name } })
    const { body: app } = await create('one')
    expect((await create('two')).status).toBeLessThan(300)
    expect((await create('three')).body.error.message).toBe('The plan permits 2 apps.')
    const deploy = () => call('POST', `/v1/apps/${app.id}/deployments`, { key: 'key_team', body: deployment })
    expect((await deploy()).body.error.message).toBe('A custom domain needs the plan Pro or Pro Plus.')
    world.records.plans.update('pro_plus', { custom_domains: false })
    world.records.plans.update('pro', { custom_domains: false })
    expect((await deploy()).body.error.message).toBe('A custom domain is in no plan.')
    world.records.plans.update('team', { custom_domains: true })
    expect((await deploy()).status).toBeLessThan(300)
  },
)

testApi(
  'an account changes to a plan of fixtures, pays its price, and returns to free from it',
  { fixtures },
  async ({ call, world }) => {
    const put = (plan: string) => call('PUT', '/v1/subscription', { key: 'key_lite', body: { plan } })
    world.use('upgrade-declined')
    expect((await put('pro_plus')).body.error.code).toBe('payment_declined')
    // It is cheaper than lite.
    expect((await put('team')).body.plan).toBe('team')
    world.clear()
    expect((await put('teem')).body.error.message).toBe(
      'plan must be one of "free", "lite", "pro", "pro_plus", "team". Did you mean "team"?',
    )
    expect((await call('DELETE', '/v1/subscription', { key: 'key_lite' })).status).toBeLessThan(300)
    world.clock.advance('31d')
    expect((await call('GET', '/v1/subscription', { key: 'key_lite' })).body).toMatchObject({
      plan: 'free',
      former_plan: 'team',
    })
  },
)
