import { replayCase } from 'greenhouse-mock'
import { loadCase } from 'greenhouse-mock/node'
import { join } from 'node:path'
import { expect } from 'vitest'
import { writeFolder } from '../support/folder.ts'
import {
  chooseItem,
  click,
  download,
  goTo,
  hashOf,
  pressKeys,
  requestsOf,
  undo,
  composerOf,
  entryOf,
} from './page.ts'
import { fillWorld, openPanel, openSent, requestOf, statusesOf, test } from './world.ts'

test('an open request says in one sentence why the reply is what it is, with links', async () => {
  const { page } = await openPanel('#/traffic', { before: fillWorld })
  const row = page.locator('.virtual-row', { hasText: 'limt=3' })
  await row.waitFor()
  const heads = await page.locator('.traffic-names span').allTextContents()
  expect(
    await page
      .locator('.traffic-names span')
      .last()
      .evaluate((one) => getComputedStyle(one).textAlign),
  ).toBe('right')
  const cells = await row.locator('.traffic-row > *').allTextContents()
  const under = (head: string) => cells[heads.indexOf(head)]
  expect([under('Slips'), under('Changed by')]).toEqual([
    expect.stringMatching(/1 slip$/),
    'rate-limited-plan',
  ])
  expect(under('Why')).toContain('minute quota of plan free spent: 60 of 60, refills in 1 min')

  await row.click()
  const why = page.getByLabel('Why this reply')
  await why.getByText('minute quota of plan free spent').waitFor()
  const text = await why.innerText()
  expect(text).toContain('by the scenario rate-limited-plan')
  expect(text).toContain('rate-limited-plan by its effect quota.0')
  expect(text).not.toContain('limt')
  await why.getByRole('link', { name: 'Quota of the plan' }).waitFor()
  await expect
    .poll(() => page.getByRole('region', { name: 'Slips' }).innerText())
    .toContain('"limt" is not a query parameter of this operation. Did you mean "limit"?')
  await page.getByRole('link', { name: /^Decisions/ }).click()
  await page.getByRole('link', { name: 'rate-limit.retry-after' }).waitFor()
  const decisions = page.getByRole('table', { name: 'Decisions' })
  await expect.poll(() => decisions.innerText()).toMatch(/yes\s+rate-limited-plan\s+quota\.0/)

  // A body is a tree with integers of 64 bits exact, or raw.
  await goTo(page, '#/traffic/3?face=request')
  const face = page.locator('.tab-panel')
  await face.getByText('9007199254740993', { exact: true }).waitFor()
  await click(face, 'Raw')
  await expect
    .poll(() => face.locator('pre').innerText())
    .toBe('{"id":9007199254740993,"name":"Ficus"}')

  await goTo(page, '#/traffic/6')
  await why
    .getByText('There is no path /v1/appz. Did you mean GET, POST /v1/apps?')
    .first()
    .waitFor()
  await expect.poll(() => why.innerText()).toMatch(/Similar\s+GET \/v1\/apps at another path/)
  await why.getByRole('link', { name: 'GET /v1/apps' }).click()
  const operation = composerOf(page).input('Operation')
  await expect.poll(() => operation.inputValue()).toBe('apps.list')
})

test('the next two calls are answered with 503 in three clicks, and Undo takes that back', async () => {
  const { page, send, world } = await openSent('/plants?limit=1')
  await click(page, 'Answer next')
  const form = page.getByRole('region', { name: 'Answer next' })
  await form.getByLabel('How often').click()
  await pressKeys(page, 'Control+a', '2')
  await form
    .getByText('Answers the next 2 calls to plants.list with 503.', { exact: true })
    .waitFor()
  await click(form, 'Answer')
  await expect.poll(() => world.scenarios).toEqual(['inline-plants-list-answers-503'])
  expect(hashOf(page)).toMatch(/^#\/traffic\/1/)
  expect(await statusesOf(send, 'key_pro', 'key_pro', 'key_pro')).toEqual([503, 503, 200])
  await undo(page, 'is active')
  await expect.poll(() => world.scenarios.length).toBe(0)
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

test('an operation is composed from its sample, sent as typed, and its entry opens', async () => {
  const { page, greenhouse, world } = await openPanel('#/traffic?world=checkout', {
    worlds: ['checkout'],
  })
  await click(page, 'Compose')
  const { dialog, input, send } = composerOf(page)
  await expect.poll(() => input('Path').inputValue()).toBe('/plants')
  await expect
    .poll(() => dialog.locator('datalist option[value="messages.create"]').count())
    .toBe(1)
  await input('Operation').fill('plants.crate')
  await dialog.getByText('There is no operation plants.crate').waitFor()
  await input('Operation').fill('plants.create')
  await input('Operation').press('Tab')
  await expect.poll(() => hashOf(page)).toContain('compose=plants.create')
  await expect.poll(() => input('Body').inputValue()).toContain('"Ficus"')
  await input('Body').fill('{"id": 9007199254740995, "name": "Ficus"}')
  await input('Key').fill('key_lite')
  await send()
  await entryOf(page, 1).locator('.badge', { hasText: '200' }).waitFor()
  await expect.poll(() => dialog.count()).toBe(0)
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
  await page.getByText('Sent: the connection ended without a reply').waitFor()
  await goTo(page, '#/traffic?status=cut')
  await requestsOf(page).first().waitFor()
  await goTo(page, '#/traffic?compose=nope')
  await dialog.getByText('There is no operation nope').waitFor()
})
