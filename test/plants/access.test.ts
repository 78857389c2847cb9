import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { expectRefusal } from './helpers.ts'

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

testApi('two keys of one account see the same plants', async ({ call }) => {
  await call('POST', '/plants', { key: 'key_pro', body: { id: 1007, name: 'Ficus' } })
  const { body } = await call('GET', '/plants', { key: 'key_readonly' })
  expect(body).toHaveLength(15)
  expect(body.at(-1)).toEqual({ name: 'Ficus' })
})

testApi('a request without a valid key is refused for that, even when its body or id is invalid', async ({ call }) => {
  expectRefusal(await call('POST', '/plants', { key: null, body: '{' }), 401)
  expectRefusal(await call('DELETE', '/plants/one', { key: null }), 401)
  expectRefusal(await call('POST', '/plants', { key: 'key_readonly', body: '{' }), 403)
})

const lacking: [path: string, methods: string[]][] = [
  ['/plants', ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']],
  ['/plants/101', ['GET', 'POST', 'PUT', 'PATCH', 'OPTIONS', 'PROPFIND']],
]

testApi('a method that a path does not have is not found, and changes nothing', async ({ call, send, world }) => {
  const before = world.records.plants.all()
  for (const [path, methods] of lacking)
    for (const method of methods) expectRefusal(await call(method, path), 404, `${method} ${path}`)
  expectRefusal(await call('POST', '/plants/101', { body: { id: 1007, name: 'Ficus' } }), 404)
  expect((await send('/plants/101', { method: 'HEAD', headers: { authorization: 'Bearer key_pro' } })).status).toBe(404)
  expect(world.records.plants.all()).toEqual(before)
})

testApi('the message lists the methods of the path', async ({ call }) => {
  expect((await call('PUT', '/plants')).body.message).toMatch(/PUT.*POST, GET/)
})

testApi('a path below /plants that does not exist is not found', async ({ call }) => {
  for (const below of ['/', '//', '/101/', '/101/leaves', '//101', '/101/..%2f102/x', '/%zz/x'])
    for (const method of ['GET', 'POST', 'DELETE']) {
      const body = method === 'POST' ? { id: 1007, name: 'Ficus' } : undefined
      expectRefusal(await call(method, `/plants${below}`, { body }), 404, `${method} ${below}`)
    }
})

testApi('dots in a path are resolved as every client does', async ({ call }) => {
  expect((await call('GET', '/plants/x/..', {})).status).toBe(404)
  expect((await call('DELETE', '/plants/./101')).status).toBe(204)
})

testApi('a path outside both areas is not found, in the shape of Area A', {}, async ({ call }) => {
  for (const path of [
    ['/', '/plant', '/plantsx', '/Plants', '/PLANTS', '//plants', '/x/plants', '/v2/apps', '/v1x'],
    ['/__proto__', '/constructor', '/%zz'],
  ].flat())
    expectRefusal(await call('GET', path), 404, path)
})
