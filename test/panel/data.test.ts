import { expect } from 'vitest'
import { writeFolder } from '../support/folder.ts'
import { loadFixtures } from 'greenhouse-mock/node'
import { createGreenhouse } from 'greenhouse-mock'
import { start } from '../support/test-api.ts'
import { chooseItem, click, download, goTo, hashOf, press, undo } from './page.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'
import type { Locator, Page } from 'playwright-core'

const cells = (page: Page, column = 1) => page.locator(`tbody td:nth-child(${column})`).allTextContents()

const input = (page: Page, name: string) => page.getByRole('complementary').getByLabel(name, { exact: true })

test('a table is sorted, filtered and paged by the server, and the URL keeps it', async () => {
  const { page, world } = await openPanel('#/data/messages')
  const messages = world.records.messages.all()
  await page.getByRole('button', { name: 'role' }).waitFor()
  expect(await cells(page)).toEqual(messages.slice(0, 50).map(({ id }) => id))
  const byId = messages.map(({ id }) => id).sort()
  await click(page, 'id')
  await expect.poll(() => cells(page)).toEqual(byId.slice(0, 50))
  await click(page, 'id')
  await expect.poll(() => cells(page)).toEqual(byId.toReversed().slice(0, 50))
  await click(page, 'Next')
  await expect.poll(() => cells(page)).toEqual(byId.toReversed().slice(50, 100))
  await page.reload()
  await expect.poll(() => cells(page)).toEqual(byId.toReversed().slice(50, 100))

  await page.getByLabel('Filter by a field').fill('role=user')
  await page.keyboard.press('Enter')
  const ofUsers = messages.filter(({ role }) => role === 'user')
  await page.getByText(`of ${ofUsers.length} records`).waitFor()
  const words = ofUsers[0]!.content.slice(0, 12).toLowerCase()
  await page.getByLabel('Filter messages by text').fill(words)
  const found = ofUsers.filter(({ content }) => content.toLowerCase().includes(words)).map(({ id }) => id)
  await expect.poll(() => cells(page)).toEqual(found.sort().toReversed().slice(0, 50))
  const params = { sort: '-id', 'where.role': 'user', search: words }
  expect(hashOf(page)).toBe(`#/data/messages?${new URLSearchParams(params)}`)
  await click(page, 'role is user')
  await expect.poll(() => hashOf(page)).not.toContain('role')
})

test('a table leads from an app to its conversations and their messages, and back', async () => {
  const { page, world } = await openPanel('#/data/apps')
  const { apps, conversations, messages } = world.records
  const conversation = conversations.all().find(({ id }) => messages.find({ conversation: id }).length > 0)!
  const app = apps.get(conversation.app)!
  await page.getByRole('cell', { name: app.id }).click()
  const ofApp = conversations.find({ app: app.id })
  await page.getByRole('link', { name: `conversations ${ofApp.length}`, exact: true }).click()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(Math.min(50, ofApp.length))
  await page.getByRole('cell', { name: conversation.id }).click()
  const ofConversation = messages.find({ conversation: conversation.id })
  await page.getByRole('link', { name: `messages ${ofConversation.length}`, exact: true }).click()
  await expect.poll(() => cells(page)).toEqual(ofConversation.map(({ id }) => id))
  await page.getByRole('link', { name: conversation.id }).first().click()
  await page.getByLabel(`conversations ${conversation.id}`).getByRole('link', { name: app.id }).click()
  await page.getByLabel(`apps ${app.id}`).getByLabel('name', { exact: true }).waitFor()
})

test('a table is one tab stop with keys, shows what requests write, and reports no matches', async () => {
  const { page, send } = await openPanel('#/data/plants?where.account=acct_pro')
  await page.getByRole('cell', { name: 'Lavandula angustifolia' }).waitFor()
  expect(await page.locator('tbody tr[tabindex="0"]').count()).toBe(1)
  for (const key of ['j', 'j', 'Enter']) await page.keyboard.press(key)
  await page.getByLabel('plants 102').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByLabel('plants 102').count()).toBe(0)
  await send('/plants', { method: 'POST', body: '{"id":4711,"name":"Newcomer"}' })
  await page.getByRole('cell', { name: 'Newcomer' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('no plant has this')
  await press(page, 'Clear the filter', 'Monstera deliciosa')
})

// 640×512 is 1280×1024 at 200 %.
test.each([
  [1280, 640],
  [640, 512],
])('at %i×%i five rows are seen, and the form', async (width, height) => {
  const { page } = await openPanel('#/data/plants', { browser: { viewport: { width, height } } })
  const bottomOf = (one: Locator) => one.evaluate((element) => element.getBoundingClientRect().bottom)
  const pager = await bottomOf(page.getByText('30 records'))
  expect(await bottomOf(page.locator('tbody tr').nth(4))).toBeLessThan(pager)
  await page.locator('tbody tr').first().click()
  expect(await bottomOf(input(page, 'name'))).toBeLessThan(height)
})

test('an edited plant is what the API lists, its id of 64 bits exact', async () => {
  const { page, send } = await openPanel('#/data/plants/9007199254740993')
  await input(page, 'name').fill('Tumboa')
  await press(page, 'Save', 'Saved plants 9007199254740993')
  expect(await (await send('/plants?limit=100')).json()).toContainEqual({ name: 'Tumboa', tag: 'desert' })
  await page.getByRole('cell', { name: 'Tumboa' }).waitFor()
  await undo(page, 'Saved plants 9007199254740993')
  await expect.poll(() => input(page, 'name').inputValue()).toBe('Welwitschia mirabilis')
  expect((await send('/plants/9007199254740992', { method: 'DELETE' })).status).toBe(404)
  expect((await send('/plants/9007199254740993', { method: 'DELETE' })).status).toBe(204)
})

test('records are added and copied with the next id, and removed again by Undo', async () => {
  const { page, send, world } = await openPanel('#/data/plants')
  const { plants, apps } = world.records
  const add = page.getByRole('complementary').getByRole('button', { name: 'Add', exact: true })
  await click(page, 'Add to plants')
  await input(page, 'name').fill('Rafflesia')
  expect(await input(page, 'id').inputValue()).toBe('205')
  await add.click()
  await page.getByText('This is required.').waitFor()
  await input(page, 'account').selectOption('acct_pro')
  await add.click()
  await page.getByText('Added plants 205').waitFor()
  expect(await (await send('/plants?limit=100')).json()).toContainEqual({ name: 'Rafflesia' })
  await undo(page, 'Added plants 205')
  await expect.poll(() => plants.get(205)).toBeUndefined()

  const [first] = apps.all()
  await goTo(page, `#/data/apps/${first!.id}`)
  await click(page, 'Duplicate')
  await input(page, 'name').fill('a-copy')
  const id = await input(page, 'id').inputValue()
  expect(id).toMatch(/^app_[a-z0-9]{16}$/)
  await add.click()
  await page.getByText(`Added apps ${id}`).waitFor()
  expect(apps.get(id)).toEqual({ ...first, id, name: 'a-copy' })
})

test('what the schema rejects is shown next to its input, in the form and in JSON', async () => {
  const { page, world } = await openPanel('#/data/conversations')
  await page.getByRole('cell', { name: world.records.conversations.all()[0]!.id }).click()
  await input(page, 'app').selectOption({ index: 1 })
  await input(page, 'created_at').fill('yesterday')
  await press(page, 'Save', 'Write a time such as')
  await click(page, 'Edit as JSON')
  expect(await input(page, 'created_at').inputValue()).toBe('yesterday')
  await input(page, 'created_at').fill('2026-06-01T00:00:00Z')
  await press(page, 'Save', "it can't be changed: create another record instead")
  expect(await input(page, 'app').getAttribute('aria-invalid')).toBe('true')
  await click(page, 'Edit as JSON')
  const json = input(page, 'JSON')
  await json.fill((await json.inputValue()).replace('"platform"', '"plattform"'))
  await press(page, 'Save', 'there is no field "plattform"')
})

test('changes by others show, and never over what one types, of several lines too', async () => {
  const { page, world } = await openPanel('#/data/plants/101')
  const { plants } = world.records
  const name = input(page, 'name')
  await name.waitFor()
  plants.update(101, { name: 'Fern\nof two lines' })
  await expect.poll(() => name.inputValue()).toBe('Fern\nof two lines')
  await name.press('Control+End')
  await name.pressSequentially('!')
  plants.update(101, { tag: 'theirs' })
  await page.getByText('The record has changed meanwhile').waitFor()
  await press(page, 'Save', 'Saved plants 101')
  expect(plants.get(101)).toMatchObject({ name: 'Fern\nof two lines!', tag: 'theirs' })
  await name.fill('Half a name')
  await click(page, 'Discard')
  await expect.poll(() => name.inputValue()).toBe('Fern\nof two lines!')
  expect(await page.getByRole('button', { name: 'Discard' }).count()).toBe(0)
})

test('a record is deleted with all that belongs to it after a question, and all comes back', async () => {
  const { page, world } = await openPanel('#/data/webhooks')
  const { webhooks, deliveries } = world.records
  const all = () => [webhooks.all(), deliveries.all()]
  const before = all()
  const { id, secret } = webhooks.all()[1]!
  await page.getByRole('cell', { name: id }).click()
  const remove = page.getByRole('complementary').getByRole('button', { name: 'Delete' })
  const question = page.getByRole('dialog')
  await remove.click()
  await question.getByText(`of "deliveries"`, { exact: false }).waitFor()
  await click(question, 'Cancel')
  expect(all()).toEqual(before)
  await remove.click()
  await press(question, 'Delete', `Deleted webhooks ${id} and what referred to it`)
  expect([webhooks.get(id), deliveries.find({ webhook: id })]).toEqual([undefined, []])
  await undo(page, `Deleted webhooks ${id}`)
  // Each in its former position, with the secret, which is never shown.
  await expect.poll(all).toEqual(before)
  await page.getByRole('cell', { name: id }).waitFor()
  expect(await page.content()).not.toContain(secret)
})

test('a collection or a whole world is exported as fixtures, without secrets', async () => {
  const { page, world, send } = await openPanel('#/data/plants')
  await send('/plants', { method: 'POST', body: '{"id":9007199254740995,"name":"# not: a comment"}' })
  const plants = await download(page, () => chooseItem(page, 'Export', 'Export plants'))
  expect(plants).toEqual({ file: 'plants.yaml', text: expect.stringContaining('9007199254740995') })
  await page.getByText('and accounts.yaml', { exact: false }).waitFor()

  const { file, text } = await download(page, () => chooseItem(page, 'Export', 'Export the whole world'))
  expect([file, text.includes(world.records.webhooks.all()[0]!.secret)]).toEqual(['default.yaml', false])
  await page.getByText('Placeholders replace', { exact: false }).waitFor()
  const fixtures = loadFixtures(writeFolder({ [file]: text }))
  const { records } = createGreenhouse({ fixtures, now: start }).world()
  for (const name of ['accounts', 'keys', 'plants', 'apps', 'users'] as const)
    expect(records[name].all()).toHaveLength(world.records[name].all().length)
  expect(records.plants.all()).toEqual(world.records.plants.all())
})
