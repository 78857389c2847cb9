import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('missing-scope takes one scope from every key', async ({ world, call }) => {
  const create = () => call('POST', '/v1/apps', { body: { name: 'x' } })
  world.use('missing-scope')
  expect(await create()).toMatchObject({
    status: 403,
    body: { error: { code: 'insufficient_permissions', message: expect.stringContaining('apps:write') } },
  })
  expect([(await call('GET', '/v1/apps')).status, (await call('GET', '/plants')).status]).toEqual([200, 200])
  world.use('missing-scope', { scope: 'plants:read' })
  expect([(await create()).status, (await call('GET', '/plants')).status]).toEqual([201, 403])
  world.clear()
  expect((await call('GET', '/plants')).status).toBe(200)
})

testApi('missing-scope can mean one key', async ({ world, call }) => {
  world.use('missing-scope', { scope: 'apps:read', key: 'key_readonly' })
  expect([
    (await call('GET', '/v1/apps', { key: 'key_readonly' })).status,
    (await call('GET', '/v1/apps')).status,
  ]).toEqual([403, 200])
})
