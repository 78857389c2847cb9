import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { click, undo } from './page.ts'
import { openPanel, statusesOf, test } from './world.ts'

test('a scenario is switched on for acct_lite and 3 calls in six clicks', async () => {
  const { page, send, world } = await openPanel('#/scenarios')
  const card = (checked: boolean) =>
    page.getByRole('switch', { name: 'expired-key', exact: true, checked })
  await card(false).click()
  await card(true).waitFor()
  expect(await statusesOf(send, 'key_pro')).toEqual([401])
  await card(true).click()
  await card(false).waitFor()
  expect(await statusesOf(send, 'key_pro')).toEqual([200])

  // Two clicks choose in a select.
  let clicks = 2
  const press = (element: Locator) => (clicks++, element.click())
  await press(page.getByRole('link', { name: 'Expired key', exact: true }))
  await page.locator('option', { hasText: 'acct_lite' }).waitFor({ state: 'attached' })
  await page.getByLabel('account', { exact: true }).selectOption('acct_lite')
  await press(page.getByLabel('times', { exact: true }))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('3')
  await press(page.getByRole('button', { name: 'Switch on', exact: true }))
  expect(clicks).toBeLessThanOrEqual(6)
  await expect.poll(() => world.scenario).toBe('expired-key:account=acct_lite,times=3')
  const keys = ['key_lite', 'key_pro', 'key_lite', 'key_lite', 'key_lite']
  expect(await statusesOf(send, ...keys)).toEqual([401, 200, 401, 401, 200])
})

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
