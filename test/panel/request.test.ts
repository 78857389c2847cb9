import { expect } from 'vitest'
import { click, goTo, hashOf, pressKeys, undo, composerOf, entryOf } from './page.ts'
import { fillWorld, openPanel, openSent, statusesOf, test } from './world.ts'

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
  await expect.poll(() => hashOf(page)).toMatch(/^#\/traffic\/1/)
  expect(await statusesOf(send, 'key_pro', 'key_pro', 'key_pro')).toEqual([503, 503, 200])
  await undo(page, 'is active')
  await expect.poll(() => world.scenarios.length).toBe(0)
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
