import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { expectRefusal } from './refusal.ts'

const requests: [method: string, path: string, body?: unknown][] = [
  ['GET', '/plants'],
  ['POST', '/plants', { id: 1007, name: 'Ficus' }],
  ['DELETE', '/plants/101'],
]

testApi('every operation asks for a key that is good, before it does anything', async ({ call, world }) => {
  const before = world.records.plants.all()
  for (const [method, path, body] of requests)
    for (const key of [null, 'nonsense', 'key_expired', 'key_revoked'])
      expectRefusal(await call(method, path, { key, body }), 401, `${method} ${path} with ${key}`)
  expect(world.records.plants.all()).toEqual(before)
})

testApi('a key that may only read lists, but neither creates nor deletes', async ({ call, world }) => {
  const before = world.records.plants.all()
  const [list, ...writes] = requests
  expect((await call(list![0], list![1], { key: 'key_readonly' })).status).toBe(200)
  for (const [method, path, body] of writes)
    expectRefusal(await call(method, path, { key: 'key_readonly', body }), 403, method)
  expect(world.records.plants.all()).toEqual(before)
})

testApi('a request without a valid key is refused for that, even when its body or id is invalid', async ({ call }) => {
  expectRefusal(await call('POST', '/plants', { key: null, body: '{' }), 401)
  expectRefusal(await call('DELETE', '/plants/one', { key: null }), 401)
  expectRefusal(await call('POST', '/plants', { key: 'key_readonly', body: '{' }), 403)
})
