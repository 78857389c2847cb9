import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('flaky fails so many requests, then all succeed', async ({ world, call }) => {
  world.use('flaky')
  const statuses: number[] = []
  for (let round = 0; round < 4; round++) statuses.push((await call('GET', '/plants')).status)
  expect(statuses).toEqual([500, 500, 200, 200])
})

testApi('a request that flaky fails does nothing, and its retry does', async ({ world, call }) => {
  world.use('flaky', { failures: 1, on: '*.create', error: 'rate_limit_exceeded' })
  const create = () => call('POST', '/v1/apps', { body: { name: 'Once' } })
  expect(await create()).toMatchObject({ status: 429, body: { error: { code: 'rate_limit_exceeded' } } })
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  expect((await create()).status).toBe(201)
  expect(world.records.apps.all().filter(({ name }) => name === 'Once')).toHaveLength(1)
})

testApi('switching flaky on again starts it over, and clearing it ends it', async ({ world, call }) => {
  world.use('flaky', { failures: 1 })
  await call('GET', '/plants')
  world.use('flaky', { failures: 1 })
  expect((await call('GET', '/plants')).status).toBe(500)
  world.use('flaky', { failures: 1 })
  world.clear()
  expect((await call('GET', '/plants')).status).toBe(200)
})

testApi('a client that names flaky with every retry sees it recover', async ({ call }) => {
  const statuses: number[] = []
  for (let round = 0; round < 3; round++)
    statuses.push((await call('GET', '/plants', { headers: { 'x-greenhouse-scenario': 'flaky:failures=2' } })).status)
  expect(statuses).toEqual([500, 500, 200])
})
