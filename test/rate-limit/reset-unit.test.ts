import { expect } from 'vitest'
import type { AssumptionValues } from 'greenhouse-mock'
import { start, testApi } from '../support/test-api.ts'
import { minuteEnd, rate, spend } from './spend.ts'

/** The values for a reset at 12:01:00, at 12:00:30 and at 12:00:59.001. */
const units: Record<string, [early: string, late: string]> = {
  'epoch-seconds': ['1772366460', '1772366460'],
  'delta-seconds': ['30', '1'],
  'epoch-milliseconds': ['1772366460000', '1772366460000'],
  'iso-8601': ['2026-03-01T12:01:00.000Z', '2026-03-01T12:01:00.000Z'],
}

for (const [unit, [early, late]] of Object.entries(units))
  testApi(`rate-limit.reset-unit=${unit} sets the unit of the reset, on a 200 and on a 429`, async (client) => {
    client.world.clock.set(start)
    client.world.assume({ 'rate-limit.reset-unit': unit as AssumptionValues['rate-limit.reset-unit'] })
    expect(rate(await client.call('GET', '/v1/apps', { key: 'key_free' }))).toEqual({
      limit: '60',
      remaining: '59',
      reset: early,
    })
    await spend(client, 59)
    client.world.clock.set('2026-03-01T12:00:59.001Z')
    const over = await client.call('GET', '/v1/apps', { key: 'key_free' })
    expect(over.status).toBe(429)
    expect(rate(over)).toEqual({ limit: '60', remaining: '0', reset: late })
    expect(over.headers.get('retry-after')).toBe('1')
    client.world.clock.set(minuteEnd)
    expect((await client.call('GET', '/v1/apps', { key: 'key_free' })).status).toBe(200)
  })

testApi('seconds are rounded up, so that a client that waits for them is never early', async ({ call, world }) => {
  world.assume('rate-limit.window', 'first-request')
  world.clock.set('2026-03-01T12:00:30.001Z')
  expect(rate(await call('GET', '/v1/apps', { key: 'key_free' })).reset).toBe('1772366491')
  world.assume('rate-limit.reset-unit', 'delta-seconds')
  world.clock.advance(500)
  expect(rate(await call('GET', '/v1/apps', { key: 'key_free' })).reset).toBe('60')
})
