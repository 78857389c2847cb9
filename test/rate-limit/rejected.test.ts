import { expect } from 'vitest'
import { start, testApi, type Client } from '../support/test-api.ts'
import { rate, spend, statusFor } from './spend.ts'

async function dayLeft(client: Client): Promise<string | null> {
  client.world.assume('rate-limit.reported', 'day')
  return rate(await client.call('GET', '/v1/unknown', { key: 'key_free' })).remaining
}

async function reject(client: Client, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent++) expect(await statusFor(client)).toBe(429)
}

testApi('with rate-limit.rejected=free a 429 spends nothing', async (client) => {
  client.world.assume('rate-limit.rejected', 'free')
  await spend(client, 60)
  await reject(client, 10)
  expect(await dayLeft(client)).toBe('940')
})

testApi('with rate-limit.rejected=counted a 429 spends of the day as well', async (client) => {
  client.world.assume('rate-limit.rejected', 'counted')
  await spend(client, 60)
  await reject(client, 10)
  expect(await dayLeft(client)).toBe('930')
})

for (const [value, left] of [
  ['free', '59'],
  ['counted', '54'],
])
  testApi(`with rate-limit.rejected=${value}, five rejections leave ${left} of a sliding window`, async (client) => {
    client.world.clock.set(start)
    client.world.assume('rate-limit.window', 'sliding')
    client.world.assume('rate-limit.rejected', value as never)
    await spend(client, 60)
    client.world.clock.advance('30s')
    await reject(client, 5)
    client.world.clock.advance('30s')
    expect(rate(await client.call('GET', '/v1/apps', { key: 'key_free' })).remaining).toBe(left)
  })

testApi('counted rejections outlast a plan that goes down and up again', async (client) => {
  client.world.clock.set(start)
  client.world.assume('rate-limit.window', 'sliding')
  client.world.assume('rate-limit.rejected', 'counted')
  const { accounts } = client.world.records
  await accounts.update('acct_free', { plan: 'pro' })
  await spend(client, 200)
  await accounts.update('acct_free', { plan: 'free' })
  await reject(client, 1)
  await accounts.update('acct_free', { plan: 'pro' })
  expect(rate(await client.call('GET', '/v1/apps', { key: 'key_free' })).remaining).toBe('98')
})
