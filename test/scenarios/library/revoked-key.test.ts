import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'
import { expectRefused } from './keys.ts'

testApi('revoked-key refuses every key, and the stored ones stay as they are', async (client) => {
  const before = client.world.records.keys.all()
  client.world.use('revoked-key')
  await expectRefused(client, 401, 'invalid_api_key')
  expect(client.world.records.keys.all()).toEqual(before)
})

testApi('revoked-key lets some requests pass first', async ({ world, call }) => {
  world.use('revoked-key', { after: 2 })
  const statuses: number[] = []
  for (let round = 0; round < 4; round++) statuses.push((await call('GET', '/v1/apps')).status)
  expect(statuses).toEqual([200, 200, 401, 401])
})
