import { expect } from 'vitest'
import { through, throughOwn } from '../support/through.ts'

const plans = { free: [60, 1_000], lite: [120, 5_000], pro: [300, 25_000], pro_plus: [600, 100_000] } as const

for (const [plan, [minute, day]] of Object.entries(plans)) {
  through(`the ${plan} plan is over its minute until the minute ends`, async ({ world, call }) => {
    world.use('rate-limited-plan', { plan })
    const key = `key_${plan}`
    const limited = await call('GET', '/v1/apps', { key })
    expect(limited).toMatchObject({ status: 429, body: { error: { code: 'rate_limit_exceeded' } } })
    expect(Object.fromEntries(limited.headers)).toMatchObject({
      'x-ratelimit-limit': String(minute),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Date.parse('2026-03-01T12:01:00Z') / 1_000),
      'retry-after': '30',
    })
    world.clock.advance('29999ms')
    expect((await call('GET', '/v1/apps', { key })).status).toBe(429)
    world.clock.advance('1ms')
    const recovered = await call('GET', '/v1/apps', { key })
    expect(recovered.status).toBe(200)
    expect(recovered.headers.get('x-ratelimit-remaining')).toBe(String(minute - 1))
  })

  through(`the ${plan} plan is over its day until the day ends`, async ({ world, call }) => {
    world.use('rate-limited-plan', { plan, window: 'day' })
    const key = `key_${plan}`
    const limited = await call('GET', '/v1/apps', { key })
    expect(limited.status).toBe(429)
    expect(Object.fromEntries(limited.headers)).toMatchObject({
      'x-ratelimit-limit': String(day),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Date.parse('2026-03-02T00:00:00Z') / 1_000),
      'retry-after': String(12 * 3_600 - 30),
    })
    world.clock.advance('1h')
    expect((await call('GET', '/v1/apps', { key })).status).toBe(429)
    world.clock.set('2026-03-02T00:00:00Z')
    expect((await call('GET', '/v1/apps', { key })).status).toBe(200)
  })
}

through('other plans are not limited', async ({ world, call }) => {
  world.use('rate-limited-plan', { plan: 'free' })
  expect((await call('GET', '/v1/apps', { key: 'key_free' })).status).toBe(429)
  for (const key of ['key_lite', 'key_pro', 'key_pro_plus'])
    expect((await call('GET', '/v1/apps', { key })).status).toBe(200)
})

through('so many requests as remain succeed, an account each', async ({ world, call }) => {
  world.use('rate-limited-plan', { remaining: 2 })
  for (const key of ['key_free', 'key_pro']) {
    const answers = [
      await call('GET', '/v1/apps', { key }),
      await call('GET', '/v1/apps', { key }),
      await call('GET', '/v1/apps', { key }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['1', '0', '0'])
  }
})

through("the world's own counters are not touched", async ({ world, call }) => {
  expect((await call('GET', '/v1/apps')).headers.get('x-ratelimit-remaining')).toBe('299')
  world.use('rate-limited-plan', { remaining: 1 })
  for (let count = 0; count < 5; count++) await call('GET', '/v1/apps')
  world.clear()
  const { status, headers } = await call('GET', '/v1/apps')
  expect(status).toBe(200)
  expect(headers.get('x-ratelimit-remaining')).toBe('298')
  expect(headers.get('x-ratelimit-reset')).toBe(String(Date.parse('2026-03-01T12:01:00Z') / 1_000))
})

throughOwn(
  'plants are limited too while it is on, in the error shape of Area A, and have no limits again afterwards',
  async ({ world, call }) => {
    world.use('rate-limited-plan', { plan: 'pro' })
    const limited = await call('GET', '/plants')
    expect(limited).toMatchObject({ status: 429, body: { error: 429, message: expect.any(String) } })
    expect(Object.fromEntries(limited.headers)).toMatchObject({
      'x-ratelimit-limit': '300',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Date.parse('2026-03-01T12:01:00Z') / 1_000),
      'retry-after': '30',
      'x-greenhouse': 'world=default; operation=plants.list; scenario=rate-limited-plan',
    })
    const other = await call('GET', '/plants', { key: 'key_free' })
    expect([other.status, other.headers.get('x-ratelimit-limit'), other.headers.get('x-greenhouse')]).toEqual([
      200,
      null,
      'world=default; operation=plants.list; idle=rate-limited-plan',
    ])
    world.clock.advance('30s')
    expect((await call('GET', '/plants')).status).toBe(200)
    world.clear()
    const after = await call('GET', '/plants')
    expect([after.status, after.headers.get('x-ratelimit-limit')]).toEqual([200, null])
  },
)

through('plants and apps spend the one budget that it leaves', async ({ world, call }) => {
  world.use('rate-limited-plan', { remaining: 2 })
  const answers = [
    await call('GET', '/plants'),
    await call('GET', '/v1/apps'),
    await call('POST', '/plants', { body: { id: 900_001, name: 'Late' } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
  expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['1', '0', '0'])
  expect(world.records.plants.get(900_001)).toBeUndefined()
})
