import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi("the list holds the caller's apps, newest first, and no one else's", async ({ call }) => {
  const { status, body } = await call('GET', '/v1/apps', { key: 'key_free' })
  expect(status).toBe(200)
  expect(body.data.map((app: { name: string }) => app.name)).toEqual(['plant-doctor', 'watering-helper'])
  expect(body).toMatchObject({ has_more: false, next_cursor: null })
})

testApi('a listed app looks as it does alone', async ({ call }) => {
  const { body } = await call('GET', '/v1/apps', { key: 'key_lite' })
  expect(body.data).not.toHaveLength(0)
  for (const app of body.data) expect((await call('GET', `/v1/apps/${app.id}`, { key: 'key_lite' })).body).toEqual(app)
})

testApi('an account without apps gets an empty list', async ({ call, world }) => {
  for (const app of world.records.apps.find((app) => app.account === 'acct_lite')) world.records.apps.delete(app.id)
  const { status, body } = await call('GET', '/v1/apps', { key: 'key_lite' })
  expect(status).toBe(200)
  expect(body).toEqual({ data: [], has_more: false, next_cursor: null })
})

testApi('two keys of one account see the same apps', async ({ call }) => {
  const mine = await call('GET', '/v1/apps', { key: 'key_pro' })
  const same = await call('GET', '/v1/apps', { key: 'key_readonly' })
  expect(same.body).toEqual(mine.body)
})

testApi('with apps.list.shape=array the list is the bare array', async ({ call, world }) => {
  const { body } = await call('GET', '/v1/apps?limit=3')
  world.assume('apps.list.shape', 'array')
  const bare = await call('GET', '/v1/apps?limit=3')
  expect(bare.status).toBe(200)
  expect(bare.body).toEqual(body.data)
})
