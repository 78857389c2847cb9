import { expect, test } from 'vitest'
import { createWindow } from '../../src/core/accounts/rate-limit.ts'

const length = 86_400_000
const exact = 100_000

test('a sliding window of very many requests counts all of them, the newest 100,000 exactly', () => {
  const window = createWindow('sliding', length)
  const total = 450_000
  for (let at = 0; at < total; at++) window.add(1, at)
  const countAt = (at: number) => 0 - window.remaining(0, at)
  expect(countAt(total)).toBe(total)
  // A limit looks at its newest requests.
  for (const limit of [1, 60, exact]) expect(window.resetAt(limit, total)).toBe(total - limit + length)
  const copy = window.clone()
  // Older ones expire together with a later one, never before their time.
  for (const gone of [100_000, 200_000, 300_000]) {
    const left = countAt(gone - 1 + length)
    expect(left).toBeGreaterThanOrEqual(total - gone)
    expect(left).toBeLessThan(total - gone + 8)
  }
  for (const gone of [total - exact, total - 7, total]) expect(countAt(gone - 1 + length)).toBe(total - gone)
  expect(copy.remaining(total, total)).toBe(0)
})
