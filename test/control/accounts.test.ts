import { expect } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { start } from '../support/test-api.ts'
import { type Controlled, testControl, expectControlError, expectInvalid } from '../support/control.ts'
import { toFingerprint } from '../../src/core/secrets/secret-finder.ts'

const frozen = { frozen: true }

const path = '/worlds/default/accounts'
const quotaOf = async ({ control }: Pick<Controlled, 'control'>, id = 'acct_pro') =>
  (await control('GET', `${path}/${id}`)).body.quota

testControl('a quota runs down as requests come, and refills', frozen, async ({ control, call, world }) => {
  const quota = () => quotaOf({ control })
  const day = { limit: 25_000, used: 0, remaining: 25_000, resets_at: '2026-03-02T00:00:00.000Z' }
  expect(await quota()).toEqual({
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
  const { data } = (await control('GET', path)).body
  expect(data.find(({ id }: { id: string }) => id === 'acct_pro').quota).toEqual(await quota())
  expect(data.map(({ plan }: { plan: string }) => plan)).toEqual(['free', 'lite', 'pro', 'pro_plus'])
})

testControl('a refill gives the requests of a window back, or of both', frozen, async ({ control, call }) => {
  const used = ({ body }: { body: any }) => [body.quota.minute.used, body.quota.day.used]
  const spend = async () => {
    for (let count = 0; count < 2; count++) await call('/v1/apps')
  }
  await spend()
  expect(used(await control('POST', `${path}/acct_pro/refill`, { window: 'minute' }))).toEqual([0, 2])
  await spend()
  expect(used(await control('POST', `${path}/acct_pro/refill`, { window: 'day' }))).toEqual([2, 0])
  expect(used(await control('POST', `${path}/acct_pro/refill`))).toEqual([0, 0])
  await expectInvalid(control('POST', `${path}/acct_pro/refill`, { window: 'hour' }), /minute, day/)
})

testControl('a refill lets a limited caller go on, even under a scenario', frozen, async ({ control, call, world }) => {
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
  expect((await control('GET', `${path}/acct_free`)).body.quota.scenario).toBe(null)
})

testControl('a change of plan does what a subscription change does', frozen, async ({ control, api, greenhouse }) => {
  const ways: Record<string, (world: string, plan: string) => Promise<unknown>> = {
    control: (world, plan) => control('PATCH', `/worlds/${world}/accounts/acct_free`, { plan }),
    api: (world, plan) => api('PUT', `/~${world}/v1/subscription`, { key: 'key_free', body: { plan } }),
  }
  const seen = []
  for (const [way, change] of Object.entries(ways)) {
    const world = greenhouse.world(way)
    const [hook] = world.records.webhooks.all()
    const own = { account: 'acct_free', app: null, enabled: true, url: 'http://127.0.0.1:9/' }
    world.records.webhooks.create({ ...hook!, ...own, id: 'wh_all', events: ['subscription.updated'] })
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
  expect(seen[0]).toEqual(seen[1])
  expect((seen[0] as unknown[][])[2]).toHaveLength(4)
  const { body } = await control('GET', '/worlds/control/accounts/acct_free')
  expect(body).toMatchObject({
    plan: 'pro_plus',
    quota: { minute: { limit: 600 } },
    subscription: { plan: 'pro_plus', status: 'active' },
  })
})

testControl('an account shows its keys, credits and subscription', frozen, async ({ control, api }) => {
  const { body } = await control('GET', `${path}/acct_pro`)
  expect(body).toMatchObject({ id: 'acct_pro', name: 'Petra Pro', email: 'petra@example.com', key_count: 4 })
  const names = ['key_pro', 'key_readonly', 'key_expired', 'key_revoked']
  expect(body.keys.map(({ name }: { name: string }) => name)).toEqual(names)
  expect(body.credits).toEqual((await api('GET', '/v1/credits')).body)
  expect(body.subscription).toEqual((await api('GET', '/v1/subscription')).body)
})

testControl('where each key has a quota of its own, the keys show it', frozen, async ({ control, call, world }) => {
  world.assume('rate-limit.scope', 'key')
  await call('/v1/apps')
  const { body } = await control('GET', `${path}/acct_pro`)
  expect(body.quota).toBe(null)
  expect(body.keys.map(({ quota }: any) => quota.minute.used)).toEqual([1, 0, 0, 0])
  expect((await control('POST', `${path}/acct_pro/refill`, {})).body.keys[0].quota.minute.used).toBe(0)
})

const head = { title: 'Own', description: 'Own', covers: 'Own' }
const scenarios = {
  second: { ...head, quota: [{ window: 'minute', remaining: 5, after: 1, times: 2 }] },
  'one-key': { ...head, quota: [{ window: 'minute', remaining: 5, where: { key: 'key_readonly' } }] },
} as const

testControl('a quota shows at once what a scenario leaves of it', frozen, async ({ control, call, world }) => {
  await call('/v1/apps')
  const quota = (id?: string) => quotaOf({ control }, id)
  const own = await quota()

  world.use('rate-limited-plan:remaining=3')
  const foreseen = {
    minute: { limit: 300, used: 297, remaining: 3, resets_at: '2026-03-01T12:01:30.000Z' },
    day: own.day,
    scenario: 'rate-limited-plan',
  }
  expect([await quota(), await quota()]).toEqual([foreseen, foreseen])
  expect((await call('/v1/apps')).headers.get('x-ratelimit-remaining')).toBe('2')
  expect(await quota()).toMatchObject({ minute: { remaining: 2 }, day: { used: 2 } })
  expect(await quota('acct_free')).toMatchObject({ minute: { limit: 60, remaining: 3 }, day: { used: 0 } })
  world.clock.advance('1m')
  expect(await quota()).toMatchObject({ minute: { remaining: 300 } })
  // Its window begins with its first request.
  expect(await quota('acct_free')).toMatchObject({ minute: { remaining: 3 } })
  world.clock.set(start)

  world.use('rate-limited-plan:window=day;plan=free')
  expect(await quota('acct_free')).toMatchObject({ day: { remaining: 0 }, scenario: 'rate-limited-plan' })
  world.clear()
  expect(await quota()).toEqual(own)
  world.use('rate-limited-plan:plan=free')
  expect(await quota()).toEqual(own)
  expect(await quota('acct_free')).toMatchObject({ minute: { remaining: 0 }, scenario: 'rate-limited-plan' })
})

testControl('a refill gives back what a scenario took before a request came', async ({ control, call, world }) => {
  world.use('rate-limited-plan')
  const { body } = await control('POST', `${path}/acct_pro/refill`, {})
  expect(body.quota).toMatchObject({ minute: { used: 0 }, scenario: 'rate-limited-plan' })
  expect((await call('/v1/apps')).status).toBe(200)
})

testControl('a scenario changes the quota of what it acts on', { scenarios }, async ({ control, call, world }) => {
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
  expect([(await quota()).scenario, (await quota('acct_free')).scenario]).toEqual(['one-key', null])
  world.assume('rate-limit.scope', 'key')
  const { body } = await control('GET', `${path}/acct_pro`)
  expect(body.keys.map(({ name, quota }: any) => [name, quota.minute.remaining, quota.scenario])).toEqual([
    ['key_pro', 300, null],
    ['key_readonly', 5, 'one-key'],
    ['key_expired', 300, null],
    ['key_revoked', 300, null],
  ])
})

testControl('a quota has the limits of the plan that a scenario sets', async ({ control, call, world }) => {
  world.use('plan-downgrade')
  const { plan, quota } = (await control('GET', `${path}/acct_pro`)).body
  expect([plan, quota.minute.limit, quota.scenario]).toEqual(['pro', 60, 'plan-downgrade'])
  expect((await call('/v1/apps')).headers.get('x-ratelimit-limit')).toBe('60')
})

testControl('the refill of what a scenario took is due', frozen, async ({ control, call, world }) => {
  world.use('rate-limited-plan')
  expect((await call('/v1/apps')).status).toBe(429)
  const titles = async () => {
    const { data } = (await control('GET', '/worlds/default/due?limit=1000')).body
    return data.flatMap(({ kind, title }: { kind: string; title: string }) => (kind === 'quota' ? title : []))
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
})

const keys = '/worlds/default/keys'

testControl('makes a key that works and is shown once', async ({ control, call }) => {
  const { status, body, headers } = await control('POST', keys, { account: 'acct_free', scopes: ['plants:read'] })
  expect({ status, body }).toEqual({
    status: 201,
    body: {
      id: toFingerprint(body.secret),
      secret: expect.stringMatching(/^key_[a-z2-7]{16}$/),
      name: null,
      account: 'acct_free',
      plan: 'free',
      scopes: ['plants:read'],
      expires_at: null,
      revoked: false,
      quota: null,
    },
  })
  expect(headers.get('cache-control')).toBe('no-store')
  const authorization = `Bearer ${body.secret}`
  expect((await call('/plants', { headers: { authorization } })).status).toBe(200)
  expect((await call('/plants/1', { method: 'DELETE', headers: { authorization } })).status).toBe(403)
  const { text } = await control('GET', keys)
  expect(text).not.toContain(body.secret)
  const { secret: _, ...shown } = body
  expect(JSON.parse(text).data).toContainEqual(shown)
})

testControl('makes keys by the seed', async ({ control }) => {
  const { secret } = await createGreenhouse().world().createKey({ account: 'acct_pro' })
  expect((await control('POST', keys, { account: 'acct_pro' })).body.secret).toBe(secret)
})

testControl('revokes a key, lets it expire, and takes both back', async ({ control, call }) => {
  const id = toFingerprint('key_pro')
  const status = async () => (await call('/plants')).status
  expect((await control('PATCH', `${keys}/${id}`, { revoked: true })).body).toMatchObject({ id, revoked: true })
  expect(await status()).toBe(401)
  const expired = { revoked: false, expires_at: '2020-01-01T00:00:00Z' }
  expect((await control('PATCH', `${keys}/${id}`, expired)).body).toMatchObject(expired)
  expect(await status()).toBe(401)
  expect((await control('PATCH', `${keys}/${id}`, { expires_at: null })).body).toMatchObject({ expires_at: null })
  expect(await status()).toBe(200)
})

testControl('a key that is removed is unknown to the API', async ({ control, call, world }) => {
  const id = toFingerprint('key_pro')
  expect(await control('DELETE', `${keys}/${id}`)).toMatchObject({ status: 204, text: '' })
  expect((await call('/plants')).status).toBe(401)
  expect(world.records.keys.get('key_pro')).toBeUndefined()
  expectControlError(await control('DELETE', `${keys}/${id}`), 404, 'unknown_key')
})

testControl('only fixture keys of plain words are named', async ({ control, world }) => {
  const { accounts, keys: own } = world.records
  own.create({ secret: 'key_of_code', account: 'acct_lite' })
  accounts.create({ id: 'gone', name: 'Gone', email: 'gone@example.com', plan: 'free' })
  own.create({ secret: 'sk_live_51H8abcdefghijkl', account: 'gone' })
  accounts.delete('gone')
  const { body, text } = await control('GET', keys)
  const named = body.data.map(({ name, plan }: { name: string; plan: string }) => [name, plan])
  expect(named).toContainEqual(['key_free', 'free'])
  expect(named.slice(-2).flat()).toEqual([null, 'lite', null, null])
  expect(text).not.toMatch(/key_of_code|sk_live_51/)
})
