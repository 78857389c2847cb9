import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { click, enter, go, hashOf, undo, pressKeys, download } from './page.ts'
import { findBarriers, holdAnswers, openPanel, statusesOf, test } from './world.ts'

const teapot = {
  title: 'Teapot',
  description: 'Every reply is a teapot.',
  covers: 'A status that nobody knows.',
  respond: [{ status: 418, body: { stout: true } }],
}

/** What each tab says about how to switch `slow:ms=800,on=plants.*` on in the world shop. */
const howTos = {
  Header: `-H 'X-Greenhouse-Scenario: slow:ms=800,on=plants.*'`,
  CLI: `greenhouse-mock scenario use 'slow:ms=800,on=plants.*' --world shop --server`,
  Code: `const world = greenhouse.world('shop')\nworld.use('slow', { ms: 800, on: 'plants.*' })`,
  YAML: `use:\n  - "slow:ms=800,on=plants.*"`,
}

test('how to switch a scenario on has the options as they are in the inputs, and the token', async () => {
  const { page } = await openPanel('#/scenarios/slow?world=shop', {
    worlds: ['shop'],
    serve: { token: 'sesame' },
  })
  await enter(page.getByRole('dialog').getByLabel('Token'), 'sesame')
  await page.getByLabel('ms', { exact: true }).fill('800')
  const on = page.getByLabel('on', { exact: true })
  await on.fill('plants.*')
  const suggested = () =>
    on.evaluate((input: HTMLInputElement) =>
      Array.from(input.list?.options ?? [], (one) => one.value),
    )
  await expect.poll(suggested).toEqual(expect.arrayContaining(['*', 'plants.*', 'plants.list']))
  const code = page.locator('.scenario-how pre')
  for (const [name, text] of Object.entries(howTos)) {
    await page.getByRole('link', { name, exact: true }).click()
    await expect.poll(() => code.textContent()).toContain(text)
    if (name === 'CLI') expect(await code.textContent()).toContain('--token "$GREENHOUSE_TOKEN"')
  }
})

test('a scenario that MSW cannot produce is marked, and an added one appears with its path', async () => {
  const { page } = await openPanel('#/scenarios', { greenhouse: { scenarios: { teapot } } })
  const card = (name: string) =>
    page.locator('.scenario', { has: page.getByRole('switch', { name, exact: true }) })
  await card('teapot').waitFor()
  await expect.poll(() => card('connection-reset').getByText('not with MSW').count()).toBe(1)
  await expect.poll(() => card('network-error').getByText('not with MSW').count()).toBe(0)
  await expect.poll(() => card('teapot').getByText('from code').count()).toBe(1)
})

test('an inline scenario is a link neither in the bar nor at a request', async () => {
  const { page, send, world } = await openPanel('#/scenarios')
  world.useOnly(['slow:ms=1', { respond: [{ on: 'plants.list', status: 500 }] }])
  await send('/plants')
  const bar = page.locator('.active-bar')
  await bar.getByText('“inline-1”').waitFor()
  await expect.poll(() => bar.getByRole('link').allTextContents()).toEqual(['slow'])
  await go(page, '#/traffic/1')
  const why = page.getByLabel('Why this reply')
  await why.getByText('inline-1', { exact: false }).first().waitFor()
  await expect.poll(() => why.getByRole('link').allTextContents()).not.toContain('inline-1')
})

test('each use of a scenario that is on twice is shown, switched off and undone alone', async () => {
  const { page, world } = await openPanel('#/scenarios/slow')
  world.useOnly(['slow:ms=5,on=plants.*', 'server-error', 'slow:ms=7,on=apps.*'])
  const before = world.active
  const bar = page.locator('.active-bar li')
  await expect
    .poll(() => bar.allInnerTexts())
    .toMatchObject([/ms=5 on=plants/, /server-error/, /ms=7 on=apps/])
  await page.getByText('It is on 2 times').waitFor()
  const card = page.getByRole('switch', { name: 'slow', exact: true })
  for (const button of [bar.nth(2).getByRole('button'), bar.nth(0).getByRole('button'), card]) {
    await button.click()
    await expect
      .poll(() => world.scenarios.toSorted())
      .toEqual(['server-error', ...(button === card ? [] : ['slow'])])
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
  expect(await statusesOf(send, 'key_pro')).toEqual([500])
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
  expect(await statusesOf(send, 'key_pro', 'key_pro')).toEqual([500, 200])
})

test('the text of a new scenario survives another view and a reload until Discard', async () => {
  const { page } = await openPanel('#/scenarios?new=*')
  const yaml = page.getByLabel('YAML')
  await yaml.fill(
    'title: Mine\ndescription: D\ncovers: C\nrespond:\n  - status: 200\n    body: { id: 9007199254740993 }\n',
  )
  await page.getByText('No mistakes.').waitFor()
  const typed = await yaml.inputValue()
  await page.keyboard.press('Escape')
  await expect.poll(() => yaml.inputValue()).toBe(typed)
  await go(page, '#/time')
  await page.getByRole('heading', { name: 'Time' }).waitFor()
  await go(page, '#/scenarios?new=*')
  await expect.poll(() => yaml.inputValue()).toBe(typed)
  await page.reload()
  await expect.poll(() => yaml.inputValue()).toBe(typed)
  await click(page, 'Discard', 'New scenario')
  await expect.poll(() => yaml.inputValue()).toContain('title: My scenario')
})

test('an integer of 64 bits that is typed into a scenario is exact in its reply', async () => {
  const { page, send, world } = await openPanel('#/scenarios?new=*')
  const yaml = page.getByLabel('YAML')
  await yaml.fill(
    'title: Big\ndescription: D\ncovers: C\nrespond:\n  - status: 200\n    body: { id: 9007199254740993 }\n',
  )
  await page.getByText('No mistakes.').waitFor()
  await click(page, 'Try')
  await expect.poll(() => world.scenarios.length).toBe(1)
  expect(await (await send('/plants')).text()).toBe('{"id":9007199254740993}')
})

test('a new scenario is saved where a second server reads it, in a folder that is new, too', async () => {
  const folder = join(writeFolder({}), 'new')
  const { ready } = await startServe(['--scenarios', folder])
  const { page } = await openPanel('#/time')
  await page.goto(`${ready.plants_url}/__greenhouse/#/scenarios?new=*`)
  await page.getByText('No mistakes.').waitFor()
  const save = () => page.getByRole('button', { name: `Save in ${folder}` }).click()
  await page.getByLabel('Name').fill('slow')
  await save()
  await page
    .getByRole('dialog')
    .getByText('There is a scenario of that name already. Yours takes its place.')
    .waitFor()
  await click(page.getByRole('dialog'), 'Cancel')
  await page.getByLabel('Name').fill('second')
  await save()
  await page.getByRole('complementary', { name: 'Scenario second' }).waitFor()
  await page.getByRole('switch', { name: 'second', exact: true }).waitFor()
  expect(readFileSync(join(folder, 'second.yaml'), 'utf8')).toContain(
    'respond:\n  - on: plants.list\n    status: 503\n',
  )
  const second = await startServe(['--scenarios', folder, '--scenario', 'second'])
  expect((await second.call('/plants')).status).toBe(503)
})

const place = '#/scenarios?tab=assumptions'

test('assumptions are searched, link their requests, and say what holds them', async () => {
  const { page, send, world } = await openPanel(place, { greenhouse: { use: ['strict-service'] } })
  const rows = page.locator('.assumption')
  await rows.first().waitFor()
  const total = await rows.count()
  await click(page.locator('[id="assumption-plants.create.unknown-fields"]'), 'ignore')
  await page.getByText('An active scenario sets plants.create.unknown-fields to reject').waitFor()
  expect(world.assumptions['plants.create.unknown-fields']).toBe('reject')
  await page.keyboard.press('f')
  await page.keyboard.type('stated')
  await expect.poll(() => rows.count()).toBeLessThan(total)
  await page.keyboard.type(' zzz')
  await click(page, 'Show all')
  await expect.poll(() => rows.count()).toBe(total)
  await send('/plants')
  await page.getByRole('link', { name: 'Requests that depended on plants.list.order' }).click()
  await expect.poll(() => hashOf(page)).toContain('#/traffic?assumption=plants.list.order')
  await expect.poll(() => page.locator('.virtual-row').count()).toBe(1)
})

test('an assumption named by a URL is in sight', async () => {
  const { page } = await openPanel('#/scenarios?tab=assumptions&assumption=webhooks.timestamp')
  const row = page.locator('[id="assumption-webhooks.timestamp"]')
  await row.waitFor()
  await expect
    .poll(() => row.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight))
    .toBe(true)
})

test('a rejected option shows its message next to its input, and the active scenarios stay', async () => {
  const { page, world } = await openPanel('#/scenarios/slow')
  const input = page.getByLabel('ms', { exact: true })
  await input.fill('1.5s')
  await click(page, 'Switch on')
  const error = page.locator('.field-error')
  await expect
    .poll(() => error.allTextContents())
    .toEqual(['expected a whole number of milliseconds, 0 or more, received "1.5s".'])
  expect(await input.getAttribute('aria-invalid')).toBe('true')
  await expect
    .poll(() => input.evaluate((element) => element === document.activeElement))
    .toBe(true)
  expect(await input.getAttribute('aria-describedby')).toContain(await error.getAttribute('id'))
  expect(world.active).toEqual([])
  await enter(input, '5')
  await expect.poll(() => world.active).toEqual([{ name: 'slow', ms: 5, on: '*' }])
  await expect.poll(() => error.count()).toBe(0)
})

test('options apply on request, to the scenario in its position, once those in force are known', async () => {
  const answers = holdAnswers('**/__greenhouse/worlds/default/scenarios')
  const { page, world } = await openPanel('#/scenarios/rate-limited-plan', {
    greenhouse: { use: ['slow:ms=1', 'rate-limited-plan:plan=free', 'flaky'] },
    route: answers.hold,
  })
  const plan = page.getByLabel('plan', { exact: true })
  await page.locator('.split-detail [aria-busy]').waitFor()
  await expect.poll(() => plan.count()).toBe(0)
  answers.release()
  await plan.waitFor()
  await expect.poll(() => plan.inputValue()).toBe('free')
  await page.getByLabel('window', { exact: true }).selectOption('day')
  expect(world.active[1]).toMatchObject({ window: 'minute' })
  await click(page, 'Apply')
  await expect.poll(() => world.scenarios).toEqual(['slow', 'rate-limited-plan', 'flaky'])
  await expect.poll(() => world.active[1]).toMatchObject({ window: 'day', plan: 'free' })
})

test('a search finds what has all its words, and keys move in the list, which is one tab stop', async () => {
  const { page } = await openPanel('#/scenarios')
  const cards = page.locator('.scenario')
  await cards.first().waitFor()
  await page.keyboard.press('f')
  await page.keyboard.type('429 pagination')
  await expect.poll(() => cards.count()).toBe(1)
  await page.keyboard.press('Escape')
  await expect.poll(() => cards.count()).toBeGreaterThan(50)
  await expect.poll(() => page.locator('.scenario :is(a, button)[tabindex="0"]').count()).toBe(1)
  await pressKeys(page, 'Escape', 'j', 'j', 'x')
  await expect.poll(() => page.getByRole('switch', { checked: true }).count()).toBe(1)
  await page.keyboard.press('Enter')
  await page.getByRole('complementary').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('complementary').count()).toBe(0)
})

test('a new scenario is written as YAML with mistakes and completion, tried and downloaded', async () => {
  const { page, send, world } = await openPanel('#/scenarios')
  await click(page, 'New scenario')
  const yaml = page.getByLabel('YAML')
  const mistakes = page.getByLabel('Mistakes')
  const fitting = page.getByRole('group', { name: 'Words that fit' }).getByRole('button')
  await mistakes.getByText('No mistakes.').waitFor()
  await yaml.fill(
    'title: Lite is down\ndescription: D\ncovers: C\nrespond:\n  - on: plants.lst\n    status: 418\n',
  )
  await mistakes.getByText('Did you mean "plants.list"?').waitFor()
  await mistakes.getByText('Line 5, column 5').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Try' }).isDisabled()).toBe(true)

  await yaml.fill('title: Lite is down\ndescription: D\ncovers: C\nresp')
  await expect.poll(() => fitting.allInnerTexts()).toEqual(['respond'])
  await page.keyboard.press('Control+Space')
  await page.keyboard.type(':\n  - on: plants.l')
  await expect.poll(() => fitting.allInnerTexts()).toEqual(['plants.list'])
  await click(page, 'plants.list')
  await page.keyboard.type('\n    status: 418\n    times: 2\n    where:\n      pl')
  await expect.poll(() => fitting.allInnerTexts()).toEqual(['plan'])
  await page.keyboard.press('Control+Space')
  await page.keyboard.type(': ')
  await expect.poll(() => fitting.allInnerTexts()).toContain('free')
  await page.keyboard.type('any\n      account: acct_lite')
  await mistakes.getByText('No mistakes.').waitFor()
  await click(page, 'Try')
  await expect.poll(() => world.scenarios).toEqual(['inline-lite-is-down'])
  const keys = ['key_pro', 'key_lite', 'key_lite', 'key_lite']
  expect(await statusesOf(send, ...keys)).toEqual([200, 418, 418, 200])

  await page.getByText('start the server with --scenarios DIR').waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^Save/ }).count()).toBe(0)
  const { file, text } = await download(page, () => click(page, 'Download'))
  expect([file, text]).toEqual(['lite-is-down.yaml', await yaml.inputValue()])
})
