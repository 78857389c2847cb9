import { expect, test } from 'vitest'
import { createGreenhouse } from '../../../src/index.ts'
import { through } from '../../support/through.ts'

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
  through(`of ${scenario} the first decides, since nothing is left for the second`, async ({ world, call }) => {
    world.use(scenario)
    expect((await call('GET', '/v1/apps')).body.error.code).toBe(code)
  }, { scenarios })

through('a key that nobody knows is lost as any other', async ({ world, call }) => {
  const code = async () => (await call('GET', '/v1/apps', { key: 'key_of_nobody' })).body.error.code
  expect(await code()).toBe('invalid_api_key')
  world.use('missing-key')
  expect(await code()).toBe('missing_api_key')
  expect(world.journal.calls().at(-1)!.verdicts).toMatchObject([{ scenario: 'missing-key', fired: true }])
})

through('scopes are narrowed one after the other', async ({ world, call }) => {
  world.use('narrow')
  const statuses = [(await call('GET', '/v1/apps')).status, (await call('POST', '/v1/apps', { body: { name: 'x' } })).status, (await call('GET', '/plants')).status]
  expect(statuses).toEqual([200, 403, 403])
}, { scenarios })

through('the plan that is meant is the one that an earlier scenario gives', async ({ world, call }) => {
  world.useOnly(['plan-downgrade', 'free-only'])
  expect((await call('GET', '/v1/apps')).status).toBe(401)
  world.useOnly(['free-only', 'plan-downgrade'])
  expect([(await call('GET', '/v1/apps')).status, (await call('GET', '/v1/apps', { key: 'key_free' })).status]).toEqual([200, 401])
}, { scenarios })

through('an account is all its keys, and no other account', async ({ world, call }) => {
  world.use('one-account')
  const statuses = []
  for (const key of ['key_pro', 'key_readonly', 'key_free']) statuses.push((await call('GET', '/v1/apps', { key })).status)
  expect(statuses).toEqual([401, 401, 200])
}, { scenarios })

through('a time that no calendar reaches never comes', async ({ world, call }) => {
  world.use('expired-key', { after: '999999999d' })
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

through('a key expires in its own world, and not any more after a reset', async ({ greenhouse, world, call }) => {
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
  expect(() => createGreenhouse({ scenarios: { both } })).toThrow('expected one of "expire: <length of time>", "revoke: true"')
})
