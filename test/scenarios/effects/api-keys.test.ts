import { expect } from 'vitest'
import { statusesOf, testApi } from '../../support/test-api.ts'

const post = { body: { name: 'x' } }

testApi(
  'keys acts on the operations, callers and requests that it names',
  async ({ world, call }) => {
    world.use({
      keys: [{ revoke: true, on: 'apps.list', after: 1, times: 1, where: { key: 'key_pro' } }],
    })
    expect(
      await statusesOf(call, ...Array(3).fill('GET /v1/apps')),
      'the second request alone',
    ).toEqual([200, 401, 200])
    expect(await statusesOf(call, 'GET /plants', ['GET /v1/apps', { key: 'key_free' }])).toEqual([
      200, 200,
    ])
  },
)

testApi(
  'a key that expires under a scenario never lives longer than without',
  async ({ world, call }) => {
    const { secret } = await world.createKey({
      account: 'acct_pro',
      expires_at: '2026-03-01T12:01:00Z',
    })
    world.use({ keys: [{ expire: '1h' }] })
    world.clock.advance('31s')
    expect(await statusesOf(call, ['GET /v1/apps', { key: secret }], 'GET /v1/apps')).toEqual([
      401, 200,
    ])
  },
)

testApi('a key that expired before a scenario says when', async ({ world, call }) => {
  const key = async (expires_at?: string) =>
    (await world.createKey({ account: 'acct_pro', expires_at } as never)).secret
  const sooner = await key('2026-03-01T12:01:00Z')
  const later = await key('2026-03-01T14:00:00Z')
  const never = await key()
  world.use({ keys: [{ expire: '1h' }] })
  world.clock.set('2026-03-01T15:00:00Z')
  const reasons = []
  for (const secret of [sooner, later, never]) {
    await call('GET', '/v1/apps', { key: secret })
    reasons.push(world.journal.calls().at(-1)!.reason)
  }
  expect(reasons).toEqual([
    expect.stringMatching(/expired at 2026-03-01T12:01:00/),
    expect.stringMatching(/expired at 2026-03-01T13:0/),
    expect.stringMatching(/expired at 2026-03-01T13:0/),
  ])
})

testApi(
  'the reason of a 401 names the scenario that made the key invalid in another way',
  async ({ world, call }) => {
    const expired = (
      await world.createKey({ account: 'acct_pro', expires_at: '2026-03-01T12:01:00Z' })
    ).secret
    world.clock.advance('2m')
    const reasonsOf = async (...all: Parameters<typeof world.useOnly>[0][]) => {
      const reasons = []
      for (const names of all) {
        world.useOnly(names)
        await call('GET', '/v1/apps', { key: expired })
        reasons.push(world.journal.calls().at(-1)!.reason)
      }
      return reasons
    }
    const both = await reasonsOf(['revoked-key', 'invalid-key'], ['invalid-key', 'revoked-key'])
    expect(both).toEqual([
      expect.stringMatching(/ is revoked, by the scenario revoked-key$/),
      expect.stringMatching(/ is unknown, by the scenario invalid-key$/),
    ])
    expect(await reasonsOf([], ['expired-key'], ['revoked-key'], ['invalid-key'])).toEqual([
      expect.stringMatching(/ expired at 2026-03-01T12:01:00Z$/),
      expect.stringMatching(/ expired at 2026-03-01T12:01:00Z$/),
      expect.stringMatching(/ is revoked, by the scenario revoked-key$/),
      expect.stringMatching(/ is unknown, by the scenario invalid-key$/),
    ])
  },
)

testApi('several changes to a key compose in their order', async ({ world, call }) => {
  world.use({ keys: [{ scopes: ['plants:read', 'plants:write'] }, { without: 'plants:write' }] })
  expect(await statusesOf(call, 'GET /plants', 'GET /v1/apps', 'DELETE /plants/101')).toEqual([
    200, 403, 403,
  ])
  world.useOnly([{ keys: [{ scopes: ['apps:read', 'apps:write'] }, { without: 'apps:write' }] }])
  expect(await statusesOf(call, 'GET /v1/apps', ['POST /v1/apps', post], 'GET /plants')).toEqual([
    200, 403, 403,
  ])
})

testApi(
  'the first of two scenarios decides about a lost and forgotten key',
  async ({ world, call }) => {
    const code = async () => (await call('GET', '/v1/apps')).body.error.code
    world.use({ keys: [{ lose: true }, { forget: true }] })
    expect(await code()).toBe('missing_api_key')
    world.useOnly([{ keys: [{ forget: true }, { lose: true }] }])
    expect(await code()).toBe('invalid_api_key')
  },
)

testApi('a key that nobody knows is lost as any other', async ({ world, call }) => {
  const code = async () => (await call('GET', '/v1/apps', { key: 'key_of_nobody' })).body.error.code
  expect(await code()).toBe('invalid_api_key')
  world.use('missing-key')
  expect(await code()).toBe('missing_api_key')
  expect(world.journal.calls().at(-1)!.verdicts).toMatchObject([
    { scenario: 'missing-key', fired: true },
  ])
})

testApi(
  'a condition on the plan means the plan of an earlier scenario',
  async ({ world, call }) => {
    const ofFree = { keys: [{ revoke: true, where: { plan: 'free' } }] } as const
    world.useOnly(['plan-downgrade', ofFree])
    expect((await call('GET', '/v1/apps')).status).toBe(401)
    world.useOnly([ofFree, 'plan-downgrade'])
    expect(await statusesOf(call, 'GET /v1/apps', ['GET /v1/apps', { key: 'key_free' }])).toEqual([
      200, 401,
    ])
  },
)

testApi('an account is all its keys, and no other account', async ({ world, call }) => {
  world.use({ keys: [{ forget: true, where: { account: 'acct_pro' } }] })
  const asked = ['key_pro', 'key_readonly', 'key_free'].map(
    (key) => ['GET /v1/apps', { key }] as const,
  )
  expect(await statusesOf(call, ...asked)).toEqual([401, 401, 200])
})

testApi('a time that no calendar reaches never comes', async ({ world, call }) => {
  world.use('expired-key', { after: '3600000d' })
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

testApi(
  'a key expires in its own world, and not any more after a reset',
  {},
  async ({ greenhouse, world, call }) => {
    greenhouse.world('other').use('revoked-key')
    expect(await statusesOf(call, 'GET /v1/apps', 'GET /~other/v1/apps')).toEqual([200, 401])
    world.use('expired-key')
    world.snapshot('expired')
    expect((await call('GET', '/v1/apps')).status).toBe(401)
    world.clear()
    world.restore('expired')
    expect((await call('GET', '/v1/apps')).status).toBe(401)
    world.reset()
    expect((await call('GET', '/v1/apps')).status).toBe(200)
  },
)

const denied = {
  'expired-key': 'invalid_api_key',
  'invalid-key': 'invalid_api_key',
  'revoked-key': 'invalid_api_key',
}

for (const [scenario, code] of Object.entries({ ...denied, 'missing-key': 'missing_api_key' }))
  testApi(
    `${scenario} makes every key a 401 ${code}, and stores nothing`,
    async ({ world, call }) => {
      const before = world.records.keys.all()
      world.use(scenario as keyof typeof denied)
      for (const key of ['key_free', 'key_lite', 'key_pro', 'key_pro_plus', 'key_readonly'])
        expect(await call('GET', '/v1/apps', { key })).toMatchObject({
          status: 401,
          body: { error: { code } },
        })
      const plant = await call('GET', '/plants')
      expect(plant).toMatchObject({
        status: 401,
        body: { error: 401, message: expect.any(String) },
      })
      expect((await call('POST', '/plants', { body: { id: 5000, name: 'Ficus' } })).status).toBe(
        401,
      )
      world.clear()
      expect(world.records.plants.get(5000)).toBeUndefined()
      expect(world.records.keys.all()).toEqual(before)
      expect(await statusesOf(call, 'GET /plants', 'GET /v1/apps')).toEqual([200, 200])
    },
  )

for (const [scenario, almost] of [
  ['expired-key:after=10m', '599s'],
  ['key-expires-mid-session', '299s'],
] as const)
  testApi(`${scenario} lets keys expire in mid-session, on the clock`, async ({ world, call }) => {
    world.use(scenario)
    const expired = ['key_expired', 'key_revoked'].map((key) => ['GET /v1/apps', { key }] as const)
    expect(await statusesOf(call, 'GET /v1/apps', ...expired)).toEqual([200, 401, 401])
    world.clock.advance(almost)
    expect((await call('GET', '/v1/apps')).status).toBe(200)
    world.clock.advance('1s')
    expect(await call('GET', '/v1/apps')).toMatchObject({
      status: 401,
      body: { error: { code: 'invalid_api_key' } },
    })
    const { secret } = await world.createKey({ account: 'acct_pro' })
    world.clear()
    expect((await call('GET', '/v1/apps', { key: secret })).status).toBe(200)
  })

testApi("without a key the headers have the Free plan's limits", async ({ world, call }) => {
  world.use('missing-key')
  expect((await call('GET', '/v1/apps')).headers.get('x-ratelimit-limit')).toBe('60')
  world.use('server-error')
  const failed = await call('GET', '/v1/apps')
  expect([failed.status, failed.headers.get('x-ratelimit-limit')]).toEqual([500, '60'])
})

testApi('missing-scope takes one scope from every key, or from one', async ({ world, call }) => {
  const create = () => call('POST', '/v1/apps', post)
  world.use('missing-scope')
  const message = expect.stringContaining('apps:write')
  expect((await create()).body.error).toMatchObject({ code: 'insufficient_permissions', message })
  expect(await statusesOf(call, 'GET /v1/apps', 'GET /plants')).toEqual([200, 200])
  world.use('missing-scope', { scope: 'plants:read' })
  expect(await statusesOf(call, ['POST /v1/apps', post], 'GET /plants')).toEqual([201, 403])
  world.use('missing-scope', { scope: 'apps:read', key: 'key_readonly' })
  expect(await statusesOf(call, ['GET /v1/apps', { key: 'key_readonly' }], 'GET /v1/apps')).toEqual(
    [403, 200],
  )
})

testApi('read-only-key lets keys read and write nothing', async ({ world, call }) => {
  const plant = { body: { id: 5000, name: 'Ficus' } }
  const writes = [['POST /plants', plant], 'DELETE /plants/5000', ['POST /v1/apps', post]] as const
  world.use('read-only-key')
  expect(await statusesOf(call, 'GET /plants', 'GET /v1/apps', ...writes)).toEqual([
    200, 200, 403, 403, 403,
  ])
  world.clear()
  expect(await statusesOf(call, 'GET /plants', 'GET /v1/apps', ...writes)).toEqual([
    200, 200, 200, 204, 201,
  ])
})

testApi('read-only-key gives no key more than it had', async ({ world, call }) => {
  const { secret: key } = await world.createKey({ account: 'acct_pro', scopes: ['plants:read'] })
  world.use('read-only-key')
  expect(await statusesOf(call, ['GET /plants', { key }], ['GET /v1/apps', { key }])).toEqual([
    200, 403,
  ])
})
