import { expect } from 'vitest'
import { toFingerprint } from '../../src/core/secrets/secret-finder.ts'
import { testControl } from '../support/control.ts'

const path = '/worlds/default/keys'

testControl(
  'a new key is shown this once, and every other sight of it is its fingerprint',
  async ({ control, call }) => {
    const { body } = await control('POST', path, { account: 'acct_lite' })
    const { secret, id } = body
    expect(id).toBe(toFingerprint(secret))
    const authorization = `Bearer ${secret}`
    for (const asked of ['/plants', '/v1/apps', '/v1/account'])
      expect((await call(asked, { headers: { authorization } })).status).toBe(200)
    await control('PUT', '/worlds/default/snapshots/a')
    await control('PATCH', `${path}/${id}`, { expires_at: '2030-01-01T00:00:00Z' })
    for (const asked of [
      '',
      '/keys',
      '/records/keys',
      '/journal',
      '/journal.har',
      '/snapshots',
      '/snapshots/a',
      '/scenarios',
      '/clock',
      '/assumptions',
    ]) {
      const { status, text } = await control('GET', `/worlds/default${asked}`)
      expect(status, asked).toBe(200)
      expect(text, asked).not.toContain(secret)
    }
    const { data } = (await control('GET', path)).body
    expect(data.find((key: { id: string }) => key.id === id)).toMatchObject({
      name: null,
      account: 'acct_lite',
      plan: 'lite',
      scopes: body.scopes,
      expires_at: '2030-01-01T00:00:00Z',
      revoked: false,
    })
  },
)

testControl('a new key knows its account, what it may do and until when', async ({ control, call }) => {
  const { body } = await control('POST', path, {
    account: 'acct_free',
    scopes: ['apps:read'],
    expires_at: '2026-04-01T00:00:00Z',
  })
  const account = await (await call('/v1/account', { headers: { authorization: `Bearer ${body.secret}` } })).json()
  expect(account).toEqual({
    id: 'acct_free',
    name: 'Fern Free',
    email: 'fern@example.com',
    plan: 'free',
    key: { fingerprint: body.id, scopes: ['apps:read'], expires_at: '2026-04-01T00:00:00.000Z' },
  })
})

testControl(
  'a key that was made without scopes may do everything, and one with an empty list nothing but see itself and the plans',
  async ({ control, call }) => {
    const statuses = async (key: object) => {
      const { body } = await control('POST', path, { account: 'acct_pro', ...key })
      const asked = ['/plants', '/v1/apps', '/v1/credits', '/v1/plans', '/v1/account']
      return Promise.all(
        asked.map(async (path) => (await call(path, { headers: { authorization: `Bearer ${body.secret}` } })).status),
      )
    }
    expect(await statuses({})).toEqual([200, 200, 200, 200, 200])
    expect(await statuses({ scopes: [] })).toEqual([403, 403, 403, 200, 200])
  },
)

testControl('a new key spends the budget of its account', async ({ control, call, greenhouse }) => {
  greenhouse.world().clock.freeze()
  const { body } = await control('POST', path, { account: 'acct_free' })
  const remaining = async (key: string) =>
    Number(
      (await call('/v1/apps', { headers: { authorization: `Bearer ${key}` } })).headers.get('x-ratelimit-remaining'),
    )
  const before = await remaining('key_free')
  expect(await remaining(body.secret)).toBe(before - 1)
  expect(await remaining('key_free')).toBe(before - 2)
})

testControl('keys that are made at once are different ones and all work', async ({ control, call }) => {
  const made = await Promise.all(
    Array.from({ length: 20 }, async () => (await control('POST', path, { account: 'acct_pro_plus' })).body),
  )
  expect(new Set(made.map(({ secret }) => secret)).size).toBe(20)
  for (const { secret } of made)
    expect((await call('/v1/account', { headers: { authorization: `Bearer ${secret}` } })).status).toBe(200)
})
