import { test as base } from 'vitest'

const test = base.extend({
  // oxlint-disable-next-line no-empty-pattern -- Vitest needs the pattern
  world: async ({}, use) => {
    const world = { plants: [] }
    await use(world)
    world.plants = []
  },
})

for (let number = 1; number <= 1_000; number++) test(`test ${number}`, ({ world }) => void world)
