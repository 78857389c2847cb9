import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { minuteEnd, rate, spend, statusFor } from './spend.ts'

testApi('each request leaves one less, and the 61st of a Free key in a minute is 429', async (client) => {
  for (let left = 59; left >= 0; left--) {
    const answer = await client.call('GET', '/v1/apps?limit=1', { key: 'key_free' })
    expect(answer.status).toBe(200)
    expect(rate(answer)).toEqual({ limit: '60', remaining: String(left), reset: String(minuteEnd / 1_000) })
  }
  const over = await client.call('GET', '/v1/apps?limit=1', { key: 'key_free' })
  expect(over.status).toBe(429)
  expect(over.body.error.code).toBe('rate_limit_exceeded')
  expect(rate(over)).toEqual({ limit: '60', remaining: '0', reset: String(minuteEnd / 1_000) })
  expect(over.headers.get('retry-after')).toBe('30')
})

testApi('a millisecond before the reset is still 429; at the reset it is 200 with the whole budget', async (client) => {
  await spend(client, 60)
  client.world.clock.set(minuteEnd - 1)
  const over = await client.call('GET', '/v1/apps', { key: 'key_free' })
  expect(over.status).toBe(429)
  expect(over.headers.get('retry-after')).toBe('1')
  client.world.clock.set(minuteEnd)
  const fresh = await client.call('GET', '/v1/apps', { key: 'key_free' })
  expect(fresh.status).toBe(200)
  expect(rate(fresh)).toEqual({ limit: '60', remaining: '59', reset: String((minuteEnd + 60_000) / 1_000) })
})

testApi('a request over the limit does nothing', async (client) => {
  await spend(client, 60)
  const before = client.world.records.apps.count()
  expect((await client.call('POST', '/v1/apps', { key: 'key_free', body: { name: 'x' } })).status).toBe(429)
  expect((await client.call('DELETE', '/v1/apps/app_7sm4hb54ca5qj6nu', { key: 'key_free' })).status).toBe(429)
  expect(client.world.records.apps.count()).toBe(before)
})

testApi("one account's requests are not another's", async (client) => {
  await spend(client, 60)
  expect(await statusFor(client, 'key_lite')).toBe(200)
  expect(await statusFor(client)).toBe(429)
})

testApi('one world has nothing to do with another', {}, async (client) => {
  await spend(client, 60)
  expect(await statusFor(client, client.greenhouse.world('other').key('key_free'))).toBe(200)
  expect(await statusFor(client)).toBe(429)
})

testApi('a reset gives the whole budget back', async (client) => {
  await spend(client, 60)
  client.world.reset()
  expect(await statusFor(client)).toBe(200)
})
