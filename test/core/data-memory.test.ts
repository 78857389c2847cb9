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
