import { expect, test } from 'vitest'
import { createGreenhouse, type PlanName } from 'greenhouse-mock'
import { start } from '../support/test-api.ts'
import {
  type Controlled,
  testControl,
  expectControlError,
  expectInvalid,
} from '../support/control.ts'
import { toFingerprint } from '../support/fingerprint.ts'

const frozen = { frozen: true }

const path = '/worlds/default/accounts'
const records = '/worlds/default/records'
const quotasOf = async ({ control }: Pick<Controlled, 'control'>, id = 'acct_pro') => {
  const { data } = (await control('GET', '/worlds/default/quotas')).body
  return data.filter(({ account }: { account: string }) => account === id)
}
const quotaOf = async (client: Pick<Controlled, 'control'>, id?: string) =>
  (await quotasOf(client, id))[0]

testControl(
  'a quota runs down as requests come, and refills',
  frozen,
  async ({ control, call, world }) => {
    const quota = () => quotaOf({ control })
    const day = { limit: 25_000, used: 0, remaining: 25_000, resets_at: '2026-03-02T00:00:00.000Z' }
    expect(await quota()).toEqual({
      account: 'acct_pro',
      key: null,
      plan: 'pro',
      minute: { limit: 300, used: 0, remaining: 300, resets_at: '2026-03-01T12:01:00.000Z' },
      day,
      scenario: null,
    })
    for (let count = 0; count < 3; count++) await call('/v1/apps')
    expect(await quota()).toMatchObject({
      minute: { used: 3, remaining: 297, resets_at: '2026-03-01T12:01:00.000Z' },
      day: { used: 3, remaining: 24_997 },
    })
    world.clock.set('2026-03-01T12:01:00Z')
    expect(await quota()).toMatchObject({
      minute: { used: 0, resets_at: '2026-03-01T12:02:00.000Z' },
      day: { used: 3 },
    })
    const { data } = (await control('GET', '/worlds/default/quotas')).body
    expect(data.map(({ plan }: { plan: string }) => plan)).toEqual([
      'free',
      'lite',
      'pro',
      'pro_plus',
    ])
  },
)

testControl(
  'a refill gives the requests of a window back, or of both',
  frozen,
  async ({ control, call }) => {
    const used = ({ body: { data } }: { body: any }) => [data[0].minute.used, data[0].day.used]
    const spend = async () => {
      for (let count = 0; count < 2; count++) await call('/v1/apps')
    }
    await spend()
    expect(used(await control('POST', `${path}/acct_pro/refill`, { window: 'minute' }))).toEqual([
      0, 2,
    ])
    await spend()
    expect(used(await control('POST', `${path}/acct_pro/refill`, { window: 'day' }))).toEqual([
      2, 0,
    ])
    expect(used(await control('POST', `${path}/acct_pro/refill`))).toEqual([0, 0])
    await expectInvalid(
      control('POST', `${path}/acct_pro/refill`, { window: 'hour' }),
      /"minute", "day"/,
    )
  },
)

testControl(
  'a refill lets a limited caller go on, even under a scenario',
  frozen,
  async ({ control, call, world }) => {
    const headers = { authorization: 'Bearer key_free' }
    const status = async () => (await call('/v1/apps', { headers })).status
    for (let count = 0; count < 60; count++) expect(await status()).toBe(200)
    expect(await status()).toBe(429)
    await control('POST', `${path}/acct_free/refill`, {})
    expect(await status()).toBe(200)
    world.use('rate-limited-plan')
    expect(await status()).toBe(429)
    const limited = { minute: { remaining: 0 }, scenario: 'rate-limited-plan' }
    expect(await quotaOf({ control }, 'acct_free')).toMatchObject(limited)
    await control('POST', `${path}/acct_free/refill`, {})
    expect(await status()).toBe(200)
    world.clear()
    expect((await quotaOf({ control }, 'acct_free')).scenario).toBe(null)
  },
)

testControl(
  'a new plan of an account does what a change of the subscription does',
  frozen,
  async ({ control, api, greenhouse }) => {
    const ways: Record<string, (world: string, plan: string) => Promise<unknown>> = {
      control: (world, plan) =>
        control('PATCH', `/worlds/${world}/records/accounts/acct_free`, { plan }),
      code: async (world, plan) =>
        greenhouse.world(world).records.accounts.update('acct_free', { plan: plan as PlanName }),
      api: (world, plan) =>
        api('PUT', `/~${world}/v1/subscription`, { key: 'key_free', body: { plan } }),
    }
    const seen = []
    for (const [way, change] of Object.entries(ways)) {
      const world = greenhouse.world(way)
      const [hook] = world.records.webhooks.all()
      const own = { account: 'acct_free', app: null, enabled: true, url: 'http://127.0.0.1:9/' }
      world.records.webhooks.create({
        ...hook!,
        ...own,
        id: 'wh_all',
        events: ['subscription.updated'],
      })
      for (const plan of ['pro', 'pro', 'lite', 'free', 'pro_plus']) {
        await change(way, plan)
        world.clock.advance('1d')
      }
      const { subscriptions, accounts, deliveries } = world.records
      seen.push([
        accounts.get('acct_free'),
        subscriptions.get('acct_free'),
        deliveries.find({ webhook: 'wh_all' }).map(({ payload }) => payload),
      ])
    }
    expect(seen[0]).toEqual(seen[2])
    expect(seen[1]).toEqual(seen[2])
    expect((seen[0] as unknown[][])[2]).toHaveLength(4)
    const { data } = (await control('GET', '/worlds/control/quotas')).body
    expect(data[0]).toMatchObject({
      account: 'acct_free',
      plan: 'pro_plus',
      minute: { limit: 600 },
    })
  },
)

testControl(
  'a new plan ends what was pending of the old one',
  frozen,
  async ({ control, api, world }) => {
    expect((await api('DELETE', '/v1/subscription')).body).toMatchObject({
      cancel_at_period_end: true,
    })
    await control('PATCH', `${records}/accounts/acct_pro`, { name: 'Petra' })
    expect((await api('GET', '/v1/subscription')).body).toMatchObject({
      plan: 'pro',
      cancel_at_period_end: true,
    })
    await control('PATCH', `${records}/accounts/acct_pro`, { plan: 'lite' })
    expect((await api('GET', '/v1/subscription')).body).toMatchObject({
      plan: 'lite',
      cancel_at_period_end: false,
    })
    world.clock.advance('90d')
    expect((await api('GET', '/v1/subscription')).body).toMatchObject({
      plan: 'lite',
      status: 'active',
    })
  },
)

test('due work is done before a plan changes', async () => {
  using greenhouse = createGreenhouse()
  const world = greenhouse.world()
  const { accounts, subscriptions } = world.records
  const headers = { authorization: 'Bearer key_pro' }
  await greenhouse.fetch(new Request('http://any/v1/subscription', { method: 'DELETE', headers }))
  const { end } = subscriptions.get('acct_pro')!.ending!
  world.clock.set(end - 1)
  // No timer runs here, so nothing has ended the subscription yet.
  while (world.clock.now() < end);
  accounts.update('acct_pro', { plan: 'lite' })
  expect(subscriptions.get('acct_pro')).toMatchObject({
    status: 'active',
    anchor: expect.toSatisfy((at) => at >= end),
  })
})

testControl(
  'where each key has a quota of its own, the keys show it',
  frozen,
  async ({ control, call, world }) => {
    world.assume('rate-limit.scope', 'key')
    await call('/v1/apps')
    const quotas = await quotasOf({ control })
    expect(quotas.map(({ key, minute }: any) => [key, minute.used])).toEqual([
      ['key_pro', 1],
      ['key_readonly', 0],
      ['key_expired', 0],
      ['key_revoked', 0],
    ])
    expect((await control('POST', `${path}/acct_pro/refill`, {})).body.data[0].minute.used).toBe(0)
  },
)

const head = { title: 'Own', description: 'Own', covers: 'Own' }
const scenarios = {
  second: { ...head, quota: [{ window: 'minute', remaining: 5, after: 1, times: 2 }] },
  'one-key': {
    ...head,
    quota: [{ window: 'minute', remaining: 5, where: { key: 'key_readonly' } }],
  },
} as const

testControl(
  'a quota shows at once what a scenario leaves of it',
  frozen,
  async ({ control, call, world }) => {
    await call('/v1/apps')
    const quota = (id?: string) => quotaOf({ control }, id)
    const own = await quota()

    world.use('rate-limited-plan:remaining=3')
    const foreseen = {
      ...own,
      minute: { limit: 300, used: 297, remaining: 3, resets_at: '2026-03-01T12:01:30.000Z' },
      scenario: 'rate-limited-plan',
    }
    expect([await quota(), await quota()]).toEqual([foreseen, foreseen])
    expect((await call('/v1/apps')).headers.get('x-ratelimit-remaining')).toBe('2')
    expect(await quota()).toMatchObject({ minute: { remaining: 2 }, day: { used: 2 } })
    expect(await quota('acct_free')).toMatchObject({
      minute: { limit: 60, remaining: 3 },
      day: { used: 0 },
    })
    world.clock.advance('1m')
    expect(await quota()).toMatchObject({ minute: { remaining: 300 } })
    // Its window begins with its first request.
    expect(await quota('acct_free')).toMatchObject({ minute: { remaining: 3 } })
    world.clock.set(start)

    world.use('rate-limited-plan:window=day;plan=free')
    expect(await quota('acct_free')).toMatchObject({
      day: { remaining: 0 },
      scenario: 'rate-limited-plan',
    })
    world.clear()
    expect(await quota()).toEqual(own)
    world.use('rate-limited-plan:plan=free')
    expect(await quota()).toEqual(own)
    expect(await quota('acct_free')).toMatchObject({
      minute: { remaining: 0 },
      scenario: 'rate-limited-plan',
    })
  },
)

testControl(
  'a refill gives back what a scenario took before a request came',
  async ({ control, call, world }) => {
    world.use('rate-limited-plan')
    const { body } = await control('POST', `${path}/acct_pro/refill`, {})
    expect(body.data).toMatchObject([{ minute: { used: 0 }, scenario: 'rate-limited-plan' }])
    expect((await call('/v1/apps')).status).toBe(200)
  },
)

testControl(
  'a scenario changes the quota of what it acts on',
  { scenarios },
  async ({ control, call, world }) => {
    world.clock.freeze()
    const quota = (id?: string) => quotaOf({ control }, id)
    const left = async () => [(await quota()).minute.remaining, (await quota()).scenario]
    world.use('second')
    const seen = [await left()]
    for (let count = 0; count < 4; count++) {
      await call('/v1/apps')
      seen.push(await left())
    }
    expect(seen).toEqual([
      [300, null],
      [5, 'second'],
      [4, 'second'],
      [299, null],
      [298, null],
    ])
    world.clear()
    world.use('one-key')
    expect([(await quota()).scenario, (await quota('acct_free')).scenario]).toEqual([
      'one-key',
      null,
    ])
    world.assume('rate-limit.scope', 'key')
    const quotas = await quotasOf({ control })
    expect(
      quotas.map(({ key, minute, scenario }: any) => [key, minute.remaining, scenario]),
    ).toEqual([
      ['key_pro', 300, null],
      ['key_readonly', 5, 'one-key'],
      ['key_expired', 300, null],
      ['key_revoked', 300, null],
    ])
  },
)

testControl(
  'a quota has the limits of the plan that a scenario sets',
  async ({ control, call, world }) => {
    world.use('plan-downgrade')
    const { plan, minute, scenario } = await quotaOf({ control })
    expect([plan, minute.limit, scenario]).toEqual(['pro', 60, 'plan-downgrade'])
    expect((await call('/v1/apps')).headers.get('x-ratelimit-limit')).toBe('60')
  },
)

testControl(
  'the refill of what a scenario took is due',
  frozen,
  async ({ control, call, world }) => {
    world.use('rate-limited-plan')
    expect((await call('/v1/apps')).status).toBe(429)
    const titles = async () => {
      const { data } = (await control('GET', '/worlds/default/due?limit=1000')).body
      return data.flatMap(({ kind, title }: { kind: string; title: string }) =>
        kind === 'quota' ? title : [],
      )
    }
    expect(await titles()).toEqual(['The minute quota of acct_pro under rate-limited-plan refills'])
    const { body } = await control('POST', '/worlds/default/due/next')
    expect(body.clock.now).toBe('2026-03-01T12:01:30.000Z')
    expect((await call('/v1/apps')).status).toBe(200)
    world.clear()
    expect(await titles()).toEqual([])

    await call('/v1/apps')
    world.use('rate-limited-plan:remaining=5')
    await call('/v1/apps')
    // The day was counted in the world before; two refills at the same time are one event.
    expect(await titles()).toEqual([
      'The minute quota of acct_pro refills',
      'The minute quota of acct_pro under rate-limited-plan refills',
      'The day quota of acct_pro refills',
    ])

    world.reset()
    world.use('rate-limited-plan:remaining=5')
    world.use('rate-limited-day')
    await call('/v1/apps')
    expect(await titles()).toEqual([
      'The minute quota of acct_pro under rate-limited-plan refills',
      'The day quota of acct_pro under rate-limited-day refills',
    ])
  },
)

const keys = '/worlds/default/keys'

testControl('makes a key that works and is shown once', async ({ control, call }) => {
  const given = { account: 'acct_free', scopes: ['plants:read'] }
  const { status, body, headers } = await control('POST', keys, given)
  const { secret, id } = body
  expect({ status, body }).toEqual({
    status: 201,
    body: {
      id: toFingerprint(secret),
      secret: expect.stringMatching(/^key_[a-z2-7]{16}$/),
      ...given,
    },
  })
  expect(headers.get('cache-control')).toBe('no-store')
  const authorization = `Bearer ${secret}`
  expect((await call('/plants', { headers: { authorization } })).status).toBe(200)
  expect((await call('/plants/1', { method: 'DELETE', headers: { authorization } })).status).toBe(
    403,
  )
  const { text } = await control('GET', `${records}/keys`)
  expect(text).not.toContain(secret)
  expect(JSON.parse(text).data).toContainEqual({ secret: id, ...given })
})

testControl('makes keys by the seed', async ({ control }) => {
  const { secret } = await createGreenhouse().world().createKey({ account: 'acct_pro' })
  expect((await control('POST', keys, { account: 'acct_pro' })).body.secret).toBe(secret)
})

testControl(
  'a key is revoked, expires, and works again, by its fingerprint or its name',
  async ({ control, call }) => {
    for (const id of [toFingerprint('key_pro'), 'key_pro']) {
      const change = async (changes: object) =>
        (await control('PATCH', `${records}/keys/${id}`, changes)).body
      const status = async () => (await call('/plants')).status
      expect(await change({ revoked: true })).toMatchObject({
        secret: toFingerprint('key_pro'),
        revoked: true,
      })
      expect(await status()).toBe(401)
      const expired = { revoked: false, expires_at: '2020-01-01T00:00:00Z' }
      expect(await change(expired)).toMatchObject(expired)
      expect(await status()).toBe(401)
      expect(await change({ expires_at: null })).not.toHaveProperty('expires_at')
      expect(await status()).toBe(200)
    }
  },
)

testControl('a key that is removed is unknown to the API', async ({ control, call, world }) => {
  const id = toFingerprint('key_pro')
  expect(await control('DELETE', `${records}/keys/${id}`)).toMatchObject({ status: 204, text: '' })
  expect((await call('/plants')).status).toBe(401)
  expect(world.records.keys.get('key_pro')).toBeUndefined()
  expectControlError(await control('DELETE', `${records}/keys/${id}`), 404, 'unknown_record')
})

testControl('only fixture keys of plain words have names', async ({ control, world }) => {
  const { accounts, keys: own } = world.records
  own.create({ secret: 'key_of_code', account: 'acct_lite' })
  accounts.create({ id: 'gone', name: 'Gone', email: 'gone@example.com', plan: 'free' })
  own.create({ secret: 'sk_live_51H8abcdefghijkl', account: 'gone' })
  accounts.delete('gone')
  world.assume('rate-limit.scope', 'key')
  const { body, text } = await control('GET', '/worlds/default/quotas')
  const named = body.data.map(({ key, plan }: { key: string; plan: string }) => [key, plan])
  expect(named).toContainEqual(['key_free', 'free'])
  expect(named).toContainEqual([toFingerprint('key_of_code'), 'lite'])
  expect(text).not.toMatch(/key_of_code|sk_live_51/)
  for (const secret of ['key_of_code', 'sk_live_51H8abcdefghijkl'])
    expectControlError(await control('GET', `${records}/keys/${secret}`), 404, 'unknown_record')
})
