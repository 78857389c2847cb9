import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { start, testApi } from '../support/test-api.ts'

const begin = Date.parse(start)
const hour = 3_600_000

testApi('advance moves on by any length of time, with fractions', async ({ world: { clock } }) => {
  for (const [length, expected] of [
    ['250ms', 250],
    ['90s', 90_000],
    ['5m', 300_000],
    ['2h', 2 * hour],
    ['1d', 24 * hour],
    ['1h30m', 1.5 * hour],
    ['1d2h3m4s5ms', 26 * hour + 184_005],
    ['1.5h', 1.5 * hour],
    ['1.25h', 1.25 * hour],
    ['0.125s', 125],
    ['12.0625m', 723_750],
    ['-1.75d', -42 * hour],
    ['1.25h0.5m', 1.25 * hour + 30_000],
    ['10.10s', 10_100],
    ['0s', 0],
    ['-1h', -hour],
    ['-1h30m', -1.5 * hour],
    [1_234, 1_234],
    [-5, -5],
    [0, 0],
  ] as const) {
    clock.set(start)
    clock.advance(length)
    expect(clock.now(), String(length)).toBe(begin + expected)
  }
})

testApi('set goes to a point in time', async ({ world: { clock } }) => {
  for (const [time, expected] of [
    ['2030-01-01T00:00:00Z', Date.UTC(2030, 0, 1)],
    ['2030-01-01T02:00:00+02:00', Date.UTC(2030, 0, 1)],
    ['2030-01-01', Date.UTC(2030, 0, 1)],
    [0, 0],
    [1_700_000_000_123, 1_700_000_000_123],
  ] as const) {
    clock.set(time)
    expect(clock.now()).toBe(expected)
  }
})

testApi('what is no time and no length is an error that shows it, and time stays', async ({ world: { clock } }) => {
  for (const length of [
    ['', 's', '90', '90 s', '1y', 'soon', '1h-5m', '--1h', '+1h', '1e3s', NaN, Infinity, -Infinity],
    ['1.h', '.5h', '1..5h', '1.5', '1,5h', '1.5.5h', '1h-1m', ' 1h', '1h ', '1 h'],
    ['9'.repeat(400) + 's', undefined, null, {}],
  ].flat()) {
    expect(() => clock.advance(length as string), String(length)).toThrow(RangeError)
    expect(() => clock.advance(length as string), String(length)).toThrow('Failed to read the duration')
  }
  for (const time of [
    ['', 'soon', 'now', '2026', '2026-13-01', '2026-01-01T25:00:00Z'],
    [NaN, Infinity, undefined, null, {}],
  ].flat())
    expect(() => clock.set(time as string), String(time)).toThrow(RangeError)
  expect(() => clock.advance('90 s')).toThrow(/"90 s".*"90s"/)
  expect(() => clock.set('soon')).toThrow(/"soon".*ISO 8601/)
  expect(() => clock.schedule('soon', () => undefined)).toThrow(RangeError)
  expect([clock.now(), clock.frozen]).toEqual([begin, true])
})

testApi('a frozen clock stands still, also after a move', async ({ world: { clock } }) => {
  clock.advance('1m')
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect([clock.now(), clock.frozen]).toEqual([begin + 60_000, true])
  clock.freeze()
  expect(clock.now()).toBe(begin + 60_000)
})

testApi('a clock that runs goes on from where it stood, and from where it is set', async ({ world: { clock } }) => {
  clock.run()
  expect(clock.frozen).toBe(false)
  const passes = async (from: number) => {
    while (clock.now() === from) await new Promise((resolve) => setTimeout(resolve, 1))
    expect(clock.now()).toBeGreaterThan(from)
    expect(clock.now()).toBeLessThan(from + 3_600_000)
  }
  await passes(begin)
  clock.set('2040-01-01T00:00:00Z')
  await passes(Date.UTC(2040, 0, 1))
  clock.run()
  clock.freeze()
  const stopped = clock.now()
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(clock.now()).toBe(stopped)
})

testApi('work can move the clock on, and the move that did the work does not take it back', async ({ world }) => {
  const { clock } = world
  const done: number[] = []
  for (const move of [() => clock.advance('1h'), () => clock.set(begin + hour)]) {
    clock.set(start)
    clock.schedule(begin + hour / 2, () => clock.advance('3h'))
    clock.schedule(begin + 3 * hour, () => done.push(clock.now()))
    move()
    expect(clock.now()).toBe(begin + 3.5 * hour)
  }
  expect(done).toEqual([begin + 3 * hour, begin + 3 * hour])
  clock.set(start)
  clock.schedule(begin + hour / 2, () => clock.set(start))
  clock.advance('1h')
  expect(clock.now()).toBe(begin + hour)
})

const none = [
  ['2027-02-29', '2026-02-29T12:00:00Z', '2028-02-30', '2100-02-29', '2026-04-31T00:00:00Z', '2026-13-01'],
  ['2026-00-10', '2026-01-00', '2026-01-31T24:00:00Z', '+002027-02-29'],
].flat()
const some = [
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['2000-02-29T12:00:00Z', '2000-02-29T12:00:00.000Z'],
  ['+002028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['2026-12-31T23:59:00.999Z', '2026-12-31T23:59:00.999Z'],
  ['2026-02-28T23:00:00-02:00', '2026-03-01T01:00:00.000Z'],
] as const

for (const time of none)
  test(`${time} is no time, wherever one is read`, () => {
    const greenhouse = createGreenhouse()
    const world = greenhouse.world()
    expect(() => createGreenhouse({ now: time })).toThrow(RangeError)
    expect(() => world.clock.set(time)).toThrow(/Failed to read the time/)
    expect(() => world.reset({ now: time })).toThrow(RangeError)
  })

for (const [time, is] of some)
  test(`${time} is a time`, () => {
    const { clock } = createGreenhouse({ now: time, frozen: true }).world()
    expect(new Date(clock.now()).toISOString()).toBe(is)
  })

const now = '2026-03-01T12:00:30.000Z'

test('with the option frozen the clocks of all worlds are frozen at the start and after a reset', () => {
  expect(createGreenhouse({ now }).world().clock.frozen).toBe(false)
  const greenhouse = createGreenhouse({ now, frozen: true })
  for (const world of [greenhouse.world(), greenhouse.world('checkout')]) {
    expect([world.clock.frozen, world.clock.now()]).toEqual([true, Date.parse(now)])
    world.clock.run()
    expect(world.clock.frozen).toBe(false)
    world.reset()
    expect([world.clock.frozen, world.clock.now()]).toEqual([true, Date.parse(now)])
    world.reset({ now: '2030-01-01T00:00:00Z' })
    expect([world.clock.frozen, world.clock.now()]).toEqual([true, Date.parse('2030-01-01T00:00:00Z')])
  }
})
