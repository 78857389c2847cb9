import { expect } from 'vitest'
import { through } from '../../support/through.ts'

const head = { title: 'Own', description: 'Own', covers: 'Own' }
const scenarios = {
  both: { ...head, quota: [{ window: 'minute', remaining: 2 }, { window: 'day', remaining: 3 }] },
  lavish: { ...head, quota: [{ window: 'minute', remaining: 100_000 }] },
}
const left = (headers: Headers) => headers.get('x-ratelimit-remaining')
const naming = (scenario: string) => ({ headers: { 'x-greenhouse-scenario': scenario } })

through('a minute and a day of one scenario both hold', async ({ world, call }) => {
  world.use('both')
  const walk = async (count: number) => {
    const statuses: number[] = []
    for (let round = 0; round < count; round++) statuses.push((await call('GET', '/v1/apps')).status)
    return statuses
  }
  expect(await walk(3)).toEqual([200, 200, 429])
  world.clock.advance('1m')
  expect(await walk(2)).toEqual([200, 429])
  world.clock.set('2026-03-02T00:00:00Z')
  expect(await walk(4)).toEqual([200, 200, 200, 200])
}, { scenarios })

through('a minute and a day of two scenarios both hold, whichever comes last', async ({ world, call }) => {
  for (const choices of [['rate-limited-day', 'rate-limited-minute'], ['rate-limited-minute', 'rate-limited-day']]) {
    world.reset()
    world.clock.freeze()
    world.clock.set('2026-03-01T12:00:30Z')
    world.useOnly(choices)
    const { status, headers } = await call('GET', '/v1/apps')
    expect([status, headers.get('retry-after')], choices.join()).toEqual([429, String(12 * 3_600 - 30)])
    world.clock.advance('1m')
    expect((await call('GET', '/v1/apps')).status, choices.join()).toBe(429)
  }
})

through('of two scenarios about one window the last one counts', async ({ world, call }) => {
  world.use('rate-limited-minute')
  world.use('rate-limit-nearly-reached', { remaining: 5 })
  expect(left((await call('GET', '/v1/apps')).headers)).toBe('4')
  world.clear('rate-limit-nearly-reached')
  expect((await call('GET', '/v1/apps')).status).toBe(429)
})

through("the day goes on from the world's where only the minute is meant", async ({ world, call }) => {
  world.assume('rate-limit.reported', 'day')
  for (let round = 0; round < 4; round++) await call('GET', '/v1/apps')
  world.use('rate-limit-nearly-reached')
  expect(left((await call('GET', '/v1/apps')).headers)).toBe('24995')
})

through('no more is left than the plan has', async ({ world, call }) => {
  world.use('lavish')
  expect(left((await call('GET', '/v1/apps')).headers)).toBe('299')
}, { scenarios })

for (const kind of ['calendar', 'first-request', 'sliding'])
  through(`requests that name it in a header count down together, in each window anew (${kind})`, async ({ world, call }) => {
    world.assume('rate-limit.window', kind)
    const header = naming('rate-limit-nearly-reached:remaining=2')
    for (let minute = 0; minute < 2; minute++) {
      const answers: [number, string | null][] = []
      for (let round = 0; round < 3; round++) {
        const { status, headers } = await call('GET', '/v1/apps', header)
        answers.push([status, left(headers)])
      }
      expect(answers).toEqual([[200, '1'], [200, '0'], [429, '0']])
      world.clock.advance('1m')
    }
    expect(left((await call('GET', '/v1/apps')).headers)).toBe('299')
  })

through('a snapshot keeps what was left, and goes back to it more than once', async ({ world, call }) => {
  world.use('rate-limit-nearly-reached', { remaining: 3 })
  await call('GET', '/v1/apps')
  world.snapshot('two left')
  for (let round = 0; round < 2; round++) {
    expect(left((await call('GET', '/v1/apps')).headers)).toBe('1')
    expect(left((await call('GET', '/v1/apps')).headers)).toBe('0')
    world.restore('two left')
  }
})

through('a reset forgets it, and another world has its own', async ({ greenhouse, world, call }) => {
  for (const each of [world, greenhouse.world('other')]) each.use('rate-limit-nearly-reached', { remaining: 1 })
  const statuses = async () => [(await call('GET', '/v1/apps')).status, (await call('GET', '/~other/v1/apps')).status]
  expect(await statuses()).toEqual([200, 200])
  expect(await statuses()).toEqual([429, 429])
  world.reset()
  expect(await statuses()).toEqual([200, 429])
})
