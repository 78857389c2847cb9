import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi('a path whose letters, digits and -._~ are percent-encoded is the same path', async ({ call, world }) => {
  for (const path of ['/v1/%61pps', '/%76%31/apps', '/v1/app%73'])
    expect([path, (await call('GET', path)).status]).toEqual([path, 200])
  expect((await call('POST', '/%70lants', { body: { id: 7_001, name: 'Fern' } })).status).toBe(200)
  expect((await call('DELETE', '/plants/%37%30%30%31')).status).toBe(204)
  expect((await call('GET', `/~${world.name}/%70lants`)).status).toBe(200)
})

testApi('a path with another character encoded is another path', async ({ call }) => {
  for (const path of ['/v1%2Fapps', '/v1/apps%20', '/v1/apps%3F', '/v1/%2Fapps'])
    expect([path, (await call('GET', path)).status]).toEqual([path, 404])
})
