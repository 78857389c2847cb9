import { expect } from 'vitest'
import { throughConnections } from '../faults/among.ts'

throughConnections(
  'a retry with the same Idempotency-Key finds what the first request made',
  async ({ world, call }) => {
    world.use('connection-reset-after-write')
    const create = () => call('POST', '/v1/apps', { body: { name: 'Once' }, headers: { 'idempotency-key': 'one' } })
    await expect(create()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
    const made = world.records.apps.all().filter(({ name }) => name === 'Once')
    expect(made).toHaveLength(1)
    expect(await create()).toMatchObject({ status: 201, body: { id: made[0]!.id } })
    expect(world.records.apps.all().filter(({ name }) => name === 'Once')).toHaveLength(1)
  },
)

throughConnections('a retry without one makes a second', async ({ world, call }) => {
  world.use('connection-reset-after-write')
  const create = () => call('POST', '/v1/apps', { body: { name: 'Twice' } })
  await expect(create()).rejects.toThrow('fetch failed')
  expect((await create()).status).toBe(201)
  expect(world.records.apps.all().filter(({ name }) => name === 'Twice')).toHaveLength(2)
})

throughConnections(
  'it happens as often as is asked for, on what is meant, until it is cleared',
  async ({ world, call }) => {
    world.use('connection-reset-after-write', { times: 2, on: 'plants.delete' })
    expect((await call('POST', '/v1/apps', { body: { name: 'Fine' } })).status).toBe(201)
    for (const id of [101, 102]) {
      await expect(call('DELETE', `/plants/${id}`)).rejects.toThrow('fetch failed')
      expect(world.records.plants.get(id)).toBeUndefined()
    }
    expect((await call('DELETE', '/plants/103')).status).toBeLessThan(300)
    world.use('connection-reset-after-write', { on: 'plants.delete' })
    world.clear()
    expect((await call('DELETE', '/plants/104')).status).toBeLessThan(300)
  },
)
