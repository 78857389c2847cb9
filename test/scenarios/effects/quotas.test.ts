import { expect } from 'vitest'
import { statusesOf } from '../../support/statuses.ts'
import { type Answer, testApi } from '../../support/test-api.ts'

const left = ({ headers }: Answer) => headers.get('x-ratelimit-remaining')

testApi('quota counts each account separately, apart from the limits of the world', async ({ world, call }) => {
  world.use({ quota: [{ window: 'minute', remaining: 2 }] })
  const remaining = async (key: string) => left(await call('GET', '/v1/apps', { key }))
  expect(await remaining('key_pro')).toBe('1')
  expect([await remaining('key_pro'), await remaining('key_free')]).toEqual(['0', '1'])
  world.clear()
  expect(await remaining('key_pro')).toBe('299')
})

testApi('a snapshot takes along how much of the quota is left', async ({ world, call }) => {
  world.use({ quota: [{ window: 'minute', remaining: 2 }] })
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  world.snapshot('one left')
  for (let round = 0; round < 2; round++) {
    expect(await statusesOf(call, 'GET /v1/apps', 'GET /v1/apps')).toEqual([200, 429])
    world.restore('one left')
  }
})

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

testApi('a minute and a day of two scenarios both hold, whichever comes last', async ({ world, call }) => {
  const both = ['rate-limited-day', 'rate-limited-minute'] as const
  for (const choices of [both, both.toReversed()]) {
    world.reset()
    world.clock.freeze()
    world.clock.set('2026-03-01T12:00:30Z')
    world.useOnly(choices)
    const { status, headers } = await call('GET', '/v1/apps')
    expect([status, headers.get('retry-after')], choices.join()).toEqual([429, String(24 * 3_600)])
    world.clock.advance('1m')
    expect((await call('GET', '/v1/apps')).status, choices.join()).toBe(429)
  }
})

testApi('of two scenarios about one window the last one counts', async ({ world, call }) => {
  world.use('rate-limited-minute')
  world.use('rate-limit-nearly-reached', { remaining: 5 })
  expect(left(await call('GET', '/v1/apps'))).toBe('4')
  world.clear('rate-limit-nearly-reached')
  expect((await call('GET', '/v1/apps')).status).toBe(429)
})

testApi("the day goes on from the world's where only the minute is meant", async ({ world, call }) => {
  world.assume('rate-limit.reported', 'day')
  for (let round = 0; round < 4; round++) await call('GET', '/v1/apps')
  world.use('rate-limit-nearly-reached')
  expect(left(await call('GET', '/v1/apps'))).toBe('24995')
})

testApi('the window after the one that was spent is a window of the clock again', async ({ world, call }) => {
  world.assume('rate-limit.window', 'calendar')
  world.use('rate-limited-minute')
  expect((await call('GET', '/v1/apps')).headers.get('retry-after')).toBe('60')
  world.clock.advance('1m')
  const { status, headers } = await call('GET', '/v1/apps')
  expect([status, headers.get('x-ratelimit-reset')]).toEqual([200, String(Date.parse('2026-03-01T12:02:00Z') / 1_000)])
})

testApi('no more is left than the plan has', async ({ world, call }) => {
  world.use({ quota: [{ window: 'minute', remaining: 100_000 }] })
  expect(left(await call('GET', '/v1/apps'))).toBe('299')
})

testApi('a snapshot keeps what was left, and goes back to it more than once', async ({ world, call }) => {
  world.use('rate-limit-nearly-reached', { remaining: 3 })
  await call('GET', '/v1/apps')
  world.snapshot('two left')
  for (let round = 0; round < 2; round++) {
    expect(left(await call('GET', '/v1/apps'))).toBe('1')
    expect(left(await call('GET', '/v1/apps'))).toBe('0')
    world.restore('two left')
  }
})

testApi('a reset forgets it, and another world has its own', {}, async ({ greenhouse, world, call }) => {
  for (const each of [world, greenhouse.world('other')]) each.use('rate-limit-nearly-reached', { remaining: 1 })
  const statuses = async () => await statusesOf(call, 'GET /v1/apps', 'GET /~other/v1/apps')
  expect(await statuses()).toEqual([200, 200])
  expect(await statuses()).toEqual([429, 429])
  world.reset()
  expect(await statuses()).toEqual([200, 429])
})

const perDay = { free: 1_000, lite: 5_000, pro: 25_000, pro_plus: 100_000 }

for (const [plan, limit] of Object.entries(perDay))
  testApi(`the plan ${plan} has spent its day, for 24 hours`, async ({ world, call }) => {
    world.use('rate-limited-day', { plan: plan as 'pro' })
    const key = `key_${plan}`
    const { status, headers } = await call('GET', '/v1/apps', { key })
    expect(status).toBe(429)
    expect(['limit', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`))).toEqual([String(limit), '0'])
    expect(headers.get('retry-after')).toBe(String(24 * 3_600))
    world.clock.advance('23h59m30s')
    expect((await call('GET', '/v1/apps', { key })).status).toBe(429)
    world.clock.advance('30s')
    expect((await call('GET', '/v1/apps', { key })).status).toBe(200)
  })

const perMinute = { free: 60, lite: 120, pro: 300, pro_plus: 600 }

for (const [plan, limit] of Object.entries(perMinute))
  testApi(`the plan ${plan} has spent its minute, and no other plan has`, async ({ world, call }) => {
    world.use('rate-limited-minute', { plan: plan as 'pro' })
    const key = `key_${plan}`
    const { status, body, headers } = await call('GET', '/v1/apps', { key })
    expect([status, body.error.code]).toEqual([429, 'rate_limit_exceeded'])
    expect(['limit', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`))).toEqual([String(limit), '0'])
    expect(headers.get('retry-after')).toBe('60')
    for (const other of Object.keys(perMinute))
      if (other !== plan) expect((await call('GET', '/v1/apps', { key: `key_${other}` })).status, other).toBe(200)
    world.clock.advance('1m')
    expect((await call('GET', '/v1/apps', { key })).status).toBe(200)
  })

testApi('the world has spent nothing when the minute is not spent any more', async ({ world, call }) => {
  world.use('rate-limited-minute')
  await call('GET', '/v1/apps')
  world.clear()
  expect((await call('GET', '/v1/apps')).headers.get('x-ratelimit-remaining')).toBe('299')
})

for (const path of ['/v1/apps', '/plants'])
  testApi(`rate-limit-nearly-reached counts down to the first 429 of ${path}`, async ({ world, call }) => {
    world.use('rate-limit-nearly-reached')
    for (const expected of ['200 2', '200 1', '200 0', '429 0']) {
      const answer = await call('GET', path)
      expect(`${answer.status} ${left(answer)}`).toBe(expected)
    }
  })

testApi('the third page is a 429, and the same cursor goes on in the next minute', async ({ world, call }) => {
  const all = (await call('GET', '/v1/apps?limit=100')).body.data.map(({ id }: { id: string }) => id)
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
})

testApi('other operations spend nothing of it', async ({ world, call }) => {
  world.use('rate-limit-mid-pagination', { pages: 1 })
  const [app] = (await call('GET', '/v1/apps?limit=1')).body.data
  for (let round = 0; round < 3; round++) expect((await call('GET', `/v1/apps/${app.id}`)).status).toBe(200)
  expect((await call('GET', '/v1/apps')).status).toBe(429)
})
