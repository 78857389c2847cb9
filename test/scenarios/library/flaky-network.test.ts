import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('flaky-network fails so many requests without a reply, then all succeed', {}, async ({ world, call }) => {
  world.use('flaky-network', { failures: 3, on: 'apps.*' })
  expect((await call('GET', '/plants')).status).toBe(200)
  for (let round = 0; round < 3; round++) await expect(call('GET', '/v1/apps')).rejects.toBeInstanceOf(TypeError)
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  world.use('flaky-network')
  await expect(call('GET', '/plants')).rejects.toBeInstanceOf(TypeError)
  world.clear()
  expect((await call('GET', '/plants')).status).toBe(200)
})
