import { expect } from 'vitest'
import { throughConnections } from '../faults/among.ts'

throughConnections('empty-reply fails requests below HTTP, and nothing was done', async ({ world, call }) => {
  world.use('empty-reply', { on: 'apps.*' })
  const before = world.records.apps.all()
  await expect(call('POST', '/v1/apps', { body: { name: 'Never' } })).rejects.toMatchObject({
    cause: { code: 'UND_ERR_SOCKET', message: 'other side closed' },
  })
  expect(world.records.apps.all()).toEqual(before)
  expect((await call('GET', '/plants')).status).toBe(200)
  world.clear()
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

throughConnections('empty-reply can lose the reply to what was done', async ({ world, call }) => {
  world.use('empty-reply', { loses: 'reply' })
  await expect(call('DELETE', '/plants/101')).rejects.toThrow('fetch failed')
  expect(world.records.plants.get(101)).toBeUndefined()
})
