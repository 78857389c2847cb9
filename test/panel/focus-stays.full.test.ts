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

  test('details, a form that is saved, a record, a message', async () => {
    const { page } = await open('#/data/plants/102')
    const detail = page.getByRole('complementary')
    await detail.getByLabel('name', { exact: false }).first().fill('Mine')
    await press(detail.getByRole('button', { name: 'Save' }))
    await page.getByText('Saved plants 102').waitFor()
    await expectFocusIn(page, '#view')
    await press(page.getByRole('button', { name: 'Undo' }))
    await expectFocusIn(page, '#view')
    await press(detail.getByRole('button', { name: 'Close (Esc)' }))
    await expectFocusIn(page, '#view')
    await page.getByRole('cell', { name: '102', exact: true }).click()
    await press(detail.getByRole('button', { name: 'Delete' }))
    await page.getByText('Deleted plants 102').waitFor()
    await expectFocusIn(page, '#view')
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
