import { expect } from 'vitest'
import { testApi, type CallOptions } from '../support/test-api.ts'
import { hostile } from './requests.ts'

const path = '/v1/apps/app_w33c4cwmhfyfktiv'

const ordinary: [method: string, path: string, options?: CallOptions][] = [
  ['GET', '/v1/apps'],
  ['GET', '/v1/apps?limit=1'],
  ['GET', path],
  ['POST', '/v1/apps', { body: { name: 'x' } }],
  ['PATCH', path, { body: { name: 'x' } }],
  ['DELETE', path],
  ['GET', '/v1/apps', { key: null }],
  ['GET', '/v1/apps', { key: 'key_unknown' }],
  ['GET', '/v1/apps', { key: 'key_expired' }],
  ['GET', '/v1/apps', { key: 'key_revoked' }],
  ['DELETE', path, { key: 'key_readonly' }],
  ['GET', '/v1/unknown', { key: null }],
  ['GET', '/v1/unknown', { key: 'key_unknown' }],
  ['GET', '/v1/apps', { key: 'key_free', headers: { 'x-greenhouse-scenario': 'rate-limited-plan' } }],
  ['GET', '/v1/apps', { headers: { 'x-greenhouse-scenario': 'server-error' } }],
  ['GET', '/v1/apps', { key: null, headers: { 'x-greenhouse-scenario': 'server-error' } }],
  ['GET', '/v1/apps', { headers: { 'x-greenhouse-scenario': 'expired-key' } }],
]

function assertCarries(what: string, headers: Headers) {
  expect(headers.get('x-request-id'), what).toMatch(/^req_[a-z2-7]{16}$/)
  expect(headers.get('x-ratelimit-limit'), what).toMatch(/^(60|120|300|600|1000|5000|25000|100000)$/)
  expect(headers.get('x-ratelimit-remaining'), what).toMatch(/^\d+$/)
  expect(Number(headers.get('x-ratelimit-remaining')), what).toBeLessThanOrEqual(
    Number(headers.get('x-ratelimit-limit')),
  )
  expect(headers.get('x-ratelimit-reset'), what).toMatch(/^(1772366460|1772409600|1772366490)$/)
}

testApi('every reply carries a request id and the three headers of the rate limit', async ({ call, send }) => {
  for (const [method, path, options] of ordinary) {
    const { headers } = await call(method, path, options)
    assertCarries(`${method} ${path} ${JSON.stringify(options)}`, headers)
  }
  for (const { what, path, init } of hostile)
    for (const headers of [init.headers, { ...init.headers, authorization: 'Bearer key_pro_plus' }] as HeadersInit[]) {
      const response = await send(path, { ...init, headers })
      await response.arrayBuffer()
      assertCarries(what, response.headers)
    }
})
