import { expect } from 'vitest'
import { click } from './page.ts'
import { openPanel, test } from './world.ts'

test('the clock says how far it is behind the machine when frozen, and offers to set it', async () => {
  const now = new Date(Date.now() + 2_000).toISOString()
  const { page, world } = await openPanel('#/time', { greenhouse: { now, frozen: true } })
  const before = world.clock.now()
  await page.getByText('behind this machine').waitFor()
  await click(page, 'Set to this machine’s time')
  await expect.poll(() => world.clock.now()).toBeGreaterThan(before)
})
