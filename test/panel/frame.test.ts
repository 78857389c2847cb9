import { loadScenarios, watchFolders } from 'greenhouse-mock/node'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { writeFolder } from '../support/folder.ts'
import { go, goTo, hashOf, press, pressKeys, undo } from './page.ts'
import { findBarriers, openPanel, test, fillWorld } from './world.ts'

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

const focusedName = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document
    return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
  })

async function tab(page: Page, times: number): Promise<string[]> {
  const names: string[] = []
  for (; times > 0; times--) {
    await page.keyboard.press('Tab')
    names.push(await focusedName(page))
  }
  return names
}

test('Tab reaches all of the frame, arrows move in groups, g and a letter open a view', async () => {
  const { page } = await openPanel('#/time')
  await page.getByRole('button', { name: 'Freeze the clock' }).waitFor()
  const ofPage = [
    'Skip to the view',
    'Skip to the list',
    'Greenhouse: traffic',
    'World',
    'Manage worlds',
  ]
  const ofWorld = [
    'Freeze the clock',
    'Connect',
    'Search /',
    'Keys ?',
    'System theme; switch to light',
  ]
  const ofViews = ['Traffic', 'Scenarios', 'Data', 'Webhooks', 'Time']
  expect(await tab(page, 15)).toEqual([...ofPage, ...ofWorld, ...ofViews])
  await page.keyboard.press('ArrowUp')
  expect(await focusedName(page)).toBe('Webhooks')
  await pressKeys(page, 'Home', 'Enter')
  await expect.poll(() => hashOf(page)).toBe('#/traffic')
  await pressKeys(page, 'g', 's')
  await expect.poll(() => hashOf(page)).toBe('#/scenarios')
  await page.locator('[data-filter]').waitFor()
  await page.keyboard.press('f')
  await page.keyboard.type('g i?')
  expect(hashOf(page)).toBe('#/scenarios?search=g+i%3F')
  await pressKeys(page, 'Escape', 'Escape', '?')
  await page.getByRole('dialog', { name: 'Keys' }).getByText('Go to Traffic').waitFor()
})

/** What one types into the search, its first answer, and what that leads to. */
const searches = [
  ['#1', 'Request no. 1', '#/traffic/1'],
  ['429', 'Requests with the status 429', '#/traffic?status=429'],
  ['/v1/apps', 'Requests to /v1/apps', '#/traffic?search=%2Fv1%2Fapps'],
  ['acct_pro', 'acct_pro in Accounts', '#/data/accounts/acct_pro'],
  ['webh', 'Webhooks', '#/webhooks'],
  ['fern pot', 'Requests with “fern pot”', '#/traffic?search=fern+pot'],
] as const

test('one search leads to requests, records, views, scenarios and times, the best answer first', async () => {
  const { page, world } = await openPanel('#/time', { before: fillWorld })
  // A key is heard once the page is drawn.
  await page.getByRole('heading', { name: 'Time', level: 1 }).waitFor()
  const dialog = page.getByRole('dialog', { name: 'Search' })
  const first = dialog.getByRole('listitem').first()
  const search = async (text: string, answer: string) => {
    await pressKeys(page, 'Control+k')
    await dialog.getByLabel('Search').fill(text)
    await expect.poll(() => first.innerText(), { message: text }).toContain(answer)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
  }
  for (const [text, answer, place] of searches) {
    await search(text, answer)
    await expect.poll(() => hashOf(page), { message: text }).toBe(place)
  }
  await search('expired-key', 'Switch expired-key on')
  await expect.poll(() => world.scenarios).toEqual(['expired-key'])
  world.clock.freeze()
  const before = world.clock.now()
  await search('30d', 'Advance the clock by 30d')
  await expect.poll(() => world.clock.now() - before).toBe(30 * 86_400_000)
  await page.keyboard.press('/')
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => dialog.count()).toBe(0)
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

const sound = `title: Teapot
description: Every reply is a teapot.
covers: A status that nobody knows.
respond:
  - status: 418
`

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
