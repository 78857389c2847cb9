import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi('HEAD is answered as GET would be, without the body', async ({ call }) => {
  for (const path of [
    '/v1/apps',
    '/v1/apps/app_w33c4cwmhfyfktiv',
    '/v1/apps?limit=0',
    '/v1/apps/app_aaaaaaaaaaaaaaaa',
  ]) {
    const got = await call('GET', path)
    const head = await call('HEAD', path)
    expect(head.status, path).toBe(got.status)
    expect(head.text).toBe('')
    expect(head.headers.get('content-type')).toBe(got.headers.get('content-type'))
  }
})

testApi('with http.head=404 HEAD is 404, and spends nothing', async ({ call, world }) => {
  world.assume('http.head', '404')
  const { status, headers } = await call('HEAD', '/v1/apps')
  expect(status).toBe(404)
  expect(headers.get('x-ratelimit-remaining')).toBe('300')
})
