import { expect } from 'vitest'
import { start } from '../support/test-api.ts'
import { testControl } from '../support/control.ts'

const path = '/worlds/default/accounts'
const head = { title: 'Own', description: 'Own', covers: 'Own' }
const scenarios = {
  second: { ...head, quota: [{ window: 'minute', remaining: 5, after: 1, times: 2 }] },
  'one-key': { ...head, quota: [{ window: 'minute', remaining: 5, where: { key: 'key_readonly' } }] },
} as const

testControl(
  'a quota shows what a scenario leaves of it at once, and the whole again without it',
  async ({ control, call, greenhouse }) => {
    const world = greenhouse.world()
    world.clock.freeze()
    world.clock.set(start)
    await call('/v1/apps')
    const quota = async (id = 'acct_pro') => (await control('GET', `${path}/${id}`)).body.quota
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
  },
)

testControl('a refill gives back what a scenario took before a request came', async ({ control, call, greenhouse }) => {
  greenhouse.world().use('rate-limited-plan')
  const { body } = await control('POST', `${path}/acct_pro/refill`, {})
  expect(body.quota).toMatchObject({ minute: { used: 0 }, scenario: 'rate-limited-plan' })
  expect((await call('/v1/apps')).status).toBe(200)
})

testControl(
  'a quota is that of the requests that a scenario acts on, and of the keys',
  { scenarios },
  async ({ control, call, greenhouse }) => {
    const world = greenhouse.world()
    world.clock.freeze()
    const quota = async (id = 'acct_pro') => (await control('GET', `${path}/${id}`)).body.quota
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
    const { keys } = (await control('GET', `${path}/acct_pro`)).body
    expect(keys.map(({ name, quota }: any) => [name, quota.minute.remaining, quota.scenario])).toEqual([
      ['key_pro', 300, null],
      ['key_readonly', 5, 'one-key'],
      ['key_expired', 300, null],
      ['key_revoked', 300, null],
    ])
  },
)

testControl('a quota has the limits of the plan that a scenario sets', async ({ control, call, greenhouse }) => {
  greenhouse.world().use('plan-downgrade')
  const { plan, quota } = (await control('GET', `${path}/acct_pro`)).body
  expect([plan, quota.minute.limit, quota.scenario]).toEqual(['pro', 60, 'plan-downgrade'])
  expect((await call('/v1/apps')).headers.get('x-ratelimit-limit')).toBe('60')
})

testControl(
  'what a scenario took is due when it comes back, and the clock goes there by itself',
  async ({ control, call, greenhouse }) => {
    const world = greenhouse.world()
    world.clock.freeze()
    world.clock.set(start)
    world.use('rate-limited-plan')
    expect((await call('/v1/apps')).status).toBe(429)
    const dueOf = async () => {
      const { data } = (await control('GET', '/worlds/default/due?limit=1000')).body as {
        data: { at: string; kind: string; title: string; subject: object }[]
      }
      return data.filter(({ kind }) => kind === 'quota')
    }
    expect(await dueOf()).toEqual([
      {
        at: '2026-03-01T12:01:30.000Z',
        kind: 'quota',
        title: 'The minute quota of acct_pro under rate-limited-plan refills',
        subject: { collection: 'accounts', id: 'acct_pro' },
      },
    ])
    const { body } = await control('POST', '/worlds/default/due/next')
    expect(body.clock.now).toBe('2026-03-01T12:01:30.000Z')
    expect((await call('/v1/apps')).status).toBe(200)
    world.clear()
    expect(await dueOf()).toEqual([])

    await call('/v1/apps')
    world.use('rate-limited-plan:remaining=5')
    await call('/v1/apps')
    // The day was counted in the world before; two refills at the same time are one event.
    expect((await dueOf()).map(({ title }) => title)).toEqual([
      'The minute quota of acct_pro refills',
      'The minute quota of acct_pro under rate-limited-plan refills',
      'The day quota of acct_pro refills',
    ])

    world.reset()
    world.clock.freeze()
    world.use('rate-limited-plan:remaining=5')
    world.use('rate-limited-day')
    await call('/v1/apps')
    expect((await dueOf()).map(({ title }) => title)).toEqual([
      'The minute quota of acct_pro under rate-limited-plan refills',
      'The day quota of acct_pro under rate-limited-day refills',
    ])
  },
)
