import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

const none = [
  '2027-02-29',
  '2026-02-29T12:00:00Z',
  '2028-02-30',
  '2100-02-29',
  '2026-04-31T00:00:00Z',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-01-31T24:00:00Z',
  '+002027-02-29',
]
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
    expect(new Date(createGreenhouse({ now: time }).world().clock.now()).toISOString().slice(0, 16)).toBe(
      is.slice(0, 16),
    )
  })
