import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'
import { spend } from './spend.ts'

testApi('with rate-limit.retry-after=sent only a 429 carries the seconds until there is room', async (client) => {
  client.world.clock.set(start)
  client.world.assume('rate-limit.retry-after', 'sent')
  await spend(client, 59)
  const last = await client.call('GET', '/v1/apps', { key: 'key_free' })
  expect(last.headers.has('retry-after')).toBe(false)
  for (const [at, seconds] of [
    ['12:00:30.000', '30'],
    ['12:00:30.001', '30'],
    ['12:00:31.000', '29'],
    ['12:00:59.999', '1'],
  ]) {
    client.world.clock.set(`2026-03-01T${at}Z`)
    const over = await client.call('GET', '/v1/apps', { key: 'key_free' })
    expect(over.status).toBe(429)
    expect(over.headers.get('retry-after'), at).toBe(seconds)
  }
  const unknown = await client.call('GET', '/v1/unknown', { key: 'key_free' })
  expect(unknown.headers.has('retry-after')).toBe(false)
})

testApi('with rate-limit.retry-after=absent a 429 does not say so', async (client) => {
  client.world.assume('rate-limit.retry-after', 'absent')
  await spend(client, 60)
  const over = await client.call('GET', '/v1/apps', { key: 'key_free' })
  expect(over.status).toBe(429)
  expect(over.headers.has('retry-after')).toBe(false)
  expect(over.headers.get('x-ratelimit-remaining')).toBe('0')
})

testApi('a client that waits for Retry-After gets through, in every kind of window', async (client) => {
  for (const window of ['calendar', 'first-request', 'sliding'] as const) {
    client.world.assume('rate-limit.window', window)
    client.world.clock.set(`2026-03-0${2 + ['calendar', 'first-request', 'sliding'].indexOf(window)}T12:00:30.123Z`)
    await spend(client, 30)
    client.world.clock.advance(7_777)
    await spend(client, 30)
    const over = await client.call('GET', '/v1/apps', { key: 'key_free' })
    expect(over.status).toBe(429)
    client.world.clock.advance(`${over.headers.get('retry-after')}s`)
    expect((await client.call('GET', '/v1/apps', { key: 'key_free' })).status, window).toBe(200)
  }
})
