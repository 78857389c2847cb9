import { expect } from 'vitest'
import { click, press, choose, go, undo } from './page.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'
import type { Locator, Page } from 'playwright-core'

const use = async (page: Page) => {
  await page.getByRole('switch', { name: 'In use', checked: false }).click()
  await page.getByText('slow is active').waitFor()
}

const reset = async (page: Page) => {
  await choose(page, 'Reset the world')
  await click(page.getByRole('dialog'), 'Reset')
  await page.getByText('Reset default', { exact: true }).waitFor()
}

test('undo changes the world in which the change was made, whichever is shown by then', async () => {
  const { page, greenhouse, world } = await openPanel('#/scenarios/slow', { worlds: ['other'] })
  await use(page)
  greenhouse.world('other').use('slow')
  expect(await page.getByText('in the world default').count()).toBe(0)
  await go(page, '#/traffic?world=other')
  await page.getByText('in the world default').waitFor()
  await undo(page, 'slow is active')
  await expect.poll(() => world.scenarios).toEqual([])
  expect(greenhouse.world('other').scenarios).toEqual(['slow'])
})

test('the palette takes back the last change, and none from before a reset', async () => {
  const { page, world } = await openPanel('#/scenarios/slow')
  await use(page)
  await click(page, 'Dismiss')
  await choose(page, 'Undo')
  await expect.poll(() => world.scenarios).toEqual([])
  await choose(page, 'Undo')
  await page.getByText('There is nothing to undo').waitFor()
  await use(page)
  await reset(page)
  expect(await page.getByText('slow is active').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(1)
})

test('an undone reset gives all of the world back, and can be undone too', async () => {
  const { page, send, world } = await openPanel('#/traffic')
  const { plants } = world.records
  world.snapshot('mine')
  world.use('slow', { ms: 3 })
  plants.delete(101)
  const has = () => [101, 7001].map((id) => plants.get(id) !== undefined)
  await reset(page)
  expect([world.scenarios, world.snapshots, has()]).toEqual([[], ['mine', 'before-reset'], [true, false]])
  await send('/plants', { method: 'POST', body: '{"id":7001,"name":"Later"}' })
  await expect.poll(has).toEqual([true, true])
  await press(page, 'Undo', 'saved as before-undo')
  expect([world.scenarios, world.snapshots, has()]).toEqual([['slow'], ['mine', 'before-undo'], [false, false]])
  await press(page, 'Undo', 'saved as before-reset')
  expect([world.snapshots.join(), ...has()]).toEqual(['mine,before-reset', true, true])
})

const pressKey = async (control: Locator) => {
  await control.focus()
  await control.press('Enter')
}

const expectFocusIn = (page: Page, place: string) =>
  expect.poll(() => page.evaluate((at) => document.activeElement!.closest(at) !== null, place)).toBe(true)

test('the focus stays near a scenario, a saved form, a record and a message that go', async () => {
  const { page } = await openPanel('#/data/plants/102', { greenhouse: { use: ['slow', 'forbidden'] } })
  const active = page.getByRole('region', { name: 'Active scenarios' })
  const detail = page.getByRole('complementary')
  await pressKey(active.getByRole('button', { name: 'Switch off slow' }))
  await page.getByText('Switched off slow').waitFor()
  await expectFocusIn(page, '.active-scenario')
  await pressKey(active.getByRole('button', { name: 'clear all' }))
  await expectFocusIn(page, '#view')

  await detail.getByLabel('name', { exact: true }).fill('Mine')
  await pressKey(detail.getByRole('button', { name: 'Save' }))
  await page.getByText('Saved plants 102').waitFor()
  await expectFocusIn(page, '#view')
  await pressKey(page.locator('.toast', { hasText: 'Saved plants 102' }).getByRole('button', { name: 'Undo' }))
  await expectFocusIn(page, '#view')
  await pressKey(detail.getByRole('button', { name: 'Close (Esc)' }))
  await expectFocusIn(page, '#view')
  await page.getByRole('cell', { name: '102', exact: true }).click()
  await pressKey(detail.getByRole('button', { name: 'Delete' }))
  await page.getByText('Deleted plants 102').waitFor()
  await expectFocusIn(page, '#view')
})
