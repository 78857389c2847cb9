import { expect } from 'vitest'
import {
  click,
  copyAs,
  goTo,
  hashOf,
  pressKeys,
  requestsOf,
  composerOf,
  entryOf,
  chooseItem,
  download,
} from './page.ts'
import { fillWorld, openPanel, openSent, test, requestOf } from './world.ts'
import { replayCase } from 'greenhouse-mock'
import { loadCase } from 'greenhouse-mock/node'
import { join } from 'node:path'
import { writeFolder } from '../support/folder.ts'

test('a request opens and closes by keys, which move an open one, and gives the focus back', async () => {
  const { page } = await openPanel('#/traffic', { before: fillWorld })
  await page.locator('.virtual-row').first().waitFor()
  await pressKeys(page, 'j', 'j', 'Enter')
  await page.getByRole('complementary', { name: 'Request 6' }).waitFor()
  await pressKeys(page, 'k')
  await page.getByRole('complementary', { name: 'Request 7' }).waitFor()
  await pressKeys(page, 'ArrowDown', 'ArrowDown')
  await page.getByRole('complementary', { name: 'Request 5' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('complementary').count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('listbox')
})

test('a request shows as it comes, and bodies that the journal cut as cut, in a copy too', async () => {
  const { page, send } = await openPanel('#/traffic/1?face=request', {
    before: (made) => {
      for (let id = 1; id <= 400; id++)
        made
          .world()
          .records.plants.create({ id: 50_000 + id, name: 'Fern '.repeat(40), account: 'acct_pro' })
    },
  })
  // The request is yet to come.
  const detail = page.getByRole('complementary', { name: 'Request 1' })
  const isAbsent = detail.getByText('It is not there')
  await isAbsent.waitFor()
  await expect.poll(() => detail.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  await send('/plants', {
    method: 'POST',
    body: JSON.stringify({ id: 7, name: 'x'.repeat(70_000) }),
  })
  const note = page.getByText('The body was longer: the journal keeps its first 64 KiB')
  await note.waitFor()
  await isAbsent.waitFor({ state: 'detached' })
  await detail.locator('.detail-facts').getByText('key_pro').waitFor()
  expect(await copyAs(page, 'curl', 'The journal kept only the beginning of the body')).toMatch(
    /^curl /,
  )
  await page.getByRole('link', { name: 'Reply', exact: true }).click()
  await note.waitFor({ state: 'detached' })
  await send('/plants?limit=400')
  await goTo(page, '#/traffic/2')
  await note.waitFor()
})

test('an answer has a body, a delay and callers of its own, and is the same as YAML and as code', async () => {
  const { page, send, world } = await openSent('/plants?limit=1')
  await click(page, 'Answer next')
  const form = page.getByRole('region', { name: 'Answer next' })
  const input = (name: string) => form.getByLabel(new RegExp(`^${name}( optional)?$`))
  await input('Status').fill('200')
  await input('Delay').fill('1s')
  await input('Body').fill('[{"id":9007199254740993,"name":"Fern"}]')
  await input('How often').fill('')
  await input('For whom').selectOption('the key key_pro')
  await form
    .getByText('Answers each call to plants.list of the key key_pro with 200 after 1s.', {
      exact: true,
    })
    .waitFor()
  await form.getByText('The same as a scenario, and in a test').click()
  await form.locator('pre').nth(1).waitFor()
  const [yaml, code] = await form.locator('pre').allTextContents()
  expect(yaml).toContain(
    '  - status: 200\n    body: [{ id: 9007199254740993, name: Fern }]\n    on: plants.list\n',
  )
  expect(code).toContain("where: { key: 'key_pro' }")
  world.clock.freeze()
  await click(form, 'Answer')
  await expect.poll(() => world.scenarios.length).toBe(1)
  expect((await send('/plants', { key: 'key_free' })).status).toBe(200)
  const answering = send('/plants')
  await expect.poll(() => world.journal.size).toBe(3)
  world.clock.advance('1s')
  expect(await (await answering).text()).toBe('[{"id":9007199254740993,"name":"Fern"}]')

  // As YAML, it is the draft of a new scenario.
  await click(page, 'Answer next')
  await input('Status').fill('418')
  await click(form, 'Edit as YAML')
  await expect.poll(() => page.getByLabel('YAML').inputValue()).toContain('status: 418')
  await page.getByText('No mistakes.').waitFor()
})

test.each([
  ['Missing', 'missing', [{ tag: 'herb' }]],
  ['null', 'null', [{ name: null, tag: 'herb' }]],
  ['Another type', 'wrong-type', [{ name: 42, tag: 'herb' }]],
])('a value of a reply is made %s in two clicks', async (title, _, expected) => {
  const { page, send, world } = await openSent('/plants?limit=1')
  await page.getByRole('button', { name: '"Lavandula angustifolia"' }).click()
  await click(page, title)
  await expect.poll(() => world.scenarios.length).toBe(1)
  const changed = (await (await send('/plants?limit=1')).json()) as { name?: unknown }[]
  if (title === 'Another type') expect(typeof changed[0]!.name).not.toBe('string')
  else expect(changed).toEqual(expected)
})

test('several headers of one name are compared, and times in a path stay as they were sent', async () => {
  const { page, send, world } = await openPanel('#/traffic')
  await send('/plants', { headers: { 'x-greenhouse-scenario': 'server-error' } })
  world.use({
    respond: [
      { on: 'plants.list', status: 200, headers: { 'Set-Cookie': ['a=1', 'b=2'] }, times: 1 },
    ],
  })
  await send('/plants')
  await send('/v1/2026-99-99T99:99:99Z')
  await send('/v1/2026-01-31T12:00:00Z')
  const reasons = page.locator('.traffic-why', { hasText: 'There is no path' })
  await expect
    .poll(() => reasons.allInnerTexts())
    .toMatchObject([/2026-01-31T12:00:00Z/, /2026-99-99T99:99:99Z/])
  await goTo(page, '#/traffic/1?with=2')
  const differences = page.getByRole('table', { name: 'Differences' })
  await expect.poll(() => differences.innerText()).toMatch(/set-cookie\tabsent\ta=fp_\w+,b=fp_\w+/)
})

test('a row opens in a new tab, as links do', async () => {
  const { page } = await openPanel('#/traffic', { before: fillWorld })
  const row = requestsOf(page).filter({ hasText: 'limt=3' })
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    row.click({ modifiers: ['ControlOrMeta'] }),
  ])
  await opened.getByRole('complementary', { name: 'Request 2' }).waitFor()
  expect(hashOf(page)).toBe('#/traffic')
})

test('an edited request begins as it was, with its key by name, and its new entry opens', async () => {
  const { page, world } = await openSent('/plants?tag=tree', {
    method: 'POST',
    body: '{"id":9007199254740993,"name":"Ficus"}',
    headers: { 'x-request-id': 'mine' },
  })
  await click(page, 'Edit')
  const { input, send } = composerOf(page)
  const texts = ['Operation', 'Method', 'Path', 'Key', 'Body'].map((name) =>
    input(name).inputValue(),
  )
  const body = '{"id":9007199254740993,"name":"Ficus"}'
  expect(await Promise.all(texts)).toEqual([
    'plants.create',
    'POST',
    '/plants?tag=tree',
    'key_pro',
    body,
  ])
  const headers = await input('Headers').inputValue()
  expect(headers).toContain('x-request-id: mine')
  await input('Path').fill('/plants?tag=none')
  await input('Headers').fill(headers.replace('mine', 'yours'))
  await input('Body').fill('{"id":9007199254740995,"name":"Ficus"}')
  await send()
  await entryOf(page, 2).waitFor()
  const [first, sent] = world.journal.calls()
  const changed = { url: '/plants?tag=none', body: '{"id":9007199254740995,"name":"Ficus"}' }
  expect(sent!.request).toMatchObject({
    method: 'POST',
    ...changed,
    headers: { 'x-request-id': 'yours' },
  })
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
  await dialog
    .getByText('The journal did not keep the whole request: what you edit would be another one.')
    .waitFor()
  await expect.poll(() => input('Path').count()).toBe(0)
})

test('two requests are compared in three clicks: differences and equal parts', async () => {
  const { page, send } = await openPanel('#/traffic')
  await send('/plants?limit=1')
  await send('/plants?limit=2', { key: 'key_revoked' })
  const rows = requestsOf(page)
  await rows.filter({ hasText: 'limit=2' }).click()
  await click(page, 'Compare')
  await page.getByText('Choose the request to compare with').waitFor()
  await rows.filter({ hasText: 'limit=1' }).click()
  const detail = page.getByRole('complementary', { name: 'Requests 2 and 1' })
  const differences = detail.getByRole('table', { name: 'Differences' })
  const cells = differences.locator('tr', { hasText: 'status' }).locator('td')
  await expect.poll(() => cells.allTextContents()).toEqual(['status', '401', '200'])
  await expect.poll(() => differences.innerText()).toContain('/plants?limit=2')
  await detail.getByText('equal parts').click()
  await expect
    .poll(() => detail.getByRole('table', { name: 'Equal parts' }).innerText())
    .toContain('method')
  await page.keyboard.press('Escape')
  await rows.filter({ hasText: 'limit=2' }).click()
  await rows.filter({ hasText: 'limit=1' }).click({ modifiers: ['Shift'] })
  await detail.waitFor()
  // Another row ends the comparison; the form for answers belongs to its request, too.
  await rows.filter({ hasText: 'limit=1' }).click()
  await page.getByRole('complementary', { name: 'Request 1' }).waitFor()
  await click(page, 'Answer next')
  await rows.filter({ hasText: 'limit=2' }).click()
  await page.getByRole('complementary', { name: 'Request 2' }).waitFor()
  await expect.poll(() => page.getByRole('region', { name: 'Answer next' }).count()).toBe(0)
})

test('a request is saved as a new scenario, or as a case with all earlier requests', async () => {
  const { page } = await openPanel('#/traffic/3', { before: fillWorld })
  const saved = await download(page, () => chooseItem(page, 'Save the request', 'Save as a case'))
  expect(saved.file).toBe('default.case.json')
  const replayed = await replayCase(
    loadCase(join(writeFolder({ [saved.file]: saved.text }), saved.file)),
  )
  expect([replayed.requests, replayed.differences]).toEqual([3, []])
  replayed.greenhouse.close()
  await chooseItem(page, 'Save the request', 'Save as scenario')
  await page.getByText('No mistakes.').waitFor()
  const { file, text } = await download(page, () => click(page, 'Download'))
  expect([file, text]).toEqual([
    'plants-create-400.yaml',
    expect.stringContaining('exists already'),
  ])
  const yaml = page.getByLabel('YAML')
  await yaml.fill(text.replace('exists already', 'is taken'))
  await page.reload()
  await expect.poll(() => yaml.inputValue()).toContain('is taken')
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
  await page.getByText('Sent: the connection ended without a reply').waitFor()
  await goTo(page, '#/traffic?status=cut')
  await requestsOf(page).first().waitFor()
  await goTo(page, '#/traffic?compose=nope')
  await dialog.getByText('There is no operation nope').waitFor()
})
