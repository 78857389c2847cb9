import { expect } from 'vitest'
import { press, choose, go, requestsOf } from './page.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'
import type { Locator, Page } from 'playwright-core'

test('undo of a scenario leaves what was switched on since, by the panel or by a test', async () => {
  const { page, world } = await openPanel('#/scenarios/expired-key')
  await page.getByRole('switch', { name: 'In use' }).click()
  await page.getByText('expired-key is active').waitFor()
  world.use('forbidden')
  await page.getByRole('region', { name: 'Active scenarios' }).getByText('forbidden').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => world.scenarios).toEqual(['forbidden'])
})

test('undo of a scenario that others have changed since leaves it, and says so', async () => {
  const { page, world } = await openPanel('#/scenarios/slow')
  await page.getByRole('switch', { name: 'In use' }).click()
  await page.getByText('slow is active').waitFor()
  world.use('slow', { ms: 7 })
  await press(page, 'Undo', 'The scenario slow was changed again since')
  expect(world.active).toMatchObject([{ name: 'slow', ms: 7 }])
})

test('undo of a deleted record gives it its former position among the others', async () => {
  const { page, world } = await openPanel('#/data/plants')
  const { plants } = world.records
  const ids = () => plants.all().map(({ id }) => id)
  const before = ids()
  const account = plants.all()[1]!.account
  const lists = () => plants.find({ account }).map(({ id }) => id)
  const listed = lists()
  await page.goto(page.url().replace('#/data/plants', `#/data/plants/${before[1]}`))
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => plants.get(before[1]!)).toBeUndefined()
  plants.create({ id: 777_777, name: 'Newest', account })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(ids).toEqual([...before, 777_777])
  expect(lists()).toEqual([...listed, 777_777])
})

test('undo of a change leaves a field that was changed since', async () => {
  const { page, world } = await openPanel('#/data/plants/9007199254740993')
  const { plants } = world.records
  const id = 9007199254740993n
  const { tag } = plants.get(id)!
  const detail = page.getByRole('complementary')
  await detail.getByLabel('name', { exact: false }).first().fill('Mine')
  await detail.getByLabel('tag', { exact: false }).first().fill('mine')
  await press(detail, 'Save', `Saved plants ${id}`)
  plants.update(id, { name: 'Theirs' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => plants.get(id)).toMatchObject({ name: 'Theirs', ...(tag !== undefined && { tag }) })
  expect(plants.get(id)!.tag).toBe(tag)
})

test('undo changes the world in which the change was made, whichever is shown by then', async () => {
  const { page, greenhouse } = await openPanel('#/data/accounts/acct_free', { worlds: ['other'] })
  const planOf = (name?: string) => greenhouse.world(name).records.accounts.get('acct_free')!.plan
  await page.getByLabel('Plan', { exact: true }).selectOption('lite')
  await expect.poll(() => planOf()).toBe('lite')
  greenhouse.world('other').records.accounts.update('acct_free', { plan: 'pro' })
  expect(await page.getByText('in the world default').count()).toBe(0)
  await go(page, '#/data/accounts/acct_free?world=other')
  await page.getByText('in the world default').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => planOf()).toBe('free')
  expect(planOf('other')).toBe('pro')
})

test('the palette asks before it clears the traffic', async () => {
  const { page, send, world } = await openPanel('#/traffic')
  await send('/plants')
  await requestsOf(page).first().waitFor()
  await choose(page, 'Clear the traffic')
  const question = page.getByRole('dialog', { name: 'Clear the traffic?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(world.journal.size).toBe(1)
  await choose(page, 'Clear the traffic')
  await press(question, 'Clear', 'No requests yet')
})

test('the palette switches off one scenario or all with a notice and Undo, as the bar does', async () => {
  const { page, world } = await openPanel('#/overview', { greenhouse: { use: ['slow', 'forbidden'] } })
  await page.getByRole('region', { name: 'Active scenarios' }).getByText('slow').waitFor()
  await choose(page, 'Switch off all scenarios')
  await page.getByText('Switched off 2 scenarios').waitFor()
  expect(world.scenarios).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => world.scenarios).toEqual(['slow', 'forbidden'])
  await choose(page, 'Switch off forbidden')
  await page.getByText('Switched off forbidden').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => world.scenarios).toEqual(['slow', 'forbidden'])
})

test('an undone reset gives data, scenarios and snapshots back', async () => {
  const { page, world } = await openPanel('#/overview', {
    before: (made) => {
      const world = made.world()
      world.snapshot('mine')
      world.use('slow', { ms: 3 })
      world.records.plants.delete(101)
      world.records.apps.update(world.records.apps.all()[0]!.id, { name: 'Changed' })
    },
  })
  await choose(page, 'Reset world')
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
  await page.getByText('Reset default', { exact: true }).waitFor()
  expect(world.scenarios).toEqual([])
  expect(world.snapshots).toEqual(['mine', 'before-reset'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => world.scenarios).toEqual(['slow'])
  await expect.poll(() => world.snapshots).toEqual(['mine', 'before-undo'])
  expect(world.records.plants.get(101)).toBeUndefined()
  expect(world.records.apps.all()[0]!.name).toBe('Changed')
})

test('an undone restore gives back what was changed since the snapshot', async () => {
  const { page, world } = await openPanel('#/data?tab=snapshots', {
    before: (made) => {
      made.world().snapshot('mine')
      made.world().records.plants.delete(101)
    },
  })
  await page.getByRole('cell', { name: 'mine' }).click()
  await page.getByRole('button', { name: 'Restore mine' }).click()
  await press(page.getByRole('dialog'), 'Restore', 'Restored mine')
  expect(world.records.plants.get(101)).toBeDefined()
  expect(world.snapshots).toEqual(['mine', 'before-restore'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => world.records.plants.get(101)).toBeUndefined()
  await expect.poll(() => world.snapshots).toEqual(['mine', 'before-undo'])
})

test('an undone reset saves what others changed since, and that comes back too', async () => {
  const { page, send, world } = await openPanel('#/overview', {
    before: (made) => void made.world().records.plants.delete(101),
  })
  const { plants } = world.records
  const has = () => [101, 7001].map((id) => plants.get(id) !== undefined)
  await choose(page, 'Reset world')
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
  await page.getByText('Reset default', { exact: true }).waitFor()
  await send('/plants', { method: 'POST', body: '{"id":7001,"name":"Later"}' })
  await expect.poll(has).toEqual([true, true])
  await press(page, 'Undo', 'saved as before-undo')
  expect(has()).toEqual([false, false])
  await press(page, 'Undo', 'saved as before-reset')
  expect(has()).toEqual([true, true])
  expect(world.snapshots).toEqual(['before-reset'])
})

test('changes before a reset can not be undone after it', async () => {
  const { page } = await openPanel('#/scenarios/slow')
  await page.getByRole('switch', { name: 'In use' }).click()
  await page.getByText('slow is active').waitFor()
  await choose(page, 'Reset world')
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
  await page.getByText('Reset default', { exact: true }).waitFor()
  expect(await page.getByText('slow is active').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(1)
})

const pressKey = async (control: Locator) => {
  await control.focus()
  await control.press('Enter')
}

const expectFocusIn = (page: Page, place: string) =>
  expect.poll(() => page.evaluate((at) => document.activeElement!.closest(at) !== null, place)).toBe(true)

test('the focus stays near a scenario of the bar that is switched off', async () => {
  const { page } = await openPanel('#/traffic', { greenhouse: { use: ['slow', 'forbidden'] } })
  const active = page.getByRole('region', { name: 'Active scenarios' })
  await pressKey(active.getByRole('button', { name: 'Switch off slow' }))
  await page.getByText('Switched off slow').waitFor()
  await expectFocusIn(page, '.active-scenario')
  await pressKey(active.getByRole('button', { name: 'clear all' }))
  await expectFocusIn(page, '#view')
})

test('the focus stays near a form that is saved, a record and a message that go', async () => {
  const { page } = await openPanel('#/data/plants/102')
  const detail = page.getByRole('complementary')
  await detail.getByLabel('name', { exact: false }).first().fill('Mine')
  await pressKey(detail.getByRole('button', { name: 'Save' }))
  await page.getByText('Saved plants 102').waitFor()
  await expectFocusIn(page, '#view')
  await pressKey(page.getByRole('button', { name: 'Undo' }))
  await expectFocusIn(page, '#view')
  await pressKey(detail.getByRole('button', { name: 'Close (Esc)' }))
  await expectFocusIn(page, '#view')
  await page.getByRole('cell', { name: '102', exact: true }).click()
  await pressKey(detail.getByRole('button', { name: 'Delete' }))
  await page.getByText('Deleted plants 102').waitFor()
  await expectFocusIn(page, '#view')
})

test('the focus stays on an assumption that moves to those that are switched', async () => {
  const { page } = await openPanel('#/assumptions')
  const row = page.locator('.assumption', { has: page.locator('[aria-pressed=false]') }).first()
  const id = await row.getAttribute('id')
  await pressKey(row.locator('[aria-pressed=false]').first())
  await page.locator(`[id="${id}"].assumption-switched`).waitFor()
  await expectFocusIn(page, `[id="${id}"]`)
})
