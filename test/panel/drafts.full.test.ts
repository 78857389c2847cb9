import { expect } from 'vitest'
import { click, go, restart } from './page.ts'
import { fillWorld } from './world.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'
import type { Locator, Page } from 'playwright-core'

interface Form {
  readonly place: string
  readonly opened?: string
  readonly input: (page: Page) => Locator
  readonly typed: string
}

const label = (name: string) => (page: Page) =>
  page.getByRole('textbox', { name: new RegExp(`^${name}( optional)?$`) }).last()

const forms: Readonly<Record<string, Form>> = {
  'a record': { place: '#/data/plants/101', input: label('name'), typed: 'Half a name' },
  'a new record': { place: '#/data/plants?new=', input: label('name'), typed: 'Half a plant' },
  'the options of a scenario': { place: '#/scenarios/slow', input: label('ms'), typed: '1234' },
  'an event to trigger': { place: '#/webhooks?trigger=app.created', input: label('Data'), typed: '{"half":' },
  'a request of the docs': { place: '#/docs/plants.create', input: label('Body'), typed: '{"id": 5' },
  'a new key': { place: '#/data/keys?new=', input: label('expires_at'), typed: '2099' },
  'a time': { place: '#/time', input: label('Set to'), typed: '2031-01' },
  'a snapshot': { place: '#/data?tab=snapshots', input: label('Name of the snapshot'), typed: 'half' },
  'an answer': { place: '#/traffic/1', opened: 'Answer next …', input: label('Body'), typed: '{"half":' },
  'an edited request': {
    place: '#/traffic/1',
    opened: 'Edit and send again',
    input: label('Path'),
    typed: '/half',
  },
}

test.each(Object.entries(forms))(
  'what was typed into %s is there again after another view and another world',
  async (_, form) => {
    const { page } = await openPanel(form.place, {
      before: async (made) => {
        await fillWorld(made)
        made.world('other')
      },
    })
    const show = async () => {
      if (form.opened) await page.getByRole('button', { name: form.opened, exact: true }).click()
      const input = form.input(page)
      await input.waitFor()
      return input
    }
    const input = await show()
    const before = await input.inputValue()
    await input.fill(form.typed)
    await go(page, '#/overview')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    if (!form.place.startsWith('#/traffic')) {
      await go(page, form.place.replace(/(\?|$)/, '?world=other&').replace(/&$/, ''))
      expect(await (await show()).inputValue()).not.toBe(form.typed)
    }
    await go(page, '#/overview')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await go(page, form.place)
    expect(await (await show()).inputValue()).toBe(form.typed)
    expect(before).not.toBe(form.typed)
  },
)

test('what was typed is there again after another record, Escape and Back, until it is discarded', async () => {
  const { page, world } = await openPanel('#/data/plants/101')
  const name = label('name')(page)
  const title = (id: string) => page.getByRole('complementary', { name: `plants ${id}` })
  await name.fill('Half a name')
  await page.getByRole('cell', { name: '102', exact: true }).click()
  await title('102').waitFor()
  expect(await name.inputValue()).not.toBe('Half a name')
  await page.getByRole('cell', { name: '101', exact: true }).click()
  await title('101').waitFor()
  expect(await name.inputValue()).toBe('Half a name')
  await title('101').getByRole('heading').first().click()
  await page.keyboard.press('Escape')
  await title('101').waitFor({ state: 'detached' })
  await page.getByRole('cell', { name: '101', exact: true }).click()
  await page.goBack()
  await page.goForward()
  await title('101').waitFor()
  expect(await name.inputValue()).toBe('Half a name')
  world.records.plants.update(101, { tag: 'new' })
  await page.getByText('The record has changed meanwhile').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => name.inputValue()).toBe('Lavandula angustifolia')
  expect(await label('tag')(page).inputValue()).toBe('new')
  expect(await page.getByRole('button', { name: 'Discard' }).count()).toBe(0)
})

test('what was typed into a new key is there after Escape, and gone after Cancel or when sent', async () => {
  const { page, world } = await openPanel('#/data/keys')
  const input = label('expires_at')(page)
  const show = () => page.getByRole('button', { name: 'Generate key', exact: true }).click()
  await show()
  await input.fill('2099-01-01T00:00:00Z')
  await page.keyboard.press('Escape')
  await show()
  expect(await input.inputValue()).toBe('2099-01-01T00:00:00Z')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await show()
  expect(await input.inputValue()).toBe('')
  await input.fill('2099-01-01T00:00:00Z')
  await click(page, 'Generate', 'Done')
  expect(world.records.keys.all().at(-1)!.expires_at).toMatch(/^2099/)
  await show()
  expect(await input.inputValue()).toBe('')
})

test('what was typed for one server is not there for the next one', async () => {
  const panel = await openPanel('#/docs/plants.create')
  const { page } = panel
  const body = label('Body')(page)
  const before = await body.inputValue()
  await body.fill('{"half":')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => body.inputValue()).toBe(before)
  await body.fill('{"half":')
  await go(page, '#/overview')
  await restart(panel)
  await go(page, '#/docs/plants.create')
  await body.waitFor()
  expect(await body.inputValue()).toBe(before)
})
