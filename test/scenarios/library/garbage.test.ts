import { expect } from 'vitest'
import { throughConnections } from '../faults/among.ts'

throughConnections('garbage fails requests below HTTP, and nothing was done', async ({ world, call }) => {
  world.use('garbage', { on: 'apps.*' })
  const before = world.records.apps.all()
  await expect(call('POST', '/v1/apps', { body: { name: 'Never' } })).rejects.toMatchObject({
    cause: { name: 'HTTPParserError' },
  })
  expect(world.records.apps.all()).toEqual(before)
  expect((await call('GET', '/plants')).status).toBe(200)
  world.clear()
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

throughConnections('garbage refuses to send none', async ({ world }) => {
  expect(() => world.use('garbage', { bytes: 0 })).toThrow(/bytes/)
})
