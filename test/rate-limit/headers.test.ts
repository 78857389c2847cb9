import { expect } from 'vitest'
import type { AssumptionValues } from 'greenhouse-mock'
import { start, testApi, type Client } from '../support/test-api.ts'
import { minuteEnd, dayEnd, list, look, rate, seen, spend } from './spend.ts'

const day = String(dayEnd / 1_000)

/** Spends 940 of a Free day, and moves on to a fresh minute: 60 are left of either window. */
async function leaveSixtyOfBoth(client: Client): Promise<string> {
  client.world.clock.set(start)
  for (let minute = 0; minute < 20; minute++) {
    await spend(client, 47)
    client.world.clock.advance('1m')
  }
  return String(Date.parse('2026-03-01T12:21:00Z') / 1_000)
}

testApi('rate-limit.reported=tightest reports the window with fewer left, the minute on a tie', async (client) => {
  const minute = await leaveSixtyOfBoth(client)
  client.world.assume('rate-limit.reported', 'tightest')
  expect(rate(await look(client))).toEqual({ limit: '60', remaining: '60', reset: minute })
  await spend(client, 1)
  expect(rate(await look(client))).toEqual({ limit: '60', remaining: '59', reset: minute })
  client.world.clock.advance('1m')
  expect(rate(await look(client))).toEqual({ limit: '1000', remaining: '59', reset: day })
})

/** The values for a reset at 12:01:00, at 12:00:30 and at 12:00:59.001. */
const units: Record<string, [early: string, late: string]> = {
  'epoch-seconds': ['1772366460', '1772366460'],
  'delta-seconds': ['30', '1'],
  'epoch-milliseconds': ['1772366460000', '1772366460000'],
  'iso-8601': ['2026-03-01T12:01:00.000Z', '2026-03-01T12:01:00.000Z'],
}

for (const [unit, [early, late]] of Object.entries(units))
  testApi(`rate-limit.reset-unit=${unit} sets the unit of the reset, on a 200 and on a 429`, async (client) => {
    client.world.assume({ 'rate-limit.reset-unit': unit as AssumptionValues['rate-limit.reset-unit'] })
    expect(seen(await list(client))).toEqual([200, '60', '59', early])
    await spend(client, 59)
    client.world.clock.set('2026-03-01T12:00:59.001Z')
    const over = await list(client)
    expect(seen(over)).toEqual([429, '60', '0', late])
    expect(over.headers.get('retry-after')).toBe('1')
    client.world.clock.set(minuteEnd)
    expect((await list(client)).status).toBe(200)
  })

testApi('seconds are rounded up, so that a client that waits for them is never early', async ({ call, world }) => {
  world.assume('rate-limit.window', 'first-request')
  world.clock.set('2026-03-01T12:00:30.001Z')
  expect(rate(await list({ call })).reset).toBe('1772366491')
  world.assume('rate-limit.reset-unit', 'delta-seconds')
  world.clock.advance(500)
  expect(rate(await list({ call })).reset).toBe('60')
})

testApi('with rate-limit.retry-after=absent a 429 does not say so', async (client) => {
  client.world.assume('rate-limit.retry-after', 'absent')
  await spend(client, 60)
  const { status, headers } = await list(client)
  expect([status, headers.get('retry-after'), headers.get('x-ratelimit-remaining')]).toEqual([429, null, '0'])
})

const keys = [null, 'key_unknown', 'key_expired', 'key_revoked']

testApi('rate-limit.unauthenticated=free-plan: a 401 shows an unspent Free plan', async ({ call, world }) => {
  world.assume('rate-limit.unauthenticated', 'free-plan')
  for (const key of [...keys, ...keys]) {
    const answer = await list({ call }, key)
    expect(seen(answer), String(key)).toEqual([401, '60', '60', String(minuteEnd / 1_000)])
    expect(answer.headers.has('retry-after')).toBe(false)
  }
})

testApi('with rate-limit.unauthenticated=absent only a 401 lacks the rate limit headers', async ({ call, world }) => {
  world.assume('rate-limit.unauthenticated', 'absent')
  for (const key of keys) {
    expect(seen(await list({ call }, key)), String(key)).toEqual([401, null, null, null])
  }
  expect(rate(await list({ call })).limit).toBe('60')
  expect(rate(await call('GET', '/v1/unknown', { key: 'key_free' })).limit).toBe('60')
})

testApi('the reset of a 401 is that of a window that would begin now', async ({ call, world }) => {
  world.assume('rate-limit.reset-unit', 'epoch-milliseconds')
  for (const [window, length] of [
    ['calendar', 30_000],
    ['first-request', 60_000],
    ['sliding', 60_000],
  ] as const) {
    world.clock.set(start)
    world.assume('rate-limit.window', window)
    expect(rate(await list({ call }, null)).reset, window).toBe(String(Date.parse(start) + length))
  }
})

testApi('plants have no limit and no such headers', async (client) => {
  await spend(client, 60)
  expect(seen(await client.call('GET', '/plants', { key: 'key_free' }))).toEqual([200, null, null, null])
})

testApi("with plants.rate-limits=on plants and apps spend the account's one budget", async (client) => {
  client.world.assume('plants.rate-limits', 'on')
  const reset = String(minuteEnd / 1_000)
  expect(seen(await client.call('GET', '/plants', { key: 'key_free' }))).toEqual([200, '60', '59', reset])
  expect(seen(await list(client))).toEqual([200, '60', '58', reset])
  await spend(client, 58)
  const over = await client.call('GET', '/plants', { key: 'key_free' })
  expect(over.body).toEqual({ error: 429, message: expect.any(String) })
  expect(seen(over)).toEqual([429, '60', '0', reset])
  expect(over.headers.has('retry-after')).toBe(true)
})

testApi('with plants.rate-limits=on errors of plants carry the headers too', async ({ call, world }) => {
  world.assume('plants.rate-limits', 'on')
  for (const [method, path, key] of [
    ['GET', '/plants', null],
    ['DELETE', '/plants/x', 'key_free'],
    ['PUT', '/plants', 'key_free'],
  ] as const) {
    const answer = await call(method, path, { key })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(rate(answer).limit, `${method} ${path}`).toBe('60')
  }
})
