import { createGreenhouse } from 'greenhouse-mock'
import { loadFixtures } from 'greenhouse-mock/node'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { sensorPlugin } from '../../examples/plug-in/sensors.ts'
import { writeFolder } from '../support/folder.ts'
import { start } from '../support/test-api.ts'
import {
  chooseItem,
  click,
  download,
  press,
  pressKeys,
  undo,
  cells,
  detailInput,
  clipboardOf,
} from './page.ts'
import { holdAnswers, openPanel, test, findBarriers } from './world.ts'

test('a table leads from an app to its conversations and their messages, and back', async () => {
  const { page, world } = await openPanel('#/data/apps')
  const { apps, conversations, messages } = world.records
  const conversation = conversations
    .all()
    .find(({ id }) => messages.find({ conversation: id }).length > 0)!
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
  await page
    .getByLabel(`conversations ${conversation.id}`)
    .getByRole('link', { name: app.id })
    .click()
  await page.getByLabel(`apps ${app.id}`).getByLabel('name', { exact: true }).waitFor()
})

test('a table is one tab stop with keys, shows what requests write, and reports no matches', async () => {
  const { page, send } = await openPanel('#/data/plants?where.account=acct_pro')
  await page.getByRole('cell', { name: 'Lavandula angustifolia' }).waitFor()
  await expect.poll(() => page.locator('tbody tr[tabindex="0"]').count()).toBe(1)
  await pressKeys(page, 'j', 'j', 'Enter')
  await page.getByLabel('plants 102').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByLabel('plants 102').count()).toBe(0)
  await send('/plants', { method: 'POST', body: '{"id":4711,"name":"Newcomer"}' })
  await page.getByRole('cell', { name: 'Newcomer' }).waitFor()
  await page.keyboard.press('f')
  await page.keyboard.type('no plant has this')
  await press(page, 'Clear the filter', 'Monstera deliciosa')
})

// 640×512 is 1280×1024 at 200 %.
test.each([
  [1280, 640],
  [640, 512],
])('at %i×%i five rows are seen, and the form', async (width, height) => {
  const { page } = await openPanel('#/data/plants', { browser: { viewport: { width, height } } })
  const bottomOf = (one: Locator) =>
    one.evaluate((element) => element.getBoundingClientRect().bottom)
  const pager = await bottomOf(page.getByText('30 records'))
  expect(await bottomOf(page.locator('tbody tr').nth(4))).toBeLessThan(pager)
  await page.locator('tbody tr').first().click()
  expect(await bottomOf(detailInput(page, 'name'))).toBeLessThan(height)
})

test('on a phone the quotas of accounts are whole', async () => {
  const { page } = await openPanel('#/data/accounts', {
    browser: { viewport: { width: 390, height: 844 } },
  })
  await page.getByRole('cell', { name: /60 min.*1.000 day/ }).waitFor()
  const isWhole = page
    .locator('.data-list .table-frame')
    .evaluate((one) => one.scrollWidth <= one.clientWidth)
  expect(await isWhole).toBe(true)
})

test('changes by others show, and never over what one types, of several lines too', async () => {
  const { page, world } = await openPanel('#/data/plants/101')
  const { plants } = world.records
  const name = detailInput(page, 'name')
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
  const discards = () => page.getByRole('button', { name: 'Discard' }).count()
  await expect.poll(discards).toBe(0)
  await name.fill('Half a name')
  await expect.poll(discards).toBe(1)
  await name.fill('Fern\nof two lines!')
  await expect.poll(discards).toBe(0)
})

test('a change by others shows once nothing is typed any more', async () => {
  const { page, world } = await openPanel('#/data/plants/101')
  const name = detailInput(page, 'name')
  const before = await name.inputValue()
  await name.fill('Half a name')
  world.records.plants.update(101, { tag: 'theirs' })
  await page.getByText('The record has changed meanwhile').waitFor()
  await name.fill(before)
  const tag = page.getByRole('complementary').getByLabel('tag')
  await expect.poll(() => tag.inputValue()).toBe('theirs')
})

test('one types on in a field while others change the record, and while it is saved', async () => {
  const held = holdAnswers('**/records/plants/101')
  const { page, world } = await openPanel('#/data/plants/101')
  const { plants } = world.records
  const name = detailInput(page, 'name')
  const tag = page.getByRole('complementary').getByLabel('tag')
  await tag.selectText()
  plants.update(101, { name: 'Theirs' })
  await expect.poll(() => name.inputValue()).toBe('Theirs')
  await page.keyboard.type('mine')
  await expect.poll(() => tag.inputValue()).toBe('mine')
  await held.hold(page)
  await click(page, 'Save')
  await name.fill('Later')
  held.release()
  await page.getByText('Saved plants 101').waitFor()
  await expect.poll(() => name.inputValue()).toBe('Later')
  expect(plants.get(101)).toMatchObject({ name: 'Theirs', tag: 'mine' })
  await click(page, 'Save')
  await expect.poll(() => plants.get(101)).toMatchObject({ name: 'Later', tag: 'mine' })
})

test('a collection or a whole world is exported as fixtures, without secrets', async () => {
  const { page, world, send } = await openPanel('#/data/plants')
  await send('/plants', {
    method: 'POST',
    body: '{"id":9007199254740995,"name":"# not: a comment"}',
  })
  const plants = await download(page, () => chooseItem(page, 'Export', 'Export plants'))
  expect(plants).toEqual({ file: 'plants.yaml', text: expect.stringContaining('9007199254740995') })
  await page.getByText('and accounts.yaml', { exact: false }).waitFor()

  const { file, text } = await download(page, () =>
    chooseItem(page, 'Export', 'Export the whole world'),
  )
  expect([file, text.includes(world.records.webhooks.all()[0]!.secret)]).toEqual([
    'default.yaml',
    false,
  ])
  await page.getByText('Placeholders replace', { exact: false }).waitFor()
  const fixtures = loadFixtures(writeFolder({ [file]: text }))
  const { records } = createGreenhouse({ fixtures, now: start }).world()
  for (const name of ['accounts', 'keys', 'plants', 'apps', 'users'] as const)
    expect(records[name].all()).toHaveLength(world.records[name].all().length)
  expect(records.plants.all()).toEqual(world.records.plants.all())
})

const meter = (page: Page, name: string, text: string) =>
  expect
    .poll(() => page.getByRole('meter', { name, exact: true }).getAttribute('aria-valuetext'))
    .toBe(text)

test('meters of an account and its row run down with requests, refill, and follow the plan', async () => {
  const { page, send, world } = await openPanel('#/data/accounts/acct_free')
  // Its minute ends when the test says so.
  world.clock.freeze()
  await meter(page, 'Minute', '60 of 60 left')
  for (let sent = 0; sent < 3; sent++) await send('/v1/apps', { key: 'key_free' })
  await meter(page, 'Minute', '57 of 60 left')
  await meter(page, 'Minute of acct_free', '57 of 60 left')
  await meter(page, 'Minute of acct_pro', '300 of 300 left')
  await meter(page, 'Day', '997 of 1\u202f000 left')
  await page.getByText('3 used, refills in', { exact: false }).first().waitFor()

  await click(page, 'Refill')
  await meter(page, 'Day', '1\u202f000 of 1\u202f000 left')

  await page.getByLabel('plan', { exact: true }).selectOption('pro')
  await press(page, 'Save', 'Saved accounts acct_free')
  await meter(page, 'Minute', '300 of 300 left')
  const { headers } = await send('/v1/apps', { key: 'key_free' })
  expect(headers.get('x-ratelimit-limit-minute') ?? headers.get('x-ratelimit-limit')).toBe('300')
  await undo(page, 'Saved accounts acct_free')
  // What the request spent comes back, too.
  await meter(page, 'Minute', '60 of 60 left')
  await send('/v1/apps', { key: 'key_free' })
  await meter(page, 'Minute', '59 of 60 left')
  expect(world.records.accounts.get('acct_free')).toMatchObject({ plan: 'free' })
  // Its window ends.
  await page.getByRole('button', { name: '+1m', exact: false }).click()
  await meter(page, 'Minute', '60 of 60 left')
  await meter(page, 'Day', '999 of 1\u202f000 left')
})

test('a key of another world carries its name', async () => {
  const { page, send } = await openPanel('#/data/accounts/acct_pro?world=checkout', {
    worlds: ['checkout'],
  })
  await page.getByRole('link', { name: 'Generate key' }).click()
  await press(page.getByRole('complementary'), 'Generate', 'it is shown only once')
  const whole = (await page.getByRole('dialog').locator('code').textContent())!
  expect(whole).toMatch(/^key_[a-z0-9]+@checkout$/)
  expect((await send('/v1/apps', { key: whole })).status).toBe(200)
  expect((await send('/v1/apps', { key: whole.split('@')[0]! })).status).toBe(401)
})

test('keys have meters of their quotas, are found by name, and take scopes of plug-ins', async () => {
  const { page, send, world } = await openPanel('#/data/keys', {
    greenhouse: { plugins: [sensorPlugin()] },
  })
  const keyOf = (name: string) => world.records.keys.get(name)!
  world.clock.freeze()
  await page.getByRole('cell', { name: 'key_pro', exact: true }).waitFor()
  await expect.poll(() => page.getByRole('meter').count()).toBe(0)
  world.assume('rate-limit.scope', 'key')
  await meter(page, 'Minute of key_pro', '300 of 300 left')
  await send('/v1/apps')
  await meter(page, 'Minute of key_pro', '299 of 300 left')
  await meter(page, 'Minute of key_readonly', '300 of 300 left')

  await page.getByRole('cell', { name: 'key_readonly' }).click()
  await page.getByLabel('sensors:write').check()
  await page.getByLabel('apps:read').uncheck()
  await press(page, 'Save', 'Saved keys')
  expect(keyOf('key_readonly').scopes).toContain('sensors:write')
  expect(keyOf('key_readonly').scopes).not.toContain('apps:read')

  await page.getByLabel('Filter keys by text').fill('KEY_fr')
  await page.getByText('1 record', { exact: true }).waitFor()
  await page.getByRole('cell', { name: 'key_free' }).click()
  await page.getByLabel('expires_at').fill('2099-01-01T00:00:00Z')
  await click(page, 'Save')
  await expect.poll(() => keyOf('key_free').expires_at).toBe('2099-01-01T00:00:00Z')
  // What was not set stays so.
  expect(keyOf('key_free').scopes).toBeUndefined()
  expect((await send('/v1/apps', { key: 'key_free' })).status).toBe(200)
})

test('the form of a key shows one of several failures, and throws nothing', async () => {
  const { page } = await openPanel('#/data/keys', {
    route: async (page) => {
      await page.route('**/records/accounts?**', (route) =>
        route.fulfill({ status: 500, json: {} }),
      )
      await page.route('**/worlds/default/quotas', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 100))
        await route.continue()
      })
    },
  })
  const answered = page.waitForResponse('**/worlds/default/quotas')
  await page.getByRole('cell', { name: 'key_readonly' }).click()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await answered
})

test('replacing a snapshot asks first, and undoing a restore gives back later changes', async () => {
  const { page, world } = await openPanel('#/data?tab=snapshots', {
    before: (made) => made.world().snapshot('mine'),
  })
  const { plants } = world.records
  plants.delete(101)
  await page.getByRole('cell', { name: 'mine', exact: true }).waitFor()
  await page.getByLabel('Name of the snapshot').fill('mine')
  await click(page, 'Take a snapshot')
  await click(page.getByRole('dialog'), 'Cancel')
  await page.getByRole('cell', { name: 'mine', exact: true }).waitFor()
  await click(page, 'Restore mine')
  await press(page.getByRole('dialog'), 'Restore', 'Restored mine')
  expect([plants.get(101) !== undefined, world.snapshots]).toEqual([true, ['mine']])
  await undo(page, 'Restored mine')
  await expect.poll(() => plants.get(101)).toBeUndefined()
})

test('an edited plant is what the API lists, its id of 64 bits exact', async () => {
  const { page, send } = await openPanel('#/data/plants/9007199254740993')
  await detailInput(page, 'name').fill('Tumboa')
  await press(page, 'Save', 'Saved plants 9007199254740993')
  expect(await (await send('/plants?limit=100')).json()).toContainEqual({
    name: 'Tumboa',
    tag: 'desert',
  })
  await page.getByRole('cell', { name: 'Tumboa' }).waitFor()
  await undo(page, 'Saved plants 9007199254740993')
  await expect.poll(() => detailInput(page, 'name').inputValue()).toBe('Welwitschia mirabilis')
  expect((await send('/plants/9007199254740992', { method: 'DELETE' })).status).toBe(404)
  expect((await send('/plants/9007199254740993', { method: 'DELETE' })).status).toBe(204)
})

test('a rejected value is shown next to its input, in the form and in JSON', async () => {
  const { page, world } = await openPanel('#/data/conversations')
  await page.getByRole('cell', { name: world.records.conversations.all()[0]!.id }).click()
  await detailInput(page, 'app').selectOption({ index: 1 })
  await detailInput(page, 'created_at').fill('yesterday')
  await press(page, 'Save', 'Write a time such as')
  await click(page, 'Edit as JSON')
  await expect.poll(() => detailInput(page, 'created_at').inputValue()).toBe('yesterday')
  await detailInput(page, 'created_at').fill('2026-06-01T00:00:00Z')
  await press(page, 'Save', "it can't be changed: create another record instead")
  expect(await detailInput(page, 'app').getAttribute('aria-invalid')).toBe('true')
  await click(page, 'Edit as JSON')
  const json = detailInput(page, 'JSON')
  await json.fill((await json.inputValue()).replace('"platform"', '"plattform"'))
  await press(page, 'Save', 'there is no such field')
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

test('a key is generated, shown once, used, revoked and expired', async () => {
  const { page, send, world } = await openPanel('#/data/keys?new=')
  const detail = page.getByRole('complementary')
  await click(page, 'Edit as JSON')
  await detail.getByLabel('JSON').fill('{}')
  await press(detail, 'Generate', 'is missing')
  await click(page, 'Edit as a form')
  await detail.getByLabel('account', { exact: true }).selectOption('acct_pro')
  await detail.getByLabel('apps:read').check()
  await detail.getByLabel('expires_at').fill('soon')
  await press(detail, 'Generate', 'Write a time such as')
  await detail.getByLabel('expires_at').fill('2099-01-01T00:00:00Z')
  expect(await findBarriers(page)).toEqual([])
  await press(detail, 'Generate', 'it is shown only once')
  const secret = (await page.getByRole('dialog').locator('code').textContent())!
  await click(page, 'Copy the key')
  await expect.poll(() => clipboardOf(page)).toBe(secret)
  const use = async (init: RequestInit = {}) =>
    (await send('/v1/apps', { key: secret, ...init })).status
  expect(await use()).toBe(200)
  expect(await use({ method: 'POST', body: '{"name":"x"}' })).toBe(403)
  await click(page, 'Done')
  for (const show of [() => undefined, () => page.reload()]) {
    await show()
    await detail.getByText('works').waitFor()
    expect(await page.content()).not.toContain(secret)
  }
  expect(world.records.keys.get(secret)).toMatchObject({
    expires_at: '2099-01-01T00:00:00Z',
    scopes: ['apps:read'],
  })

  await detail.getByLabel('revoked').selectOption('true')
  await press(detail, 'Save', 'Saved keys')
  expect(await use()).toBe(401)
  await detail.getByText('revoked', { exact: true }).first().waitFor()
  await undo(page, 'Saved keys')
  await expect.poll(() => use()).toBe(200)
  await detail.getByLabel('expires_at').fill('2026-01-01T00:00:00Z')
  await click(detail, 'Save')
  await page.getByRole('row', { name: 'expired' }).nth(1).waitFor()
  expect(await use()).toBe(401)
})
