import { expect } from 'vitest'
import { press, findAction } from './page.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'

test('an assumption is switched, moves to the top, and is reset to its default', async () => {
  const { page, send, world } = await openPanel('#/assumptions')
  const row = page.locator('[id="assumption-plants.delete.unknown"]')
  const first = page.locator('.assumption').first()
  await row.getByRole('button', { name: '204', exact: true }).click()
  await expect.poll(() => world.assumptions['plants.delete.unknown']).toBe('204')
  expect((await send('/plants/987654321', { method: 'DELETE' })).status).toBe(204)
  await expect.poll(() => first.getAttribute('id')).toBe('assumption-plants.delete.unknown')
  await page.getByRole('button', { name: 'Reset plants.delete.unknown to 404' }).click()
  await expect.poll(() => world.assumptions['plants.delete.unknown']).toBe('404')
  await expect.poll(() => first.getAttribute('id')).not.toBe('assumption-plants.delete.unknown')
})

test('all switched assumptions are reset at once, and that can be undone', async () => {
  const { page, world } = await openPanel('#/assumptions', {
    greenhouse: { assumptions: { 'plants.delete.unknown': '204', 'plants.list.order': 'newest' } },
  })
  await page.getByRole('button', { name: 'Reset all' }).click()
  await expect.poll(() => world.assumptions['plants.list.order']).toBe('created')
  expect(world.assumptions['plants.delete.unknown']).toBe('404')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => world.assumptions['plants.list.order']).toBe('newest')
})

test('requests that depended on an assumption are linked as they come', async () => {
  const { page, send } = await openPanel('#/assumptions?search=plants.list.order')
  const row = page.locator('[id="assumption-plants.list.order"]')
  await row.waitFor()
  expect(await row.getByRole('link').count()).toBe(0)
  await send('/plants')
  await send('/plants')
  await row.getByRole('link', { name: '2 requests depended on plants.list.order' }).click()
  await expect.poll(() => page.url()).toContain('#/traffic?assumption=plants.list.order')
  await expect.poll(() => page.locator('.virtual-row').count()).toBe(2)
  await page.goBack()
  await row.getByRole('link', { name: 'Request 2: GET /plants' }).click()
  await expect.poll(() => page.url()).toContain('#/traffic/2')
})

test('a search and the source narrow the assumptions down, and the empty list says what to do', async () => {
  const { page } = await openPanel('#/assumptions')
  const rows = page.locator('.assumption')
  await rows.first().waitFor()
  const total = await rows.count()
  await page.keyboard.press('/')
  await page.keyboard.type('delete unknown')
  await expect.poll(() => rows.count()).toBeLessThan(5)
  await page.keyboard.type(' zzz')
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect.poll(() => rows.count()).toBe(total)
  await page.getByLabel('Source of the default').selectOption('stated')
  await expect.poll(() => rows.count()).toBeLessThan(total)
  await press(page, 'In use', 'The last requests depended on none')
})

test('an assumption that a scenario holds says so', async () => {
  const { page, world } = await openPanel('#/assumptions?search=plants.create.unknown-fields', {
    greenhouse: { use: ['strict-service'] },
  })
  const row = page.locator('[id="assumption-plants.create.unknown-fields"]')
  await row.getByRole('button', { name: 'ignore', exact: true }).click()
  await page.getByText('An active scenario sets plants.create.unknown-fields to reject').waitFor()
  expect(world.assumptions['plants.create.unknown-fields']).toBe('reject')
})

test('an assumption that the URL names is in sight, and the palette switches one', async () => {
  const { page, world } = await openPanel('#/assumptions/webhooks.timestamp')
  const row = page.locator('[id="assumption-webhooks.timestamp"]')
  await row.waitFor()
  await expect.poll(() => row.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight)).toBe(true)
  await (
    await findAction(page, 'assume plants.list.order newest')
  )
    .filter({ hasText: 'Assume plants.list.order is newest' })
    .click()
  await expect.poll(() => world.assumptions['plants.list.order']).toBe('newest')
  await expect.poll(() => page.url()).toContain('#/assumptions/plants.list.order')
})
