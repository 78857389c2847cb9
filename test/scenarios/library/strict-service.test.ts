import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('strict-service refuses what it passed over before', async ({ world, call }) => {
  const statuses = async (id: number) => [
    (await call('POST', '/plants', { body: { id, name: 'Ficus', colour: 'green' } })).status,
    (await call('POST', '/v1/apps', { body: { name: 'x', colour: 'green' } })).status,
    (await call('POST', '/plants', { body: { id: id + 1, name: 'Ficus' } })).status,
  ]
  expect(await statuses(5000)).toEqual([200, 201, 200])
  world.use('strict-service')
  expect(await statuses(6000)).toEqual([400, 400, 200])
  world.clear()
  expect(await statuses(7000)).toEqual([200, 201, 200])
})
