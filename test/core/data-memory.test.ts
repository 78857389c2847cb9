import { expect } from 'vitest'
import { throughOwn } from '../support/through.ts'

const text = 'x'.repeat(1_000)

throughOwn(
  'what is deleted makes room, so a world can make and delete more than data may take',
  async ({ call }) => {
    for (let round = 0; round < 60; round++) {
      const { status, body } = await call('POST', '/v1/apps', { body: { name: 'App', description: text } })
      expect([round, status]).toEqual([round, 201])
      expect((await call('DELETE', `/v1/apps/${body.id}`)).status).toBe(204)
    }
  },
  { dataMemory: 40_000 },
)

throughOwn(
  'what scenarios of headers make up and remember counts, and goes with a reset',
  async ({ call, world }) => {
    const headers = { 'x-greenhouse-scenario': 'huge-store:count=100' }
    const create = async () => (await call('POST', '/v1/apps', { body: { name: 'App', description: text } })).status
    for (let round = 0; round < 3; round++) {
      expect([round, await create()]).toEqual([round, 201])
      for (let time = 0; time < 2; time++) await call('GET', '/v1/apps', { headers })
      expect([round, await create()]).toEqual([round, 500])
      world.reset()
    }
  },
  { dataMemory: 50_000 },
)

throughOwn(
  'a snapshot that takes the place of another gives back what scenarios of headers remembered in that one',
  async ({ call, world }) => {
    const headers = { 'x-greenhouse-scenario': 'huge-store:count=20' }
    for (let time = 0; time < 2; time++) await call('GET', '/v1/apps', { headers })
    for (let round = 0; round < 30; round++) world.snapshot('same')
    expect((await call('POST', '/v1/apps', { body: { name: 'App', description: text } })).status).toBe(201)
  },
  { dataMemory: 100_000 },
)
