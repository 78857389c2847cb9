import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const path = '/v1/apps/app_7sm4hb54ca5qj6nu'
const key = 'key_free'

testApi('a deleted app is gone, alone and from the list', async ({ call }) => {
  const { status, text } = await call('DELETE', path, { key })
  expect(status).toBe(204)
  expect(text).toBe('')
  expect((await call('GET', path, { key })).status).toBe(404)
  const { body } = await call('GET', '/v1/apps', { key })
  expect(body.data.map((app: { name: string }) => app.name)).toEqual(['plant-doctor'])
})

testApi('an app is deleted once: again, updated or got it is 404', async ({ call }) => {
  await call('DELETE', path, { key })
  expect((await call('DELETE', path, { key })).status).toBe(404)
  expect((await call('PATCH', path, { key, body: { name: 'back' } })).status).toBe(404)
})

testApi('of twenty deletions at once one succeeds', async ({ call }) => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => call('DELETE', path, { key })))
  expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(19).fill(404)])
})

testApi('with apps.delete.status=200 a deletion is answered with 200', async ({ call, world }) => {
  world.assume('apps.delete.status', '200')
  expect((await call('DELETE', path, { key })).status).toBe(200)
  expect((await call('GET', path, { key })).status).toBe(404)
})
