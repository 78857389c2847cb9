import { expect } from 'vitest'
import { testApi, type Client, start } from '../support/test-api.ts'

const keyless: Record<string, Record<string, string>> = {
  'no Authorization': {},
  'an empty one': { authorization: '' },
  'an empty Bearer': { authorization: 'Bearer' },
  'a blank Bearer': { authorization: 'Bearer  ' },
  Basic: { authorization: 'Basic a2V5X3Bybzo=' },
  'a scheme that only begins so': { authorization: 'Bearerkey_pro' },
  'a scheme that only ends so': { authorization: 'xBearer key_pro' },
  'the bare key': { authorization: 'key_pro' },
  'the key in another header': { 'x-api-key': 'key_pro' },
}

for (const code of ['missing_api_key', 'invalid_api_key'] as const)
  testApi(
    `with auth.missing-code=${code} a request without a bearer key is 401 ${code}`,
    async ({ call, world }) => {
      if (code !== 'missing_api_key') world.assume('auth.missing-code', code)
      for (const [what, headers] of Object.entries(keyless)) {
        const { status, body } = await call('GET', '/v1/apps', { key: null, headers })
        expect([what, status, body.error.code]).toEqual([what, 401, code])
      }
    },
  )

testApi(
  'no operation answers without a key, or does anything',
  {},
  async ({ call, greenhouse, world }) => {
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
  },
)

const status = async (call: Client['call'], authorization: string) =>
  (await call('GET', '/v1/apps', { key: null, headers: { authorization } })).status

testApi('the scheme is taken in any letter case', async ({ call }) => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
    expect(await status(call, `${scheme} key_pro`), scheme).toBe(200)
})

testApi('with auth.scheme-case=exact only Bearer is taken', async ({ call, world }) => {
  world.assume('auth.scheme-case', 'exact')
  expect(await status(call, 'Bearer key_pro')).toBe(200)
  for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
    const answer = await call('GET', '/v1/apps', {
      key: null,
      headers: { authorization: `${scheme} key_pro` },
    })
    expect([scheme, answer.status, answer.body.error.code]).toEqual([
      scheme,
      401,
      'missing_api_key',
    ])
  }
})

const bad = [
  [
    'key_unknown',
    'KEY_PRO',
    'key_pro ,',
    'key_pro key_pro',
    'key_pr',
    'key_pro%20',
    'acct_pro',
    '__proto__',
  ],
  ['constructor', 'null', 'x'.repeat(4_000)],
].flat()

testApi('a key that is not known is 401 invalid_api_key', async ({ call }) => {
  for (const key of bad) {
    const { status, body } = await call('GET', '/v1/apps', { key })
    expect([key, status, body.error.code]).toEqual([key, 401, 'invalid_api_key'])
  }
})

testApi(
  'an expired or revoked key is 401 with the code of an unknown one',
  {},
  async ({ call, greenhouse }) => {
    const unknown = await call('GET', '/v1/apps', { key: 'key_unknown' })
    for (const key of ['key_expired', 'key_revoked']) {
      const { status, body } = await call('GET', '/v1/apps', { key })
      expect(status, key).toBe(401)
      expect({ ...body.error, request_id: '' }, key).toEqual({
        ...unknown.body.error,
        request_id: '',
      })
    }
    const { values } = greenhouse.assumptions().find(({ id }) => id === 'auth.expired-code')!
    expect(values).toEqual(['invalid_api_key'])
  },
)

testApi(
  'a key is good up to the millisecond before it expires, and expired at that time',
  async ({ call, world }) => {
    world.clock.set(start)
    await world.records.keys.update('key_pro', { expires_at: '2026-03-01T13:00:00Z' })
    expect((await call('GET', '/v1/apps')).status).toBe(200)
    world.clock.set('2026-03-01T12:59:59.999Z')
    expect((await call('GET', '/v1/apps')).status).toBe(200)
    world.clock.advance(1)
    const { status, body } = await call('GET', '/v1/apps')
    expect([status, body.error.code]).toEqual([401, 'invalid_api_key'])
    world.clock.advance(-1)
    expect((await call('GET', '/v1/apps')).status, 'the clock went back').toBe(200)
  },
)

for (const [value, statuses] of Object.entries({
  '404-first': [404, 404, 404, 200],
  checked: [401, 404, 429, 429],
}))
  testApi(
    `with http.unknown-path=${value}, keys and quotas count so there`,
    async ({ world, call }) => {
      world.assume('http.unknown-path', value as 'checked')
      world.use({ quota: [{ window: 'minute', remaining: 1 }] })
      const answers = [await call('GET', '/v1/nothing', { key: null })]
      for (const path of ['/v1/nothing', '/v1/nothing', '/v1/apps'])
        answers.push(await call('GET', path))
      expect(answers.map(({ status }) => status)).toEqual(statuses)
    },
  )

const app = 'app_w33c4cwmhfyfktiv'
const lists: Record<string, string> = {
  apps: '/v1/apps',
  webhooks: '/v1/webhooks',
  deployments: `/v1/apps/${app}/deployments`,
  payments: '/v1/credits',
  plants: '/plants',
}

/** Resources whose write scope includes the read scope. */
const implied = ['webhooks', 'deployments', 'payments']

testApi(
  'the write scopes of webhooks, deployments and payments imply read',
  async ({ call, world }) => {
    for (const name of Object.keys(lists)) {
      world.records.keys.update('key_readonly', { scopes: [`${name}:write` as 'apps:write'] })
      for (const [read, path] of Object.entries(lists)) {
        const { status } = await call('GET', path, { key: 'key_readonly' })
        expect([name, read, status]).toEqual([
          name,
          read,
          read === name && implied.includes(name) ? 200 : 403,
        ])
      }
    }
  },
)

testApi('TRACE is refused, since it would send the key back', {}, async ({ greenhouse }) => {
  for (const [path, field] of [
    ['/plants', 'message'],
    ['/v1/apps', 'error'],
  ] as const) {
    const headers = { authorization: 'Bearer key_pro' }
    const reply = await greenhouse.handle({
      method: 'TRACE',
      path,
      search: '',
      headers,
      body: null,
    })
    expect(reply.status).toBe(400)
    const { [field]: told } = JSON.parse(String(reply.body))
    expect(told.message ?? told).toBe('The method TRACE is not supported.')
  }
})
