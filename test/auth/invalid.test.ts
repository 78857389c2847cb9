import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const bad = [
  'key_unknown',
  'KEY_PRO',
  'key_pro ,',
  'key_pro key_pro',
  'key_pr',
  'key_pro%20',
  'acct_pro',
  '__proto__',
  'constructor',
  'null',
  'x'.repeat(4_000),
]

testApi('a key that is not known is 401 invalid_api_key', async ({ call }) => {
  for (const key of bad) {
    const { status, body } = await call('GET', '/v1/apps', { key })
    expect(status, key).toBe(401)
    expect(body.error.code, key).toBe('invalid_api_key')
  }
})

testApi(
  'a key that expired or was revoked is 401 with the code of an unknown one',
  {},
  async ({ call, greenhouse }) => {
    const unknown = await call('GET', '/v1/apps', { key: 'key_unknown' })
    for (const key of ['key_expired', 'key_revoked']) {
      const { status, body } = await call('GET', '/v1/apps', { key })
      expect(status, key).toBe(401)
      expect({ ...body.error, request_id: '' }, key).toEqual({ ...unknown.body.error, request_id: '' })
    }
    const { values } = greenhouse.assumptions().find(({ id }) => id === 'auth.expired-code')!
    expect(values).toEqual(['invalid_api_key'])
  },
)

testApi(
  'a revoked key is refused from the next request on, and valid again when it is restored',
  async ({ call, world }) => {
    expect((await call('GET', '/v1/apps')).status).toBe(200)
    await world.records.keys.update('key_pro', { revoked: true })
    expect((await call('GET', '/v1/apps')).status).toBe(401)
    await world.records.keys.update('key_pro', { revoked: false })
    expect((await call('GET', '/v1/apps')).status).toBe(200)
  },
)

testApi('a key of an account that is gone is 401', async ({ call, world }) => {
  world.records.accounts.delete('acct_lite')
  expect((await call('GET', '/v1/apps', { key: 'key_lite' })).status).toBe(401)
})
