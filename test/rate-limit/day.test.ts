import { expect } from 'vitest'
import { start, testApi, type Client } from '../support/test-api.ts'
import { dayEnd, minuteEnd, rate, spend, statusFor } from './spend.ts'

/** Spends a Free day but for `left` requests: 50 a minute, so that no minute is over its limit. */
async function spendDay(client: Client, left: number): Promise<void> {
  for (let minute = 0; minute < 19; minute++) {
    await spend(client, 50)
    client.world.clock.advance('1m')
  }
  await spend(client, 50 - left)
}

testApi('the 1,001st request of a Free key in a UTC day is 429 until midnight', async (client) => {
  client.world.clock.set(start)
  await spendDay(client, 1)
  const last = await client.call('GET', '/v1/apps', { key: 'key_free' })
  expect(last.status).toBe(200)
  expect(rate(last)).toEqual({ limit: '1000', remaining: '0', reset: String(dayEnd / 1_000) })
  const over = await client.call('GET', '/v1/apps', { key: 'key_free' })
  expect(over.status).toBe(429)
  expect(rate(over)).toEqual({ limit: '1000', remaining: '0', reset: String(dayEnd / 1_000) })
  expect(over.headers.get('retry-after')).toBe(String((dayEnd - client.world.clock.now()) / 1_000))

  client.world.clock.set(dayEnd - 1)
  expect(await statusFor(client)).toBe(429)
  client.world.clock.set(dayEnd)
  const fresh = await client.call('GET', '/v1/apps', { key: 'key_free' })
  expect(fresh.status).toBe(200)
  expect(rate(fresh)).toEqual({ limit: '60', remaining: '59', reset: String((dayEnd + 60_000) / 1_000) })
})

/** Spends a day, sees that it is spent until 24 hours later, and returns that time. */
async function spendDayUntil24HoursLater(client: Client): Promise<number> {
  await spendDay(client, 0)
  const end = Date.parse(start) + 86_400_000
  client.world.clock.set(end - 1)
  const over = await client.call('GET', '/v1/apps', { key: 'key_free' })
  expect(over.status).toBe(429)
  expect(rate(over)).toEqual({ limit: '1000', remaining: '0', reset: String(end / 1_000) })
  client.world.clock.set(end)
  return end
}

testApi('a day that starts with the first request ends 24 hours after it', async (client) => {
  client.world.clock.set(start)
  client.world.assume('rate-limit.window', 'first-request')
  await spendDayUntil24HoursLater(client)
  expect(await statusFor(client)).toBe(200)
})

testApi('of a sliding day only what is 24 hours old comes back', async (client) => {
  client.world.clock.set(start)
  client.world.assume('rate-limit.window', 'sliding')
  const end = await spendDayUntil24HoursLater(client)
  await spend(client, 50)
  expect(await statusFor(client)).toBe(429)
  client.world.clock.set(end + 60_000)
  expect(await statusFor(client)).toBe(200)
})

testApi('when both windows are full, Retry-After waits for the later one', async (client) => {
  client.world.clock.set(start)
  for (let minute = 0; minute < 18; minute++) {
    await spend(client, 52)
    client.world.clock.advance('1m')
  }
  client.world.clock.advance('1m')
  await spend(client, 4)
  client.world.clock.advance('1m')
  await spend(client, 60)
  const over = await client.call('GET', '/v1/apps', { key: 'key_free' })
  expect(over.status).toBe(429)
  expect(rate(over)).toEqual({ limit: '60', remaining: '0', reset: String((minuteEnd + 20 * 60_000) / 1_000) })
  expect(over.headers.get('retry-after')).toBe(String((dayEnd - client.world.clock.now()) / 1_000))
})
