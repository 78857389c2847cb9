import { createGreenhouse } from 'greenhouse-mock'
import { toCaseText } from 'greenhouse-mock'
import { expect } from 'vitest'
import { start } from '../support/test-api.ts'
import {
  click,
  go,
  goTo,
  hashOf,
  press,
  requestsOf,
  undo,
  countOf,
  copied,
  openFile,
} from './page.ts'
import { fillWorld, openPanel, requestOf, test } from './world.ts'

test('the traffic shows requests from before and under way, newest first, with what shaped them', async () => {
  const { page, send, world } = await openPanel('#/traffic', {
    before: (made) => made.fetch(requestOf('/plants?limit=3')),
  })
  await requestsOf(page).filter({ hasText: 'key_pro' }).waitFor()
  await send('/v1/apps', {
    key: 'key_free',
    headers: { 'x-greenhouse-scenario': 'rate-limited-plan' },
  })
  const rows = requestsOf(page)
  await expect.poll(() => rows.count()).toBe(2)
  const [newest, oldest] = await rows.allInnerTexts()
  for (const text of [
    '429',
    'GET',
    '/v1/apps',
    'minute quota of plan free spent',
    'key_free',
    'rate-limited-plan',
  ])
    expect(newest).toContain(text)
  for (const text of ['200', 'GET', '/plants?limit=3', 'plants.list', 'key_pro'])
    expect(oldest).toContain(text)
  const times = rows.locator('.traffic-row > :first-child time')
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
  await expect.poll(() => rows.count()).toBe(3)
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
  await expect.poll(() => rows.count()).toBe(1)
  for (const view of ['Time', 'Traffic'])
    await page.locator('.side-bar a', { hasText: view }).click()
  await resume.click()
  await expect.poll(() => rows.count()).toBe(6)
  await expect.poll(() => rows.first().innerText()).toContain('limit=6')
})

test('the filter of the traffic is in the address, survives a reload, and clears with one press', async () => {
  const { page } = await openPanel('#/traffic', { before: fillWorld })
  const rows = requestsOf(page)
  await expect.poll(() => rows.count()).toBe(7)
  await page.getByLabel('Status').selectOption('4xx')
  await page.getByLabel('Operation').selectOption('plants.create')
  await expect.poll(() => rows.count()).toBe(2)
  await page.keyboard.press('f')
  await page.keyboard.type('key_pro')
  await expect
    .poll(() => hashOf(page))
    .toMatch(/^#\/traffic\?status=4xx&operation=plants.create&search=key_pro/)
  await page.reload()
  await expect.poll(() => rows.count()).toBe(2)
  await expect.poll(() => page.getByLabel('Filter requests by text').inputValue()).toBe('key_pro')
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
    await expect
      .poll(() => countOf(page).innerText(), { message: query })
      .toBe(`${count} of 7 requests`)
    await expect.poll(() => rows.count(), { message: query }).toBe(count)
  }
  await click(page, 'Clear the filter')
  await expect.poll(() => rows.count()).toBe(7)
  await rows.filter({ hasText: '/plants?limit=3' }).click()
  await page.getByTitle('Show only this operation').click()
  await expect.poll(() => rows.count()).toBe(2)
  expect(hashOf(page)).toMatch(/^#\/traffic\/1\?operation=plants.list/)
})

test('the report lists failed rules first with requests and next tests, and keeps its filter', async () => {
  const { page, send } = await openPanel('#/traffic?tab=report', {
    greenhouse: { use: ['forbidden'] },
  })
  const rules = page.getByRole('table', { name: 'Rules' })
  const rows = rules.locator('tbody tr')
  await expect.poll(() => rules.innerText()).toContain('stops-on-bad-key')
  await expect.poll(() => rules.innerText()).not.toContain('failed')
  for (const _ of [1, 2]) await send('/plants')
  await expect.poll(() => rows.first().innerText()).toMatch(/failed\s+no-retry-of-4xx/)
  await expect
    .poll(() => page.getByRole('list', { name: 'Next tests' }).innerText())
    .toContain("world.use('expired-key')")
  const row = page
    .getByRole('table', { name: 'Operations' })
    .locator('tr', { hasText: 'plants.list' })
  await expect.poll(() => row.innerText()).toContain('2/3')
  await page.getByRole('combobox', { name: 'Result' }).selectOption('failed')
  await expect.poll(() => rows.count()).toBe(1)
  await page.reload()
  await expect.poll(() => rows.count()).toBe(1)
  await rows.first().getByRole('link').last().click()
  await expect.poll(() => hashOf(page)).toMatch(/^#\/traffic\/2\b/)
  await page.getByRole('complementary', { name: 'Request 2' }).waitFor()
})

const ofCheckout = { worlds: ['checkout'] }

test('base URLs and keys of each world can be copied, and keys are up to date', async () => {
  const { page, server, greenhouse } = await openPanel(
    '#/traffic?tab=connect&world=checkout',
    ofCheckout,
  )
  expect(await copied(page, 'key_free@checkout')).toBe('key_free@checkout')
  for (const [service, path] of [
    ['plant store', '/plants'],
    ['app management', '/apps'],
  ] as const) {
    const url = await copied(page, `the URL of the ${service}`)
    const response = await fetch(url + path, { headers: { authorization: 'Bearer key_pro' } })
    expect([url.startsWith(`${server.url}/~checkout`), response.status]).toEqual([true, 200])
  }
  const { journal, records, clock } = greenhouse.world('checkout')
  expect(journal.size).toBe(2)
  const row = (key: string) => page.getByRole('row', { name: `Copy ${key}@checkout` })
  await expect.poll(() => row('key_pro').innerText()).not.toContain('revoked')
  records.accounts.update('acct_pro', { plan: 'free' })
  records.keys.update('key_pro', { revoked: true })
  records.keys.update('key_lite', { expires_at: new Date(clock.now() + 60_000).toISOString() })
  await expect.poll(() => row('key_pro').innerText()).toMatch(/free.*revoked/s)
  await expect.poll(() => row('key_lite').innerText()).toContain('expires 20')
  clock.advance('1h')
  await expect.poll(() => row('key_lite').innerText()).toContain('expired 20')
  await go(page, '#/traffic?tab=connect&world=default')
  await expect.poll(() => page.getByText('/~').count()).toBe(0)
  expect(await copied(page, 'the URL of the app management')).toBe(`${server.url}/v1`)
})

test('the first steps send a request, spend the quota of a plan and refill it, with Undo', async () => {
  const { page, world } = await openPanel('#/traffic?tab=connect', {
    greenhouse: { use: ['rate-limited-plan:plan=pro,window=day'] },
  })
  const calls: string[] = []
  page.on('request', (request) => request.method() === 'POST' && calls.push(request.url()))
  const answered = (status: number) =>
    press(page, 'Send GET /v1/apps', `GET /v1/apps was answered with ${status}`)
  await answered(200)
  await press(page, 'Spend the quota of free', 'The quota of the plan free is spent')
  expect(calls).toHaveLength(1)
  await answered(429)
  await press(page, 'Advance the clock by a day', 'Advanced the clock by a day')
  expect(world.active).toMatchObject([
    { name: 'rate-limited-plan', plan: 'free', window: 'minute' },
  ])
  await undo(page, 'The quota of the plan free is spent')
  await page.getByText(/^Failed to undo: the clock.* changed since/).waitFor()
  await click(page, 'Go back anyway')
  await expect.poll(() => world.active).toMatchObject([{ plan: 'pro', window: 'day' }])
})

async function record() {
  const greenhouse = createGreenhouse({ now: '2026-03-01T12:00:30.000Z', frozen: true })
  await fillWorld(greenhouse)
  return toCaseText(greenhouse.world().toCase('A bad day'))
}

test('a file with a case is replayed in a new world, which the page shows', async () => {
  const { page, greenhouse, world } = await openPanel('#/traffic')
  await openFile(page, 'bad day.case.yaml', await record())
  await page.getByText(/Opened A bad day: \d+ requests, answered as recorded/).waitFor()
  const limited = greenhouse.world('bad-day').journal.calls({ operation: 'apps.list', status: 429 })
  expect(limited).toHaveLength(1)
  await page.locator('.traffic-list').getByText('minute quota of plan').first().waitFor()
  expect(page.url()).toContain('world=bad-day')
  expect(world.journal.size).toBe(0)
  await openFile(page, 'bad day.case.yaml', await record())
  await page.waitForURL(/world=bad-day-2/)
})
