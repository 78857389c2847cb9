import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { rate, spend, statusFor } from './spend.ts'

testApi('with rate-limit.scope=account the keys of an account share one budget', async (client) => {
  client.world.assume('rate-limit.scope', 'account')
  await client.world.records.keys.create({ secret: 'key_free_second', account: 'acct_free' })
  await spend(client, 59)
  expect(rate(await client.call('GET', '/v1/apps', { key: 'key_free_second' })).remaining).toBe('0')
  expect(await statusFor(client)).toBe(429)
  expect(await statusFor(client, 'key_free_second')).toBe(429)
})

testApi('with rate-limit.scope=key each key has a separate budget', async (client) => {
  client.world.assume('rate-limit.scope', 'key')
  await client.world.records.keys.create({ secret: 'key_free_second', account: 'acct_free' })
  await spend(client, 60)
  expect(await statusFor(client)).toBe(429)
  expect(rate(await client.call('GET', '/v1/apps', { key: 'key_free_second' })).remaining).toBe('59')
  await spend(client, 59, 'key_free_second')
  expect(await statusFor(client, 'key_free_second')).toBe(429)
})
