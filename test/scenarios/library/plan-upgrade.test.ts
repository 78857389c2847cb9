import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('plan-upgrade raises limits and caps at once', async ({ world, call }) => {
  const create = () => call('POST', '/v1/apps', { key: 'key_free', body: { name: 'more' } })
  while ((await create()).status === 201);
  world.use('plan-upgrade')
  const { status, headers } = await create()
  expect([status, headers.get('x-ratelimit-limit')]).toEqual([201, '600'])
  world.clear()
  expect((await create()).status).toBe(403)
})
