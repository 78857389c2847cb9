import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'

testApi('expired-key makes every key a 401 invalid_api_key', async ({ world, call }) => {
  world.use('expired-key')
  for (const key of ['key_free', 'key_lite', 'key_pro', 'key_pro_plus', 'key_readonly'])
    expect(await call('GET', '/v1/apps', { key })).toMatchObject({
      status: 401,
      body: { error: { code: 'invalid_api_key' } },
    })
  expect(await call('GET', '/plants')).toMatchObject({ status: 401, body: { error: 401 } })
  expect(await call('POST', '/plants', { body: { id: 5000, name: 'Ficus' } })).toMatchObject({ status: 401 })
  world.clear()
  expect(world.records.plants.get(5000)).toBeUndefined()
})

testApi('one key can expire while the others hold', async ({ world, call }) => {
  world.use('expired-key', { key: 'key_pro' })
  expect((await call('GET', '/v1/apps')).status).toBe(401)
  expect((await call('GET', '/v1/apps', { key: 'key_readonly' })).status).toBe(200)
  expect((await call('GET', '/v1/apps', { key: 'key_free' })).status).toBe(200)
})

testApi('a key can expire in mid-session', async ({ world, call }) => {
  world.use('expired-key', { after: '10m' })
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  world.clock.advance('9m59s')
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  world.clock.advance('1s')
  expect((await call('GET', '/v1/apps')).status).toBe(401)
})

testApi('the stored keys stay as they are', async ({ world, call }) => {
  const before = world.records.keys.all()
  world.use('expired-key')
  expect((await call('GET', '/v1/apps')).status).toBe(401)
  expect(world.records.keys.all()).toEqual(before)
  world.clear('expired-key')
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

testApi(
  'a key that expires is no other key that does: revoked and expired ones stay a 401',
  async ({ world, call }) => {
    world.use('expired-key', { after: '1h' })
    for (const key of ['key_expired', 'key_revoked'])
      expect((await call('GET', '/v1/apps', { key })).status, key).toBe(401)
    expect(world.clock.now()).toBe(Date.parse(start))
  },
)
