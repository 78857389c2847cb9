import { expect } from 'vitest'
import { click, expectTexts, goTo, hashOf, openSent, requestsOf } from './page.ts'
import { requestOf } from './world.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'
import type { Page } from 'playwright-core'

/** The form of the composer. Its inputs have a word after their names where they may be empty. */
function composerOf(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Compose a request' })
  const input = (name: string) => dialog.getByLabel(new RegExp(`^${name}( optional)?$`))
  return { dialog, input, send: () => click(dialog, 'Send') }
}

const entryOf = (page: Page, id: number) => page.getByRole('complementary', { name: `Request ${id}` })

test('an operation is composed from its sample, described, sent as typed, and its entry opens', async () => {
  const { page, greenhouse, world } = await openPanel('#/traffic?world=checkout', { worlds: ['checkout'] })
  await click(page, 'Compose')
  const { dialog, input, send } = composerOf(page)
  expect(await input('Path').inputValue()).toBe('/plants')
  expect(await dialog.locator('datalist option[value="messages.create"]').count()).toBe(1)
  await input('Operation').fill('plants.crate')
  await dialog.getByText('There is no operation plants.crate').waitFor()
  await input('Operation').fill('plants.create')
  await input('Operation').press('Tab')
  await expect.poll(() => hashOf(page)).toContain('compose=plants.create')
  await dialog.getByLabel('About plants.create').getByText('The rate limit of the plan is exceeded').waitFor()
  expect(JSON.parse(await input('Body').inputValue())).toMatchObject({ name: 'Ficus' })
  await input('Body').fill('{"id": 9007199254740995, "name": "Ficus"}')
  await input('Key').fill('key_lite')
  await send()
  await entryOf(page, 1).locator('.badge', { hasText: '200' }).waitFor()
  expect(await dialog.count()).toBe(0)
  expect(greenhouse.world('checkout').journal.calls({ account: 'acct_lite' })).toHaveLength(1)
  expect(greenhouse.world('checkout').records.plants.get(9007199254740995n)?.name).toBe('Ficus')
  expect(world.journal.size).toBe(0)
  await click(page, 'Edit')
  await input('Body').fill('{"id": 1,')
  await send()
  await entryOf(page, 2).locator('.badge', { hasText: '400' }).waitFor()
})

test('a request is edited and sent to its world, and a lost reply is reported', async () => {
  const shop = { headers: { 'x-greenhouse-world': 'shop' } }
  const { page, greenhouse, world } = await openPanel('#/traffic?compose=1&world=shop', {
    before: (made) => made.fetch(requestOf('/nowhere', 'GET', shop)),
  })
  const { dialog, input, send } = composerOf(page)
  await input('Path').fill('/plants')
  await send()
  await entryOf(page, 2).waitFor()
  const calls = greenhouse.world('shop').journal.calls()
  expect(calls.map(({ response }) => response.status)).toEqual([404, 200])
  expect(world.journal.size).toBe(0)
  await goTo(page, '#/traffic?compose=conversations.get&world=default')
  await expect
    .poll(() => input('Path').inputValue())
    .toBe('/v1/apps/app_ei7hiu7oakwdf7nn/conversations/conv_b5balhth5ea67ksu')
  await input('Path').fill('/plants/{id}')
  await send()
  await dialog.getByText('The path needs a value for {id}.').waitFor()
  world.use('connection-reset')
  await input('Path').fill('/plants')
  await send()
  await expectTexts(page, 'Sent: the connection ended without a reply')
  await goTo(page, '#/traffic?status=cut')
  await requestsOf(page).first().waitFor()
  await goTo(page, '#/traffic?compose=nope')
  await dialog.getByText('There is no operation nope').waitFor()
})

test('an edited request begins as it was, with its key by name, and its new entry opens', async () => {
  const { page, world } = await openSent('/plants?tag=tree', {
    method: 'POST',
    body: '{"id":9007199254740993,"name":"Ficus"}',
    headers: { 'x-request-id': 'mine' },
  })
  await click(page, 'Edit')
  const { input, send } = composerOf(page)
  const texts = ['Operation', 'Method', 'Path', 'Key', 'Body'].map((name) => input(name).inputValue())
  const body = '{"id":9007199254740993,"name":"Ficus"}'
  expect(await Promise.all(texts)).toEqual(['plants.create', 'POST', '/plants?tag=tree', 'key_pro', body])
  const headers = await input('Headers').inputValue()
  expect(headers).toContain('x-request-id: mine')
  await input('Path').fill('/plants?tag=none')
  await input('Headers').fill(headers.replace('mine', 'yours'))
  await input('Body').fill('{"id":9007199254740995,"name":"Ficus"}')
  await send()
  await entryOf(page, 2).waitFor()
  const [first, sent] = world.journal.calls()
  const changed = { url: '/plants?tag=none', body: '{"id":9007199254740995,"name":"Ficus"}' }
  expect(sent!.request).toMatchObject({ method: 'POST', ...changed, headers: { 'x-request-id': 'yours' } })
  expect(sent!.request.headers['authorization']).toBe(first!.request.headers['authorization'])
})

test('a request is not sent while it lacks its key or can not be sent, and the form says why', async () => {
  const { page, world } = await openSent('/plants', { key: 'sk_0123456789abcdef' })
  await click(page, 'Edit')
  const { dialog, input, send } = composerOf(page)
  for (const [name, text, why] of [
    ['Method', 'GET', 'replace $KEY with yours'],
    ['Key', 'key_pro', ''],
    ['Headers', 'x-mine yes', 'Write “x-mine yes” as “name: value”.'],
    ['Headers', 'x-mine: yes', ''],
    ['Path', '//elsewhere.test/plants', 'Write a path such as'],
    ['Path', '/plants', ''],
    ['Body', '{}', 'GET/HEAD'],
    ['Body', '', ''],
  ] as const) {
    await input(name).fill(text)
    if (why === '') continue
    await send()
    await dialog.getByText(why).waitFor()
  }
  expect(world.journal.size).toBe(1)
  await send()
  await entryOf(page, 2).waitFor()
})

test('a request whose body the journal cut can not be edited', async () => {
  const body = JSON.stringify({ id: 1, name: 'x'.repeat(100_000) })
  const { page } = await openSent('/plants', { method: 'POST', body })
  await click(page, 'Edit')
  const { dialog, input } = composerOf(page)
  await dialog.getByText('The journal did not keep the whole request: what you edit would be another one.').waitFor()
  expect(await input('Path').count()).toBe(0)
})
