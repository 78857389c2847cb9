import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('huge-store has thousands more of everything, and each can be had by itself', async ({ world, call }) => {
  const before = (await call('GET', '/plants')).body
  world.use('huge-store', { count: 1_200 })
  const plants = (await call('GET', '/plants')).body
  expect(plants).toHaveLength(before.length + 1_200)
  expect(plants.slice(0, before.length)).toEqual(before)
  const ids = new Set<string>()
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await call('GET', `/v1/apps?limit=100${cursor && `&cursor=${cursor}`}`)
    for (const { id } of body.data) ids.add(id)
    cursor = body.next_cursor
  }
  expect(ids.size).toBe(world.records.apps.all().filter(({ account }) => account === 'acct_pro').length + 1_200)
  expect((await call('GET', `/v1/apps/${[...ids][0]}`)).status).toBe(200)
  world.clear()
  expect((await call('GET', '/plants')).body).toEqual(before)
})
