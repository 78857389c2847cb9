import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('every-third-fails fails every third request, which then has done nothing', async ({ world, call }) => {
  world.use('every-third-fails', { on: 'plants.create' })
  const statuses: number[] = []
  for (let id = 9001; id <= 9006; id++)
    statuses.push((await call('POST', '/plants', { body: { id, name: 'Fern' } })).status)
  expect(statuses).toEqual([201, 201, 500, 201, 201, 500].map((status) => (status === 201 ? statuses[0] : status)))
  expect([9001, 9002, 9003, 9004, 9005, 9006].filter((id) => world.records.plants.get(id))).toEqual([
    9001, 9002, 9004, 9005,
  ])
})

testApi(
  'every-third-fails takes another rhythm and another error, and goes when it is cleared',
  async ({ world, call }) => {
    world.use('every-third-fails', { every: 2, error: 'not_found' })
    expect([(await call('GET', '/v1/apps')).status, (await call('GET', '/v1/apps')).status]).toEqual([200, 404])
    world.use('every-third-fails', { every: 1 })
    expect((await call('GET', '/v1/apps')).status).toBe(500)
    world.clear('every-third-fails')
    expect((await call('GET', '/v1/apps')).status).toBe(200)
  },
)
