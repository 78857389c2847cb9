import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi(
  'server-error makes every operation 500 internal_error until cleared, and changes nothing',
  {},
  async ({ call, greenhouse, world }) => {
    const before = world.records.apps.all()
    world.use('server-error')
    for (const { id, method, path } of greenhouse.operations().filter(({ path }) => path.startsWith('/v1/'))) {
      const url = path.replace('{app_id}', 'app_w33c4cwmhfyfktiv').replace(/\{\w+\}/g, 'x')
      const { status, body, headers } = await call(method, url, {
        body: method === 'GET' || method === 'DELETE' ? undefined : { name: 'x' },
      })
      expect(status, id).toBe(500)
      expect(body).toEqual({
        error: { code: 'internal_error', message: expect.any(String), request_id: headers.get('x-request-id') },
      })
    }
    expect(world.records.apps.all()).toEqual(before)
    world.clear('server-error')
    expect((await call('GET', '/v1/apps')).status).toBe(200)
  },
)

testApi('the header X-Greenhouse-Scenario makes one request fail, and no other', async ({ call, world }) => {
  expect((await call('GET', '/v1/apps', { headers: { 'X-Greenhouse-Scenario': 'server-error' } })).status).toBe(500)
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  expect(world.scenarios).toEqual([])
})

testApi('a 500 carries the rate limits of its caller and spends nothing', async ({ call }) => {
  const headers = { 'X-Greenhouse-Scenario': 'server-error' }
  const failed = await call('GET', '/v1/apps', { headers })
  expect(failed.headers.get('x-ratelimit-limit')).toBe('300')
  expect(failed.headers.get('x-ratelimit-remaining')).toBe('300')
  expect((await call('GET', '/v1/apps', { key: null, headers })).headers.get('x-ratelimit-limit')).toBe('60')
})
