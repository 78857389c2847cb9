import { expect } from 'vitest'
import { click, go, restart } from './page.ts'
import { fillWorld } from './world.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'
import type { Page } from 'playwright-core'

const field = (page: Page, name: string) =>
  page.getByRole('textbox', { name: new RegExp(`^${name}( optional)?$`) }).last()

test.each<[form: string, place: string, input: string, typed: string]>([
  ['a record', '#/data/plants/101', 'name', 'Half a name'],
  ['a new record', '#/data/plants?new=', 'name', 'Half a plant'],
  ['a new key', '#/data/keys?new=', 'expires_at', '2099'],
  ['the options of a scenario', '#/scenarios/slow', 'ms', '1234'],
  ['an event to trigger', '#/webhooks?trigger=app.created', 'Data', '{"half":'],
  ['a time', '#/time', 'Advance by, or set to', '2031-01'],
  ['a snapshot', '#/data?tab=snapshots', 'Name of the snapshot', 'half'],
  ['a new request', '#/traffic?compose=plants.create', 'Body', '{"id": 5'],
  ['an edited request', '#/traffic?compose=1', 'Path', '/half'],
])('what was typed into %s is there again after another view and another world', async (_, place, input, typed) => {
  const { page } = await openPanel(place, {
    before: async (made) => {
      await fillWorld(made)
      made.world('other')
    },
  })
  const show = async (world: string) => {
    await go(page, '#/time?world=other')
    if (!place.startsWith('#/time')) await page.getByRole('heading', { name: 'Time' }).waitFor()
    await go(page, `${place}${place.includes('?') ? '&' : '?'}world=${world}`)
    await field(page, input).waitFor()
    return field(page, input)
  }
  const shown = await show('default')
  expect(await shown.inputValue()).not.toBe(typed)
  await shown.fill(typed)
  if (!/traffic.*1/.test(place)) expect(await (await show('other')).inputValue()).not.toBe(typed)
  await expect.poll(async () => (await show('default')).inputValue()).toBe(typed)
})

test('what was typed is there again after another record, Escape and Back, until it is discarded', async () => {
  const { page, world } = await openPanel('#/data/plants/101')
  const name = field(page, 'name')
  const title = (id: string) => page.getByRole('complementary', { name: `plants ${id}` })
  const show = async (id: string) => {
    await page.getByRole('cell', { name: id, exact: true }).click()
    await title(id).waitFor()
  }
  await name.fill('Half a name')
  await show('102')
  expect(await name.inputValue()).not.toBe('Half a name')
  await show('101')
  expect(await name.inputValue()).toBe('Half a name')
  await title('101').getByRole('heading').first().click()
  await page.keyboard.press('Escape')
  await title('101').waitFor({ state: 'detached' })
  await show('101')
  await page.goBack()
  await page.goForward()
  await title('101').waitFor()
  expect(await name.inputValue()).toBe('Half a name')
  world.records.plants.update(101, { tag: 'new' })
  await page.getByText('The record has changed meanwhile').waitFor()
  await click(page, 'Discard')
  await expect.poll(() => name.inputValue()).toBe('Lavandula angustifolia')
  await expect.poll(() => field(page, 'tag').inputValue()).toBe('new')
  expect(await page.getByRole('button', { name: 'Discard' }).count()).toBe(0)
})

test('text typed into a dialog stays after Escape; Cancel, sending or another server drops it', async () => {
  const panel = await openPanel('#/traffic')
  const { page } = panel
  const path = async () => {
    await go(page, '#/traffic?compose=plants.list')
    return field(page, 'Path')
  }
  const before = await (await path()).inputValue()
  for (const [leave, isKept] of [
    [() => page.keyboard.press('Escape'), true],
    [() => click(page, 'Cancel'), false],
    [() => click(page, 'Send'), false],
    [() => page.keyboard.press('Escape').then(() => restart(panel)), false],
  ] as const) {
    await (await path()).fill('/plants?limit=2')
    await leave()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    expect(await (await path()).inputValue()).toBe(isKept ? '/plants?limit=2' : before)
  }
})
