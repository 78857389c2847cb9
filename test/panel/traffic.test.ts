import { expect } from 'vitest'
import { start } from '../support/test-api.ts'
import { hashOf, requestsOf, goTo } from './page.ts'
import { requestOf, fillWorld } from './world.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'

test('the traffic shows a request once it is answered, newest first, with what shaped it', async () => {
  const { page, send, world } = await openPanel('#/traffic')
  await page.getByText('No requests yet').waitFor()
  await send('/plants?limit=3')
  await send('/v1/apps', { key: 'key_free', headers: { 'x-greenhouse-scenario': 'rate-limited-plan' } })
  const rows = requestsOf(page)
  await expect.poll(() => rows.count()).toBe(2)
  const [newest, oldest] = await rows.allInnerTexts()
  for (const text of ['429', 'GET', '/v1/apps', 'apps.list', 'key_free', 'rate-limited-plan'])
    expect(newest).toContain(text)
  for (const text of ['200', 'GET', '/plants?limit=3', 'plants.list', 'key_pro']) expect(oldest).toContain(text)
  const times = rows.locator('time')
  const [time] = await times.allInnerTexts()
  expect(time).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/)
  world.clock.advance('3d')
  await expect.poll(() => times.allInnerTexts()).toEqual(Array(2).fill(`${start.slice(5, 10)} ${time!.slice(0, 5)}`))
})

test('the traffic shows what was sent before the page opened, and a request under way', async () => {
  const { page, send, world } = await openPanel('#/traffic', {
    before: (made) => made.fetch(requestOf('/plants')),
  })
  const rows = requestsOf(page)
  await rows.filter({ hasText: 'key_pro' }).waitFor()
  world.clock.freeze()
  const answering = send('/v1/apps', { headers: { 'x-greenhouse-scenario': 'slow:ms=60000' } })
  await rows.filter({ hasText: 'pending' }).waitFor()
  world.clock.advance('1m')
  await answering
  await expect.poll(() => rows.filter({ hasText: 'pending' }).count()).toBe(0)
  expect(await rows.count()).toBe(2)
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
})

test('a pause of the traffic holds the list and loses nothing', async () => {
  const { page, send } = await openPanel('#/traffic')
  const rows = requestsOf(page)
  await send('/plants?limit=1')
  await rows.first().waitFor()
  await page.keyboard.press('p')
  for (let limit = 2; limit <= 6; limit++) await send(`/plants?limit=${limit}`)
  const resume = page.getByRole('button', { name: 'Resume, 5 new' })
  await resume.waitFor()
  expect(await rows.count()).toBe(1)
  await page.locator('.side-link', { hasText: 'Time' }).click()
  await page.locator('.side-link', { hasText: 'Traffic' }).click()
  await resume.click()
  await expect.poll(() => rows.count()).toBe(6)
  expect(await rows.first().innerText()).toContain('limit=6')
})

test('a pause of an empty list says so, and how it goes on', async () => {
  const { page, send } = await openPanel('#/traffic')
  await page.getByText('No requests yet').waitFor()
  await page.keyboard.press('p')
  await send('/plants')
  await page.getByText('The list is paused').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await requestsOf(page).first().waitFor()
})

test('requests that the journal dropped are counted only once the list has them no more', async () => {
  const { page, send } = await openPanel('#/traffic', { greenhouse: { journal: { entries: 3 } } })
  await page.getByText('No requests yet').waitFor()
  for (const limit of [1, 2, 3, 4, 5]) await send(`/plants?limit=${limit}`)
  await expect.poll(() => requestsOf(page).count()).toBe(5)
  const count = page.locator('.view-head [role=status]')
  expect(await count.innerText()).toBe('5 requests')
  await page.reload()
  await expect.poll(() => requestsOf(page).count()).toBe(3)
  await expect.poll(() => count.innerText()).toBe('3 requests, 2 older gone')
  await send('/plants?limit=6')
  await expect.poll(() => count.innerText()).toBe('4 requests, 2 older gone')
})

test('the filter of the traffic is in the URL and survives a reload', async () => {
  const { page } = await openPanel('#/traffic', { before: fillWorld })
  const rows = requestsOf(page)
  await expect.poll(() => rows.count()).toBe(7)
  await page.getByLabel('Status').selectOption('4xx')
  await expect.poll(() => rows.count()).toBe(5)
  await page.getByLabel('Operation').selectOption('plants.create')
  await expect.poll(() => rows.count()).toBe(2)
  await page.keyboard.press('/')
  await page.keyboard.type('key_pro')
  await expect.poll(() => hashOf(page)).toBe('#/traffic?status=4xx&operation=plants.create&search=key_pro')
  await page.reload()
  await expect.poll(() => rows.count()).toBe(2)
  expect(await page.getByLabel('Filter requests by text').inputValue()).toBe('key_pro')
  expect(await page.locator('.view-head [role=status]').innerText()).toBe('2 of 7 requests')
})

test('the filter leaves the requests that the URL asks for, with a button that clears it', async () => {
  const { page } = await openPanel('#/traffic', { before: fillWorld })
  for (const [query, count] of [
    ['errors=true', 6],
    ['scenario=*', 2],
    ['scenario=server-error', 1],
    ['violations=true', 3],
    ['status=404', 1],
    ['search=appz', 1],
    ['assumption=auth.scheme-case&status=5xx', 0],
  ] as const) {
    await goTo(page, `#/traffic?${query}`)
    await expect
      .poll(() => page.locator('.view-head [role=status]').innerText(), { message: query })
      .toBe(`${count} of 7 requests`)
    await expect.poll(() => requestsOf(page).count(), { message: query }).toBe(count)
  }
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await expect.poll(() => requestsOf(page).count()).toBe(7)
})

test('the filter goes to the operation of an open request with one press', async () => {
  const { page } = await openPanel('#/traffic/1', { before: fillWorld })
  await page.getByTitle('Show only this operation').click()
  await expect.poll(() => requestsOf(page).count()).toBe(2)
  expect(hashOf(page)).toBe('#/traffic/1?operation=plants.list')
})
