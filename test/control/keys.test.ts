import { expect } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { toFingerprint } from '../../src/core/secrets/secret-finder.ts'
import { testControl, expectControlError } from '../support/control.ts'

const path = '/worlds/default/keys'

testControl('makes a key that works and is shown once', async ({ control, call }) => {
  const { status, body, headers } = await control('POST', path, { account: 'acct_free', scopes: ['plants:read'] })
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
  const { text } = await control('GET', path)
  expect(text).not.toContain(body.secret)
  const { secret: _, ...shown } = body
  expect(JSON.parse(text).data).toContainEqual(shown)
})

testControl('makes keys by the seed', async ({ control }) => {
  const { secret } = await createGreenhouse().world().createKey({ account: 'acct_pro' })
  expect((await control('POST', path, { account: 'acct_pro' })).body.secret).toBe(secret)
})

testControl('revokes a key, lets it expire, and takes both back', async ({ control, call }) => {
  const id = toFingerprint('key_pro')
  const status = async () => (await call('/plants')).status
  expect((await control('PATCH', `${path}/${id}`, { revoked: true })).body).toMatchObject({ id, revoked: true })
  expect(await status()).toBe(401)
  expect(
    (await control('PATCH', `${path}/${id}`, { revoked: false, expires_at: '2020-01-01T00:00:00Z' })).body,
  ).toMatchObject({ revoked: false, expires_at: '2020-01-01T00:00:00Z' })
  expect(await status()).toBe(401)
  expect((await control('PATCH', `${path}/${id}`, { expires_at: null })).body).toMatchObject({ expires_at: null })
  expect(await status()).toBe(200)
})

testControl('a key that is removed is unknown to the API', async ({ control, call, greenhouse }) => {
  const id = toFingerprint('key_pro')
  expect(await control('DELETE', `${path}/${id}`)).toMatchObject({ status: 204, text: '' })
  expect((await call('/plants')).status).toBe(401)
  expect(greenhouse.world().records.keys.get('key_pro')).toBeUndefined()
  expectControlError(await control('DELETE', `${path}/${id}`), 404, 'unknown_key')
})

testControl(
  'a key is named only where it comes from the fixtures and is plain words',
  async ({ control, greenhouse }) => {
    const { accounts, keys } = greenhouse.world().records
    keys.create({ secret: 'key_of_code', account: 'acct_lite' })
    accounts.create({ id: 'gone', name: 'Gone', email: 'gone@example.com', plan: 'free' })
    keys.create({ secret: 'sk_live_51H8abcdefghijkl', account: 'gone' })
    accounts.delete('gone')
    const { body, text } = await control('GET', path)
    const named = body.data.map(({ name, plan }: { name: string; plan: string }) => [name, plan])
    expect(named).toContainEqual(['key_free', 'free'])
    expect(named.slice(-2)).toEqual([
      [null, 'lite'],
      [null, null],
    ])
    expect(text).not.toMatch(/key_of_code|sk_live_51/)
  },
)
