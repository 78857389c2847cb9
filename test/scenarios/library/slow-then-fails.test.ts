import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'
import { answered, hold, pause } from '../faults/held.ts'

testApi('slow-then-fails keeps a request waiting, then fails it, and nothing was done', async ({ world, send }) => {
  world.use('slow-then-fails', { ms: 600_000 })
  const before = world.records.apps.all()
  const { reply, arrived } = hold(send, '/v1/apps', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Never"}',
  })
  await answered(world)
  world.clock.advance(599_999)
  await pause()
  expect(arrived()).toBe(false)
  world.clock.advance(1)
  expect((await reply).status).toBe(500)
  expect(world.records.apps.all()).toEqual(before)
})

testApi('slow-then-fails hits only what is meant, with the error that is asked for', async ({ world, call }) => {
  world.use('slow-then-fails', { ms: 1, on: 'apps.list', error: 'not_found' })
  expect((await call('GET', '/v1/apps')).body.error.code).toBe('not_found')
  expect((await call('GET', '/plants')).status).toBe(200)
  world.clear()
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})
