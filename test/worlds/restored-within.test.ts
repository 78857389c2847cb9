import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

const begin = '2026-03-01T12:00:00.000Z'

function open() {
  const world = createGreenhouse({ now: begin }).world()
  world.clock.freeze()
  world.clock.set(begin)
  return world
}

test('a restore during due work is exact: the clock is as saved, and no earlier work goes on', () => {
  const world = open()
  const done: string[] = []
  world.snapshot('before')
  world.clock.schedule('2026-03-01T12:00:01Z', () => world.restore('before'))
  world.clock.schedule('2026-03-01T12:00:02Z', () => done.push('of before'))
  world.clock.advance('1h')
  expect(new Date(world.clock.now()).toISOString()).toBe(begin)
  world.clock.advance('1h')
  expect(new Date(world.clock.now()).toISOString()).toBe('2026-03-01T13:00:00.000Z')
  expect(done).toEqual([])
})

test('a snapshot during due work has the time when it was due, and the work still to come', () => {
  const world = open()
  const done: string[] = []
  world.clock.schedule('2026-03-01T12:00:01Z', () => world.snapshot('within'))
  world.clock.schedule('2026-03-01T12:00:02Z', () => done.push('later'))
  world.clock.advance('1h')
  world.restore('within')
  expect(new Date(world.clock.now()).toISOString()).toBe('2026-03-01T12:00:01.000Z')
  world.clock.advance('1s')
  expect(done).toEqual(['later', 'later'])
})

test('a reset during due work starts over', () => {
  const world = open()
  world.clock.schedule('2026-03-01T12:00:01Z', () => world.reset())
  world.clock.advance('1h')
  expect(world.clock.now() - Date.parse(begin)).toBeLessThan(60_000)
})
