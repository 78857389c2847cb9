import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi(
  'random-failures fails some requests, the same ones for the same seed',
  {},
  async ({ greenhouse, world, call }) => {
    const play = async () => {
      world.reset()
      world.use('random-failures', { probability: 0.5 })
      const statuses: number[] = []
      for (let round = 0; round < 20; round++) statuses.push((await call('GET', '/plants')).status)
      return statuses
    }
    const first = await play()
    expect(new Set(first)).toEqual(new Set([200, 500]))
    expect(await play()).toEqual(first)
    world.reset({ seed: 2 })
    world.use('random-failures', { probability: 0.5 })
    const other = []
    for (let round = 0; round < 20; round++) other.push((await call('GET', '/plants')).status)
    expect(other).not.toEqual(first)
    expect(greenhouse.world().scenarios).toEqual(['random-failures'])
  },
)

testApi('a probability of 1 fails all that is meant, one of 0 none', async ({ world, call }) => {
  world.use('random-failures', { probability: 1, on: 'apps.*', error: 'not_found' })
  expect([(await call('GET', '/v1/apps')).status, (await call('GET', '/plants')).status]).toEqual([404, 200])
  world.use('random-failures', { probability: 0 })
  for (let round = 0; round < 5; round++) expect((await call('GET', '/v1/apps')).status).toBe(200)
  expect(() => world.use('random-failures', { probability: 1.5 })).toThrow(/probability/)
})
