import { expect } from 'vitest'
import { go, holdAnswers } from './page.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'

const own = {
  title: 'Teapot',
  description: 'Every reply is a teapot.',
  covers: 'A status that nobody knows.',
  respond: [{ status: 418, body: { stout: true } }],
}

test('expired-key is switched on, and another page gets 401 at once', async () => {
  const { page, server } = await openPanel('#/scenarios')
  const other = await page.context().newPage()
  await other.goto(`${server.url}/__greenhouse/`)
  const status = () =>
    other.evaluate(async () => {
      const response = await fetch('/plants', { headers: { authorization: 'Bearer key_pro' } })
      return response.status
    })
  expect(await status()).toBe(200)
  await page.getByRole('switch', { name: 'expired-key' }).click()
  await page.getByRole('link', { name: 'expired-key' }).waitFor()
  expect(await status()).toBe(401)
  await page.getByRole('switch', { name: 'expired-key', checked: true }).click()
  await expect.poll(() => page.getByRole('switch', { name: 'expired-key', checked: false }).count()).toBe(1)
  expect(await status()).toBe(200)
})

test('a rejected option shows its message next to its input, and the active scenarios stay', async () => {
  const { page, world } = await openPanel('#/scenarios/slow')
  const input = page.getByLabel('ms', { exact: true })
  await input.fill('1.5s')
  await page.getByRole('button', { name: 'Switch on', exact: true }).click()
  await expect
    .poll(() => page.locator('.field-error').allTextContents())
    .toEqual(['it takes a whole number of milliseconds, 0 or more; "1.5s" was given.'])
  expect(await input.getAttribute('aria-invalid')).toBe('true')
  expect(await input.evaluate((element) => element === document.activeElement)).toBe(true)
  const described = await input.getAttribute('aria-describedby')
  expect(described).toContain(await page.locator('.field-error').getAttribute('id'))
  expect(world.active).toEqual([])

  await input.fill('5')
  await input.press('Enter')
  await expect.poll(() => world.active).toEqual([{ name: 'slow', ms: 5, on: '*' }])
  expect(await page.locator('.field-error').count()).toBe(0)
})

test('options of an active scenario apply on request, and a reload keeps the inputs', async () => {
  const { page, world } = await openPanel('#/scenarios/rate-limited-plan', {
    greenhouse: { use: ['slow:ms=1', 'rate-limited-plan:plan=free', 'flaky'] },
  })
  await page.getByLabel('window').selectOption('day')
  await page.reload()
  expect(await page.getByLabel('window').inputValue()).toBe('day')
  expect(await page.getByLabel('plan', { exact: true }).inputValue()).toBe('free')
  expect(world.active[1]).toMatchObject({ window: 'minute' })
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(() => world.active.map(({ name }) => name)).toEqual(['slow', 'rate-limited-plan', 'flaky'])
  await expect.poll(() => world.active[1]).toMatchObject({ window: 'day', plan: 'free' })
  await expect.poll(() => page.url()).not.toContain('option.')
})

test('no option can be changed before the panel knows which are in force', async () => {
  const answers = holdAnswers('**/__greenhouse/worlds/default/scenarios')
  const { page } = await openPanel('#/scenarios/rate-limited-plan', {
    greenhouse: { use: ['rate-limited-plan:plan=free'] },
    route: answers.hold,
  })
  await page.locator('.scenario-detail [aria-busy]').waitFor()
  expect(await page.getByLabel('plan', { exact: true }).count()).toBe(0)
  answers.release()
  await page.getByLabel('plan', { exact: true }).waitFor()
  expect(await page.getByLabel('plan', { exact: true }).inputValue()).toBe('free')
})

test('an option suggests what the server has, and keeps an unknown value of a link', async () => {
  const { page } = await openPanel('#/scenarios/slow')
  const suggested = () =>
    page
      .getByLabel('on', { exact: true })
      .evaluate((input: HTMLInputElement) => Array.from(input.list?.options ?? [], ({ value }) => value))
  await expect.poll(suggested).toEqual(expect.arrayContaining(['*', 'plants.*', 'plants.list']))
  await go(page, '#/scenarios/rate-limited-plan?option.window=week')
  await expect.poll(() => page.getByLabel('window', { exact: true }).inputValue()).toBe('week')
})

test('how to switch a scenario on has the options as they are in the inputs', async () => {
  const { page } = await openPanel('#/scenarios/slow?world=shop', { worlds: ['shop'] })
  await page.getByLabel('ms', { exact: true }).fill('800')
  await page.getByLabel('on', { exact: true }).fill('plants.*')
  const code = page.locator('.scenario-how pre')
  await expect.poll(() => code.textContent()).toContain(`-H 'X-Greenhouse-Scenario: slow:ms=800,on=plants.*'`)
  await page.getByRole('tab', { name: 'CLI' }).click()
  await expect.poll(() => code.textContent()).toContain(`--scenario 'slow:ms=800,on=plants.*'`)
  await page.getByRole('tab', { name: 'Code' }).click()
  expect(await code.textContent()).toBe(
    `const world = greenhouse.world('shop')\nworld.use('slow', { ms: 800, on: 'plants.*' })`,
  )
})

test('a scenario that MSW cannot produce is marked, and an added one appears with its path', async () => {
  const { page } = await openPanel('#/scenarios', { greenhouse: { scenarios: { teapot: own } } })
  const card = (name: string) => page.locator('.scenario', { has: page.getByRole('switch', { name, exact: true }) })
  await card('teapot').waitFor()
  expect(await card('connection-reset').getByText('not with MSW').count()).toBe(1)
  expect(await card('network-error').getByText('not with MSW').count()).toBe(0)
  expect(await card('teapot').getByText('from code').count()).toBe(1)
  await page.getByRole('button', { name: 'Your own' }).click()
  await expect.poll(() => page.locator('.scenario').count()).toBe(1)
})

test('a search of scenarios finds what has all its words, by keys', async () => {
  const { page } = await openPanel('#/scenarios')
  await page.locator('.scenario').first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('429 pagination')
  await expect.poll(() => page.locator('.scenario').count()).toBe(1)
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('.scenario').count()).toBeGreaterThan(50)
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await expect.poll(() => page.getByRole('switch', { checked: true }).count()).toBe(1)
  await page.keyboard.press('Enter')
  await page.getByRole('complementary').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('complementary').count()).toBe(0)
})

test('an inline scenario is a link neither in the order nor at a request', async () => {
  const { page, send, world } = await openPanel('#/scenarios')
  world.useOnly(['slow:ms=1', { respond: [{ on: 'plants.list', status: 500 }] }])
  await send('/plants')
  const order = page.locator('.scenarios-order')
  await order.getByText('“inline-1”').waitFor()
  expect(await order.getByRole('link').allTextContents()).toEqual(['slow'])
  await go(page, '#/traffic/1')
  const why = page.getByLabel('Why this reply')
  await why.getByText('inline-1', { exact: false }).first().waitFor()
  expect(await why.getByRole('link').allTextContents()).not.toContain('inline-1')
})

test('how to switch a scenario on in a server with a token has the token', async () => {
  const { page } = await openPanel('#/scenarios/slow?how=http', { serve: { token: 'sesame' } })
  await page.getByRole('dialog').getByLabel('Token').fill('sesame')
  await page.keyboard.press('Enter')
  const code = page.locator('.scenario-how pre')
  await expect.poll(() => code.textContent()).toContain('-H "Authorization: Bearer $GREENHOUSE_TOKEN"')
  await page.getByRole('tab', { name: 'CLI' }).click()
  await expect.poll(() => code.textContent()).toContain('--token "$GREENHOUSE_TOKEN"')
})

test('each use of a scenario that is on twice is shown, changed, switched off and undone alone', async () => {
  const { page, world } = await openPanel('#/scenarios/slow')
  world.useOnly(['slow:ms=5,on=plants.*', 'server-error', 'slow:ms=7,on=apps.*'])
  const before = world.active
  const order = page.locator('.scenarios-order li')
  await expect.poll(() => order.allInnerTexts()).toMatchObject([/ms=5 on=plants/, /server-error/, /ms=7 on=apps/])
  const undo = () => page.getByRole('button', { name: 'Undo' }).last().click()
  for (const press of [
    () => page.locator('.active-bar li').nth(2).getByRole('button').click(),
    () => order.nth(0).getByRole('button', { name: 'Switch off' }).click(),
  ]) {
    await press()
    await expect.poll(() => world.scenarios.toSorted()).toEqual(['server-error', 'slow'])
    await undo()
    await expect.poll(() => world.active).toEqual(before)
  }
  await page.getByRole('button', { name: 'clear all' }).click()
  await expect.poll(() => world.active).toEqual([])
  await undo()
  await expect.poll(() => world.active).toEqual(before)

  await page.getByText('It is on 2 times').waitFor()
  await page.getByLabel('ms', { exact: true }).fill('9')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(() => world.active).toMatchObject([{ ms: 9 }, {}, { ms: 7 }])
  await order.nth(2).getByRole('button', { name: /up$/ }).click()
  await expect.poll(() => world.active).toMatchObject([{ ms: 9 }, { ms: 7 }, { name: 'server-error' }])
})
