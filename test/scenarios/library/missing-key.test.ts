import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'
import { expectRefused } from './keys.ts'

testApi('missing-key loses the key on the way', async (client) => {
  client.world.use('missing-key')
  const { headers } = await client.call('GET', '/v1/apps')
  expect(headers.get('x-ratelimit-limit'), 'nobody is known, so the headers are those of the Free plan').toBe('60')
  client.world.use('server-error')
  const failed = await client.call('GET', '/v1/apps')
  expect([failed.status, failed.headers.get('x-ratelimit-limit')]).toEqual([500, '60'])
  client.world.clear('server-error')
  await expectRefused(client, 401, 'missing_api_key')
})

testApi('missing-key can hit some operations', async ({ world, call }) => {
  world.use('missing-key', { on: 'apps.create' })
  expect([
    (await call('GET', '/v1/apps')).status,
    (await call('POST', '/v1/apps', { body: { name: 'x' } })).status,
  ]).toEqual([200, 401])
})
