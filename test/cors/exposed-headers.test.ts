import { expect } from 'vitest'
import { through } from '../support/through.ts'

const origin = 'http://localhost:5173'

through('a page may read the rate limit, the request id and the trace', async ({ call }) => {
  const { headers } = await call('GET', '/v1/apps', { headers: { origin } })
  const exposed = headers.get('access-control-expose-headers')!.toLowerCase().split(', ')
  for (const name of [
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
    'x-request-id',
    'x-greenhouse',
  ]) {
    expect(exposed).toContain(name)
    expect(headers.has(name), name).toBe(true)
  }
  expect(exposed).toContain('retry-after')
})

through('a page may read errors as well', async ({ call, send }) => {
  for (const [path, key, status] of [
    ['/plants', null, 401],
    ['/plants?limit=ten', 'key_pro', 400],
    ['/v1/apps', null, 401],
    ['/v1/nowhere', 'key_pro', 404],
  ] as const) {
    const answer = await call('GET', path, { key, headers: { origin } })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('access-control-allow-origin'), path).toBe(origin)
    expect(answer.headers.get('access-control-expose-headers'), path).toMatch(/X-RateLimit-Limit/)
  }
  const misnamed = await send('/plants', { headers: { origin, 'x-greenhouse-scenario': 'nonsense' } })
  expect(misnamed.status).toBe(400)
  expect(misnamed.headers.get('access-control-allow-origin')).toBe(origin)
})
