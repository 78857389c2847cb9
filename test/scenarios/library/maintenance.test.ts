import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi("maintenance is a 503 with Retry-After in each area's shape, and nothing is done", async ({ world, call }) => {
  const before = world.records.plants.all()
  world.use('maintenance')
  expect(await call('DELETE', '/plants/101')).toMatchObject({
    status: 503,
    body: { error: expect.any(Number), message: 'The service is down for maintenance.' },
  })
  const { status, headers, body } = await call('GET', '/v1/apps')
  expect([status, headers.get('retry-after'), headers.has('x-request-id')]).toEqual([503, '120', true])
  expect(body.error).toMatchObject({ code: 'internal_error', message: 'The service is down for maintenance.' })
  expect(world.records.plants.all()).toEqual(before)
})

testApi('maintenance takes as long as it says, where it says', async ({ world, call }) => {
  world.use('maintenance', { 'retry-after': 7, on: 'apps.*' })
  expect((await call('GET', '/v1/apps')).headers.get('retry-after')).toBe('7')
  expect((await call('GET', '/plants')).status).toBe(200)
  world.clear()
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})
