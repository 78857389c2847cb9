import { expect } from 'vitest'
import { testApi, type CallOptions } from '../support/test-api.ts'
import { rate, spend, statusFor } from './spend.ts'

const path = '/v1/apps/app_7sm4hb54ca5qj6nu'
type Sent = [status: number, method: string, path: string, options?: CallOptions]

const spending: Sent[] = [
  [200, 'GET', '/v1/apps'],
  [200, 'HEAD', '/v1/apps'],
  [400, 'GET', '/v1/apps?limit=0'],
  [400, 'POST', '/v1/apps', { body: '{' }],
  [400, 'POST', '/v1/apps', { body: '{}', headers: { 'content-type': 'text/plain' } }],
  [400, 'GET', '/v1/apps/%zz'],
  [403, 'POST', '/v1/apps', { key: 'key_free_readonly', body: { name: 'x' } }],
  [404, 'GET', '/v1/apps/app_aaaaaaaaaaaaaaaa'],
  [201, 'POST', '/v1/apps', { body: { name: 'x' } }],
  [200, 'PATCH', path, { body: {} }],
  [204, 'DELETE', path],
]

const free: Sent[] = [
  [401, 'GET', '/v1/apps', { key: null }],
  [401, 'GET', '/v1/apps', { key: 'key_free_revoked' }],
  [404, 'GET', '/v1/unknown'],
  [404, 'GET', '/v1/apps/x/y'],
  [404, 'PUT', '/v1/apps'],
  [404, 'OPTIONS', '/v1/apps'],
  [500, 'GET', '/v1/apps', { headers: { 'x-greenhouse-scenario': 'server-error' } }],
  [200, 'GET', '/plants'],
]

testApi(
  'a request that reaches an operation with a good key spends one, whatever comes of it',
  async ({ call, world }) => {
    await world.records.keys.create({ secret: 'key_free_readonly', account: 'acct_free', scopes: ['apps:read'] })
    let left = 60
    for (const [status, method, path, options] of spending) {
      const answer = await call(method, path, { key: 'key_free', ...options })
      expect(answer.status, `${method} ${path}`).toBe(status)
      expect(rate(answer).remaining, `${method} ${path}`).toBe(String(--left))
    }
  },
)

testApi('a request without a good key, to no operation or to plants spends nothing', async ({ call, world }) => {
  await world.records.keys.create({ secret: 'key_free_revoked', account: 'acct_free', revoked: true })
  for (const [status, method, path, options] of free)
    expect((await call(method, path, { key: 'key_free', ...options })).status, `${method} ${path}`).toBe(status)
  expect(rate(await call('GET', '/v1/apps', { key: 'key_free' })).remaining).toBe('59')
})

testApi('a request to no operation is 404 even when nothing is left, and shows that', async (client) => {
  await spend(client, 60)
  const { status, headers } = await client.call('GET', '/v1/unknown', { key: 'key_free' })
  expect(status).toBe(404)
  expect(headers.get('x-ratelimit-remaining')).toBe('0')
  expect(await statusFor(client)).toBe(429)
})
