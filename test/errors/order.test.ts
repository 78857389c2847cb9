import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi('of two errors the earlier step decides: path, key, limit, scope, body', async ({ call, world }) => {
  const wrong = { body: '{', headers: { 'content-type': 'text/plain' } }
  expect((await call('PUT', '/v1/apps', { key: null, ...wrong })).status).toBe(404)
  expect((await call('POST', '/v1/apps', { key: 'key_revoked', ...wrong })).status).toBe(401)
  world.use('rate-limited-plan', { plan: 'any' })
  expect((await call('POST', '/v1/apps', { key: 'key_readonly', ...wrong })).status).toBe(429)
  world.clear()
  expect((await call('POST', '/v1/apps', { key: 'key_readonly', ...wrong })).status).toBe(403)
  expect((await call('POST', '/v1/apps', wrong)).status).toBe(400)
})

testApi('the body is looked at before the app is looked for', async ({ call }) => {
  expect((await call('PATCH', '/v1/apps/app_aaaaaaaaaaaaaaaa', { body: '{' })).status).toBe(400)
})
