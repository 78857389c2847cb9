import { expect } from 'vitest'
import { start, testApi, type Client } from '../support/test-api.ts'
import { dayEnd, rate, spend } from './spend.ts'

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

const look = ({ call }: Client) => call('GET', '/v1/unknown', { key: 'key_free' })

testApi('rate-limit.reported=tightest reports the window with fewer left, the minute on a tie', async (client) => {
  const minute = await leaveSixtyOfBoth(client)
  client.world.assume('rate-limit.reported', 'tightest')
  expect(rate(await look(client))).toEqual({ limit: '60', remaining: '60', reset: minute })
  await spend(client, 1)
  expect(rate(await look(client))).toEqual({ limit: '60', remaining: '59', reset: minute })
  client.world.clock.advance('1m')
  expect(rate(await look(client))).toEqual({ limit: '1000', remaining: '59', reset: day })
})

testApi('rate-limit.reported=minute always reports the minute, even when the day is used up', async (client) => {
  await leaveSixtyOfBoth(client)
  client.world.assume('rate-limit.reported', 'minute')
  await spend(client, 60)
  client.world.clock.advance('1m')
  const over = await client.call('GET', '/v1/apps', { key: 'key_free' })
  expect(over.status).toBe(429)
  expect(rate(over)).toEqual({
    limit: '60',
    remaining: '60',
    reset: String(Date.parse('2026-03-01T12:22:00Z') / 1_000),
  })
  expect(over.headers.get('retry-after')).toBe(String((dayEnd - client.world.clock.now()) / 1_000))
})

testApi('rate-limit.reported=day always reports the day, even when the minute is used up', async (client) => {
  client.world.clock.set(start)
  client.world.assume('rate-limit.reported', 'day')
  await spend(client, 60)
  const over = await client.call('GET', '/v1/apps', { key: 'key_free' })
  expect(over.status).toBe(429)
  expect(rate(over)).toEqual({ limit: '1000', remaining: '940', reset: day })
  expect(over.headers.get('retry-after')).toBe('30')
})
