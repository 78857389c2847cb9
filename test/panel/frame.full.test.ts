import type { Locator } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { go, goTo, press, undo } from './page.ts'
import { findBarriers, openPanel, test } from './world.ts'
import { loadScenarios, watchFolders } from 'greenhouse-mock/node'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFolder } from '../support/folder.ts'

test('a key is expired in three clicks from a request, and a time is typed in words', async () => {
  const { page, send, world } = await openPanel('#/traffic')
  // Early, so that the page knows it when it reckons from now.
  world.clock.freeze()
  await send('/plants')
  await page.locator('.virtual-row').click()
  await page.locator('.detail-facts').getByRole('link', { name: 'key_pro' }).click()
  await page.getByRole('button', { name: 'Expire now' }).click()
  await expect.poll(async () => (await send('/plants')).status).toBe(401)
  await page.getByLabel('expires_at').fill('in 2d')
  await page.keyboard.press('Control+Enter')
  await expect
    .poll(() => world.records.keys.get('key_pro')?.expires_at)
    .toBe(new Date(world.clock.now() + 2 * 86_400_000).toISOString())
  expect((await send('/plants')).status).toBe(200)
})

test('the detail of the first scenario is at most 12 Tabs away', async () => {
  const { page } = await openPanel('#/scenarios')
  await page.locator('.scenario').first().waitFor()
  const isOnCard = () => page.evaluate(() => document.activeElement!.matches('.scenario-open'))
  let tabs = 0
  for (; tabs < 30 && !(await isOnCard()); tabs++) {
    await page.keyboard.press('Tab')
    // The second one skips to the list.
    if (tabs === 1) await page.keyboard.press('Enter')
  }
  await page.keyboard.press('Enter')
  await page.getByRole('complementary').waitFor()
  expect(tabs).toBeLessThanOrEqual(12)
})

test('the name of the view is in sight on a phone, and a cell leaves room for others', async () => {
  const { page } = await openPanel('#/time', { browser: { viewport: { width: 280, height: 700 } } })
  const link = page.locator('.side-bar [aria-current]')
  await link.waitFor()
  const edges = () => link.evaluate((one) => one.getBoundingClientRect().toJSON() as DOMRect)
  await expect.poll(async () => (await edges()).right).toBeLessThanOrEqual(281)
  expect((await edges()).left).toBeGreaterThanOrEqual(-1)
  await go(page, '#/data/plants')
  const widest = () =>
    page.locator('.data-cell').evaluateAll((all) => Math.max(...all.map((one) => one.clientWidth)))
  await expect.poll(widest).toBe(144)
})

test('in forced colours the open view and the chosen tab have other shapes', async () => {
  const { page } = await openPanel('#/scenarios', { browser: { forcedColors: 'active' } })
  const looks = (element: Locator) =>
    element.evaluate((one) => {
      const { textDecorationLine, outlineStyle } = getComputedStyle(one)
      return [textDecorationLine, outlineStyle].join()
    })
  const links = [page.locator('.view-head .tab'), page.locator('.side-bar a')]
  for (const [shown, other] of links.map(
    (all) => [all.and(page.locator('[aria-current]')), all.last()] as const,
  ))
    expect(await looks(shown)).not.toBe(await looks(other))
})

test("in front of a real service the panel names the mock's own data", async () => {
  const { page } = await openPanel('#/traffic?tab=connect', {
    greenhouse: { proxy: { plants: 'http://127.0.0.1:9', apps: 'http://127.0.0.1:9/v1' } },
  })
  await page.getByText('The service has keys of its own').waitFor()
  await expect.poll(() => page.locator('main').innerText()).not.toContain('key_pro')
  await goTo(page, '#/data/plants')
  await page.getByText(/records of the mock.*forwarded to http:\/\/127\.0\.0\.1:9 and/).waitFor()
  await goTo(page, '#/scenarios?search=empty-store')
  const why = 'Rejected here: its effect "records" needs the state of the mock'
  await expect.poll(() => page.locator('.scenario').first().innerText()).toContain(why)
  const rejected = page.getByRole('switch', { name: 'empty-store', disabled: true })
  await rejected.waitFor()
  await expect.poll(() => page.getByRole('switch', { disabled: false }).count()).toBe(0)
  await goTo(page, '#/scenarios/empty-store')
  await page.getByRole('complementary').getByText(why).waitFor()
  expect(await findBarriers(page)).toEqual([])
})

test('the focus is where it was as soon as the list of keys is gone', async () => {
  const { page } = await openPanel('#/traffic')
  const link = page.locator('.top-bar').getByRole('link', { name: 'Connect' })
  await link.focus()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  const watch = await page.evaluateHandle(() => {
    const gone = new Promise<string | null>((resolve) => {
      const observer = new MutationObserver(() => {
        if (document.querySelector('dialog')) return
        observer.disconnect()
        resolve(document.activeElement!.textContent)
      })
      observer.observe(document, { childList: true, subtree: true })
    })
    return { gone }
  })
  await page.keyboard.press('Escape')
  expect(await watch.evaluate(({ gone }) => gone)).toBe('Connect')
})

test('the page keeps its theme when it is loaded again', async () => {
  const { page } = await openPanel('#/time')
  const theme = () => page.evaluate(() => document.documentElement.style.colorScheme)
  await page.getByRole('button', { name: /switch to light/ }).click()
  await expect.poll(theme).toBe('light')
  await page.reload()
  await expect.poll(theme).toBe('light')
})

const sound = `title: Teapot
description: Every reply is a teapot.
covers: A status that nobody knows.
respond:
  - status: 418
`

test('the bar shows the clock as it runs, freezes and moves, even when code moves it', async () => {
  const { page, world } = await openPanel()
  const time = page.locator('.clock-time')
  const shown = async () =>
    Date.parse((await time.innerText()).replace(' UTC', 'Z').replace(' ', 'T'))
  // A page may take any time to open, and the clock runs meanwhile.
  await expect.poll(async () => Math.abs(world.clock.now() - (await shown()))).toBeLessThan(2_000)
  const first = await shown()
  await expect.poll(shown).toBeGreaterThan(first)
  await press(page, 'Freeze the clock', 'frozen')
  expect(world.clock.frozen).toBe(true)
  const frozen = world.clock.now()
  await page.getByRole('button', { name: '+1h: advance the clock by 1 hour' }).click()
  await expect.poll(async () => Math.abs(frozen + 3_600_000 - (await shown()))).toBeLessThan(1_000)
  world.clock.set('2031-01-02T03:04:05Z')
  await expect.poll(() => time.innerText()).toBe('2031-01-02 03:04:05 UTC')
  await page.getByRole('button', { name: 'Let the clock run' }).click()
  await expect.poll(() => world.clock.frozen).toBe(false)
})

test('the bar removes active scenarios singly or all at once, and restores them as they were', async () => {
  const { page, world } = await openPanel('#/traffic')
  world.use('rate-limited-plan', { window: 'day' })
  world.use('slow', { ms: 800 })
  world.use({ title: 'slow', respond: [{ on: 'apps.list', status: 500 }] })
  const before = world.active
  const active = page.getByRole('region', { name: 'Active scenarios' })
  await active.getByText('window=day', { exact: true }).waitFor()
  for (const [name, left] of [
    ['slow', ['rate-limited-plan', 'inline-slow']],
    ['“slow”', ['rate-limited-plan', 'slow']],
  ] as const) {
    await active.getByRole('button', { name: `Switch off ${name}` }).click()
    await expect.poll(() => world.scenarios).toEqual(left)
    await undo(page, `Switched off ${name}`)
    await expect.poll(() => world.active).toEqual(before)
  }
  await active.getByRole('button', { name: 'clear all' }).click()
  await expect.poll(() => world.scenarios).toEqual([])
  await expect.poll(() => active.count()).toBe(0)
  world.use('server-error')
  await active.getByText('server-error').waitFor()
})

test('every address names its world, and one of no view leads to the traffic', async () => {
  const { page } = await openPanel('', { worlds: ['checkout'] })
  const address = () => new URL(page.url()).hash
  await expect.poll(address).toBe('#/traffic?world=default')
  for (const [typed, present] of [
    ['#/nothing/1', '#/traffic?world=default'],
    ['#/nothing?world=checkout', '#/traffic?world=checkout'],
    ['#/data', '#/data?world=default'],
  ] as const) {
    await go(page, typed)
    await expect.poll(address).toBe(present)
  }
  const links = await page
    .locator('.side-bar a')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  expect(links).toEqual(
    ['traffic', 'scenarios', 'data', 'webhooks', 'time'].map((id) => `#/${id}?world=default`),
  )
})

test('a broken scenario file is named with position and problem above every view until repaired', async () => {
  const folder = writeFolder({ 'teapot.yaml': sound })
  const file = join(folder, 'teapot.yaml')
  const { page, greenhouse } = await openPanel('#/data', {
    greenhouse: { scenarios: loadScenarios(folder) },
  })
  const watching = watchFolders(greenhouse, { scenarios: folder })
  onTestFinished(() => watching.close())
  await page.locator('.clock-time').waitFor()
  writeFileSync(file, sound.replace('status: 418', 'status: 9'))
  const note = page.getByRole('alert').filter({ hasText: '1 problem in files' })
  await note.waitFor()
  await expect.poll(() => note.innerText()).toContain(`${file}:5:`)
  await expect.poll(() => note.innerText()).toContain('respond.0.status')
  expect(await findBarriers(page)).toEqual([])
  writeFileSync(file, sound)
  await note.waitFor({ state: 'detached' })
})

const views = [
  ['#/traffic', 'No requests yet', /Connect a client as below/],
  [
    '#/traffic?tab=connect',
    'No key can be shown',
    /Fixture files can have keys.*Data generates them/,
  ],
  ['#/scenarios?search=qqq', 'No scenario matches', /Show all/],
  ['#/scenarios/nope', 'There is no scenario “nope”', /--scenarios DIR/],
  ['#/data/plants', 'There are no plants yet', /Create some through the API.*Add to plants/],
  ['#/data/plants?search=x', 'No plants match the filter', /Clear the filter/],
  ['#/data/plants/1', 'This record does not exist', /Close/],
  ['#/data/nope', 'There is no collection “nope”', /Choose one from the list/],
  ['#/data?tab=snapshots', 'There are no snapshots yet', /Take one before you try something/],
  ['#/data/accounts', 'There are no accounts yet', /in fixture files, or here.*Add to accounts/],
  ['#/data/accounts/nobody', 'This record does not exist', /"nobody"/],
  ['#/data/keys', 'There are no keys yet', /Generate key/],
  ['#/webhooks/endpoints', 'No endpoints yet', /Create one: its URL is where/],
  ['#/webhooks', 'Nothing was delivered yet', /Trigger an event/],
  ['#/webhooks?status=failed', 'No delivery matches the filter', /Clear the filter/],
  ['#/time', 'Nothing is due', /Buy credits, or let a receiver/],
  [
    '#/scenarios?tab=assumptions&search=zzz',
    'No assumption matches',
    /All words of a search.*Show all/,
  ],
  [
    '#/traffic?world=nowhere',
    'There is no world “nowhere” yet',
    /The first request to it creates it.*nowhere/,
  ],
] as const

test('each view of an empty world says what to do next, and leads there', async () => {
  const { page, greenhouse } = await openPanel('', { greenhouse: { fixtures: {} } })
  for (const [place, title, next] of views) {
    await goTo(page, place)
    const state = page.locator('.state', { has: page.getByText(title, { exact: true }) })
    expect.soft((await state.innerText()).replaceAll(/\s+/g, ' '), place).toMatch(next)
  }
  expect(greenhouse.hasWorld('nowhere')).toBe(false)
  await press(page, 'Create nowhere', 'No requests yet')
  expect(greenhouse.hasWorld('nowhere')).toBe(true)

  await goTo(page, '#/scenarios/nothing?search=zzz')
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect.poll(() => page.locator('.scenario').count()).toBeGreaterThan(50)
})
