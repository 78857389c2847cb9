import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { callerOf } from './probe.ts'

const count = 100_000
const plants = Array.from({ length: count }, (_, index) => ({
  id: index + 1,
  name: `Plant ${index + 1}`,
  account: 'acct_pro',
}))

test('snapshots of 100,000 plants share the records that did not change', async () => {
  const greenhouse = createGreenhouse()
  const world = greenhouse.world()
  const call = callerOf(greenhouse)
  world.records.plants.replace(plants)
  const first = world.records.plants.get(1)
  const last = world.records.plants.get(count)
  for (let number = 0; number < 1_000; number++) world.snapshot(`s${number}`)
  expect(() => world.snapshot('s1000')).toThrow('the world "default" has 1000 snapshots already')
  expect((await call('DELETE', '/plants/1')).status).toBe(204)
  expect(world.records.plants.get(count)).toBe(last)
  world.restore('s0')
  expect(world.records.plants.count()).toBe(count)
  expect(world.records.plants.get(1)).toBe(first)
  world.restore('s999')
  expect(world.records.plants.get(count)).toBe(last)
})
