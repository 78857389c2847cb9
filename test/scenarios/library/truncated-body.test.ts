import { expect } from 'vitest'
import { throughConnections } from '../faults/among.ts'

throughConnections(
  'truncated-body promises more than arrives, and the client notices',
  async ({ world, send, call }) => {
    world.use('truncated-body', { on: 'plants.*' })
    const response = await send('/plants', { headers: { authorization: 'Bearer key_pro' } })
    expect(response.status).toBe(200)
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(20)
    await expect(response.text()).rejects.toThrow('terminated')
    expect((await call('GET', '/v1/apps')).status).toBe(200)
    world.clear()
    expect(Array.isArray((await call('GET', '/plants')).body)).toBe(true)
  },
)

throughConnections('truncated-body did what was asked for', async ({ world, call }) => {
  world.use('truncated-body', { bytes: 0 })
  await expect(call('POST', '/v1/apps', { body: { name: 'Made' } })).rejects.toThrow('terminated')
  expect(world.records.apps.all().filter(({ name }) => name === 'Made')).toHaveLength(1)
  world.use('truncated-body', { bytes: 100_000 })
  expect((await call('GET', '/plants')).status).toBe(200)
})
