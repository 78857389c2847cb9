import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'

const headers = { 'idempotency-key': 'first' }
const body = { name: 'x' }

testApi('an Idempotency-Key is kept for 24 hours of the clock, and not a millisecond more', async ({ call, world }) => {
  const first = await call('POST', '/v1/apps', { body, headers })
  world.clock.advance(24 * 3_600_000 - 1)
  expect((await call('POST', '/v1/apps', { body, headers })).text).toBe(first.text)
  world.clock.advance(1)
  const anew = await call('POST', '/v1/apps', { body, headers })
  expect(anew.status).toBe(201)
  expect(anew.body.id).not.toBe(first.body.id)
  expect((await call('POST', '/v1/apps', { body, headers })).text).toBe(anew.text)
})

testApi('a replay does not make a key last longer', async ({ call, world }) => {
  const first = await call('POST', '/v1/apps', { body, headers })
  world.clock.advance('23h')
  await call('POST', '/v1/apps', { body, headers })
  world.clock.advance('1h')
  expect((await call('POST', '/v1/apps', { body, headers })).body.id).not.toBe(first.body.id)
})

testApi('after 24 hours a key can be used with another body', async ({ call, world }) => {
  await call('POST', '/v1/apps', { body, headers })
  world.clock.advance('24h')
  expect((await call('POST', '/v1/apps', { body: { name: 'y' }, headers })).status).toBe(201)
})

testApi('a key that was used after the clock went back expires in its own time', async ({ call, world }) => {
  world.clock.set(start)
  await call('POST', '/v1/apps', { body, headers: { 'idempotency-key': 'later' } })
  world.clock.advance('-10h')
  const first = await call('POST', '/v1/apps', { body, headers })
  world.clock.advance('24h')
  expect((await call('POST', '/v1/apps', { body, headers })).body.id).not.toBe(first.body.id)
})

testApi('a reset forgets every key', async ({ call, world }) => {
  await call('POST', '/v1/apps', { body, headers })
  world.reset()
  expect((await call('POST', '/v1/apps', { body: { name: 'y' }, headers })).status).toBe(201)
})
