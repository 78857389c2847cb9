import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('duplicate-ids shows the first of a list twice', async ({ world, call }) => {
  const plants = (await call('GET', '/plants')).body
  const apps = (await call('GET', '/v1/apps?limit=3')).body
  world.use('duplicate-ids')
  expect((await call('GET', '/plants')).body).toEqual([plants[0], ...plants])
  expect((await call('GET', '/v1/apps?limit=3')).body).toEqual({ ...apps, data: [apps.data[0], ...apps.data] })
  expect((await call('GET', '/plants', { key: 'key_lite' })).body).toEqual([])
  world.clear()
  expect((await call('GET', '/plants')).body).toEqual(plants)
})
