import { expect } from 'vitest'
import { click, go, goTo, restart } from './page.ts'
import { fillWorld } from './world.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'
import type { Page } from 'playwright-core'

const field = (page: Page, name: string) =>
  page.getByRole('textbox', { name: new RegExp(`^${name}( optional)?$`) }).last()

test('what was typed into a form is there again after another view and another world', async () => {
  const { page } = await openPanel('', {
    before: async (made) => {
      await fillWorld(made)
      made.world('other')
    },
  })
  for (const [place, input, typed] of [
    ['#/data/plants/101?', 'name', 'Half a name'],
    ['#/data/plants?new=&', 'name', 'Half a plant'],
    ['#/data/keys?new=&', 'expires_at', '2099'],
    ['#/scenarios/slow?', 'ms', '1234'],
    ['#/webhooks?trigger=app.created&', 'Data', '{"half":'],
    ['#/time?', 'Advance by, or set to', '2031-01'],
    ['#/data?tab=snapshots&', 'Name of the snapshot', 'half'],
    ['#/traffic?compose=plants.create&', 'Body', '{"id": 5'],
    ['#/traffic?compose=1&', 'Path', '/half'],
  ] as const) {
    const show = async (world: string) => {
      await goTo(page, '#/traffic?tab=report&world=other')
      await goTo(page, `${place}world=${world}`)
      const shown = field(page, input)
      await shown.waitFor()
      return shown
    }
    const shown = await show('default')
    expect([place, await shown.inputValue()]).not.toEqual([place, typed])
    await shown.fill(typed)
    if (!place.includes('compose=1')) expect(await (await show('other')).inputValue()).not.toBe(typed)
    await expect.poll(async () => (await show('default')).inputValue(), { message: place }).toBe(typed)
  }
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
