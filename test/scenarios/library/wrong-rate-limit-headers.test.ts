import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

const named = (headers: Headers) => ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`))

testApi(
  'wrong-rate-limit-headers sends nonsense, no-rate-limit-headers nothing; limits still apply',
  async ({ world, call }) => {
    world.use('wrong-rate-limit-headers')
    expect(named((await call('GET', '/v1/apps')).headers)).toEqual(['60', '99999', '1'])
    world.useOnly(['no-rate-limit-headers', 'rate-limited-minute'])
    const { status, headers } = await call('GET', '/v1/apps')
    expect([status, ...named(headers), headers.get('retry-after')]).toEqual([429, null, null, null, null])
    world.clear()
    expect(named((await call('GET', '/v1/apps')).headers)).toEqual(['300', '298', '1772366460'])
  },
)
