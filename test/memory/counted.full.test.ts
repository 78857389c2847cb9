import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { heapInUse } from './heap.ts'

const megabyte = 2 ** 20

/** Returns the number of plants that fit. */
function fill(limit: number, name: (number: number) => string): number {
  const greenhouse = createGreenhouse({ dataMemory: limit })
  const { plants } = greenhouse.world().records
  const before = heapInUse()
  let count = 0
  try {
    for (; ; count++) plants.create({ id: 10_000 + count, name: name(count), account: 'acct_pro' })
  } catch (error) {
    expect((error as Error).name).toBe('DataMemoryError')
  }
  const held = heapInUse() - before
  expect(plants.count()).toBe(30 + count)
  expect(held).toBeLessThan(1.5 * limit)
  expect(held).toBeGreaterThan(limit / 2)
  return count
}

// Other work of the process affects the measurement, so the test may retry.
test('what is counted of small records is about what they take', { retry: 2 }, () => {
  expect(fill(16 * megabyte, (number) => `Plant ${number}`)).toBeGreaterThan(10_000)
})

test('what is counted of records with long texts is about what they take', { retry: 2 }, () => {
  const name = (number: number) => `${number} ${'x'.repeat(100_000)}`.replace('x', 'y').split('').join('')
  expect(fill(16 * megabyte, name)).toBeGreaterThan(100)
})

test('what is counted of texts beyond Latin-1 is about what they take', { retry: 2 }, () => {
  const name = (number: number) =>
    Array.from({ length: 20_000 }, () => String.fromCharCode(0x4e00 + (number % 100))).join('')
  expect(fill(16 * megabyte, name)).toBeGreaterThan(100)
})
