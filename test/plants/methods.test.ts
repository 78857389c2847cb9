import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { expectRefusal } from './refusal.ts'

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
