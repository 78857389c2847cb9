import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('error-without-body is a status and nothing to read', async ({ world, call }) => {
  world.use('error-without-body', { on: 'plants.*' })
  const { status, text, headers } = await call('DELETE', '/plants/101')
  expect([status, text, headers.has('content-type')]).toEqual([500, '', false])
  expect(world.records.plants.get(101)).toBeDefined()
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  for (const status of [401, 404, 429, 503]) {
    world.use('error-without-body', { status })
    expect(await call('GET', '/v1/apps')).toMatchObject({ status, text: '' })
  }
  world.clear()
  expect((await call('GET', '/plants')).status).toBe(200)
})
