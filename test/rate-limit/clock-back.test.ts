import { expect } from 'vitest'
import { testControl } from '../support/control.ts'
import { start, testApi } from '../support/test-api.ts'
import { windows, list, rate, spend, statusFor } from './spend.ts'

for (const window of windows)
  testApi(`moving the clock back grants nothing (${window})`, async (client) => {
    const { clock } = client.world
    client.world.assume('rate-limit.window', window)
    await spend(client, 60)
    for (const back of ['-1ms', '-1s', '-30s', '-1m', '-1h', '-1d', '-30d', '-365d']) {
      clock.set(start)
      clock.advance(back)
      expect(await statusFor(client), back).toBe(429)
    }
    clock.set(start)
    clock.advance('1m')
    expect(await statusFor(client)).toBe(200)
  })

testApi('after a move back the time of the reset and the seconds to it are still true', async (client) => {
  await spend(client, 60)
  client.world.clock.advance('-1h')
  const over = await list(client)
  expect(rate(over).reset).toBe('1772366460')
  expect(over.headers.get('retry-after')).toBe('3630')
  client.world.clock.advance('3630s')
  expect(await statusFor(client)).toBe(200)
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
