import { expect } from 'vitest'
import { click, go, holdAnswers, undo } from './page.ts'
import type { Locator } from 'playwright-core'
import { findBarriers, openPanel, panelTest as test } from '../support/panel.ts'

const teapot = {
  title: 'Teapot',
  description: 'Every reply is a teapot.',
  covers: 'A status that nobody knows.',
  respond: [{ status: 418, body: { stout: true } }],
}

test('a scenario is switched on for acct_lite and 3 calls in six clicks or one line', async () => {
  const { page, send, world } = await openPanel('#/scenarios')
  const status = async (key?: string) => (await send('/plants', { key })).status
  const card = (checked: boolean) => page.getByRole('switch', { name: 'expired-key', exact: true, checked })
  await card(false).click()
  await card(true).waitFor()
  expect(await status()).toBe(401)
  await card(true).click()
  await card(false).waitFor()
  expect(await status()).toBe(200)

  // Two clicks choose in a select.
  let clicks = 2
  const press = (element: Locator) => (clicks++, element.click())
  await press(page.getByRole('link', { name: 'Expired key', exact: true }))
  await page.locator('option', { hasText: 'acct_lite' }).waitFor({ state: 'attached' })
  await page.getByLabel('account', { exact: true }).selectOption('acct_lite')
  await press(page.getByLabel('times', { exact: true }))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('3')
  await press(page.getByRole('button', { name: 'Switch on', exact: true }))
  expect(clicks).toBeLessThanOrEqual(6)
  const narrowed = 'expired-key:account=acct_lite,times=3'
  await expect.poll(() => world.scenario).toBe(narrowed)
  const statuses = []
  for (const key of ['key_lite', 'key_pro', 'key_lite', 'key_lite', 'key_lite']) statuses.push(await status(key))
  expect(statuses).toEqual([401, 200, 401, 401, 200])

  world.clear()
  const line = page.getByLabel('Switch on in one line')
  await line.fill('expired-key where acount=acct_lite')
  await line.press('Enter')
  await page.getByText('Did you mean "account"?').waitFor()
  await line.fill('expired-key where account=acct_lite times=3')
  await line.press('Enter')
  await expect.poll(() => world.scenario).toBe(narrowed)
  await expect.poll(() => line.inputValue()).toBe('')
})

test('a rejected option shows its message next to its input, and the active scenarios stay', async () => {
  const { page, world } = await openPanel('#/scenarios/slow')
  const input = page.getByLabel('ms', { exact: true })
  await input.fill('1.5s')
  await click(page, 'Switch on')
  const error = page.locator('.field-error')
  await expect
    .poll(() => error.allTextContents())
    .toEqual(['it takes a whole number of milliseconds, 0 or more; "1.5s" was given.'])
  expect(await input.getAttribute('aria-invalid')).toBe('true')
  await expect.poll(() => input.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await input.getAttribute('aria-describedby')).toContain(await error.getAttribute('id'))
  expect(world.active).toEqual([])
  await input.fill('5')
  await input.press('Enter')
  await expect.poll(() => world.active).toEqual([{ name: 'slow', ms: 5, on: '*' }])
  expect(await error.count()).toBe(0)
})

test('options apply on request, to the scenario in its position, once those in force are known', async () => {
  const answers = holdAnswers('**/__greenhouse/worlds/default/scenarios')
  const { page, world } = await openPanel('#/scenarios/rate-limited-plan', {
    greenhouse: { use: ['slow:ms=1', 'rate-limited-plan:plan=free', 'flaky'] },
    route: answers.hold,
  })
  const plan = page.getByLabel('plan', { exact: true })
  await page.locator('.split-detail [aria-busy]').waitFor()
  expect(await plan.count()).toBe(0)
  answers.release()
  await plan.waitFor()
  expect(await plan.inputValue()).toBe('free')
  await page.getByLabel('window', { exact: true }).selectOption('day')
  expect(world.active[1]).toMatchObject({ window: 'minute' })
  await click(page, 'Apply')
  await expect.poll(() => world.scenarios).toEqual(['slow', 'rate-limited-plan', 'flaky'])
  await expect.poll(() => world.active[1]).toMatchObject({ window: 'day', plan: 'free' })
})

/** What each tab says about how to switch `slow:ms=800,on=plants.*` on in the world shop. */
const howTos = {
  Header: `-H 'X-Greenhouse-Scenario: slow:ms=800,on=plants.*'`,
  CLI: `greenhouse scenario use 'slow:ms=800,on=plants.*' --world shop --server`,
  Code: `const world = greenhouse.world('shop')\nworld.use('slow', { ms: 800, on: 'plants.*' })`,
  YAML: `use:\n  - "slow:ms=800,on=plants.*"`,
  Client: `const world = greenhouse.world('shop')\nawait world.use('slow', { ms: 800, on: 'plants.*' })`,
  'Control API': `'{"active":["slow:ms=800,on=plants.*"]}'`,
}

test('how to switch a scenario on has the options as they are in the inputs, and the token', async () => {
  const { page } = await openPanel('#/scenarios/slow?world=shop', { worlds: ['shop'], serve: { token: 'sesame' } })
  await page.getByRole('dialog').getByLabel('Token').fill('sesame')
  await page.keyboard.press('Enter')
  await page.getByLabel('ms', { exact: true }).fill('800')
  const on = page.getByLabel('on', { exact: true })
  await on.fill('plants.*')
  const suggested = () =>
    on.evaluate((input: HTMLInputElement) => Array.from(input.list?.options ?? [], (one) => one.value))
  await expect.poll(suggested).toEqual(expect.arrayContaining(['*', 'plants.*', 'plants.list']))
  const code = page.locator('.scenario-how pre')
  for (const [name, text] of Object.entries(howTos)) {
    await page.getByRole('tab', { name, exact: true }).click()
    await expect.poll(() => code.textContent()).toContain(text)
    if (name === 'CLI') expect(await code.textContent()).toContain('--token "$GREENHOUSE_TOKEN"')
  }
  expect(await code.textContent()).toContain('-H "Authorization: Bearer $GREENHOUSE_TOKEN"')
})

test('a scenario that MSW cannot produce is marked, and an added one appears with its path', async () => {
  const { page } = await openPanel('#/scenarios', { greenhouse: { scenarios: { teapot } } })
  const card = (name: string) => page.locator('.scenario', { has: page.getByRole('switch', { name, exact: true }) })
  await card('teapot').waitFor()
  expect(await card('connection-reset').getByText('not with MSW').count()).toBe(1)
  expect(await card('network-error').getByText('not with MSW').count()).toBe(0)
  expect(await card('teapot').getByText('from code').count()).toBe(1)
  await click(page, 'Your own')
  await expect.poll(() => page.locator('.scenario').count()).toBe(1)
})

test('a search finds what has all its words, and keys move in the list, which is one tab stop', async () => {
  const { page } = await openPanel('#/scenarios')
  const cards = page.locator('.scenario')
  await cards.first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('429 pagination')
  await expect.poll(() => cards.count()).toBe(1)
  await page.keyboard.press('Escape')
  await expect.poll(() => cards.count()).toBeGreaterThan(50)
  expect(await page.locator('.scenario :is(a, button)[tabindex="0"]').count()).toBe(1)
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

test('an inline scenario is a link neither in the bar nor at a request', async () => {
  const { page, send, world } = await openPanel('#/scenarios')
  world.useOnly(['slow:ms=1', { respond: [{ on: 'plants.list', status: 500 }] }])
  await send('/plants')
  const bar = page.locator('.active-bar')
  await bar.getByText('“inline-1”').waitFor()
  expect(await bar.getByRole('link').allTextContents()).toEqual(['slow'])
  await go(page, '#/traffic/1')
  const why = page.getByLabel('Why this reply')
  await why.getByText('inline-1', { exact: false }).first().waitFor()
  expect(await why.getByRole('link').allTextContents()).not.toContain('inline-1')
})

test('each use of a scenario that is on twice is shown, switched off and undone alone', async () => {
  const { page, world } = await openPanel('#/scenarios/slow')
  world.useOnly(['slow:ms=5,on=plants.*', 'server-error', 'slow:ms=7,on=apps.*'])
  const before = world.active
  const bar = page.locator('.active-bar li')
  await expect.poll(() => bar.allInnerTexts()).toMatchObject([/ms=5 on=plants/, /server-error/, /ms=7 on=apps/])
  await page.getByText('It is on 2 times').waitFor()
  const card = page.getByRole('switch', { name: 'slow', exact: true })
  for (const button of [bar.nth(2).getByRole('button'), bar.nth(0).getByRole('button'), card]) {
    await button.click()
    await expect.poll(() => world.scenarios.toSorted()).toEqual(['server-error', ...(button === card ? [] : ['slow'])])
    await undo(page, 'Switched off slow')
    await expect.poll(() => world.active).toEqual(before)
    // The page acts on what it shows.
    await expect.poll(() => bar.count()).toBe(3)
  }
})

test('a half spent scenario stays so while others change, and a spent one is marked', async () => {
  const { page, send, world } = await openPanel('#/scenarios/slow', {
    greenhouse: { use: ['slow:ms=1', 'flaky:failures=3', 'clock-skew'] },
  })
  await page.getByText('No. 1 of 3 in use').waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect((await send('/plants')).status).toBe(500)
  world.use({ title: 'No apps today', respond: [{ on: 'apps.list', status: 500, times: 1 }] })
  expect((await send('/v1/apps')).status).toBe(500)
  const bar = page.getByRole('region', { name: 'Active scenarios' })
  await bar.getByRole('listitem').filter({ hasText: 'No apps' }).getByText('used up').waitFor()
  // Two changes overlap, and each is taken back alone.
  const answers = holdAnswers('**/__greenhouse/worlds/default')
  await answers.hold(page)
  await click(bar, 'Switch off “No apps today”')
  await page.getByRole('switch', { name: 'forbidden', exact: true }).click()
  await expect.poll(() => world.scenarios).toContain('forbidden')
  answers.release()
  await expect.poll(() => world.scenarios).toEqual(['slow', 'flaky', 'clock-skew', 'forbidden'])
  await undo(page, 'forbidden is active')
  await expect.poll(() => world.scenarios).toEqual(['slow', 'flaky', 'clock-skew'])
  await page.getByLabel('ms', { exact: true }).fill('2')
  await click(page, 'Apply')
  // The page has read it too: nothing moves under the next click.
  await page.getByText('slow is active').waitFor()
  expect(world.active[0]).toMatchObject({ name: 'slow', ms: 2 })
  expect([(await send('/plants')).status, (await send('/plants')).status]).toEqual([500, 200])
})
