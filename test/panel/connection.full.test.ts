import diagnostics from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { openInPage } from '../support/in-page.ts'
import { addPages, click, enter, go, requestsOf, setHidden, shows } from './page.ts'
import { fillWorld, holdAnswers, openPanel, serveAgain, stopServer, test } from './world.ts'
import type { Page } from 'playwright-core'

test('a server without room for another page shows the open pages, and is not live', async () => {
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
  await expect.poll(() => page.getByText('offline').count()).toBe(0)
  await page.locator('.clock-time').waitFor()
  world.use('slow')
  stop.abort()
  await page.getByText('live', { exact: true }).waitFor()
  await expect.poll(() => page.getByText('Too many pages are open').count()).toBe(0)
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
  await expect.poll(() => requestsOf(page).count()).toBe(1)
  await expect.poll(() => page.getByRole('complementary', { name: /^Request / }).count()).toBe(0)
  const note = page.getByRole('status').filter({ hasText: 'The server was started again' })
  await click(note, 'Dismiss')
  await expect.poll(() => note.count()).toBe(0)
  await expect.poll(() => undo.count()).toBe(0)
  await go(page, '#/data/plants/101')
  await expect.poll(() => name.inputValue()).toBe(before)
})

test.each([
  ['was read before', false],
  ['was never read before', true],
])(
  'a world that was reset while the panel was offline has a new list; its journal %s',
  async (_, isHeld) => {
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
    await (await serveAgain(panel, greenhouse)).send('/plants?limit=77')
    await page.getByText('live', { exact: true }).waitFor()
    await requestsOf(page).filter({ hasText: 'limit=77' }).waitFor()
    await expect.poll(() => requestsOf(page).count()).toBe(1)
    await expect.poll(() => page.getByText('The server was started again').count()).toBe(0)
  },
)

/**
 * Each view and what opens in it, none of which was there before, and what it shows once it was
 * read.
 */
const places = [
  ['#/traffic?tab=connect', /key_pro/],
  ['#/traffic/3', /plants\.create/],
  ['#/scenarios/slow', /How to switch this on[\s\S]*X-Greenhouse-Scenario/],
  ['#/data/plants/9007199254740993', /acct_pro[\s\S]*Save/],
  ['#/data/accounts/acct_pro', /requests left[\s\S]*300 of 300 left/],
  ['#/data/webhooks?new=', /Add to webhooks[\s\S]*Cancel/],
  ['#/webhooks?trigger=app.created', /app\.updated[\s\S]*Trigger/],
  ['#/webhooks/deliveries/del_lrtulzjiz4ruujdv', /Send again/],
  ['#/webhooks/endpoints/wh_bcjl342gumzojejh', /Answers in time/],
  ['#/time', /Due next[\s\S]*Run to here/],
] as const

test('a failing control API is explained in each view, and one retry shows all', async () => {
  const { page } = await openPanel('#/traffic', { before: fillWorld })
  await page.getByText('live', { exact: true }).waitFor()
  await requestsOf(page).first().waitFor()
  let fails: 'answers 500' | 'does not answer' | undefined
  await page.route(/\/__greenhouse\/(?!panel\/|events)/, (route) => {
    if (fails === undefined) return route.continue()
    if (fails === 'does not answer') return route.abort()
    return route.fulfill({
      status: 500,
      json: { error: { code: 'internal', message: 'The disk is full.' } },
    })
  })
  for (const [index, [place, shown]] of places.entries()) {
    fails = index % 2 === 0 ? 'answers 500' : 'does not answer'
    await go(page, place)
    const alert = page
      .getByRole('alert')
      .filter({ has: page.getByRole('button', { name: 'Try again' }) })
    await alert.last().waitFor()
    const why = fails === 'answers 500' ? 'The disk is full.' : 'The server does not answer.'
    expect.soft(await alert.last().innerText(), place).toContain(why)
    fails = undefined
    await alert.last().getByRole('button').click()
    await expect.poll(() => page.locator('body').innerText(), { message: place }).toMatch(shown)
    await expect.poll(() => alert.count(), { message: place }).toBe(0)
  }
})

/**
 * Counts the streams of events that servers of this process have open. @param agent of the pages
 * that count, by default all
 */
function countStreams(agent = ''): () => number {
  const open = new Set<ServerResponse>()
  const onStart = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    if (
      !request.url!.startsWith('/__greenhouse/events') ||
      !request.headers['user-agent']!.includes(agent)
    )
      return
    open.add(response)
    response.on('close', () => open.delete(response))
  }
  diagnostics.subscribe('http.server.request.start', onStart)
  onTestFinished(() => void diagnostics.unsubscribe('http.server.request.start', onStart))
  return () => open.size
}

test('a hidden page has no stream open, and reads what it missed when it is shown', async () => {
  const streams = countStreams()
  const { page, send, world } = await openPanel('#/traffic')
  const [other] = await addPages(page, 1, () => '#/traffic')
  const pages = [page, other!]
  await expect.poll(streams).toBe(2)
  await setHidden(other!, true)
  await expect.poll(streams).toBe(1)
  await setHidden(page, true)
  await expect.poll(streams).toBe(0)
  await send('/plants?limit=1')
  await send('/plants?limit=99999')
  world.use('slow', { ms: 7 })
  for (const one of pages) await setHidden(one, false)
  for (const one of pages) {
    await shows(one, 'limit=99999')
    await one.locator('.active-scenario', { hasText: 'ms=7' }).waitFor()
    await expect.poll(() => requestsOf(one).count()).toBe(2)
  }
  await expect.poll(streams).toBe(2)
})

test('a world that was reset while its page was hidden has a new list', async () => {
  const { page, send, world } = await openPanel('#/traffic')
  for (const limit of [1, 2, 3]) await send(`/plants?limit=${limit}`)
  await expect.poll(() => requestsOf(page).count()).toBe(3)
  await setHidden(page, true)
  world.reset()
  await send('/plants?limit=77')
  await setHidden(page, false)
  await shows(page, 'limit=77')
  await expect.poll(() => requestsOf(page).count()).toBe(1)
})

test('a page without the token takes nothing from those that have it', async () => {
  const streams = countStreams()
  const { page, send } = await openPanel('#/traffic', { serve: { token: 'sesame' } })
  await enter(page.getByRole('textbox', { name: 'Token' }), 'sesame')
  await page.getByText('live', { exact: true }).waitFor()
  const [other] = await addPages(page, 1, () => '#/traffic', false)
  await other!.getByRole('dialog', { name: 'This server has a token' }).waitFor()
  await send('/plants?limit=1')
  await shows(page, 'limit=1')
  expect(streams()).toBe(1)
  await expect.poll(() => other!.locator('.virtual-row').count()).toBe(0)
})

test('a panel in the page itself reads events without a connection', async () => {
  const streams = countStreams()
  const { page, left, site } = await openInPage({ mount: { open: true, world: 'default' } })
  await page.getByText('live', { exact: true }).waitFor()
  await page.evaluate(() => void greenhouse.world().use('slow', { ms: 1 }))
  await page.locator('.active-scenario', { hasText: 'slow' }).waitFor()
  expect([
    streams(),
    left.length,
    site.asked.filter((path) => path.includes('__greenhouse')),
  ]).toEqual([0, 0, []])
})

/** Holds the next answer of a path back: it is late. */
async function holdAnswer(page: Page, path: string, method: string) {
  let isAnswered = false
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(path, async (route) => {
    if (isAnswered || route.request().method() !== method) return route.fallback()
    const response = await route.fetch()
    isAnswered = true
    await released
    await route.fulfill({ response })
  })
  return {
    isAnswered: () => expect.poll(() => isAnswered).toBe(true),
    async release() {
      const late = page.waitForResponse((response) => response.request().method() === method)
      release()
      await (await late).finished()
      await page.unroute(path)
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
    },
  }
}

test('a world that could not be read is reported above the view until it is read again', async () => {
  const { page, world } = await openPanel('#/time')
  await page.getByText('live', { exact: true }).waitFor()
  const path = '**/worlds/default'
  const failure = {
    status: 500,
    json: { error: { code: 'internal', message: 'The disk is full.' } },
  }
  await page.route(path, (route) => route.fulfill(failure))
  world.use('slow')
  const banner = page
    .getByRole('alert')
    .filter({ hasText: 'The world default could not be read: The disk is full.' })
  await banner.waitFor()
  await page.unroute(path)
  await click(page, 'Read it again')
  await banner.waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'Active scenarios' }).getByText('slow').waitFor()
})

test('a late answer shows nothing older, and changes no other world', async () => {
  const { page, send, world } = await openPanel('#/traffic', {
    before: (made) => made.world('other').use('slow'),
  })
  await page.getByText('live', { exact: true }).waitFor()
  const active = page.getByRole('region', { name: 'Active scenarios' })
  const clock = () => page.locator('.clock-time').innerText()

  const paths = ['**/worlds/default', '**/worlds/default/scenarios']
  const readings = await Promise.all(paths.map((path) => holdAnswer(page, path, 'GET')))
  // Both are read again after it.
  world.snapshot('before')
  for (const reading of readings) await reading.isAnswered()
  world.use('forbidden')
  world.clock.freeze()
  world.clock.set('2031-01-02T03:04:05Z')
  await active.getByText('forbidden').waitFor()
  await expect.poll(clock).toBe('2031-01-02 03:04:05 UTC')
  for (const reading of readings) await reading.release()
  expect
    .soft([await active.getByText('forbidden').count(), await clock()])
    .toEqual([1, '2031-01-02 03:04:05 UTC'])

  const clearing = await holdAnswer(page, '**/worlds/default/scenarios', 'DELETE')
  await click(page, 'clear all')
  await clearing.isAnswered()
  world.use('server-error')
  await active.getByText('server-error').waitFor()
  await clearing.release()
  expect.soft(await active.getByText('server-error').count()).toBe(1)

  const moving = await holdAnswer(page, '**/worlds/default/clock', 'PATCH')
  await page.getByRole('button', { name: /advance the clock by 1 day/ }).click()
  await moving.isAnswered()
  await go(page, '#/traffic?world=other')
  await active.getByText('slow').waitFor()
  const before = (await clock()).slice(0, 10)
  await moving.release()
  expect.soft((await clock()).slice(0, 10)).toBe(before)

  const reading = await holdAnswer(page, '**/worlds/default/journal?*', 'GET')
  await send('/plants?limit=1')
  await go(page, '#/traffic?world=default')
  await reading.isAnswered()
  const row = (limit: number) => page.locator('.virtual-row', { hasText: `limit=${limit}` })
  // Its events are followed once a request of it shows.
  await expect.poll(async () => (await send('/plants?limit=3'), row(3).count())).toBeGreaterThan(0)
  world.journal.clear()
  await send('/plants?limit=2')
  await row(2).waitFor()
  await reading.release()
  expect.soft(await row(1).count()).toBe(0)
})

test('an impossible name of a world is not taken for a server that is away', async () => {
  const { page } = await openPanel('#/traffic?world=a%20b')
  await page.getByText('No world can have the name “a b”').waitFor()
  await page.getByText('no such world', { exact: true }).waitFor()
  await expect.poll(() => page.getByText('offline').count()).toBe(0)
  await expect.poll(() => page.getByRole('button', { name: /^Create/ }).count()).toBe(0)
  await click(page, 'Go to default')
  await page.getByText('live', { exact: true }).waitFor()
})
