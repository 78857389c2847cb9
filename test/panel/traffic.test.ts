import { expect } from 'vitest'
import { start } from '../support/test-api.ts'
import { click, goTo, hashOf, press, requestsOf, undo, countOf } from './page.ts'
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
  await send('/plants', { key: 'key_expired' })
  await rows.filter({ hasText: /key_expired expired \d+ d ago/ }).waitFor()
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
  await expect.poll(() => hashOf(page)).toMatch(/^#\/traffic\/1\?operation=plants.list/)
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
