import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { expectRefusal } from './refusal.ts'

testApi("a plant that an account creates shows up in no other account's list", async ({ call }) => {
  const before = (await call('GET', '/plants', { key: 'key_pro' })).text
  await call('POST', '/plants', { key: 'key_lite', body: { id: 1007, name: 'Ficus' } })
  expect((await call('GET', '/plants', { key: 'key_pro' })).text).toBe(before)
})

testApi("another account's plant can't be deleted and looks like none", async ({ call }) => {
  const foreign = await call('DELETE', '/plants/1', { key: 'key_pro' })
  const absent = await call('DELETE', '/plants/9', { key: 'key_pro_plus' })
  expectRefusal(foreign, 404)
  expect(foreign.body.message).toBe(absent.body.message.replace('9', '1'))
  expect((await call('GET', '/plants', { key: 'key_free' })).body).toHaveLength(12)
})

testApi("an id that another account's plant has is taken", async ({ call }) => {
  expectRefusal(await call('POST', '/plants', { key: 'key_lite', body: { id: 1, name: 'Ficus' } }), 400)
  expect((await call('GET', '/plants', { key: 'key_lite' })).body).toEqual([])
})

testApi('two keys of one account see the same plants', async ({ call }) => {
  await call('POST', '/plants', { key: 'key_pro', body: { id: 1007, name: 'Ficus' } })
  const { body } = await call('GET', '/plants', { key: 'key_readonly' })
  expect(body).toHaveLength(15)
  expect(body.at(-1)).toEqual({ name: 'Ficus' })
})
