import { expect } from 'vitest'
import { throughConnections } from '../faults/among.ts'

throughConnections('connection-reset fails requests below HTTP, and nothing was done', async ({ world, call }) => {
  world.use('connection-reset', { on: 'apps.*' })
  const before = world.records.apps.all()
  await expect(call('POST', '/v1/apps', { body: { name: 'Never' } })).rejects.toMatchObject({
    cause: { code: 'ECONNRESET' },
  })
  expect(world.records.apps.all()).toEqual(before)
  expect((await call('GET', '/plants')).status).toBe(200)
  world.clear()
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})
