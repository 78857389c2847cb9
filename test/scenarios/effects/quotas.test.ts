import { expect } from 'vitest'
import {
  statusesOf,
  type Answer,
  type CallOptions,
  type Client,
  testApi,
  start,
} from '../../support/test-api.ts'
import fc from 'fast-check'
import { times } from '../../support/soak.ts'

const left = ({ headers }: Answer) => headers.get('x-ratelimit-remaining')
const limitOf = async (call: Client['call'], options: CallOptions = {}, path = '/v1/apps') =>
  (await call('GET', path, options)).headers.get('x-ratelimit-limit')

testApi('named in a header, quota leaves every request the same', async ({ call }) => {
  const headers = { 'x-greenhouse-scenario': 'rate-limit-nearly-reached:remaining=2' }
  for (let round = 0; round < 4; round++) {
    const answer = await call('GET', '/v1/apps', { headers })
    expect([answer.status, left(answer)]).toEqual([200, '1'])
  }
})

testApi('a minute and a day of one scenario both hold', async ({ world, call }) => {
  const minute = { window: 'minute', remaining: 2 } as const
  world.use({ quota: [minute, { window: 'day', remaining: 3 }] })
  expect(await statusesOf(call, ...Array(3).fill('GET /v1/apps'))).toEqual([200, 200, 429])
  world.clock.advance('1m')
  expect(await statusesOf(call, ...Array(2).fill('GET /v1/apps'))).toEqual([200, 429])
  world.clock.advance('1d')
  expect(await statusesOf(call, ...Array(4).fill('GET /v1/apps'))).toEqual([200, 200, 200, 200])
})

testApi(
  'a minute and a day of two scenarios both hold, whichever comes last',
  async ({ world, call }) => {
    const both = ['rate-limited-day', 'rate-limited-minute'] as const
    for (const choices of [both, both.toReversed()]) {
      world.reset()
      world.clock.freeze()
      world.clock.set('2026-03-01T12:00:30Z')
      world.useOnly(choices)
      const { status, headers } = await call('GET', '/v1/apps')
      expect([status, headers.get('retry-after')], choices.join()).toEqual([
        429,
        String(24 * 3_600),
      ])
      world.clock.advance('1m')
      expect((await call('GET', '/v1/apps')).status, choices.join()).toBe(429)
    }
  },
)

testApi('the last of two scenarios about a window counts', async ({ world, call }) => {
  world.use('rate-limited-minute')
  world.use('rate-limit-nearly-reached', { remaining: 5 })
  expect(left(await call('GET', '/v1/apps'))).toBe('4')
  world.clear('rate-limit-nearly-reached')
  expect((await call('GET', '/v1/apps')).status).toBe(429)
})

testApi(
  "the day goes on from the world's where only the minute is meant",
  async ({ world, call }) => {
    world.assume('rate-limit.reported', 'day')
    for (let round = 0; round < 4; round++) await call('GET', '/v1/apps')
    world.use('rate-limit-nearly-reached')
    expect(left(await call('GET', '/v1/apps'))).toBe('24995')
  },
)

testApi('the window after a spent one follows the clock again', async ({ world, call }) => {
  world.assume('rate-limit.window', 'calendar')
  world.use('rate-limited-minute')
  expect((await call('GET', '/v1/apps')).headers.get('retry-after')).toBe('60')
  world.clock.advance('1m')
  const { status, headers } = await call('GET', '/v1/apps')
  expect([status, headers.get('x-ratelimit-reset')]).toEqual([
    200,
    String(Date.parse('2026-03-01T12:02:00Z') / 1_000),
  ])
})

testApi('no more is left than the plan has', async ({ world, call }) => {
  world.use({ quota: [{ window: 'minute', remaining: 100_000 }] })
  expect(left(await call('GET', '/v1/apps'))).toBe('299')
})

testApi(
  'a reset forgets it, and another world has its own',
  {},
  async ({ greenhouse, world, call }) => {
    for (const each of [world, greenhouse.world('other')])
      each.use('rate-limit-nearly-reached', { remaining: 1 })
    const statuses = async () => await statusesOf(call, 'GET /v1/apps', 'GET /~other/v1/apps')
    expect(await statuses()).toEqual([200, 200])
    expect(await statuses()).toEqual([429, 429])
    world.reset()
    expect(await statuses()).toEqual([200, 429])
  },
)

for (const path of ['/v1/apps', '/plants'])
  testApi(
    `rate-limit-nearly-reached counts down to the first 429 of ${path}`,
    async ({ world, call }) => {
      world.use('rate-limit-nearly-reached')
      for (const expected of ['200 2', '200 1', '200 0', '429 0']) {
        const answer = await call('GET', path)
        expect(`${answer.status} ${left(answer)}`).toBe(expected)
      }
    },
  )

testApi(
  'the third page is a 429, and the same cursor goes on in the next minute',
  async ({ world, call }) => {
    const all = (await call('GET', '/v1/apps?limit=100')).body.data.map(
      ({ id }: { id: string }) => id,
    )
    world.use('rate-limit-mid-pagination')
    const seen: string[] = []
    let cursor = ''
    const statuses: number[] = []
    while (seen.length < all.length) {
      const { status, body } = await call('GET', `/v1/apps?limit=8${cursor && `&cursor=${cursor}`}`)
      statuses.push(status)
      if (status === 429) world.clock.advance('1m')
      else {
        seen.push(...body.data.map(({ id }: { id: string }) => id))
        cursor = body.next_cursor
      }
    }
    expect(statuses.slice(0, 4)).toEqual([200, 200, 429, 200])
    expect(seen).toEqual(all)
  },
)

testApi('other operations spend nothing of it', async ({ world, call }) => {
  world.use('rate-limit-mid-pagination', { pages: 1 })
  const [app] = (await call('GET', '/v1/apps?limit=1')).body.data
  for (let round = 0; round < 3; round++)
    expect((await call('GET', `/v1/apps/${app.id}`)).status).toBe(200)
  expect((await call('GET', '/v1/apps')).status).toBe(429)
})

testApi(
  'account puts callers on another plan for the requests that it names',
  async ({ world, call }) => {
    world.use({ account: [{ plan: 'free', on: 'apps.list', where: { plan: 'pro' } }] })
    const [app] = world.records.apps.all().filter(({ account }) => account === 'acct_pro')
    expect(await limitOf(call)).toBe('60')
    expect(await limitOf(call, {}, `/v1/apps/${app!.id}`)).toBe('300')
    expect(await limitOf(call, { key: 'key_lite' })).toBe('120')
    expect(world.records.accounts.get('acct_pro')!.plan, 'what is stored stays').toBe('pro')
  },
)

testApi(
  'the last of two plans counts, and clearing it gives the first',
  async ({ world, call }) => {
    world.use('plan-downgrade')
    world.use('plan-upgrade')
    expect(await limitOf(call)).toBe('600')
    world.clear('plan-upgrade')
    expect(await limitOf(call)).toBe('60')
    world.clear()
    expect(await limitOf(call)).toBe('300')
  },
)

testApi('requests count against the next plan', async ({ world, call }) => {
  for (let round = 0; round < 61; round++) await call('GET', '/v1/apps')
  world.use('plan-downgrade')
  expect((await call('GET', '/v1/apps')).status).toBe(429)
  world.use('plan-downgrade', { plan: 'lite' })
  expect((await call('GET', '/v1/apps')).headers.get('x-ratelimit-remaining')).toBe('58')
})

testApi(
  'a header changes the plan for its request, in its world',
  {},
  async ({ greenhouse, call }) => {
    const headers = { 'x-greenhouse-scenario': 'plan-upgrade' }
    expect(await limitOf(call, { headers })).toBe('600')
    expect(await limitOf(call)).toBe('300')
    greenhouse.world('other').use('plan-downgrade')
    expect([await limitOf(call), await limitOf(call, {}, '/~other/v1/apps')]).toEqual(['300', '60'])
  },
)

testApi(
  'plan-downgrade lowers limits and caps at once and takes nothing away',
  async ({ world, call }) => {
    const before = (await call('GET', '/v1/apps?limit=100')).body
    world.use('plan-downgrade')
    expect((await call('GET', '/v1/apps?limit=100')).body).toEqual(before)
    expect(await limitOf(call)).toBe('60')
    expect((await call('GET', '/v1/account')).body.plan).toBe('free')
    expect(world.journal.calls().at(-1)!.reason).toContain('put the account on the plan free')
    expect(world.records.accounts.get('acct_pro')!.plan, 'what is stored stays').toBe('pro')
    expect(await call('POST', '/v1/apps', { body: { name: 'one too many' } })).toMatchObject({
      status: 403,
      body: { error: { code: 'insufficient_permissions' } },
    })
    world.use('plan-downgrade', { plan: 'lite', account: 'acct_pro_plus' })
    expect([await limitOf(call), await limitOf(call, { key: 'key_pro_plus' })]).toEqual([
      '300',
      '120',
    ])
  },
)

testApi('a later condition on the plan means the new plan', async ({ world, call }) => {
  world.use('plan-downgrade', { plan: 'lite' })
  world.use('rate-limited-day', { plan: 'lite' })
  expect((await call('GET', '/v1/apps')).status).toBe(429)
  world.useOnly(['rate-limited-day:plan=lite', 'plan-downgrade:plan=lite'])
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

testApi('plan-upgrade raises limits and caps at once', async ({ world, call }) => {
  const create = () => call('POST', '/v1/apps', { key: 'key_free', body: { name: 'more' } })
  while ((await create()).status === 201);
  world.use('plan-upgrade')
  const { status, headers } = await create()
  expect([status, headers.get('x-ratelimit-limit')]).toEqual([201, '600'])
  world.clear()
  expect((await create()).status).toBe(403)
})

const plans = {
  free: [60, 1_000],
  lite: [120, 5_000],
  pro: [300, 25_000],
  pro_plus: [600, 100_000],
} as const

for (const [plan, [minute, day]] of Object.entries(plans))
  for (const [scenario, limit, wait, almost] of [
    [{ name: 'rate-limited-plan', window: 'minute' }, minute, 60, '59999ms'],
    [{ name: 'rate-limited-minute' }, minute, 60, '59999ms'],
    [{ name: 'rate-limited-plan', window: 'day' }, day, 86_400, '23h59m59999ms'],
    [{ name: 'rate-limited-day' }, day, 86_400, '23h59m59999ms'],
  ] as const)
    testApi(
      `${Object.values(scenario).join(' of a ')} leaves nothing to the plan ${plan}`,
      async (client) => {
        const { world, call } = client
        const ask = (name: string = plan) => call('GET', '/v1/apps', { key: `key_${name}` })
        world.use({ ...scenario, plan: plan as never })
        const limited = await ask()
        expect(limited).toMatchObject({
          status: 429,
          body: { error: { code: 'rate_limit_exceeded' } },
        })
        expect(Object.fromEntries(limited.headers)).toMatchObject({
          'x-ratelimit-limit': String(limit),
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(Date.parse(start) / 1_000 + wait),
          'retry-after': String(wait),
        })
        for (const other of Object.keys(plans))
          if (other !== plan) expect((await ask(other)).status, other).toBe(200)
        world.clock.advance(almost)
        expect((await ask()).status).toBe(429)
        world.clock.advance('1ms')
        const recovered = await ask()
        expect(recovered.status).toBe(200)
        expect(recovered.headers.get('x-ratelimit-remaining')).toBe(String(minute - 1))
      },
    )

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

testApi(
  'plants are limited too while it is on, in the shape of Area A',
  {},
  async ({ world, call }) => {
    world.use('rate-limited-plan', { plan: 'pro' })
    const limited = await call('GET', '/plants')
    expect(limited).toMatchObject({
      status: 429,
      body: { error: 429, message: expect.any(String) },
    })
    expect(Object.fromEntries(limited.headers)).toMatchObject({
      'x-ratelimit-limit': '300',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Date.parse('2026-03-01T12:01:30Z') / 1_000),
      'retry-after': '60',
      'x-greenhouse': 'world=default; operation=plants.list; scenario=rate-limited-plan',
    })
    const other = await call('GET', '/plants', { key: 'key_free' })
    expect([
      other.status,
      other.headers.get('x-ratelimit-limit'),
      other.headers.get('x-greenhouse'),
    ]).toEqual([200, null, 'world=default; operation=plants.list; idle=rate-limited-plan'])
    world.clock.advance('1m')
    expect((await call('GET', '/plants')).status).toBe(200)
    world.clear()
    const after = await call('GET', '/plants')
    expect([after.status, after.headers.get('x-ratelimit-limit')]).toEqual([200, null])
  },
)

testApi('plants and apps spend the one budget that it leaves', async ({ world, call }) => {
  world.use('rate-limited-plan', { remaining: 2 })
  const answers = [
    await call('GET', '/plants'),
    await call('GET', '/v1/apps'),
    await call('POST', '/plants', { body: { id: 900_001, name: 'Late' } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
  expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual([
    '1',
    '0',
    '0',
  ])
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

testApi(
  'under each assumption about windows a spent minute lasts a minute',
  async ({ world, call }) => {
    for (const kind of ['calendar', 'first-request', 'sliding'] as const) {
      world.assume('rate-limit.window', kind)
      world.useOnly(['rate-limited-minute'])
      expect((await call('GET', '/v1/apps')).headers.get('retry-after'), kind).toBe('60')
      world.clock.advance('1m')
      expect((await call('GET', '/v1/apps')).status, kind).toBe(200)
      world.clock.advance('1h')
    }
  },
)

testApi(
  'wherever in a minute or a day it is switched on, the plan is spent',
  async ({ world, call }) => {
    const offset = fc.integer({ min: 0, max: 86_400_000 - 1 })
    const scenario = fc.constantFrom('rate-limited-plan', 'rate-limited-minute', 'rate-limited-day')
    const edges = [0, 1, 59_900, 59_999].map((after) => [after, 'rate-limited-plan'] as const)
    const drawn = fc.sample(fc.tuple(offset, scenario), { numRuns: times(1_000, 20), seed: 20 })
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
  },
)
