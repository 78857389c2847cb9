import { test } from 'greenhouse-mock/vitest'

let tries = 0

test(
  'a test that is tried again has a world without a past',
  { retry: 1 },
  async ({ api, world, expect }) => {
    tries++
    expect(world.journal.size).toBe(0)
    expect(world.scenarios).toEqual([])
    expect(world.records.plants.get(77_777)).toBeUndefined()
    expect(Math.abs(world.clock.now() - Date.now())).toBeLessThan(86_400_000)
    world.records.plants.create({ id: 77_777, name: 'Fern', account: 'acct_pro' })
    world.use('slow')
    world.clock.advance('5d')
    await fetch(`${api.plantsUrl}/plants`, { method: 'DELETE' })
    expect(tries, 'the first try fails').toBe(2)
  },
)
