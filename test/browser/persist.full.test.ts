import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { canRun } from './chromium.ts'
import { change, prepareTabs, stateOf } from './tabs.ts'

describe.skipIf(!canRun)('a page that keeps its state', () => {
  const openTabs = prepareTabs()

  test('a clock that runs goes on while the page is closed', async () => {
    const { pages } = await openTabs('session')
    const [page] = pages as [Page]
    const advanced = 400 * 86_400_000
    const before = await page.evaluate(() => (world.clock.advance('400d'), world.clock.now()))
    await page.reload()
    const { now } = await stateOf(page)
    expect(now).toBeGreaterThan(before)
    expect(now).toBeLessThan(Date.now() + advanced + 60_000)
  })

  test('tabs agree, and another one begins with what they have', async () => {
    const { pages, open } = await openTabs('local', 2)
    const [one, other] = pages as [Page, Page]
    await change(one)
    await expect.poll(async () => (await stateOf(other)).plant).toBe('Ficus')
    await other.evaluate(() => world.records.plants.update(1000, { name: 'Fern' }))
    await expect.poll(async () => (await stateOf(one)).plant).toBe('Fern')
    for (const page of [one, other, await open()])
      expect(await stateOf(page)).toMatchObject({
        plant: 'Fern',
        fixture: false,
        scenarios: ['slow'],
        frozen: true,
      })
    await one.evaluate(() => end())
    await other.evaluate(() => world.records.plants.delete(1000))
    await expect.poll(async () => (await stateOf(await open())).plant).toBeUndefined()
  })
})
