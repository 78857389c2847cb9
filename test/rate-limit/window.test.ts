import { expect } from 'vitest'
import { start, type Client, throughOwn } from '../support/through.ts'
import { rate, spend } from './spend.ts'

const inMilliseconds = { 'rate-limit.reset-unit': 'epoch-milliseconds' } as const
const began = Date.parse(start)

async function look({ call }: Client) {
  const answer = await call('GET', '/v1/apps', { key: 'key_free' })
  const { remaining, reset } = rate(answer)
  return [answer.status, Number(remaining), Number(reset) - began]
}

throughOwn(
  'with rate-limit.window=calendar a minute ends with the minute of the clock',
  async (client) => {
    client.world.clock.set(start)
    client.world.assume('rate-limit.window', 'calendar')
    await spend(client, 60)
    expect(await look(client)).toEqual([429, 0, 30_000])
    client.world.clock.advance(29_999)
    expect(await look(client)).toEqual([429, 0, 30_000])
    client.world.clock.advance(1)
    expect(await look(client)).toEqual([200, 59, 90_000])
    client.world.clock.advance(59_999)
    expect(await look(client)).toEqual([200, 58, 90_000])
  },
  { assumptions: inMilliseconds },
)

throughOwn(
  'with rate-limit.window=first-request a minute ends 60 seconds after the request that began it',
  async (client) => {
    client.world.clock.set(start)
    client.world.assume('rate-limit.window', 'first-request')
    await spend(client, 1)
    client.world.clock.advance(40_000)
    await spend(client, 59)
    expect(await look(client)).toEqual([429, 0, 60_000])
    client.world.clock.advance(19_999)
    expect(await look(client)).toEqual([429, 0, 60_000])
    client.world.clock.advance(1)
    expect(await look(client)).toEqual([200, 59, 120_000])
    client.world.clock.advance(75_000)
    expect(await look(client)).toEqual([200, 59, 195_000])
  },
  { assumptions: inMilliseconds },
)

throughOwn(
  'with rate-limit.window=sliding each request comes back 60 seconds after it was sent',
  async (client) => {
    client.world.clock.set(start)
    client.world.assume('rate-limit.window', 'sliding')
    await spend(client, 1)
    client.world.clock.advance(40_000)
    await spend(client, 59)
    expect(await look(client)).toEqual([429, 0, 60_000])
    client.world.clock.advance(19_999)
    expect(await look(client)).toEqual([429, 0, 60_000])
    client.world.clock.advance(1)
    expect(await look(client)).toEqual([200, 0, 100_000])
    expect(await look(client)).toEqual([429, 0, 100_000])
    client.world.clock.advance(40_000)
    expect(await look(client)).toEqual([200, 58, 120_000])
  },
  { assumptions: inMilliseconds },
)
