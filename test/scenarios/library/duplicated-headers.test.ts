import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('duplicated-headers lets a client see a header twice', async ({ world, call }) => {
  world.use('duplicated-headers', { on: 'apps.*' })
  expect((await call('GET', '/v1/apps')).headers.get('content-type')).toBe('application/json, application/json')
  expect((await call('GET', '/plants')).headers.get('content-type')).toBe('application/json')
  world.use('duplicated-headers', { header: 'x-ratelimit-limit' })
  expect((await call('GET', '/v1/apps')).headers.get('x-ratelimit-limit')).toBe('300, 300')
  world.clear()
  expect((await call('GET', '/v1/apps')).headers.get('x-ratelimit-limit')).toBe('300')
})

testApi('a header that says where a reply ends is not to be had twice', async ({ world }) => {
  expect(() => world.use('duplicated-headers', { header: 'Content-Length' })).toThrow(/Greenhouse sets it itself/)
})
