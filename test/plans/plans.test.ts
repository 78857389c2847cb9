import { expect, test } from 'vitest'
import { createGreenhouse, replayCase } from 'greenhouse-mock'
import { definePlugin } from 'greenhouse-mock/config'
import { testApi } from '../support/test-api.ts'

const team = {
  id: 'team',
  name: 'Team',
  minute: 7,
  day: 70,
  apps: 3,
  custom_domains: false,
  white_label: false,
  price: 1,
}
const fixtures = {
  extends: 'default',
  plans: [{ id: 'team', minute: 7 }],
  accounts: [{ id: 'acct_pro', plan: 'team' }],
}

const get = (greenhouse: ReturnType<typeof createGreenhouse>, world = 'default', key = 'key_pro') =>
  greenhouse.fetch(
    new Request(`http://any/~${world}/v1/account`, { headers: { authorization: `Bearer ${key}` } }),
  )

testApi(
  'a changed plan limits the next request, and a reset brings the old limit back',
  async (client) => {
    const { world, call } = client
    world.snapshot('before')
    world.records.plans.update('pro', { minute: 3 })
    const limitOf = async () => (await call('GET', '/v1/account')).headers.get('x-ratelimit-limit')
    expect(await limitOf()).toBe('3')
    world.restore('before')
    expect(await limitOf()).toBe('300')
    world.reset({ records: { plans: [{ ...world.records.plans.get('pro')!, minute: 5 }] } })
    expect([await limitOf(), world.records.plans.count()]).toEqual(['5', 4])
    world.records.plans.replace([])
    expect(await limitOf()).toBe('300')
    world.reset()
    expect(await limitOf()).toBe('300')
  },
)

test('plans always exist: none can be deleted, and new ones come with fixtures', () => {
  const { plans, accounts } = createGreenhouse({ fixtures }).world().records
  expect(plans.all().map(({ id }) => id)).toEqual(['free', 'lite', 'pro', 'pro_plus', 'team'])
  expect(plans.get('team')).toEqual({ ...plans.get('free'), id: 'team', name: 'team', minute: 7 })
  expect(() => plans.delete('pro')).toThrow('Failed to delete "pro": it always exists. Change it.')
  expect(() => plans.create({ ...team, id: 'gold' } as never)).toThrow(
    'Failed to store a record of "plans": id must be one of "free", "lite", "pro", "pro_plus", "team".',
  )
  expect(() => plans.update('pro', { minute: 0 })).toThrow('minute must be')
  expect(() => accounts.update('acct_pro', { plan: 'teem' as never })).toThrow(
    'no record of "plans" "teem"',
  )
})

test.each([
  [{ plans: [{ id: 'pro', minute: 0 }] }, 'plans.0.minute: expected at least 1, received 0'],
  [{ plans: [{ id: 'pro', minutes: 1 }] }, 'Did you mean "minute"?'],
  [{ plans: [{ id: 'pro' }, { id: 'pro' }] }, 'the key "pro" exists already'],
  [{ plans: [{ id: 'any' }] }, 'plans.0.id: expected one of'],
  [{ plans: [{ id: 'a plan' }] }, 'plans.0.id: expected one of'],
  [{ plans: [{ minute: 1 }] }, 'plans.0.id: is missing'],
  [{ plans: 7 }, 'plans: expected a list'],
  [
    { accounts: [{ id: 'acct_pro', plan: 'teem' }], plans: [{ id: 'team' }] },
    'Did you mean "team"?',
  ],
])('a mistake in plans is reported: %j', (mistake, message) => {
  expect(() => createGreenhouse({ fixtures: { extends: 'default', ...mistake } as never })).toThrow(
    message,
  )
})

test('a plan that stands twice in the option plans is rejected, also where the fixtures have it', () => {
  for (const id of ['pro', 'gold'])
    expect(() => createGreenhouse({ plans: [{ id }, { id }] as never })).toThrow(
      `the key "${id}" exists already`,
    )
})

test('a case keeps its plans', async () => {
  const greenhouse = createGreenhouse({ fixtures })
  const world = greenhouse.world()
  world.records.plans.update('team', { day: 50 })
  expect((await get(greenhouse)).headers.get('x-ratelimit-limit')).toBe('7')
  const { greenhouse: replayed, differences } = await replayCase(world.toCase())
  expect(differences).toEqual([])
  expect(replayed.world().records.plans.get('team')).toMatchObject({ minute: 7, day: 50 })
})

test('after a reload drops a plan, its accounts have the limits of free; a new plan is refused', async () => {
  const greenhouse = createGreenhouse({ fixtures })
  greenhouse.world().records.accounts.update('acct_lite', { plan: 'team' })
  greenhouse.reload({ fixtures: { extends: 'default' } })
  const reply = await get(greenhouse, 'default', 'key_lite')
  expect([reply.status, reply.headers.get('x-ratelimit-limit')]).toEqual([200, '60'])
  expect(() => greenhouse.reload({ fixtures: { plans: [{ id: 'gold' }] } })).toThrow(
    'plans.0.id: expected one of',
  )
})

test('new plans come from a plug-in, too', async () => {
  const account = { id: 'acct', name: 'A', email: 'a@example.com', plan: 'pro' as const }
  const keys = [{ secret: 'key', account: 'acct' }]
  const plugin = definePlugin({ name: 'ours', fixtures: { plans: [team] } })
  const extended = createGreenhouse({
    plugins: [plugin],
    fixtures: { accounts: [{ ...account, plan: 'team' }], keys },
  })
  expect((await get(extended, 'default', 'key')).headers.get('x-ratelimit-limit')).toBe('7')
})

const changed = {
  extends: 'default',
  plans: [
    { id: 'free', minute: 10 },
    { id: 'lite', price: 5_900 },
    {
      id: 'team',
      name: 'Team',
      minute: 1_000,
      day: 500_000,
      apps: 2,
      white_label: true,
      price: 4_900,
    },
  ],
  accounts: [{ id: 'acct_team', name: 'Team', email: 'team@example.com', plan: 'team' }],
  keys: [{ secret: 'key_team', account: 'acct_team' }],
}
const deployment = { domain: 'chat.example.org', branding: { hide_powered_by: true } }

testApi(
  'limits, headers and refusals follow the plans of fixtures',
  { fixtures: changed },
  async ({ call }) => {
    const limitOf = async (key: string | null) =>
      (await call('GET', '/v1/account', { key })).headers.get('x-ratelimit-limit')
    const keys = ['key_free', 'key_lite', 'key_team', null]
    expect(await Promise.all(keys.map(limitOf))).toEqual(['10', '120', '1000', '10'])
    for (let sent = 1; sent < 10; sent++)
      expect((await call('GET', '/v1/apps', { key: 'key_free' })).status).toBe(200)
    const refused = await call('GET', '/v1/apps', { key: 'key_free' })
    expect([refused.status, refused.headers.get('x-ratelimit-remaining')]).toEqual([429, '0'])
    expect((await call('GET', '/v1/account', { key: 'key_team' })).body.plan).toBe('team')
  },
)

testApi(
  'plans are listed by price, with what they permit',
  { fixtures: changed, plans: [{ id: 'team', name: 'Crew' } as never] },
  async ({ call }) => {
    const { body } = await call('GET', '/v1/plans')
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([
      'free',
      'pro',
      'team',
      'lite',
      'pro_plus',
    ])
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
  'a denied feature is answered with the plans that have it',
  { fixtures: changed },
  async ({ call, world }) => {
    const create = (name: string) => call('POST', '/v1/apps', { key: 'key_team', body: { name } })
    const { body: app } = await create('one')
    expect((await create('two')).status).toBeLessThan(300)
    expect((await create('three')).body.error.message).toBe('The plan permits 2 apps.')
    const deploy = () =>
      call('POST', `/v1/apps/${app.id}/deployments`, { key: 'key_team', body: deployment })
    expect((await deploy()).body.error.message).toBe(
      'A custom domain needs the plan Pro or Pro Plus.',
    )
    world.records.plans.update('pro_plus', { custom_domains: false })
    world.records.plans.update('pro', { custom_domains: false })
    expect((await deploy()).body.error.message).toBe('A custom domain is in no plan.')
    world.records.plans.update('team', { custom_domains: true })
    expect((await deploy()).status).toBeLessThan(300)
  },
)

testApi(
  'an account changes to a plan of fixtures and back to free',
  { fixtures: changed },
  async ({ call, world }) => {
    const put = (plan: string) =>
      call('PUT', '/v1/subscription', { key: 'key_lite', body: { plan } })
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
    const { body } = await call('GET', '/v1/subscription', { key: 'key_lite' })
    expect(body).toMatchObject({ plan: 'free', former_plan: 'team' })
  },
)

const builtInPlans = [
  ['free', 'Free', 0, 60, 1_000, 5, false, false],
  ['lite', 'Lite', 900, 120, 5_000, 50, false, false],
  ['pro', 'Pro', 2_900, 300, 25_000, 100, true, false],
  ['pro_plus', 'Pro Plus', 9_900, 600, 100_000, 1_000, true, true],
] as const

testApi(
  'the plans are listed, the cheapest first, with their limits, prices and features',
  async ({ call }) => {
    const { status, body } = await call('GET', '/v1/plans')
    expect(status).toBe(200)
    const data = builtInPlans.map(
      ([id, name, amount, minute, day, apps, custom_domain, hide_powered_by]) => ({
        id,
        name,
        price: { amount, currency: 'USD' },
        limits: { requests_per_minute: minute, requests_per_day: day, apps },
        features: { custom_domain, hide_powered_by },
      }),
    )
    expect(body).toEqual({ data, has_more: false, next_cursor: null })
  },
)
