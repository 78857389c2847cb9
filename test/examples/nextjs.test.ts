import { expect, test } from 'vitest'
import { start, stop } from '../../examples/recipes/nextjs/mock.ts'

const list = () =>
  fetch('https://plants.example.com/plants?limit=1', {
    headers: { authorization: 'Bearer key_pro' },
  })

test('the Next.js recipe still mocks after edits, when `next dev` puts back the real fetch', async () => {
  const real = globalThis.fetch
  start()
  try {
    // As resetFetch and patchFetch of Next.js do.
    for (const _ of [1, 2]) {
      globalThis.fetch = real
      const before = globalThis.fetch
      globalThis.fetch = (...request) => before(...request)
      expect((await list()).status).toBe(200)
    }
  } finally {
    stop()
  }
  globalThis.fetch = real
  expect(globalThis.fetch).toBe(real)
})
