import { expect, test } from 'vitest'
import { testControl } from '../support/control.ts'
import { start, testApi } from '../support/test-api.ts'
import { createWindow } from '../../src/core/accounts/rate-limit.ts'
import { windows, list, spend } from './spend.ts'

testApi('a request over the limit does nothing', async (client) => {
  await spend(client, 60)
  const before = client.world.records.apps.count()
  expect((await client.call('POST', '/v1/apps', { key: 'key_free', body: { name: 'x' } })).status).toBe(429)
  expect((await client.call('DELETE', '/v1/apps/app_7sm4hb54ca5qj6nu', { key: 'key_free' })).status).toBe(429)
  expect(client.world.records.apps.count()).toBe(before)
})

testApi('one world has nothing to do with another', {}, async (client) => {
  await spend(client, 60)
  expect((await list(client, client.greenhouse.world('other').key('key_free'))).status).toBe(200)
  expect((await list(client)).status).toBe(429)
})

for (const window of windows)
  testControl(`reading quotas changes nothing (${window})`, async ({ greenhouse, control, call }) => {
    const worlds = ['seen', 'unseen'].map((name) => greenhouse.world(name))
    const remaining = await Promise.all(
      worlds.map(async (world) => {
        world.assume('rate-limit.window', window)
        const ask = () => call(`/~${world.name}/v1/apps`, { headers: { authorization: 'Bearer key_free' } })
        await ask()
        world.clock.advance('2h')
        if (world.name === 'seen')
          for (const path of ['accounts', 'keys', 'due'])
            expect((await control('GET', `/worlds/seen/${path}`)).status).toBe(200)
        world.clock.set(start)
        return (await ask()).headers.get('x-ratelimit-remaining')
      }),
    )
    expect(remaining).toEqual(['58', '58'])
  })

const length = 86_400_000
const exact = 100_000

test('a sliding window of very many requests counts all of them, the newest 100,000 exactly', () => {
  const window = createWindow('sliding', length)
  const total = 450_000
  for (let at = 0; at < total; at++) window.add(1, at)
  const countAt = (at: number) => 0 - window.remaining(0, at)
  expect(countAt(total)).toBe(total)
  // A limit looks at its newest requests.
  for (const limit of [1, 60, exact]) expect(window.resetAt(limit, total)).toBe(total - limit + length)
  const copy = window.clone()
  // Older ones expire together with a later one, never before their time.
  for (const gone of [100_000, 200_000, 300_000]) {
    const left = countAt(gone - 1 + length)
    expect(left).toBeGreaterThanOrEqual(total - gone)
    expect(left).toBeLessThan(total - gone + 8)
  }
  for (const gone of [total - exact, total - 7, total]) expect(countAt(gone - 1 + length)).toBe(total - gone)
  expect(copy.remaining(total, total)).toBe(0)
})
