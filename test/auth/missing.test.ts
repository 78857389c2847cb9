import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const keyless: Record<string, Record<string, string>> = {
  'no Authorization': {},
  'an empty one': { authorization: '' },
  'an empty Bearer': { authorization: 'Bearer' },
  'a blank Bearer': { authorization: 'Bearer  ' },
  Basic: { authorization: 'Basic a2V5X3Bybzo=' },
  'a scheme that only begins so': { authorization: 'Bearerkey_pro' },
  'the bare key': { authorization: 'key_pro' },
  'the key in another header': { 'x-api-key': 'key_pro' },
}

testApi('a request without a bearer key is 401 missing_api_key', async ({ call }) => {
  for (const [what, headers] of Object.entries(keyless)) {
    const { status, body } = await call('GET', '/v1/apps', { key: null, headers })
    expect(status, what).toBe(401)
    expect(body.error.code, what).toBe('missing_api_key')
  }
})

testApi('a key in the query is no key', async ({ call }) => {
  expect((await call('GET', '/v1/apps?api_key=key_pro&access_token=key_pro', { key: null })).status).toBe(401)
})

testApi(
  'with auth.missing-code=invalid_api_key a missing key has the code of an invalid one',
  async ({ call, world }) => {
    world.assume('auth.missing-code', 'invalid_api_key')
    for (const [what, headers] of Object.entries(keyless)) {
      const { status, body } = await call('GET', '/v1/apps', { key: null, headers })
      expect(status, what).toBe(401)
      expect(body.error.code, what).toBe('invalid_api_key')
    }
  },
)

testApi('no operation answers without a key, or does anything', {}, async ({ call, greenhouse, world }) => {
  const before = world.records.apps.all()
  const operations = greenhouse.operations().filter(({ path }) => path.startsWith('/v1/'))
  expect(operations.length).toBeGreaterThanOrEqual(5)
  for (const { id, method, path } of operations) {
    const url = path.replace('{app_id}', 'app_w33c4cwmhfyfktiv').replace(/\{\w+\}/g, 'x')
    const body = method === 'GET' || method === 'DELETE' ? undefined : { name: 'x' }
    expect((await call(method, url, { key: null, body })).status, id).toBe(401)
    expect((await call(method, url, { key: 'key_revoked', body })).status, id).toBe(401)
  }
  expect(world.records.apps.all()).toEqual(before)
})
