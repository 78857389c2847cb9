import { expect } from 'vitest'
import type { World } from 'greenhouse-mock'
import { click, press, choose, go, requestsOf } from './page.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'
import type { Locator, Page } from 'playwright-core'

/** What is done in the panel, and what it says; what others do next; what is there again after Undo, or why not. */
const changes: readonly {
  readonly title: string
  readonly place: string
  readonly change: (page: Page) => Promise<unknown>
  readonly said: string
  readonly since?: (world: World) => unknown
  readonly undone: (world: World) => unknown
  readonly why?: string
}[] = [
  {
    title: 'a scenario leaves what was switched on since',
    place: '#/scenarios/expired-key',
    change: (page) => page.getByRole('switch', { name: 'In use' }).click(),
    said: 'expired-key is active',
    since: (world) => world.use('forbidden'),
    undone: (world) => expect(world.scenarios).toEqual(['forbidden']),
  },
  {
    title: 'a scenario that others have changed since leaves it, and says so',
    place: '#/scenarios/slow',
    change: (page) => page.getByRole('switch', { name: 'In use' }).click(),
    said: 'slow is active',
    since: (world) => world.use('slow', { ms: 7 }),
    undone: (world) => expect(world.active).toMatchObject([{ name: 'slow', ms: 7 }]),
    why: 'The scenario slow was changed again since.',
  },
  {
    title: 'a deleted record gives it its former position among the others',
    place: '#/data/plants/102',
    change: (page) => page.getByRole('complementary').getByRole('button', { name: 'Delete' }).click(),
    said: 'Deleted plants 102',
    since: ({ records: { plants } }) =>
      plants.create({ id: 777_777, name: 'Newest', account: plants.get(101)!.account }),
    undone: ({ records: { plants } }) => {
      const ids = plants.all().map(({ id }) => id)
      expect([ids.indexOf(102) - ids.indexOf(101), ids.at(-1)]).toEqual([1, 777_777])
    },
  },
  {
    title: 'a change leaves a field that was changed since',
    place: '#/data/plants/102',
    change: (page) => saveName(page, 'Mine'),
    said: 'Saved plants 102',
    since: ({ records: { plants } }) => plants.update(102, { tag: 'theirs' }),
    undone: ({ records: { plants } }) =>
      expect(plants.get(102)).toMatchObject({ name: 'Rosmarinus officinalis', tag: 'theirs' }),
  },
  {
    title: 'a record that was changed again since says so',
    place: '#/data/plants/102',
    change: (page) => saveName(page, 'Mine'),
    said: 'Saved plants 102',
    since: ({ records: { plants } }) => plants.update(102, { name: 'Theirs' }),
    undone: ({ records: { plants } }) => expect(plants.get(102)).toMatchObject({ name: 'Theirs' }),
    why: 'The record "102" of "plants" was changed again since.',
  },
]

const saveName = async (page: Page, name: string) => {
  const detail = page.getByRole('complementary')
  await detail.getByRole('textbox', { name: /^name/ }).fill(name)
  await click(detail, 'Save')
}

for (const { title, place, change, said, since, undone, why } of changes)
  test(`undo of ${title}`, async () => {
    const { page, world } = await openPanel(place)
    await page.getByText('live', { exact: true }).waitFor()
    await change(page)
    await page.getByText(said).first().waitFor()
    since?.(world)
    await click(page, 'Undo')
    if (why) await page.getByText(why).waitFor()
    await expect.poll(() => Promise.resolve(undone(world)).then(() => true, String)).toBe(true)
  })

test('undo changes the world in which the change was made, whichever is shown by then', async () => {
  const { page, greenhouse, world } = await openPanel('#/scenarios/slow', { worlds: ['other'] })
  await page.getByRole('switch', { name: 'In use' }).click()
  await page.getByText('slow is active').waitFor()
  greenhouse.world('other').use('slow')
  expect(await page.getByText('in the world default').count()).toBe(0)
  await go(page, '#/traffic?world=other')
  await page.getByText('in the world default').waitFor()
  await click(page, 'Undo')
  await expect.poll(() => world.scenarios).toEqual([])
  expect(greenhouse.world('other').scenarios).toEqual(['slow'])
})

test('the palette takes back the last change after its message is gone', async () => {
  const { page, world } = await openPanel('#/scenarios/slow')
  await page.getByRole('switch', { name: 'In use' }).click()
  await page.getByText('slow is active').waitFor()
  await click(page, 'Dismiss')
  await choose(page, 'Undo')
  await expect.poll(() => world.scenarios).toEqual([])
  await choose(page, 'Undo')
  await page.getByText('There is nothing to undo').waitFor()
})

test('the palette asks before it clears the traffic', async () => {
  const { page, send, world } = await openPanel('#/traffic')
  await send('/plants')
  await requestsOf(page).first().waitFor()
  await choose(page, 'Clear the journal')
  const question = page.getByRole('dialog', { name: 'Clear the traffic?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(world.journal.size).toBe(1)
  await choose(page, 'Clear the journal')
  await press(question, 'Clear', 'No requests yet')
})

test('an undone reset gives data, scenarios and snapshots back', async () => {
  const { page, world } = await openPanel('#/traffic', {
    before: (made) => {
      const world = made.world()
      world.snapshot('mine')
      world.use('slow', { ms: 3 })
      world.records.plants.delete(101)
      world.records.apps.update(world.records.apps.all()[0]!.id, { name: 'Changed' })
    },
  })
  await choose(page, 'Reset the world')
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

test('an undone reset saves what others changed since, and that comes back too', async () => {
  const { page, send, world } = await openPanel('#/traffic', {
    before: (made) => void made.world().records.plants.delete(101),
  })
  const { plants } = world.records
  const has = () => [101, 7001].map((id) => plants.get(id) !== undefined)
  await choose(page, 'Reset the world')
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
  await choose(page, 'Reset the world')
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
