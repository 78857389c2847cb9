import { expect } from 'vitest'
import { openPanel, panelTest as test } from '../support/panel.ts'

test('the evidence shows failed rules first, with links to their requests, and the next tests', async () => {
  const { page, send } = await openPanel('#/evidence', { greenhouse: { use: ['forbidden'] } })
  const rules = page.getByRole('table', { name: 'Rules' })
  await expect.poll(() => rules.innerText()).toContain('stops-on-bad-key')
  expect(await rules.innerText()).not.toContain('failed')
  await send('/plants')
  await send('/plants')
  await expect.poll(() => rules.locator('tbody tr').first().innerText()).toMatch(/failed\s+no-retry-of-4xx/)
  const next = page.getByRole('list', { name: 'Next tests' })
  expect(await next.innerText()).toContain("world.use('expired-key')")
  const row = page.getByRole('table', { name: 'Operations' }).locator('tr', { hasText: 'plants.list' })
  expect(await row.innerText()).toContain('2/3')
  await rules.locator('tbody tr').first().getByRole('link').last().click()
  await expect.poll(() => page.url()).toContain('#/traffic/2')
})

test('the evidence is filtered by result, which the address keeps', async () => {
  const { page } = await openPanel('#/evidence?result=failed')
  await page.getByRole('combobox', { name: 'Result' }).waitFor()
  expect(await page.getByRole('table', { name: 'Rules' }).locator('tbody tr').count()).toBe(0)
  await page.getByRole('combobox', { name: 'Result' }).selectOption('not exercised')
  await expect.poll(() => page.getByRole('table', { name: 'Rules' }).locator('tbody tr').count()).toBeGreaterThan(15)
  expect(page.url()).toContain('result=not')
})
