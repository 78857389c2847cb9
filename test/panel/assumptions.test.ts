import { expect } from 'vitest'
import { click, findAction, hashOf, undo } from './page.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'

const place = '#/scenarios?tab=assumptions'

test('a switched assumption moves to the top; one or all are reset, and that can be undone', async () => {
  const { page, send, world } = await openPanel(place)
  const first = page.locator('.assumption').first()
  await click(page.locator('[id="assumption-plants.delete.unknown"]'), '204')
  await expect.poll(() => world.assumptions['plants.delete.unknown']).toBe('204')
  expect((await send('/plants/987654321', { method: 'DELETE' })).status).toBe(204)
  await expect.poll(() => first.getAttribute('id')).toBe('assumption-plants.delete.unknown')
  await click(page.locator('[id="assumption-plants.delete.unknown"]'), '404')
  await expect.poll(() => world.assumptions['plants.delete.unknown']).toBe('404')
  await expect.poll(() => first.getAttribute('id')).not.toBe('assumption-plants.delete.unknown')

  world.assume({ 'plants.delete.unknown': '204', 'plants.list.order': 'newest' })
  await click(page, 'Reset all')
  await expect.poll(() => world.assumptions['plants.list.order']).toBe('created')
  expect(world.assumptions['plants.delete.unknown']).toBe('404')
  await undo(page, 'Reset 2 assumptions')
  await expect.poll(() => world.assumptions['plants.list.order']).toBe('newest')
})

test('assumptions are searched, link their requests, and say what holds them', async () => {
  const { page, send, world } = await openPanel(place, { greenhouse: { use: ['strict-service'] } })
  const rows = page.locator('.assumption')
  await rows.first().waitFor()
  const total = await rows.count()
  await click(page.locator('[id="assumption-plants.create.unknown-fields"]'), 'ignore')
  await page.getByText('An active scenario sets plants.create.unknown-fields to reject').waitFor()
  expect(world.assumptions['plants.create.unknown-fields']).toBe('reject')
  await page.keyboard.press('/')
  await page.keyboard.type('stated')
  await expect.poll(() => rows.count()).toBeLessThan(total)
  await page.keyboard.type(' zzz')
  await click(page, 'Show all')
  await expect.poll(() => rows.count()).toBe(total)
  await send('/plants')
  await page.getByRole('link', { name: 'Requests that depended on plants.list.order' }).click()
  await expect.poll(() => hashOf(page)).toContain('#/traffic?assumption=plants.list.order')
  await expect.poll(() => page.locator('.virtual-row').count()).toBe(1)
})

test('an assumption named by a new or old URL is in sight, and the palette switches one', async () => {
  const { page, world } = await openPanel('#/assumptions/webhooks.timestamp')
  const row = page.locator('[id="assumption-webhooks.timestamp"]')
  await row.waitFor()
  await expect.poll(() => row.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight)).toBe(true)
  const found = await findAction(page, 'assume plants.list.order newest')
  await found.filter({ hasText: 'Assume plants.list.order is newest' }).click()
  await expect.poll(() => world.assumptions['plants.list.order']).toBe('newest')
})
