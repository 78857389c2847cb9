import { expect } from 'vitest'
import { start } from '../support/test-api.ts'
import { testControl, expectControlError } from '../support/control.ts'

const path = '/worlds/default/accounts'

testControl('a quota runs down as requests come, and says when it refills', async ({ control, call, greenhouse }) => {
  const { clock } = greenhouse.world()
  clock.freeze()
  clock.set(start)
  const quota = async () => (await control('GET', `${path}/acct_pro`)).body.quota
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
  clock.set('2026-03-01T12:01:00Z')
  expect(await quota()).toMatchObject({ minute: { used: 0, resets_at: '2026-03-01T12:02:00.000Z' }, day: { used: 3 } })
  const { data } = (await control('GET', path)).body
  expect(data.find(({ id }: { id: string }) => id === 'acct_pro').quota).toEqual(await quota())
  expect(data.map(({ plan }: { plan: string }) => plan)).toEqual(['free', 'lite', 'pro', 'pro_plus'])
})

testControl('a refill gives the requests of a window back, or of both', async ({ control, call, greenhouse }) => {
  greenhouse.world().clock.freeze()
  const used = ({ body }: { body: any }) => [body.quota.minute.used, body.quota.day.used]
  const spend = async () => {
    for (let count = 0; count < 2; count++) await call('/v1/apps')
  }
  await spend()
  expect(used(await control('POST', `${path}/acct_pro/refill`, { window: 'minute' }))).toEqual([0, 2])
  await spend()
  expect(used(await control('POST', `${path}/acct_pro/refill`, { window: 'day' }))).toEqual([2, 0])
  expect(used(await control('POST', `${path}/acct_pro/refill`))).toEqual([0, 0])
  expectControlError(
    await control('POST', `${path}/acct_pro/refill`, { window: 'hour' }),
    400,
    'invalid_request',
    /minute, day/,
  )
})

testControl(
  'after a refill a caller who was refused goes on, a scenario or not',
  async ({ control, call, greenhouse }) => {
    const world = greenhouse.world()
    world.clock.freeze()
    const headers = { authorization: 'Bearer key_free' }
    const status = async () => (await call('/v1/apps', { headers })).status
    for (let count = 0; count < 60; count++) expect(await status()).toBe(200)
    expect(await status()).toBe(429)
    await control('POST', `${path}/acct_free/refill`, {})
    expect(await status()).toBe(200)
    world.use('rate-limited-plan')
    expect(await status()).toBe(429)
    expect((await control('GET', `${path}/acct_free`)).body.quota).toMatchObject({
      minute: { remaining: 0 },
      scenario: 'rate-limited-plan',
    })
    await control('POST', `${path}/acct_free/refill`, {})
    expect(await status()).toBe(200)
    world.clear()
    expect((await control('GET', `${path}/acct_free`)).body.quota.scenario).toBe(null)
  },
)

testControl(
  'a change of plan does what a change of the subscription does, without a charge',
  async ({ control, call, greenhouse }) => {
    const ways: Record<string, (world: string, plan: string) => Promise<unknown>> = {
      control: (world, plan) => control('PATCH', `/worlds/${world}/accounts/acct_free`, { plan }),
      api: (world, plan) =>
        call(`/~${world}/v1/subscription`, {
          method: 'PUT',
          headers: { authorization: 'Bearer key_free' },
          body: JSON.stringify({ plan }),
        }),
    }
    const seen = []
    for (const [way, change] of Object.entries(ways)) {
      const world = greenhouse.world(way)
      world.clock.freeze()
      world.clock.set(start)
      world.records.webhooks.create({
        id: 'wh_all',
        account: 'acct_free',
        app: null,
        url: 'http://127.0.0.1:9/',
        events: ['subscription.updated'],
        enabled: true,
        secret: 'whsec_c2VjcmV0',
        created_at: 1,
        updated_at: 1,
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
    expect(seen[0]).toEqual(seen[1])
    expect((seen[0] as unknown[][])[2]).toHaveLength(4)
    const { body } = await control('GET', '/worlds/control/accounts/acct_free')
    expect(body).toMatchObject({
      plan: 'pro_plus',
      quota: { minute: { limit: 600 } },
      subscription: { plan: 'pro_plus', status: 'active' },
    })
  },
)

testControl(
  'an account shows its keys, its credits and its subscription as its owner would see them',
  async ({ control, call, greenhouse }) => {
    greenhouse.world().clock.freeze()
    const { body } = await control('GET', `${path}/acct_pro`)
    expect(body).toMatchObject({ id: 'acct_pro', name: 'Petra Pro', email: 'petra@example.com', key_count: 4 })
    expect(body.keys.map(({ name }: { name: string }) => name)).toEqual([
      'key_pro',
      'key_readonly',
      'key_expired',
      'key_revoked',
    ])
    expect(body.credits).toEqual(await (await call('/v1/credits')).json())
    expect(body.subscription).toEqual(await (await call('/v1/subscription')).json())
  },
)

testControl('where each key has a quota of its own, the keys show it', async ({ control, call, greenhouse }) => {
  const world = greenhouse.world()
  world.clock.freeze()
  world.assume('rate-limit.scope', 'key')
  await call('/v1/apps')
  const { body } = await control('GET', `${path}/acct_pro`)
  expect(body.quota).toBe(null)
  expect(body.keys.map(({ quota }: any) => quota.minute.used)).toEqual([1, 0, 0, 0])
  expect((await control('POST', `${path}/acct_pro/refill`, {})).body.keys[0].quota.minute.used).toBe(0)
})
