import { expect } from 'vitest'
import { toFingerprint } from '../support/fingerprint.ts'
import { type Controlled, testControl } from '../support/control.ts'
import { testApi } from '../support/test-api.ts'

const path = '/worlds/default/keys'
const records = '/worlds/default/records/keys'

testControl(
  'a new key is shown once, and later only by its fingerprint',
  async ({ control, call }) => {
    const { body } = await control('POST', path, { account: 'acct_lite' })
    const { secret, id } = body
    expect(id).toBe(toFingerprint(secret))
    const authorization = `Bearer ${secret}`
    for (const asked of ['/plants', '/v1/apps', '/v1/account'])
      expect((await call(asked, { headers: { authorization } })).status).toBe(200)
    await control('PUT', '/worlds/default/snapshots/a')
    await control('PATCH', `${records}/${id}`, { expires_at: '2030-01-01T00:00:00Z' })
    for (const asked of [
      [
        '',
        '/records/keys',
        `/records/keys/${id}`,
        '/quotas',
        '/journal',
        '/journal.har',
        '/snapshots',
        '/snapshots/a',
        '/scenarios',
      ],
      ['/clock', '/assumptions'],
    ].flat()) {
      const { status, text } = await control('GET', `/worlds/default${asked}`)
      expect(status, asked).toBe(200)
      expect(text, asked).not.toContain(secret)
    }
    const { data } = (await control('GET', records)).body
    const shown = { secret: id, account: 'acct_lite', expires_at: '2030-01-01T00:00:00Z' }
    expect(data.find((key: { secret: string }) => key.secret === id)).toEqual(shown)
  },
)

testControl(
  'a new key knows its account, what it may do and until when',
  async ({ control, call }) => {
    const asked = {
      account: 'acct_free',
      scopes: ['apps:read'],
      expires_at: '2026-04-01T00:00:00Z',
    }
    const { body } = await control('POST', path, asked)
    const account = await (
      await call('/v1/account', { headers: { authorization: `Bearer ${body.secret}` } })
    ).json()
    expect(account).toEqual({
      id: 'acct_free',
      name: 'Fern Free',
      email: 'fern@example.com',
      plan: 'free',
      key: { fingerprint: body.id, scopes: ['apps:read'], expires_at: '2026-04-01T00:00:00.000Z' },
    })
  },
)

testControl(
  'a key without scopes may do everything, one with an empty list nothing',
  async ({ control, call }) => {
    const statuses = async (key: object) => {
      const { body } = await control('POST', path, { account: 'acct_pro', ...key })
      const asked = ['/plants', '/v1/apps', '/v1/credits', '/v1/plans', '/v1/account']
      return Promise.all(
        asked.map(
          async (path) =>
            (await call(path, { headers: { authorization: `Bearer ${body.secret}` } })).status,
        ),
      )
    }
    expect(await statuses({})).toEqual([200, 200, 200, 200, 200])
    expect(await statuses({ scopes: [] })).toEqual([403, 403, 403, 200, 200])
  },
)

testControl(
  'keys that are made at once are different ones and all work',
  async ({ control, call }) => {
    const made = await Promise.all(
      Array.from(
        { length: 20 },
        async () => (await control('POST', path, { account: 'acct_pro_plus' })).body,
      ),
    )
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(20)
    for (const { secret } of made)
      expect(
        (await call('/v1/account', { headers: { authorization: `Bearer ${secret}` } })).status,
      ).toBe(200)
  },
)

const statusOf = async ({ call }: Controlled, secret: string) =>
  (await call('/v1/account', { headers: { authorization: `Bearer ${secret}` } })).status

testControl('a change leaves what it does not name as it was', async (client) => {
  const { control } = client
  const given = { account: 'acct_pro', scopes: ['apps:read'], expires_at: '2027-01-01T00:00:00Z' }
  const { id, secret } = (await control('POST', path, given)).body
  const change = async (changes: object) =>
    (await control('PATCH', `${records}/${id}`, changes)).body
  expect(await change({ revoked: true })).toEqual({ ...given, secret: id, revoked: true })
  const endless = { secret: id, account: 'acct_pro', scopes: ['apps:read'], revoked: true }
  expect(await change({ expires_at: null })).toEqual(endless)
  expect(await change({})).toEqual(endless)
  expect(await statusOf(client, secret)).toBe(401)
  await change({ revoked: false })
  expect(await statusOf(client, secret)).toBe(200)
})

testControl(
  'a new key belongs to its world, is gone after a reset, and back with a snapshot',
  async (client) => {
    const { control, call } = client
    await control('PUT', '/worlds/checkout', {})
    const { id, secret } = (await control('POST', '/worlds/checkout/keys', { account: 'acct_pro' }))
      .body
    const inWorld = async () =>
      (await call('/~checkout/v1/account', { headers: { authorization: `Bearer ${secret}` } }))
        .status
    expect([
      await inWorld(),
      await statusOf(client, secret),
      await statusOf(client, `${secret}@checkout`),
    ]).toEqual([200, 401, 200])
    await control('PUT', '/worlds/checkout/snapshots/made')
    await control('PATCH', `/worlds/checkout/records/keys/${id}`, { revoked: true })
    expect(await inWorld()).toBe(401)
    await control('POST', '/worlds/checkout/snapshots/made/restore')
    expect(await inWorld()).toBe(200)
    await control('POST', '/worlds/checkout/reset')
    expect(await inWorld()).toBe(401)
  },
)

const all = [
  [
    'apps:read',
    'apps:write',
    'analytics:read',
    'webhooks:read',
    'webhooks:write',
    'deployments:read',
  ],
  ['deployments:write', 'payments:read', 'payments:write', 'plants:read', 'plants:write'],
].flat()

testApi(
  'an account shows its owner and what the key may do, but never the key itself',
  async ({ call }) => {
    const { status, body, text } = await call('GET', '/v1/account')
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id: 'acct_pro',
        name: 'Petra Pro',
        email: 'petra@example.com',
        plan: 'pro',
        key: { fingerprint: toFingerprint('key_pro'), scopes: all, expires_at: null },
      },
    })
    expect(text).not.toContain('key_pro')
  },
)

testApi(
  'another key of the same account has its own fingerprint, scopes and expiry',
  async ({ call, world }) => {
    await world.records.keys.update('key_readonly', { expires_at: '2026-04-01T00:00:00Z' })
    const { body } = await call('GET', '/v1/account', { key: 'key_readonly' })
    expect(body).toMatchObject({
      id: 'acct_pro',
      key: {
        fingerprint: toFingerprint('key_readonly'),
        scopes: [
          'apps:read',
          'analytics:read',
          'webhooks:read',
          'deployments:read',
          'payments:read',
          'plants:read',
        ],
        expires_at: '2026-04-01T00:00:00.000Z',
      },
    })
  },
)

testApi('the scopes of a key include reading where it may write', async ({ call, world }) => {
  await world.records.keys.update('key_readonly', { scopes: ['payments:write', 'apps:read'] })
  expect((await call('GET', '/v1/account', { key: 'key_readonly' })).body.key.scopes).toEqual([
    'apps:read',
    'payments:read',
    'payments:write',
  ])
  await world.records.keys.update('key_readonly', { scopes: [] })
  expect((await call('GET', '/v1/account', { key: 'key_readonly' })).body.key.scopes).toEqual([])
})

testApi('a key shows the plan that a scenario sets', async ({ call, world }) => {
  await call('PUT', '/v1/subscription', { body: { plan: 'lite' } })
  expect((await call('GET', '/v1/account')).body.plan).toBe('lite')
  world.use({ account: [{ plan: 'pro_plus' }] })
  expect((await call('GET', '/v1/account')).body.plan).toBe('pro_plus')
  expect((await call('GET', '/v1/subscription')).body.plan).toBe('pro_plus')
  world.clear()
  expect((await call('GET', '/v1/account')).body.plan).toBe('lite')
})
