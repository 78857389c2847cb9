import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'
import { own } from './own.ts'

testApi(
  'of several replies due, the one switched on last is given, and the others once it is spent',
  { scenarios: own({ respond: [{ status: 418, text: '"I am a teapot"', times: 2 }] }) },
  async ({ world, call }) => {
    world.use('server-error')
    world.use('own')
    const statuses: number[] = []
    for (let round = 0; round < 3; round++) statuses.push((await call('GET', '/plants')).status)
    expect(statuses).toEqual([418, 418, 500])
  },
)

testApi(
  'a reply from in front of the service carries none of its headers',
  {
    scenarios: own({
      respond: [
        { status: 502, text: '<h1>Bad gateway</h1>', headers: { 'Content-Type': 'text/html' }, in_front: true },
      ],
    }),
  },
  async ({ world, send }) => {
    world.use('own')
    const response = await send('/v1/apps', { headers: { authorization: 'Bearer key_pro' } })
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      502,
      'text/html',
      '<h1>Bad gateway</h1>',
    ])
    expect(['x-ratelimit-limit', 'x-request-id'].map((name) => response.headers.get(name))).toEqual([null, null])
    expect(response.headers.get('x-greenhouse')).toBe('world=default; operation=apps.list; scenario=own')
  },
)
