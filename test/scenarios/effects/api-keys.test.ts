import { expect } from 'vitest'
import { statusesOf } from '../../support/statuses.ts'
import { type Client, start, testApi } from '../../support/test-api.ts'

/** One request of each area that reads, and one that writes. */
export const reads = ['/plants', '/v1/apps'] as const

/** Asserts that both areas refuse a key, each in its own error shape, and accept it again without the scenario. */
export async function expectRefused({ call, world }: Client, status: number, code: string): Promise<void> {
  expect(await call('GET', '/plants')).toMatchObject({ status, body: { error: status, message: expect.any(String) } })
  expect(await call('GET', '/v1/apps')).toMatchObject({ status, body: { error: { code } } })
  world.clear()
  for (const path of reads) expect((await call('GET', path)).status, path).toBe(200)
}

testApi('keys acts on the operations, callers and requests that it names', async ({ world, call }) => {
  world.use({ keys: [{ revoke: true, on: 'apps.list', after: 1, times: 1, where: { key: 'key_pro' } }] })
  expect(await statusesOf(call, ...Array(3).fill('GET /v1/apps')), 'the second request alone').toEqual([200, 401, 200])
  expect((await call('GET', '/plants')).status).toBe(200)
  expect((await call('GET', '/v1/apps', { key: 'key_free' })).status).toBe(200)
})

testApi('a key that expires under a scenario never lives longer than without', async ({ world, call }) => {
  const { secret } = await world.createKey({ account: 'acct_pro', expires_at: '2026-03-01T12:01:00Z' })
  world.use({ keys: [{ expire: '1h' }] })
  world.clock.advance('31s')
  expect((await call('GET', '/v1/apps', { key: secret })).status).toBe(401)
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

testApi('several changes to a key compose in their order', async ({ world, call }) => {
  world.use({ keys: [{ scopes: ['plants:read', 'plants:write'] }, { without: 'plants:write' }] })
  expect(await statusesOf(call, 'GET /plants', 'GET /v1/apps')).toEqual([200, 403])
  expect(await call('DELETE', '/plants/101')).toMatchObject({ status: 403 })
})

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
  const statuses = await statusesOf(call, 'GET /v1/apps', ['POST /v1/apps', { body: { name: 'x' } }], 'GET /plants')
  expect(statuses).toEqual([200, 403, 403])
})

testApi('the plan that is meant is the one that an earlier scenario gives', { scenarios }, async ({ world, call }) => {
  world.useOnly(['plan-downgrade', 'free-only'])
  expect((await call('GET', '/v1/apps')).status).toBe(401)
  world.useOnly(['free-only', 'plan-downgrade'])
  expect(await statusesOf(call, 'GET /v1/apps', ['GET /v1/apps', { key: 'key_free' }])).toEqual([200, 401])
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
  expect(await statusesOf(call, 'GET /v1/apps', 'GET /~other/v1/apps')).toEqual([200, 401])
  world.use('expired-key')
  world.snapshot('expired')
  expect((await call('GET', '/v1/apps')).status).toBe(401)
  world.clear()
  world.restore('expired')
  expect((await call('GET', '/v1/apps')).status).toBe(401)
  world.reset()
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

testApi('expired-key makes every key a 401 invalid_api_key', async ({ world, call }) => {
  world.use('expired-key')
  for (const key of ['key_free', 'key_lite', 'key_pro', 'key_pro_plus', 'key_readonly'])
    expect(await call('GET', '/v1/apps', { key })).toMatchObject({
      status: 401,
      body: { error: { code: 'invalid_api_key' } },
    })
  expect(await call('GET', '/plants')).toMatchObject({ status: 401, body: { error: 401 } })
  expect(await call('POST', '/plants', { body: { id: 5000, name: 'Ficus' } })).toMatchObject({ status: 401 })
  world.clear()
  expect(world.records.plants.get(5000)).toBeUndefined()
})

testApi('one key can expire while the others hold', async ({ world, call }) => {
  world.use('expired-key', { key: 'key_pro' })
  expect((await call('GET', '/v1/apps')).status).toBe(401)
  expect((await call('GET', '/v1/apps', { key: 'key_readonly' })).status).toBe(200)
  expect((await call('GET', '/v1/apps', { key: 'key_free' })).status).toBe(200)
})

testApi('a key can expire in mid-session', async ({ world, call }) => {
  world.use('expired-key', { after: '10m' })
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  world.clock.advance('9m59s')
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  world.clock.advance('1s')
  expect((await call('GET', '/v1/apps')).status).toBe(401)
})

testApi('the stored keys stay as they are', async ({ world, call }) => {
  const before = world.records.keys.all()
  world.use('expired-key')
  expect((await call('GET', '/v1/apps')).status).toBe(401)
  expect(world.records.keys.all()).toEqual(before)
  world.clear('expired-key')
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

testApi('revoked and expired keys stay a 401 while others expire later', async ({ world, call }) => {
  world.use('expired-key', { after: '1h' })
  for (const key of ['key_expired', 'key_revoked'])
    expect((await call('GET', '/v1/apps', { key })).status, key).toBe(401)
  expect(world.clock.now()).toBe(Date.parse(start))
})

testApi('invalid-key makes every key unknown', async (client) => {
  client.world.use('invalid-key')
  await expectRefused(client, 401, 'invalid_api_key')
})

testApi('invalid-key can mean one key', async ({ world, call }) => {
  world.use('invalid-key', { key: 'key_free' })
  expect(await statusesOf(call, ['GET /v1/apps', { key: 'key_free' }], 'GET /v1/apps')).toEqual([401, 200])
})

testApi('missing-key loses the key on the way', async (client) => {
  client.world.use('missing-key')
  const { headers } = await client.call('GET', '/v1/apps')
  expect(headers.get('x-ratelimit-limit'), 'nobody is known, so the headers are those of the Free plan').toBe('60')
  client.world.use('server-error')
  const failed = await client.call('GET', '/v1/apps')
  expect([failed.status, failed.headers.get('x-ratelimit-limit')]).toEqual([500, '60'])
  client.world.clear('server-error')
  await expectRefused(client, 401, 'missing_api_key')
})

testApi('missing-key can hit some operations', async ({ world, call }) => {
  world.use('missing-key', { on: 'apps.create' })
  expect(await statusesOf(call, 'GET /v1/apps', ['POST /v1/apps', { body: { name: 'x' } }])).toEqual([200, 401])
})

testApi('revoked-key refuses every key, and the stored ones stay as they are', async (client) => {
  const before = client.world.records.keys.all()
  client.world.use('revoked-key')
  await expectRefused(client, 401, 'invalid_api_key')
  expect(client.world.records.keys.all()).toEqual(before)
})

testApi('revoked-key lets some requests pass first', async ({ world, call }) => {
  world.use('revoked-key', { after: 2 })
  expect(await statusesOf(call, ...Array(4).fill('GET /v1/apps'))).toEqual([200, 200, 401, 401])
})

testApi('key-expires-mid-session lets keys expire five minutes later on the clock', async ({ world, call }) => {
  world.use('key-expires-mid-session')
  const status = async () => (await call('GET', '/v1/apps')).status
  expect(await status()).toBe(200)
  world.clock.advance('299s')
  expect(await status()).toBe(200)
  world.clock.advance('1s')
  expect(await call('GET', '/v1/apps')).toMatchObject({ status: 401, body: { error: { code: 'invalid_api_key' } } })
  const { secret } = await world.createKey({ account: 'acct_pro' })
  world.clear()
  expect((await call('GET', '/v1/apps', { key: secret })).status).toBe(200)
})

testApi('missing-scope takes one scope from every key', async ({ world, call }) => {
  const create = () => call('POST', '/v1/apps', { body: { name: 'x' } })
  world.use('missing-scope')
  expect(await create()).toMatchObject({
    status: 403,
    body: { error: { code: 'insufficient_permissions', message: expect.stringContaining('apps:write') } },
  })
  expect(await statusesOf(call, 'GET /v1/apps', 'GET /plants')).toEqual([200, 200])
  world.use('missing-scope', { scope: 'plants:read' })
  expect([(await create()).status, (await call('GET', '/plants')).status]).toEqual([201, 403])
  world.clear()
  expect((await call('GET', '/plants')).status).toBe(200)
})

testApi('missing-scope can mean one key', async ({ world, call }) => {
  world.use('missing-scope', { scope: 'apps:read', key: 'key_readonly' })
  expect(await statusesOf(call, ['GET /v1/apps', { key: 'key_readonly' }], 'GET /v1/apps')).toEqual([403, 200])
})

testApi('read-only-key lets keys read and write nothing', async ({ world, call }) => {
  world.use('read-only-key')
  const statuses = async () =>
    await statusesOf(
      call,
      'GET /plants',
      'GET /v1/apps',
      ['POST /plants', { body: { id: 5000, name: 'Ficus' } }],
      'DELETE /plants/5000',
      ['POST /v1/apps', { body: { name: 'x' } }],
    )
  expect(await statuses()).toEqual([200, 200, 403, 403, 403])
  world.clear()
  expect(await statuses()).toEqual([200, 200, 200, 204, 201])
})

testApi('read-only-key gives no key more than it had', async ({ world, call }) => {
  const { secret } = await world.createKey({ account: 'acct_pro', scopes: ['plants:read'] })
  world.use('read-only-key')
  expect(await statusesOf(call, ['GET /plants', { key: secret }], ['GET /v1/apps', { key: secret }])).toEqual([
    200, 403,
  ])
})
