import { expect } from 'vitest'
import { type CallOptions, testApi } from '../support/test-api.ts'

const path = '/v1/apps/app_w33c4cwmhfyfktiv'
const headers = { 'idempotency-key': 'first' }

/** Every code of Area B's errors and a request that gets it. */
const errors: [status: number, code: string, method: string, path: string, options?: CallOptions][] = [
  [400, 'invalid_request', 'POST', '/v1/apps', { body: {} }],
  [400, 'invalid_request', 'GET', '/v1/apps?limit=0'],
  [400, 'idempotency_key_reused', 'POST', '/v1/apps', { body: { name: 'another' }, headers }],
  [401, 'missing_api_key', 'GET', '/v1/apps', { key: null }],
  [401, 'invalid_api_key', 'GET', '/v1/apps', { key: 'key_unknown' }],
  [401, 'invalid_api_key', 'GET', '/v1/apps', { key: 'key_expired' }],
  [401, 'invalid_api_key', 'GET', '/v1/apps', { key: 'key_revoked' }],
  [403, 'insufficient_permissions', 'DELETE', path, { key: 'key_readonly' }],
  [404, 'not_found', 'GET', '/v1/apps/app_aaaaaaaaaaaaaaaa'],
  [404, 'not_found', 'GET', '/v1/unknown'],
  [404, 'not_found', 'PUT', path, { body: { name: 'x' } }],
  [
    429,
    'rate_limit_exceeded',
    'GET',
    '/v1/apps',
    { key: 'key_free', headers: { 'x-greenhouse-scenario': 'rate-limited-plan' } },
  ],
  [500, 'internal_error', 'GET', '/v1/apps', { headers: { 'x-greenhouse-scenario': 'server-error' } }],
]

testApi(
  'every error has its status, its code, a message and the request id, and nothing else',
  {},
  async ({ call, greenhouse }) => {
    await call('POST', '/v1/apps', { body: { name: 'x' }, headers })
    for (const [status, code, method, path, options] of errors) {
      const answer = await call(method, path, options)
      expect(answer.status, `${method} ${path}`).toBe(status)
      expect(answer.body).toEqual({
        error: { code, message: expect.stringMatching(/\S/), request_id: answer.headers.get('x-request-id') },
      })
      expect(answer.headers.get('content-type')).toBe('application/json')
    }
    expect(new Set(errors.map(([status]) => status))).toEqual(new Set([400, 401, 403, 404, 429, 500]))
    expect(greenhouse.assumptions().find(({ id }) => id === 'errors.codes')!.values).toEqual(['snake-case'])
  },
)
