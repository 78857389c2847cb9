import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

const now = '2026-03-01T12:00:30.000Z'

test('with the option frozen the clocks of all worlds are frozen at the start and after a reset', () => {
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

test('without it time goes on', () => {
  expect(createGreenhouse({ now }).world().clock.frozen).toBe(false)
})

test('it is on or off', () => {
  expect(() => createGreenhouse({ frozen: 'yes' as never })).toThrow(/the option "frozen" takes/)
})
