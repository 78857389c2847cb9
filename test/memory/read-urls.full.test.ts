import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { heapInUse } from './heap.ts'

test('a log that shows long URLs of many worlds keeps few of them', async () => {
  const worlds = 3_000
  const grown = async (logs: boolean) => {
    const greenhouse = createGreenhouse({ journal: { memory: 2 ** 20 } })
    let shown = 0
    if (logs) greenhouse.subscribe(({ request }) => (shown += request.url.length))
    const before = heapInUse()
    for (let world = 0; world < worlds; world++)
      await greenhouse.fetch(new Request(`http://x/~w${world}/plants?x=${world}${'y%41'.repeat(3_500)}`))
    const bytes = heapInUse() - before
    expect(greenhouse.worlds().length).toBe(worlds + 1)
    if (logs) expect(shown).toBeGreaterThan(worlds * 10_000)
    return bytes
  }
  await grown(true)
  // They took 14 KB each, twice.
  expect((await grown(true)) - (await grown(false))).toBeLessThan(10 * 2 ** 20)
})
