import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'
import { expectRefused } from './keys.ts'

testApi('invalid-key makes every key unknown', async (client) => {
  client.world.use('invalid-key')
  await expectRefused(client, 401, 'invalid_api_key')
})

testApi('invalid-key can mean one key', async ({ world, call }) => {
  world.use('invalid-key', { key: 'key_free' })
  expect([(await call('GET', '/v1/apps', { key: 'key_free' })).status, (await call('GET', '/v1/apps')).status]).toEqual(
    [401, 200],
  )
})
