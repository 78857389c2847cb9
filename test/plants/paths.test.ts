import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { createCaller, tested, testApi } from '../support/test-api.ts'
import { expectRefusal } from './refusal.ts'

testApi('a path below /plants that does not exist is not found', async ({ call }) => {
  for (const path of [
    '/plants/',
    '/plants//',
    '/plants/101/',
    '/plants/101/leaves',
    '/plants//101',
    '/plants/101/..%2f102/x',
    '/plants/%zz/x',
  ])
    for (const method of ['GET', 'POST', 'DELETE']) {
      const body = method === 'POST' ? { id: 1007, name: 'Ficus' } : undefined
      expectRefusal(await call(method, path, { body }), 404, `${method} ${path}`)
    }
})

testApi('a path that does not exist is 404 with any key or none', async ({ call }) => {
  for (const key of [null, 'nonsense', 'key_readonly'])
    expectRefusal(await call('GET', '/plants/101/leaves', { key }), 404)
})

testApi('dots in a path are resolved as every client does', async ({ call }) => {
  expect((await call('GET', '/plants/x/..', {})).status).toBe(404)
  expect((await call('DELETE', '/plants/./101')).status).toBe(204)
})

for (const adapter of tested)
  test(`a path outside both areas is not found, in the shape of Area A (${adapter.name})`, async () => {
    const { send, close } = await adapter.open(createGreenhouse())
    const call = createCaller(send)
    try {
      for (const path of [
        '/',
        '/plant',
        '/plantsx',
        '/Plants',
        '/PLANTS',
        '//plants',
        '/x/plants',
        '/v2/apps',
        '/v1x',
        '/__proto__',
        '/constructor',
        '/%zz',
      ])
        expectRefusal(await call('GET', path), 404, path)
    } finally {
      await close()
    }
  })
