import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { createCaller } from '../support/test-api.ts'
import { heapInUse } from './heap.ts'

// Other work of the process affects the measurement, so the test may retry.
test('pages of long records that were asked for take no memory that lasts', { retry: 2 }, async () => {
  const greenhouse = createGreenhouse({ journal: { entries: 1 } })
  const call = createCaller((path, init) => greenhouse.fetch(new Request(`http://greenhouse.test${path}`, init)))
  for (let id = 1_000; id < 1_008; id++)
    expect((await call('POST', '/plants', { body: { id, name: 'x'.repeat(900_000) } })).status).toBe(200)
  const before = heapInUse()
  for (let limit = 1; limit <= 21; limit++) expect((await call('GET', `/plants?limit=${limit}`)).status).toBe(200)
  await call('GET', '/plants?limit=0')
  expect(heapInUse() - before).toBeLessThan(20 * 2 ** 20)
})

test('pages in thousands of worlds take no more than they may together', { retry: 2 }, async () => {
  const greenhouse = createGreenhouse({ journal: { entries: 1 } })
  const call = createCaller((path, init) => greenhouse.fetch(new Request(`http://greenhouse.test${path}`, init)))
  const name = 'x'.repeat(10_000)
  for (let number = 0; number < 300; number++) await call('POST', `/~w${number}/plants`, { body: { id: 1_000, name } })
  const before = heapInUse()
  for (let limit = 15; limit < 20; limit++)
    for (let number = 0; number < 300; number++)
      expect((await call('GET', `/~w${number}/plants?limit=${limit}`)).status).toBe(200)
  expect(heapInUse() - before).toBeLessThan(24 * 2 ** 20)
})
