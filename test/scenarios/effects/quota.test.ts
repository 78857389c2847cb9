import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'
import { own } from './own.ts'

const twoLeft = { scenarios: own({ quota: [{ window: 'minute', remaining: 2 }] }) }

testApi(
  'quota counts each account separately, apart from the rate limits of the world',
  twoLeft,
  async ({ world, call }) => {
    world.use('own')
    const remaining = async (key: string) =>
      (await call('GET', '/v1/apps', { key })).headers.get('x-ratelimit-remaining')
    expect([await remaining('key_pro'), await remaining('key_pro'), await remaining('key_free')]).toEqual([
      '1',
      '0',
      '1',
    ])
    world.clear()
    expect(await remaining('key_pro')).toBe('299')
  },
)

testApi(
  'a snapshot takes along how much of the quota is left, and nothing that was spent later',
  twoLeft,
  async ({ world, call }) => {
    const status = async () => (await call('GET', '/v1/apps')).status
    world.use('own')
    expect(await status()).toBe(200)
    world.snapshot('one left')
    expect([await status(), await status()]).toEqual([200, 429])
    world.restore('one left')
    expect([await status(), await status()]).toEqual([200, 429])
  },
)

testApi('named in a header, quota leaves every request the same', twoLeft, async ({ call }) => {
  for (let round = 0; round < 4; round++) {
    const { status, headers } = await call('GET', '/v1/apps', { headers: { 'x-greenhouse-scenario': 'own' } })
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, '1'])
  }
})

const head = { title: 'Own', description: 'Own', covers: 'Own' }
const scenarios = {
  both: {
    ...head,
    quota: [
      { window: 'minute', remaining: 2 },
      { window: 'day', remaining: 3 },
    ],
  },
  lavish: { ...head, quota: [{ window: 'minute', remaining: 100_000 }] },
}
const left = (headers: Headers) => headers.get('x-ratelimit-remaining')

testApi('a minute and a day of one scenario both hold', { scenarios }, async ({ world, call }) => {
  world.use('both')
  const walk = async (count: number) => {
    const statuses: number[] = []
    for (let round = 0; round < count; round++) statuses.push((await call('GET', '/v1/apps')).status)
    return statuses
  }
  expect(await walk(3)).toEqual([200, 200, 429])
  world.clock.advance('1m')
  expect(await walk(2)).toEqual([200, 429])
  world.clock.advance('1d')
  expect(await walk(4)).toEqual([200, 200, 200, 200])
})

testApi('a minute and a day of two scenarios both hold, whichever comes last', async ({ world, call }) => {
  for (const choices of [
    ['rate-limited-day', 'rate-limited-minute'],
    ['rate-limited-minute', 'rate-limited-day'],
  ]) {
    world.reset()
    world.clock.freeze()
    world.clock.set('2026-03-01T12:00:30Z')
    world.useOnly(choices as never)
    const { status, headers } = await call('GET', '/v1/apps')
    expect([status, headers.get('retry-after')], choices.join()).toEqual([429, String(24 * 3_600)])
    world.clock.advance('1m')
    expect((await call('GET', '/v1/apps')).status, choices.join()).toBe(429)
  }
})

testApi('of two scenarios about one window the last one counts', async ({ world, call }) => {
  world.use('rate-limited-minute')
  world.use('rate-limit-nearly-reached', { remaining: 5 })
  expect(left((await call('GET', '/v1/apps')).headers)).toBe('4')
  world.clear('rate-limit-nearly-reached')
  expect((await call('GET', '/v1/apps')).status).toBe(429)
})

testApi("the day goes on from the world's where only the minute is meant", async ({ world, call }) => {
  world.assume('rate-limit.reported', 'day')
  for (let round = 0; round < 4; round++) await call('GET', '/v1/apps')
  world.use('rate-limit-nearly-reached')
  expect(left((await call('GET', '/v1/apps')).headers)).toBe('24995')
})

testApi('the window after the one that was spent is a window of the clock again', async ({ world, call }) => {
  world.assume('rate-limit.window', 'calendar')
  world.use('rate-limited-minute')
  expect((await call('GET', '/v1/apps')).headers.get('retry-after')).toBe('60')
  world.clock.advance('1m')
  const { status, headers } = await call('GET', '/v1/apps')
  expect([status, headers.get('x-ratelimit-reset')]).toEqual([200, String(Date.parse('2026-03-01T12:02:00Z') / 1_000)])
})

testApi('no more is left than the plan has', { scenarios }, async ({ world, call }) => {
  world.use('lavish')
  expect(left((await call('GET', '/v1/apps')).headers)).toBe('299')
})

testApi('a snapshot keeps what was left, and goes back to it more than once', async ({ world, call }) => {
  world.use('rate-limit-nearly-reached', { remaining: 3 })
  await call('GET', '/v1/apps')
  world.snapshot('two left')
  for (let round = 0; round < 2; round++) {
    expect(left((await call('GET', '/v1/apps')).headers)).toBe('1')
    expect(left((await call('GET', '/v1/apps')).headers)).toBe('0')
    world.restore('two left')
  }
})

testApi('a reset forgets it, and another world has its own', {}, async ({ greenhouse, world, call }) => {
  for (const each of [world, greenhouse.world('other')]) each.use('rate-limit-nearly-reached', { remaining: 1 })
  const statuses = async () => [(await call('GET', '/v1/apps')).status, (await call('GET', '/~other/v1/apps')).status]
  expect(await statuses()).toEqual([200, 200])
  expect(await statuses()).toEqual([429, 429])
  world.reset()
  expect(await statuses()).toEqual([200, 429])
})
