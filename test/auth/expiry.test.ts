import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'

testApi('a key is good up to the millisecond before it expires, and expired at that time', async ({ call, world }) => {
  world.clock.set(start)
  await world.records.keys.update('key_pro', { expires_at: '2026-03-01T13:00:00Z' })
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  world.clock.set('2026-03-01T12:59:59.999Z')
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  world.clock.advance(1)
  const { status, body } = await call('GET', '/v1/apps')
  expect(status).toBe(401)
  expect(body.error.code).toBe('invalid_api_key')
})

testApi('a key is good again when the clock goes back to before it expired', async ({ call, world }) => {
  await world.records.keys.update('key_pro', { expires_at: '2026-03-01T13:00:00Z' })
  world.clock.advance('2h')
  expect((await call('GET', '/v1/apps')).status).toBe(401)
  world.clock.advance('-2h')
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

testApi('another key of the same account does not expire with it', async ({ call, world }) => {
  await world.records.keys.update('key_pro', { expires_at: '2026-03-01T13:00:00Z' })
  world.clock.advance('2h')
  expect((await call('GET', '/v1/apps', { key: 'key_readonly' })).status).toBe(200)
})
