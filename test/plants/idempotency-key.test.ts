import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi('plants ignore Idempotency-Key: each request is carried out, whatever the key', async ({ call, world }) => {
  const before = world.records.plants.count()
  for (const [id, key] of [
    [7001, 'one'],
    [7002, 'one'],
    [7003, ''],
    [7004, 'x'.repeat(300)],
  ] as const) {
    const answer = await call('POST', '/plants', { body: { id, name: 'Fern' }, headers: { 'idempotency-key': key } })
    expect([id, answer.status]).toEqual([id, 200])
    expect(answer.headers.get('idempotent-replayed')).toBeNull()
  }
  expect(world.records.plants.count()).toBe(before + 4)
})
