import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('stale-replies shows a list as it was first, and how old that is', async ({ world, call }) => {
  world.use('stale-replies')
  const before = (await call('GET', '/plants')).body
  expect((await call('POST', '/plants', { body: { id: 5000, name: 'Ficus' } })).status).toBe(200)
  world.clock.advance('90s')
  const { status, body, headers } = await call('GET', '/plants')
  expect([status, headers.get('age')]).toEqual([200, '90'])
  expect(body).toEqual(before)
  expect((await call('GET', '/plants?limit=100')).body, 'another URL is another reply').toHaveLength(before.length + 1)
  expect((await call('GET', '/plants', { key: 'key_free' })).body, "and so is another caller's").not.toEqual(before)
  world.clear()
  expect((await call('GET', '/plants')).body).toHaveLength(before.length + 1)
})
