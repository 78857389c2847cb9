import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi(
  "network-error rejects with a TypeError, as the platform's fetch does, and nothing was done",
  {},
  async ({ world, call }) => {
    world.use('network-error', { on: 'plants.*' })
    await expect(call('DELETE', '/plants/101')).rejects.toBeInstanceOf(TypeError)
    expect(world.records.plants.get(101)).toBeDefined()
    expect((await call('GET', '/v1/apps')).status).toBe(200)
    world.clear()
    expect((await call('DELETE', '/plants/101')).status).toBeLessThan(300)
  },
)
