import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { writeFolder } from '../support/folder.ts'
import { loadFixtures } from 'greenhouse-mock/node'
import { createGreenhouse } from 'greenhouse-mock'
import { start } from '../support/test-api.ts'
import { chooseItem, press, hashOf, download } from './page.ts'
import { findBarriers, openPanel, panelTest as test } from '../support/panel.ts'
import type { Page } from 'playwright-core'

test('a table is sorted, filtered and paged by the server, and the URL keeps it', async () => {
  const { page, world } = await openPanel('#/data/messages')
  const messages = world.records.messages.all()
  const cells = (column: number) => page.locator(`tbody td:nth-child(${column})`).allTextContents()
  await page.getByRole('button', { name: 'role' }).waitFor()
  expect(await cells(1)).toEqual(messages.slice(0, 50).map(({ id }) => id))

  await page.getByRole('button', { name: 'id', exact: true }).click()
  const byId = messages.map(({ id }) => id).sort()
  await expect.poll(() => cells(1)).toEqual(byId.slice(0, 50))
  await page.getByRole('button', { name: 'id', exact: true }).click()
  await expect.poll(() => cells(1)).toEqual(byId.toReversed().slice(0, 50))

  await page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(() => cells(1)).toEqual(byId.toReversed().slice(50, 100))
  await page.reload()
  await expect.poll(() => cells(1)).toEqual(byId.toReversed().slice(50, 100))

  await page.getByLabel('Filter by a field').selectOption('role')
  await page.getByLabel('role is').selectOption('user')
  const ofUsers = messages.filter(({ role }) => role === 'user')
  await expect
    .poll(() => page.locator('.data-pages [role=status]').textContent())
    .toContain(`${ofUsers.length} records`)

  const words = ofUsers[0]!.content.slice(0, 12).toLowerCase()
  await page.getByLabel('Filter messages by text').fill(words)
  const found = ofUsers.filter(({ content }) => content.toLowerCase().includes(words)).map(({ id }) => id)
  await expect.poll(() => cells(1)).toEqual(found.sort().toReversed().slice(0, 50))
  expect(hashOf(page)).toBe(
    `#/data/messages?${new URLSearchParams({ sort: '-id', 'where.role': 'user', search: words })}`,
  )
})

test('a table leads from an app to its conversations and their messages, and back', async () => {
  const { page, world } = await openPanel('#/data/apps')
  const { apps, conversations, messages } = world.records
  const conversation = conversations.all().find(({ id }) => messages.all().some((one) => one.conversation === id))!
  const app = apps.get(conversation.app)!
  await page.getByRole('cell', { name: app.id }).click()
  const ofApp = conversations.all().filter((one) => one.app === app.id)
  await page.getByRole('link', { name: `conversations ${ofApp.length}`, exact: true }).click()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(Math.min(50, ofApp.length))
  await page.getByRole('cell', { name: conversation.id }).click()
  const ofConversation = messages.all().filter((one) => one.conversation === conversation.id)
  await page.getByRole('link', { name: `messages ${ofConversation.length}`, exact: true }).click()
  await expect
    .poll(() => page.locator('tbody td:nth-child(1)').allTextContents())
    .toEqual(ofConversation.map(({ id }) => id))
  await page.getByRole('link', { name: conversation.id }).first().click()
  await page.getByLabel(`conversations ${conversation.id}`).getByRole('link', { name: app.id }).click()
  await page.getByLabel(`apps ${app.id}`).getByLabel('name', { exact: true }).waitFor()
})

test('a table has keys, shows what requests write, and says so where nothing matches', async () => {
  const { page, send } = await openPanel('#/data/plants?where.account=acct_pro')
  await page.getByRole('cell', { name: 'Lavandula angustifolia' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByLabel('plants 102').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByLabel('plants 102').count()).toBe(0)
  await send('/plants', { method: 'POST', body: '{"id":4711,"name":"Newcomer"}' })
  await page.getByRole('cell', { name: 'Newcomer' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('no plant has this')
  await page.getByText('No plants match the filter').waitFor()
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await page.getByRole('cell', { name: 'Monstera deliciosa' }).waitFor()
})

test('an edited plant is what the API lists, its id of 64 bits exact', async () => {
  const { page, send } = await openPanel('#/data/plants/9007199254740993')
  await page.getByLabel('name', { exact: true }).fill('Tumboa')
  await press(page, 'Save', 'Saved plants 9007199254740993')
  expect(await (await send('/plants?limit=100')).json()).toContainEqual({ name: 'Tumboa', tag: 'desert' })
  await page.getByRole('cell', { name: 'Tumboa' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => page.getByLabel('name', { exact: true }).inputValue()).toBe('Welwitschia mirabilis')
  expect((await send('/plants/9007199254740992', { method: 'DELETE' })).status).toBe(404)
  expect((await send('/plants/9007199254740993', { method: 'DELETE' })).status).toBe(204)
})

test('a plant is added with the next id that a client can hold, and removed again by Undo', async () => {
  const { page, send, world } = await openPanel('#/data/plants')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const form = page.getByLabel('Add to plants')
  await form.getByLabel('name', { exact: true }).fill('Rafflesia')
  expect(await form.getByLabel('id', { exact: true }).inputValue()).toBe('205')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await form.getByText('This is required.').waitFor()
  await form.getByLabel('account').selectOption('acct_pro')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Added plants 205').waitFor()
  expect(await (await send('/plants?limit=100')).json()).toContainEqual({ name: 'Rafflesia' })
  const { plants } = world.records
  expect(plants.get(205)).toMatchObject({ name: 'Rafflesia' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => plants.get(205)).toBeUndefined()
})

test('what the schema rejects is shown next to its input, in the form and in JSON', async () => {
  const { page, world } = await openPanel('#/data/conversations')
  const [first] = world.records.conversations.all()
  await page.getByRole('cell', { name: first!.id }).click()
  const form = page.getByLabel(`conversations ${first!.id}`)
  await form.getByLabel('app', { exact: true }).selectOption({ index: 1 })
  await form.getByLabel('created_at').fill('yesterday')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Write a time such as').waitFor()
  await form.getByRole('button', { name: 'Edit as JSON' }).click()
  expect(await form.getByLabel('created_at').inputValue()).toBe('yesterday')
  await form.getByLabel('created_at').fill('2026-06-01T00:00:00Z')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText("it can't be changed: create another record instead").waitFor()
  expect(await form.getByLabel('app', { exact: true }).getAttribute('aria-invalid')).toBe('true')
  await form.getByRole('button', { name: 'Edit as JSON' }).click()
  const json = form.getByLabel('JSON', { exact: true })
  await json.fill((await json.inputValue()).replace('"platform"', '"plattform"'))
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('there is no field "plattform"', { exact: false }).waitFor()
})

test('a text of two lines keeps them', async () => {
  const { page, world } = await openPanel('#/data/plants/101', {
    before: (made) => made.world().records.plants.update(101, { name: 'Fern\nof two lines' }),
  })
  const name = page.getByLabel('name', { exact: true })
  await name.press('Control+End')
  await name.pressSequentially('!')
  await press(page, 'Save', 'Saved plants 101')
  expect(world.records.plants.get(101)).toMatchObject({ name: 'Fern\nof two lines!' })
})

test('a list that was not set stays unset', async () => {
  const { page, send, world } = await openPanel('#/data/keys')
  await page.getByRole('row').nth(1).getByRole('cell').first().click()
  await page.getByLabel('expires_at').fill('2099-01-01T00:00:00Z')
  await press(page, 'Save', 'Saved keys')
  const key = world.records.keys.all()[0]!
  expect(key).toMatchObject({ expires_at: '2099-01-01T00:00:00Z' })
  expect(key.scopes).toBeUndefined()
  expect((await send('/v1/apps', { key: key.secret })).status).toBe(200)
})

test('a copy of a record gets a new id', async () => {
  const { page, world } = await openPanel('#/data/apps')
  const { apps } = world.records
  const [first] = apps.all()
  await page.getByRole('cell', { name: first!.id }).click()
  await page.getByRole('button', { name: 'Duplicate' }).click()
  const form = page.getByLabel(`A copy of ${first!.id}`)
  const id = await form.getByLabel('id', { exact: true }).inputValue()
  expect(id).toMatch(/^app_[a-z0-9]{16}$/)
  await form.getByLabel('name', { exact: true }).fill('a-copy')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText(`Added apps ${id}`).waitFor()
  expect(apps.get(id)).toEqual({ ...first, id, name: 'a-copy' })
})

test('changes by others show, and never over what one types', async () => {
  const { page, world } = await openPanel('#/data/plants/101')
  const name = page.getByLabel('name', { exact: true })
  await name.waitFor()
  await world.records.plants.update(101, { name: 'First' })
  await expect.poll(() => name.inputValue()).toBe('First')
  await page.getByLabel('tag').fill('mine')
  await world.records.plants.update(101, { name: 'Second' })
  await page.getByText('The record has changed meanwhile').waitFor()
  expect(await name.inputValue()).toBe('First')
  await press(page, 'Save', 'Saved plants 101')
  expect(world.records.plants.get(101)).toMatchObject({ name: 'Second', tag: 'mine' })
})

test('a deleted record is put back as it was by Undo', async () => {
  const { page, send, world } = await openPanel('#/data/plants/9007199254740993')
  const before = world.records.plants.get(9007199254740993n)
  await press(page, 'Delete', 'Deleted plants 9007199254740993')
  expect((await send('/plants/9007199254740993', { method: 'DELETE' })).status).toBe(404)
  await expect.poll(() => page.getByRole('cell', { name: 'Welwitschia mirabilis' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('cell', { name: 'Welwitschia mirabilis' }).waitFor()
  expect(world.records.plants.get(9007199254740993n)).toEqual(before)
  expect((await send('/plants/9007199254740993', { method: 'DELETE' })).status).toBe(204)
})

test('a record is deleted with all that belongs to it after a question, and all comes back', async () => {
  const { page, world } = await openPanel('#/data/conversations')
  const { conversations, messages } = world.records
  const conversation = conversations.all().find(({ id }) => messages.all().some((one) => one.conversation === id))!
  const all = () => [conversations.all(), messages.all()]
  const before = all()
  const count = messages.find({ conversation: conversation.id }).length
  await page.getByRole('cell', { name: conversation.id }).click()
  const remove = page.getByRole('button', { name: 'Delete' })
  await remove.click()
  const question = page.getByRole('dialog')
  await question.getByText(`${count} of "messages"`, { exact: false }).waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(all()).toEqual(before)

  await remove.click()
  await press(question, 'Delete', `Deleted conversations ${conversation.id} and ${count} more`)
  expect(conversations.get(conversation.id)).toBeUndefined()
  expect(messages.find({ conversation: conversation.id })).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  // Each in its former position.
  await expect.poll(all).toEqual(before)
})

test('a record with a secret is deleted only after a question', async () => {
  const { page, world } = await openPanel('#/data/webhooks')
  const { webhooks } = world.records
  const webhook = webhooks.all()[0]!
  await page.getByRole('cell', { name: webhook.id }).click()
  expect(await page.content()).not.toContain(webhook.secret)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('You can’t undo this: the record has a secret', { exact: false }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  expect(webhooks.get(webhook.id)).toEqual(webhook)
})

async function exportBy(page: Page, button: string, more: Record<string, string> = {}) {
  const saved = await download(page, () => page.getByRole('button', { name: button }).click())
  const fixtures = loadFixtures(writeFolder({ ...more, [saved.file]: saved.text }))
  return { ...saved, records: createGreenhouse({ fixtures, now: start }).world().records }
}

test('one collection is exported as a file that a new world starts from', async () => {
  const { page, world, send } = await openPanel('#/data/plants')
  await send('/plants', { method: 'POST', body: '{"id":9007199254740995,"name":"# not: a comment"}' })
  await chooseItem(page, 'Export and reset', 'Export plants…')
  const accounts = { 'accounts.yaml': readFileSync('fixtures/accounts.yaml', 'utf8') }
  const { file, text, records } = await exportBy(page, 'Download plants.yaml', accounts)
  expect([file, text]).toEqual(['plants.yaml', expect.stringContaining('9007199254740995')])
  expect(records.plants.all()).toEqual(world.records.plants.all())
})

test('the whole world is exported in one file without secrets', async () => {
  const { page, world } = await openPanel('#/data/plants')
  const [webhook] = world.records.webhooks.all()
  await chooseItem(page, 'Export and reset', 'Export the whole world…')
  await page.getByRole('tab', { name: 'messages.yaml' }).click()
  await page.getByText('Placeholders replace', { exact: false }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  const { text, records } = await exportBy(page, 'Download all as default.yaml')
  expect(text).not.toContain(webhook!.secret)
  for (const name of ['accounts', 'keys', 'plants', 'apps', 'users'] as const)
    expect(records[name].all()).toHaveLength(world.records[name].all().length)
  expect(records.plants.all()).toEqual(world.records.plants.all())
})
