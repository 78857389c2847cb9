import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

const press = async (control: Locator) => {
  await control.focus()
  await control.press('Enter')
}

/** Waits until the focus is inside of `place`. */
const expectFocusIn = (page: Page, place: string) =>
  expect.poll(() => page.evaluate((at) => document.activeElement!.closest(at) !== null, place)).toBe(true)

describePanel('the focus stays near what an action removes', (open) => {
  test('a scenario of the bar, and all of them', async () => {
    const { page } = await open('#/traffic', {
      before: (made) => ['slow', 'forbidden'].forEach((name) => made.world().use(name as 'slow')),
    })
    const active = page.getByRole('region', { name: 'Active scenarios' })
    await press(active.getByRole('button', { name: 'Switch off slow' }))
    await page.getByText('Switched off slow').waitFor()
    await expectFocusIn(page, '.active-scenario')
    await press(active.getByRole('button', { name: 'clear all' }))
    await expectFocusIn(page, '#view')
  })

  test('details', async () => {
    const { page } = await open('#/data/plants/102')
    await press(page.getByRole('complementary').getByRole('button', { name: 'Close (Esc)' }))
    await expectFocusIn(page, '[data-row]')
  })

  test('an assumption that moves to those that are switched', async () => {
    const { page } = await open('#/assumptions')
    const row = page.locator('.assumption', { has: page.locator('[aria-pressed=false]') }).first()
    const id = await row.getAttribute('id')
    await press(row.locator('[aria-pressed=false]').first())
    await page.locator(`[id="${id}"].assumption-switched`).waitFor()
    await expectFocusIn(page, `[id="${id}"]`)
  })
})
