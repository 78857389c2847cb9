import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('read-only-key lets keys read and write nothing', async ({ world, call }) => {
  world.use('read-only-key')
  const statuses = async () => [
    (await call('GET', '/plants')).status,
    (await call('GET', '/v1/apps')).status,
    (await call('POST', '/plants', { body: { id: 5000, name: 'Ficus' } })).status,
    (await call('DELETE', '/plants/5000')).status,
    (await call('POST', '/v1/apps', { body: { name: 'x' } })).status,
  ]
  expect(await statuses()).toEqual([200, 200, 403, 403, 403])
  world.clear()
  expect(await statuses()).toEqual([200, 200, 200, 204, 201])
})

testApi('read-only-key gives no key more than it had', async ({ world, call }) => {
  const { secret } = await world.createKey({ account: 'acct_pro', scopes: ['plants:read'] })
  world.use('read-only-key')
  expect([
    (await call('GET', '/plants', { key: secret })).status,
    (await call('GET', '/v1/apps', { key: secret })).status,
  ]).toEqual([200, 403])
})
