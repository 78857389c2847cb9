import { expect } from 'vitest'
import { start } from '../support/test-api.ts'
import { chooseItem, click, hashOf, press, requestsOf, goTo } from './page.ts'
import { requestOf, fillWorld } from './world.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'
import type { Locator, Page } from 'playwright-core'

const countOf = (page: Page) => page.locator('.view-head [role=status]')

test('the traffic shows requests from before and under way, newest first, with what shaped them', async () => {
  const { page, send, world } = await openPanel('#/traffic', {
    before: (made) => made.fetch(requestOf('/plants?limit=3')),
  })
  await requestsOf(page).filter({ hasText: 'key_pro' }).waitFor()
  await send('/v1/apps', { key: 'key_free', headers: { 'x-greenhouse-scenario': 'rate-limited-plan' } })
  const rows = requestsOf(page)
  await expect.poll(() => rows.count()).toBe(2)
  const [newest, oldest] = await rows.allInnerTexts()
  for (const text of ['429', 'GET', '/v1/apps', 'apps.list', 'key_free', 'rate-limited-plan'])
    expect(newest).toContain(text)
  for (const text of ['200', 'GET', '/plants?limit=3', 'plants.list', 'key_pro']) expect(oldest).toContain(text)
  const times = rows.locator('time')
  const shown = await times.allInnerTexts()
  expect(shown[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/)
  world.clock.advance('3d')
  const onAnotherDay = shown.map((time) => `${start.slice(5, 10)} ${time.slice(0, 5)}`)
  await expect.poll(() => times.allInnerTexts()).toEqual(onAnotherDay)
  world.clock.freeze()
  const answering = send('/v1/apps', { headers: { 'x-greenhouse-scenario': 'slow:ms=60000' } })
  await rows.filter({ hasText: 'pending' }).waitFor()
  world.clock.advance('1m')
  await answering
  await expect.poll(() => rows.filter({ hasText: 'pending' }).count()).toBe(0)
  expect(await rows.count()).toBe(3)
})

test('the traffic starts over when the journal does', async () => {
  const { page, send, world } = await openPanel('#/traffic')
  await send('/plants')
  const rows = requestsOf(page)
  await rows.first().waitFor()
  world.journal.clear()
  await page.getByText('No requests yet').waitFor()
  await send('/plants?limit=1')
  await expect.poll(() => rows.count()).toBe(1)
  await chooseItem(page, 'Open, save or clear the traffic', 'Clear the traffic')
  await press(page.getByRole('dialog', { name: 'Clear the traffic?' }), 'Clear', 'No requests yet')
  expect(world.journal.size).toBe(0)
})

test('a pause of the traffic holds the list, loses nothing, and says so where the list is empty', async () => {
  const { page, send } = await openPanel('#/traffic')
  const rows = requestsOf(page)
  await page.getByText('No requests yet').waitFor()
  await page.keyboard.press('p')
  await send('/plants?limit=1')
  await page.getByText('The list is paused').waitFor()
  await click(page, 'Resume, 1 new')
  await rows.first().waitFor()
  await click(page, /^Pause/)
  for (let limit = 2; limit <= 6; limit++) await send(`/plants?limit=${limit}`)
  const resume = page.getByRole('button', { name: 'Resume, 5 new' })
  await resume.waitFor()
  expect(await rows.count()).toBe(1)
  for (const view of ['Time', 'Traffic']) await page.locator('.side-bar a', { hasText: view }).click()
  await resume.click()
  await expect.poll(() => rows.count()).toBe(6)
  expect(await rows.first().innerText()).toContain('limit=6')
})

test('requests that the journal dropped say so, and are counted once the list has them no more', async () => {
  const { page, send } = await openPanel('#/traffic', { greenhouse: { journal: { entries: 3 } } })
  await page.getByText('No requests yet').waitFor()
  for (const limit of [1, 2, 3, 4, 5]) await send(`/plants?limit=${limit}`)
  await expect.poll(() => requestsOf(page).count()).toBe(5)
  const count = countOf(page)
  expect(await count.innerText()).toBe('5 requests')
  await requestsOf(page).last().click()
  await page.getByText('headers and bodies are gone').waitFor()
  expect(await page.getByRole('complementary').innerText()).toContain('/plants?limit=1')
  await page.reload()
  await expect.poll(() => requestsOf(page).count()).toBe(3)
  await expect.poll(() => count.innerText()).toBe('3 requests, 2 older gone')
  await send('/plants?limit=6')
  await expect.poll(() => count.innerText()).toBe('4 requests, 2 older gone')
})

test('the filter of the traffic is in the address, survives a reload, and clears with one press', async () => {
  const { page } = await openPanel('#/traffic', { before: fillWorld })
  const rows = requestsOf(page)
  await expect.poll(() => rows.count()).toBe(7)
  await page.getByLabel('Status').selectOption('4xx')
  await page.getByLabel('Operation').selectOption('plants.create')
  await expect.poll(() => rows.count()).toBe(2)
  await page.keyboard.press('/')
  await page.keyboard.type('key_pro')
  await expect.poll(() => hashOf(page)).toMatch(/^#\/traffic\?status=4xx&operation=plants.create&search=key_pro/)
  await page.reload()
  await expect.poll(() => rows.count()).toBe(2)
  expect(await page.getByLabel('Filter requests by text').inputValue()).toBe('key_pro')
  for (const [query, count] of [
    ['errors=true', 6],
    ['scenario=*', 2],
    ['scenario=server-error', 1],
    ['violations=true', 3],
    ['status=404', 1],
    ['status=cut', 0],
    ['search=appz', 1],
    ['assumption=auth.scheme-case&status=5xx', 0],
  ] as const) {
    await goTo(page, `#/traffic?${query}`)
    await expect.poll(() => countOf(page).innerText(), { message: query }).toBe(`${count} of 7 requests`)
    await expect.poll(() => rows.count(), { message: query }).toBe(count)
  }
  await click(page, 'Clear the filter')
  await expect.poll(() => rows.count()).toBe(7)
  await rows.filter({ hasText: '/plants?limit=3' }).click()
  await page.getByTitle('Show only this operation').click()
  await expect.poll(() => rows.count()).toBe(2)
  expect(hashOf(page)).toMatch(/^#\/traffic\/1\?operation=plants.list/)
})

const path = `/v1/apps?cursor=${'a'.repeat(200)}the-end`

test.each([
  ['at 1280×640', { width: 1280, height: 640 }],
  ['at 200 % zoom', { width: 640, height: 320 }],
])('five rows, then why the reply is what it is and the reply, are on the screen %s', async (_, viewport) => {
  const { page, send } = await openPanel('#/traffic', { browser: { viewport } })
  for (let limit = 1; limit <= 5; limit++) await send(`/plants?limit=${limit}`)
  await send(path)
  const isSeen = (element: Locator) =>
    element.evaluate((one) => {
      const { top, bottom } = one.getBoundingClientRect()
      return one.checkVisibility() && top >= 0 && bottom <= innerHeight
    })
  const isWhole = (element: Locator) => element.evaluate((one) => one.scrollWidth <= one.clientWidth)
  const rows = requestsOf(page)
  await expect.poll(() => rows.count()).toBe(6)
  expect(await isWhole(page.getByRole('navigation', { name: 'Parts of Traffic' }))).toBe(true)
  for (const row of (await rows.all()).slice(0, 5)) expect(await isSeen(row)).toBe(true)
  await rows.first().click()
  const detail = page.getByRole('complementary')
  const end = detail.getByTitle(path).getByText('the-end')
  expect([await isSeen(end), await isWhole(end)]).toEqual([true, true])
  for (const part of [detail.getByLabel('Why this reply'), detail.getByRole('heading', { name: 'Body' })])
    await expect.poll(() => isSeen(part)).toBe(true)
})

test('the report lists failed rules first with requests and next tests, and keeps its filter', async () => {
  const { page, send } = await openPanel('#/traffic?tab=report', { greenhouse: { use: ['forbidden'] } })
  const rules = page.getByRole('table', { name: 'Rules' })
  const rows = rules.locator('tbody tr')
  await expect.poll(() => rules.innerText()).toContain('stops-on-bad-key')
  expect(await rules.innerText()).not.toContain('failed')
  for (const _ of [1, 2]) await send('/plants')
  await expect.poll(() => rows.first().innerText()).toMatch(/failed\s+no-retry-of-4xx/)
  expect(await page.getByRole('list', { name: 'Next tests' }).innerText()).toContain("world.use('expired-key')")
  const row = page.getByRole('table', { name: 'Operations' }).locator('tr', { hasText: 'plants.list' })
  expect(await row.innerText()).toContain('2/3')
  await page.getByRole('combobox', { name: 'Result' }).selectOption('failed')
  await expect.poll(() => rows.count()).toBe(1)
  await page.reload()
  await expect.poll(() => rows.count()).toBe(1)
  await rows.first().getByRole('link').last().click()
  await expect.poll(() => hashOf(page)).toMatch(/^#\/traffic\/2\b/)
  await page.getByRole('complementary', { name: 'Request 2' }).waitFor()
})
