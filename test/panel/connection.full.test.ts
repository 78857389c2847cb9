import { expect } from 'vitest'
import { click, go, requestsOf, holdAnswers, stopServer, serveAgain } from './page.ts'
import { fillWorld } from './world.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'

test('a server with no room for another page shows what is open, and that it is not live', async () => {
  const { page, server, world } = await openPanel('#/time')
  await page.getByText('live', { exact: true }).waitFor()
  // Its own stream ends, so that there is room for as many as there can be.
  const url = page.url()
  await page.goto('about:blank')
  const stop = new AbortController()
  // A stream without a reference ends.
  const streams: Response[] = []
  const openStream = async () => {
    const stream = await fetch(`${server.url}/__greenhouse/events`, { signal: stop.signal })
    return stream.ok ? streams.push(stream) : streams.length
  }
  await expect.poll(openStream).toBe(100)
  await page.goto(url)
  await page.getByRole('alert').filter({ hasText: 'Too many pages are open' }).waitFor()
  expect(await page.getByText('offline').count()).toBe(0)
  await page.locator('.clock-time').waitFor()
  world.use('slow')
  stop.abort()
  await page.getByText('live', { exact: true }).waitFor()
  expect(await page.getByText('Too many pages are open').count()).toBe(0)
  await page.getByRole('region', { name: 'Active scenarios' }).getByText('slow').waitFor()
})

test('a restarted server is announced: lists are new, and changes and drafts are gone', async () => {
  const panel = await openPanel('#/data/plants/101')
  const { page, send } = panel
  const name = page.getByRole('complementary').getByLabel('name', { exact: true })
  const undo = page.getByRole('button', { name: 'Undo' })
  const before = await name.inputValue()
  await name.fill(`${before} 2`)
  await click(page, 'Save')
  await undo.waitFor()
  await name.fill('Half a name')
  for (const limit of [1, 2, 3]) await send(`/plants?limit=${limit}`)
  await go(page, '#/traffic/3')
  await page.getByRole('complementary', { name: 'Request 3' }).waitFor()
  await stopServer(panel)
  // It counts from 1 again.
  await (await serveAgain(panel)).send('/plants?limit=77')
  await page.getByText('live', { exact: true }).waitFor()
  await requestsOf(page).filter({ hasText: 'limit=77' }).waitFor()
  expect(await requestsOf(page).count()).toBe(1)
  expect(await page.getByRole('complementary', { name: /^Request / }).count()).toBe(0)
  const note = page.getByRole('status').filter({ hasText: 'The server was started again' })
  await click(note, 'Dismiss')
  await expect.poll(() => note.count()).toBe(0)
  expect(await undo.count()).toBe(0)
  await go(page, '#/data/plants/101')
  await expect.poll(() => name.inputValue()).toBe(before)
})

test.each([
  ['was read before', false],
  ['was never read before', true],
])('a world that was reset while the panel was offline has a new list; its journal %s', async (_, isHeld) => {
  const { hold, release } = holdAnswers('**/journal*')
  const panel = await openPanel('#/traffic', isHeld ? { route: hold } : {})
  const { page, greenhouse, world, send } = panel
  await page.getByText('live', { exact: true }).waitFor()
  for (const limit of [1, 2, 3]) await send(`/plants?limit=${limit}`)
  await expect.poll(() => requestsOf(page).count()).toBe(3)
  await panel.server.close()
  release()
  await page.getByText('offline').waitFor()
  world.reset()
  // More events than are kept for readers that come back.
  for (let count = 0; count < 3_000; count++) {
    world.assume('plants.delete.unknown', count % 2 ? '204' : '404')
    await new Promise((resolve) => setImmediate(resolve))
  }
  await (await serveAgain(panel, greenhouse)).send('/plants?limit=77')
  await page.getByText('live', { exact: true }).waitFor()
  await requestsOf(page).filter({ hasText: 'limit=77' }).waitFor()
  await expect.poll(() => requestsOf(page).count()).toBe(1)
  expect(await page.getByText('The server was started again').count()).toBe(0)
})

/** Each view and what opens in it, none of which was there before, and what it shows once it was read. */
const places = [
  ['#/traffic?tab=connect', /key_pro/],
  ['#/traffic/3', /plants\.create/],
  ['#/scenarios/slow', /How to switch this on[\s\S]*X-Greenhouse-Scenario/],
  ['#/data/plants/9007199254740993', /acct_pro[\s\S]*Save/],
  ['#/data/accounts/acct_pro', /requests left[\s\S]*300 of 300 left/],
  ['#/data?tab=snapshots&snapshot=filled', /No record has changed/],
  ['#/data/webhooks?new=', /Add to webhooks[\s\S]*Cancel/],
  ['#/webhooks?trigger=app.created', /app\.updated[\s\S]*Trigger/],
  ['#/webhooks/deliveries/del_lrtulzjiz4ruujdv', /Send again/],
  ['#/webhooks/endpoints/wh_bcjl342gumzojejh', /Answers in time/],
  ['#/time', /Due next[\s\S]*Run to here/],
] as const

test('where the control API fails, each view says why, and shows all of it after one try again', async () => {
  const { page } = await openPanel('#/traffic', { before: fillWorld })
  await page.getByText('live', { exact: true }).waitFor()
  await requestsOf(page).first().waitFor()
  let fails: 'answers 500' | 'does not answer' | undefined
  await page.route(/\/__greenhouse\/(?!panel\/|events)/, (route) => {
    if (fails === undefined) return route.continue()
    if (fails === 'does not answer') return route.abort()
    return route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'The disk is full.' } } })
  })
  for (const [index, [place, shown]] of places.entries()) {
    fails = index % 2 === 0 ? 'answers 500' : 'does not answer'
    await go(page, place)
    const alert = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Try again' }) })
    await alert.last().waitFor()
    const why = fails === 'answers 500' ? 'The disk is full.' : 'The server does not answer.'
    expect.soft(await alert.last().innerText(), place).toContain(why)
    fails = undefined
    await alert.last().getByRole('button').click()
    await expect.poll(() => page.locator('body').innerText(), { message: place }).toMatch(shown)
    await expect.poll(() => alert.count(), { message: place }).toBe(0)
  }
})
