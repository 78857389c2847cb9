import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGreenhouse, type GreenhouseOptions } from 'greenhouse-mock'
import { times } from '../support/soak.ts'
import { start } from '../support/test-api.ts'
import { history, live } from './history.ts'
import { callerOf, probe, standStill } from './probe.ts'

const options = fc.record<GreenhouseOptions>({
  now: fc.constant(start),
  seed: fc.constantFrom(1, 2),
  use: fc.constantFrom([], [{ name: 'rate-limited-plan', remaining: 3 }]),
  assumptions: fc.constantFrom<Record<string, string>>(
    {},
    { 'plants.body.includes-id': 'yes', 'rate-limit.reset-unit': 'iso-8601' },
  ),
})

test('after any history, a reset world answers byte for byte like one that was never used', async () => {
  await fc.assert(
    fc.asyncProperty(options, fc.constantFrom('default', 'checkout'), history, async (options, name, happenings) => {
      const used = createGreenhouse(options)
      await live(used, used.world(name), happenings)
      used.world(name).reset()
      const fresh = createGreenhouse(options)
      for (const greenhouse of [used, fresh]) standStill(greenhouse.world(name))
      expect(await probe(used, used.world(name))).toEqual(await probe(fresh, fresh.world(name)))
    }),
    { seed: 20_260_302, numRuns: times(150, 25) },
  )
})

test('a deleted world starts over like one that was never used', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('default', 'checkout'), history, async (name, happenings) => {
      const used = createGreenhouse({ now: start })
      await live(used, used.world(name), happenings)
      used.world(name).snapshot('before')
      expect(used.deleteWorld(name)).toBe(true)
      expect(used.world(name).snapshots).toEqual([])
      const fresh = createGreenhouse({ now: start })
      for (const greenhouse of [used, fresh]) standStill(greenhouse.world(name))
      expect(await probe(used, used.world(name))).toEqual(await probe(fresh, fresh.world(name)))
    }),
    { seed: 20_260_303, numRuns: times(40, 10) },
  )
})

test('a reset of one world leaves the others as they are', async () => {
  const greenhouse = createGreenhouse({ now: start })
  for (const name of ['a', 'b'])
    await callerOf(greenhouse, name)('POST', '/plants', { body: { id: 9_001, name: 'Kept' } })
  greenhouse.world('a').reset()
  expect(greenhouse.world('a').records.plants.get(9_001)).toBeUndefined()
  expect(greenhouse.world('b').records.plants.get(9_001)).toMatchObject({ name: 'Kept' })
  expect(greenhouse.world('b').journal.calls()).toHaveLength(1)
})
