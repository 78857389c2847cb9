import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi(
  'legacy-rate-limit-headers changes the unit of the reset, but not Retry-After on a 429',
  async ({ world, call }) => {
    const reset = async () => (await call('GET', '/v1/apps')).headers.get('x-ratelimit-reset')
    world.use('legacy-rate-limit-headers')
    expect(await reset()).toBe('30')
    world.use('legacy-rate-limit-headers', { unit: 'epoch-milliseconds' })
    expect(await reset()).toBe(String(Date.parse('2026-03-01T12:01:00Z')))
    world.use('legacy-rate-limit-headers', { unit: 'iso-8601' })
    expect(await reset()).toBe('2026-03-01T12:01:00.000Z')
    world.use('rate-limited-minute')
    expect((await call('GET', '/v1/apps')).headers.get('retry-after')).toBe('60')
    world.clear()
    expect(await reset()).toBe(String(Date.parse('2026-03-01T12:01:00Z') / 1_000))
  },
)
