import { expect } from 'vitest'
import { start, type Client, testApi } from '../support/test-api.ts'
import { rate, spend } from './spend.ts'

const inMilliseconds = { 'rate-limit.reset-unit': 'epoch-milliseconds' } as const
const began = Date.parse(start)

async function look({ call }: Client) {
  const answer = await call('GET', '/v1/apps', { key: 'key_free' })
  const { remaining, reset } = rate(answer)
  return [answer.status, Number(remaining), Number(reset) - began]
}

type Step = readonly [wait: number, spent: number, seen?: readonly [status: number, left: number, resetsIn: number]]

const rows: readonly (readonly [
  window: 'calendar' | 'first-request' | 'sliding',
  rule: string,
  steps: readonly Step[],
])[] = [
  [
    'calendar',
    'a minute ends with the minute of the clock',
    [
      [0, 60, [429, 0, 30_000]],
      [29_999, 0, [429, 0, 30_000]],
      [1, 0, [200, 59, 90_000]],
      [59_999, 0, [200, 58, 90_000]],
    ],
  ],
  [
    'first-request',
    'a minute ends 60 seconds after the request that began it',
    [
      [0, 1],
      [40_000, 59, [429, 0, 60_000]],
      [19_999, 0, [429, 0, 60_000]],
      [1, 0, [200, 59, 120_000]],
      [75_000, 0, [200, 59, 195_000]],
    ],
  ],
  [
    'sliding',
    'each request comes back 60 seconds after it was sent',
    [
      [0, 1],
      [40_000, 59, [429, 0, 60_000]],
      [19_999, 0, [429, 0, 60_000]],
      [1, 0, [200, 0, 100_000]],
      [0, 0, [429, 0, 100_000]],
      [40_000, 0, [200, 58, 120_000]],
    ],
  ],
]

for (const [window, rule, steps] of rows)
  testApi(`with rate-limit.window=${window} ${rule}`, { assumptions: inMilliseconds }, async (client) => {
    client.world.clock.set(start)
    client.world.assume('rate-limit.window', window)
    for (const [wait, spent, seen] of steps) {
      client.world.clock.advance(wait)
      await spend(client, spent)
      if (seen) expect(await look(client)).toEqual(seen)
    }
  })
