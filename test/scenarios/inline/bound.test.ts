import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

const large = { respond: [{ status: 200, text: 'x'.repeat(400_000) }] }

test('a world has at most 100 of them, and says how to clear one', () => {
  const world = createGreenhouse().world()
  for (let count = 0; count < 100; count++) world.use({ respond: [{ status: 500 }] })
  const message = 'a world has at most 100 of them. Clear some'
  expect(() => world.use({ respond: [{ status: 500 }] })).toThrow(message)
  expect(world.scenarios).toHaveLength(100)
  expect(() => world.useOnly(Array.from({ length: 101 }, () => ({ respond: [{ status: 500 }] })))).toThrow(message)
  world.use('slow')
  world.use({ title: 'inline-1', respond: [{ status: 503 }] })
  expect(world.scenarios).toHaveLength(101)
  world.clear('inline-5')
  world.use({ respond: [{ status: 500 }] })
  expect(world.scenarios.at(-1)).toBe('inline-101')
})

test('they count as data of their world, in snapshots too, until they are cleared', () => {
  const greenhouse = createGreenhouse({ dataMemory: 4_000_000 })
  const world = greenhouse.world()
  const fill = () => {
    let count = 0
    try {
      for (; count < 50; count++) world.use(large)
    } catch (error) {
      expect((error as Error).name).toBe('DataMemoryError')
    }
    return count
  }
  const count = fill()
  expect(count).toBe(4)
  expect(world.scenarios, 'what was refused changed nothing').toHaveLength(4)
  world.clear()
  expect(fill()).toBe(count)
  world.snapshot('full')
  world.clear()
  expect(fill(), 'the snapshot has what is left').toBe(0)
  world.snapshot('full')
  expect(fill()).toBe(count)
  world.reset()
  expect(fill()).toBe(count)
})

test('one that can not be kept at the start is refused before anything changes', () => {
  const greenhouse = createGreenhouse({ dataMemory: 1_000_000 })
  const world = greenhouse.world()
  world.use('slow')
  expect(() => world.reset({ scenarios: [large, large] })).toThrow('The data limit of this mock is reached')
  expect(() => world.useOnly([large, large])).toThrow('The data limit of this mock is reached')
  expect(world.scenarios).toEqual(['slow'])
})
