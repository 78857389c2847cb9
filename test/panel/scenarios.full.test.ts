import { expect } from 'vitest'
import { findBarriers, openPanel, panelTest as test } from '../support/panel.ts'

const use = ['slow:ms=1', 'flaky:failures=2', 'clock-skew'] as const

test('a half spent scenario stays so while others are switched on, off, changed and moved', async () => {
  const { page, send, world } = await openPanel('#/scenarios/slow', { greenhouse: { use } })
  expect((await send('/plants')).status).toBe(500)

  await page.getByRole('switch', { name: 'forbidden', exact: true }).click()
  await expect.poll(() => world.scenarios).toEqual(['slow', 'flaky', 'clock-skew', 'forbidden'])
  const undo = () => page.getByRole('button', { name: 'Undo' }).last().click()
  await undo()
  await expect.poll(() => world.scenarios).toEqual(['slow', 'flaky', 'clock-skew'])

  await page.getByRole('button', { name: 'Switch off slow', exact: true }).click()
  await expect.poll(() => world.scenarios).toEqual(['flaky', 'clock-skew'])
  await undo()
  await expect.poll(() => world.scenarios).toEqual(['slow', 'flaky', 'clock-skew'])
  expect(world.active[0]).toMatchObject({ ms: 1 })

  await page.getByLabel('ms', { exact: true }).fill('2')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(() => world.active[0]).toMatchObject({ name: 'slow', ms: 2 })
  await page.getByRole('button', { name: 'Move slow down' }).click()
  await expect.poll(() => world.scenarios).toEqual(['flaky', 'slow', 'clock-skew'])

  expect((await send('/plants')).status).toBe(500)
  expect((await send('/plants')).status).toBe(200)
})

test('a half spent scenario stays so while an inline one is used up and switched off', async () => {
  const { page, send, world } = await openPanel('#/overview', { greenhouse: { use: ['flaky:failures=3'] } })
  world.use({ title: 'No apps today', respond: [{ on: 'apps.list', status: 500, times: 1 }] })
  const bar = page.getByRole('region', { name: 'Active scenarios' })
  await bar.getByText('No apps today').waitFor()
  expect((await send('/plants')).status).toBe(500)
  expect((await send('/v1/apps')).status).toBe(500)
  await bar.getByText('used up').waitFor()
  await bar.getByRole('button', { name: 'Switch off “No apps today”' }).click()
  await expect.poll(() => world.scenarios).toEqual(['flaky'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => world.scenarios).toEqual(['flaky', 'inline-no-apps-today'])
  expect(await Promise.all([1, 2].map(async () => (await send('/plants')).status))).toEqual([500, 200])
})

test('keys change the order of scenarios', async () => {
  const { page, world } = await openPanel('#/scenarios', { greenhouse: { use } })
  const handle = page.getByRole('button', { name: /^Move slow, / })
  await handle.focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => world.scenarios).toEqual(['flaky', 'slow', 'clock-skew'])
  await page.getByText('slow is now 2 of 3').waitFor({ state: 'attached' })
  expect(await handle.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('End')
  await expect.poll(() => world.scenarios).toEqual(['flaky', 'clock-skew', 'slow'])
  expect(world.active.at(-1)).toEqual({ name: 'slow', ms: 1, on: '*' })
})

test('buttons and dragging change the order of scenarios', async () => {
  const { page, world } = await openPanel('#/scenarios', { greenhouse: { use } })
  await page.getByRole('button', { name: 'Move clock-skew up' }).click()
  await expect.poll(() => world.scenarios).toEqual(['slow', 'clock-skew', 'flaky'])
  const row = (name: string) => page.locator('.scenarios-order li', { hasText: name })
  await row('flaky').dragTo(row('slow'))
  await expect.poll(() => world.scenarios).toEqual(['flaky', 'slow', 'clock-skew'])
})

test('axe finds no barrier in the order of scenarios, light and dark, 1440 and 390 px wide', async () => {
  const { page } = await openPanel('#/scenarios', { greenhouse: { use } })
  await page.locator('.scenarios-order').waitFor()
  await page.locator('.scenario').first().waitFor()
  for (const width of [1440, 390])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      expect([width, colorScheme, await findBarriers(page)]).toEqual([width, colorScheme, []])
    }
})
