import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { hashOf, pressKeys } from './page.ts'
import { openPanel, test, fillWorld } from './world.ts'

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
  await expect.poll(() => hashOf(page)).toBe('#/scenarios?search=g+i%3F')
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
