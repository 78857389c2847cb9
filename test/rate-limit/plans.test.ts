import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { rate, spend } from './spend.ts'

const plans = { free: [60, 1_000], lite: [120, 5_000], pro: [300, 25_000], pro_plus: [600, 100_000] } as const

for (const [plan, [minute, day]] of Object.entries(plans))
  testApi(`the plan ${plan} permits ${minute} requests a minute and ${day} a day`, async ({ call, direct, world }) => {
    const key = `key_${plan}`
    world.assume('rate-limit.reported', 'day')
    expect(rate(await call('GET', '/v1/apps', { key }))).toMatchObject({
      limit: String(day),
      remaining: String(day - 1),
    })
    world.assume('rate-limit.reported', 'minute')
    expect(rate(await call('GET', '/v1/apps', { key }))).toMatchObject({
      limit: String(minute),
      remaining: String(minute - 2),
    })
    await spend({ direct }, minute - 3, key)
    const last = await call('GET', '/v1/apps', { key })
    expect(last.status).toBe(200)
    expect(rate(last).remaining).toBe('0')
    const over = await call('GET', '/v1/apps', { key })
    expect(over.status).toBe(429)
    expect(rate(over)).toMatchObject({ limit: String(minute), remaining: '0' })
  })
