import fc from 'fast-check'
import { expect } from 'vitest'
import { times } from '../support/soak.ts'
import { start, testApi } from '../support/test-api.ts'

const plans = { free: [60, 1_000], lite: [120, 5_000], pro: [300, 25_000], pro_plus: [600, 100_000] } as const

for (const [plan, [minute, day]] of Object.entries(plans))
  for (const [scenario, limit, wait, almost] of [
    [{ name: 'rate-limited-plan', window: 'minute' }, minute, 60, '59999ms'],
    [{ name: 'rate-limited-minute' }, minute, 60, '59999ms'],
    [{ name: 'rate-limited-plan', window: 'day' }, day, 86_400, '23h59m59999ms'],
    [{ name: 'rate-limited-day' }, day, 86_400, '23h59m59999ms'],
  ] as const)
    testApi(`${Object.values(scenario).join(' of a ')} leaves nothing to the plan ${plan}`, async (client) => {
      const { world, call } = client
      const ask = (name: string = plan) => call('GET', '/v1/apps', { key: `key_${name}` })
      world.use({ ...scenario, plan: plan as never })
      const limited = await ask()
      expect(limited).toMatchObject({ status: 429, body: { error: { code: 'rate_limit_exceeded' } } })
      expect(Object.fromEntries(limited.headers)).toMatchObject({
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Date.parse(start) / 1_000 + wait),
        'retry-after': String(wait),
      })
      for (const other of Object.keys(plans)) if (other !== plan) expect((await ask(other)).status, other).toBe(200)
      world.clock.advance(almost)
      expect((await ask()).status).toBe(429)
      world.clock.advance('1ms')
      const recovered = await ask()
      expect(recovered.status).toBe(200)
      expect(recovered.headers.get('x-ratelimit-remaining')).toBe(String(minute - 1))
    })

testApi('the given number of requests succeeds, counted per account', async ({ world, call }) => {
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

testApi("the world's own counters are not touched", async ({ world, call }) => {
  expect((await call('GET', '/v1/apps')).headers.get('x-ratelimit-remaining')).toBe('299')
  world.use('rate-limited-plan', { remaining: 1 })
  for (let count = 0; count < 5; count++) await call('GET', '/v1/apps')
  world.clear()
  const { status, headers } = await call('GET', '/v1/apps')
  expect(status).toBe(200)
  expect(headers.get('x-ratelimit-remaining')).toBe('298')
  expect(headers.get('x-ratelimit-reset')).toBe(String(Date.parse('2026-03-01T12:01:00Z') / 1_000))
})

testApi('plants are limited too while it is on, in the shape of Area A', {}, async ({ world, call }) => {
  world.use('rate-limited-plan', { plan: 'pro' })
  const limited = await call('GET', '/plants')
  expect(limited).toMatchObject({ status: 429, body: { error: 429, message: expect.any(String) } })
  expect(Object.fromEntries(limited.headers)).toMatchObject({
    'x-ratelimit-limit': '300',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Date.parse('2026-03-01T12:01:30Z') / 1_000),
    'retry-after': '60',
    'x-greenhouse': 'world=default; operation=plants.list; scenario=rate-limited-plan',
  })
  const other = await call('GET', '/plants', { key: 'key_free' })
  expect([other.status, other.headers.get('x-ratelimit-limit'), other.headers.get('x-greenhouse')]).toEqual([
    200,
    null,
    'world=default; operation=plants.list; idle=rate-limited-plan',
  ])
  world.clock.advance('1m')
  expect((await call('GET', '/plants')).status).toBe(200)
  world.clear()
  const after = await call('GET', '/plants')
  expect([after.status, after.headers.get('x-ratelimit-limit')]).toEqual([200, null])
})

testApi('plants and apps spend the one budget that it leaves', async ({ world, call }) => {
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

testApi('with until=cleared the plan stays spent', async ({ world, call }) => {
  for (const window of ['minute', 'day']) {
    world.useOnly([{ name: 'rate-limited-plan', window: window as never, until: 'cleared' }])
    for (const step of ['0s', '1m', '1d', '400d']) {
      world.clock.advance(step)
      const { status, headers } = await call('GET', '/v1/apps')
      expect([window, step, status]).toEqual([window, step, 429])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
  }
  world.clear()
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

testApi('under each assumption about windows a spent minute lasts a minute', async ({ world, call }) => {
  for (const kind of ['calendar', 'first-request', 'sliding'] as const) {
    world.assume('rate-limit.window', kind)
    world.useOnly(['rate-limited-minute'])
    expect((await call('GET', '/v1/apps')).headers.get('retry-after'), kind).toBe('60')
    world.clock.advance('1m')
    expect((await call('GET', '/v1/apps')).status, kind).toBe(200)
    world.clock.advance('1h')
  }
})

testApi('wherever in a minute or a day it is switched on, the plan is spent', async ({ world, call }) => {
  const offset = fc.integer({ min: 0, max: 86_400_000 - 1 })
  const scenario = fc.constantFrom('rate-limited-plan', 'rate-limited-minute', 'rate-limited-day')
  const edges = [0, 1, 59_900, 59_999].map((after) => [after, 'rate-limited-plan'] as const)
  const drawn = fc.sample(fc.tuple(offset, scenario), { numRuns: times(1_000, 40), seed: 20 })
  for (const [after, name] of [...edges, ...drawn]) {
    world.clear()
    world.clock.set(Date.parse('2026-03-01T00:00:00Z') + after)
    const told = `${name} at ${new Date(world.clock.now()).toISOString()}`
    world.use(name as 'rate-limited-plan')
    // It begins with the first request, however late that comes.
    world.clock.advance('10m')
    expect((await call('GET', '/v1/apps')).status, told).toBe(429)
    world.clock.advance('59999ms')
    expect((await call('GET', '/v1/apps')).status, told).toBe(429)
    world.clock.advance(name === 'rate-limited-day' ? '1d' : '1ms')
    expect((await call('GET', '/v1/apps')).status, told).toBe(200)
  }
})
