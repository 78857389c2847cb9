import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

const get = { headers: { authorization: 'Bearer key_pro' } }

testApi(
  'malformed-error-body is an error whose body can have any of its shapes but the stated ones',
  {},
  async ({ greenhouse, world, send }) => {
    const shapes = greenhouse.scenarios().find(({ name }) => name === 'malformed-error-body')!.options['body']!.values!
    expect(shapes.length).toBeGreaterThan(5)
    for (const body of shapes) {
      world.use('malformed-error-body', { body: body as never })
      for (const path of ['/plants', '/v1/apps']) {
        const response = await send(path, get)
        expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
          500,
          'application/json',
          body,
        ])
      }
    }
  },
)

testApi(
  'malformed-error-body breaks off by default, has another status when asked, and ends',
  async ({ world, send, call }) => {
    world.use('malformed-error-body', { status: 403, on: 'apps.*' })
    const response = await send('/v1/apps', get)
    expect([response.status, await response.text()]).toEqual([403, '{"error":'])
    expect((await call('GET', '/plants')).status).toBe(200)
    world.clear()
    expect((await call('GET', '/v1/apps')).status).toBe(200)
  },
)
