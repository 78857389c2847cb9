import { expect } from 'vitest'
import { statusesOf } from '../../support/statuses.ts'
import { type Answer, testApi } from '../../support/test-api.ts'

const left = ({ headers }: Answer) => headers.get('x-ratelimit-remaining')

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
