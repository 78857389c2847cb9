import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

const get = { headers: { authorization: 'Bearer key_pro' } }

testApi("a proxy's error page is HTML with none of the service's headers", async ({ world, send, call }) => {
  world.use('proxy-error-page', { on: 'apps.*' })
  const { status, headers, ...rest } = await send('/v1/apps', get).then(async (response) => ({
    status: response.status,
    headers: response.headers,
    text: await response.text(),
  }))
  expect([status, headers.get('content-type'), headers.get('server')]).toEqual([502, 'text/html', 'nginx'])
  expect(rest.text).toContain('<h1>502</h1>')
  for (const name of ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after'])
    expect(headers.has(name), name).toBe(false)
  expect((await call('GET', '/plants')).status).toBe(200)
})

testApi(
  'a proxy says one of the statuses that proxies say, and is gone once cleared',
  async ({ world, send, call }) => {
    for (const status of [503, 504]) {
      world.use('proxy-error-page', { status: status as never })
      expect((await send('/plants', get)).status).toBe(status)
    }
    expect(() => world.use('proxy-error-page', { status: 418 as never })).toThrow(
      /takes one of 502, 503, 504; 418 was given/,
    )
    world.clear()
    expect((await call('GET', '/plants')).status).toBe(200)
  },
)
