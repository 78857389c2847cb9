import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { testApi } from '../../support/test-api.ts'
import { own } from './own.ts'

testApi(
  'keys acts on the operations, callers and requests that it names, and leaves the others',
  { scenarios: own({ keys: [{ revoke: true, on: 'apps.list', after: 1, times: 1, where: { key: 'key_pro' } }] }) },
  async ({ world, call }) => {
    world.use('own')
    const statuses: number[] = []
    for (let round = 0; round < 3; round++) statuses.push((await call('GET', '/v1/apps')).status)
    expect(statuses, 'the second request alone').toEqual([200, 401, 200])
    expect((await call('GET', '/plants')).status).toBe(200)
    expect((await call('GET', '/v1/apps', { key: 'key_free' })).status).toBe(200)
  },
)

testApi(
  'a key that expires under a scenario never lives longer than without',
  { scenarios: own({ keys: [{ expire: '1h' }] }) },
  async ({ world, call }) => {
    const { secret } = await world.createKey({ account: 'acct_pro', expires_at: '2026-03-01T12:01:00Z' })
    world.use('own')
    world.clock.advance('31s')
    expect((await call('GET', '/v1/apps', { key: secret })).status).toBe(401)
    expect((await call('GET', '/v1/apps')).status).toBe(200)
  },
)

testApi(
  'several changes to a key compose in their order',
  { scenarios: own({ keys: [{ scopes: ['plants:read', 'plants:write'] }, { without: 'plants:write' }] }) },
  async ({ world, call }) => {
    world.use('own')
    expect([(await call('GET', '/plants')).status, (await call('GET', '/v1/apps')).status]).toEqual([200, 403])
    expect(await call('DELETE', '/plants/101')).toMatchObject({ status: 403 })
  },
)

const head = { title: 'Own', description: 'Own', covers: 'Own' }
const scenarios = {
  'lost-then-forgotten': { ...head, keys: [{ lose: true }, { forget: true }] },
  'forgotten-then-lost': { ...head, keys: [{ forget: true }, { lose: true }] },
  narrow: { ...head, keys: [{ scopes: ['apps:read', 'apps:write'] }, { without: 'apps:write' }] },
  'free-only': { ...head, keys: [{ revoke: true, where: { plan: 'free' } }] },
  'one-account': { ...head, keys: [{ forget: true, where: { account: 'acct_pro' } }] },
}
const codes = { 'lost-then-forgotten': 'missing_api_key', 'forgotten-then-lost': 'invalid_api_key' }

for (const [scenario, code] of Object.entries(codes))
  testApi(
    `of ${scenario} the first decides, since nothing is left for the second`,
    { scenarios },
    async ({ world, call }) => {
      world.use(scenario as never)
      expect((await call('GET', '/v1/apps')).body.error.code).toBe(code)
    },
  )

testApi('a key that nobody knows is lost as any other', async ({ world, call }) => {
  const code = async () => (await call('GET', '/v1/apps', { key: 'key_of_nobody' })).body.error.code
  expect(await code()).toBe('invalid_api_key')
  world.use('missing-key')
  expect(await code()).toBe('missing_api_key')
  expect(world.journal.calls().at(-1)!.verdicts).toMatchObject([{ scenario: 'missing-key', fired: true }])
})

testApi('scopes are narrowed one after the other', { scenarios }, async ({ world, call }) => {
  world.use('narrow')
  const statuses = [
    (await call('GET', '/v1/apps')).status,
    (await call('POST', '/v1/apps', { body: { name: 'x' } })).status,
    (await call('GET', '/plants')).status,
  ]
  expect(statuses).toEqual([200, 403, 403])
})

testApi('the plan that is meant is the one that an earlier scenario gives', { scenarios }, async ({ world, call }) => {
  world.useOnly(['plan-downgrade', 'free-only'])
  expect((await call('GET', '/v1/apps')).status).toBe(401)
  world.useOnly(['free-only', 'plan-downgrade'])
  expect([(await call('GET', '/v1/apps')).status, (await call('GET', '/v1/apps', { key: 'key_free' })).status]).toEqual(
    [200, 401],
  )
})

testApi('an account is all its keys, and no other account', { scenarios }, async ({ world, call }) => {
  world.use('one-account')
  const statuses = []
  for (const key of ['key_pro', 'key_readonly', 'key_free'])
    statuses.push((await call('GET', '/v1/apps', { key })).status)
  expect(statuses).toEqual([401, 401, 200])
})

testApi('a time that no calendar reaches never comes', async ({ world, call }) => {
  world.use('expired-key', { after: '3600000d' })
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

testApi('a key expires in its own world, and not any more after a reset', {}, async ({ greenhouse, world, call }) => {
  greenhouse.world('other').use('revoked-key')
  expect([(await call('GET', '/v1/apps')).status, (await call('GET', '/~other/v1/apps')).status]).toEqual([200, 401])
  world.use('expired-key')
  world.snapshot('expired')
  expect((await call('GET', '/v1/apps')).status).toBe(401)
  world.clear()
  world.restore('expired')
  expect((await call('GET', '/v1/apps')).status).toBe(401)
  world.reset()
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

test('one thing can happen to a key at a time', () => {
  const both = { ...head, keys: [{ lose: true, forget: true }] }
  expect(() => createGreenhouse({ scenarios: { both } })).toThrow(
    'expected one of "expire: <duration>", "revoke: true"',
  )
})
