import diagnostics from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { openInPage } from '../support/in-page.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'
import { addPages, answersIn, setHidden, shows } from './pages.ts'
import { go } from './page.ts'

/** Counts the streams of events that servers of this process have open. @param agent of the pages that count, by default all */
function countStreams(agent = ''): () => number {
  const open = new Set<ServerResponse>()
  const onStart = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    if (!request.url!.startsWith('/__greenhouse/events') || !request.headers['user-agent']!.includes(agent)) return
    open.add(response)
    response.on('close', () => open.delete(response))
  }
  diagnostics.subscribe('http.server.request.start', onStart)
  onTestFinished(() => void diagnostics.unsubscribe('http.server.request.start', onStart))
  return () => open.size
}

async function open(count: number, worldOf: (index: number) => string = () => 'default') {
  const streams = countStreams()
  const panel = await openPanel(`#/traffic?world=${worldOf(0)}`)
  const others = await addPages(panel.page, count - 1, (index) => `#/traffic?world=${worldOf(index + 1)}`)
  return { ...panel, streams, pages: [panel.page, ...others] }
}

test.each([
  ['one world', () => 'default'],
  ['a world each', (index: number) => `w${index}`],
])('seven pages that show %s leave the connections of the browser free', async (_, worldOf) => {
  const { pages, streams, send } = await open(7, worldOf)
  await expect.poll(streams).toBe(1)
  for (const page of pages) expect(await answersIn(page)).toEqual([200, 200])
  for (const [index] of pages.entries()) await send(`/~${worldOf(index)}/plants?limit=${index + 1}`)
  for (const [index, page] of pages.entries()) await shows(page, `limit=${index + 1}`)
  expect(streams()).toBe(1)
})

test('a hidden page has no stream, and gets what it missed when it is shown', async () => {
  const { page, pages, streams, send } = await open(2)
  for (const one of pages) await setHidden(one, true)
  await expect.poll(streams).toBe(0)
  await send('/plants?limit=1')
  await send('/plants?limit=99999')
  const asked = page.waitForRequest(/events/)
  await setHidden(page, false)
  expect((await asked).headers()['last-event-id']).toMatch(/-\d+$/)
  await shows(page, 'limit=99999')
  await expect.poll(streams).toBe(1)
  await go(page, '#/time')
  await setHidden(page, true)
  await send('/plants?limit=2')
  await setHidden(page, false)
  // Views count what was missed, too; the first two count where they were read before their events came.
  await page
    .getByTitle('changes since you looked')
    .filter({ hasText: /^[1-3]/ })
    .waitFor()
})

test.each<[how: string, leave: (page: Page) => Promise<unknown>]>([
  ['closed', (page) => page.close()],
  ['hidden', (page) => setHidden(page, true)],
  ['left for another site', (page) => page.goto('about:blank')],
])('when the page that listens for the others is %s, another one takes over', async (_, leave) => {
  const { pages, streams, send, world } = await open(4)
  await expect.poll(streams).toBe(1)
  // The page that was shown last listens.
  for (let index = 3; index > 0; index--) {
    await leave(pages[index]!)
    world.use('slow', { ms: index })
    await send(`/plants?limit=${index}`)
    await expect.poll(streams).toBe(1)
    for (const page of pages.slice(0, index)) {
      await shows(page, `limit=${index}`)
      await page.locator('.active-scenario', { hasText: `ms=${index}` }).waitFor()
    }
  }
})

test('where the browser elects no page, each has its own stream while it is shown', async () => {
  const streams = countStreams('without locks')
  const panel = await openPanel('#/traffic', {
    browser: { userAgent: 'without locks' },
    route: (page) => page.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined })),
  })
  await panel.page.getByText('live', { exact: true }).waitFor()
  expect(streams()).toBe(1)
  await setHidden(panel.page, true)
  await expect.poll(streams).toBe(0)
  await panel.send('/plants?limit=1')
  await setHidden(panel.page, false)
  await shows(panel.page, 'limit=1')
})

test('a page without the token takes nothing from those that have it', async () => {
  const streams = countStreams()
  const { page, send } = await openPanel('#/traffic', { serve: { token: 'sesame' } })
  await page.getByRole('textbox', { name: 'Token' }).fill('sesame')
  await page.keyboard.press('Enter')
  await page.getByText('live', { exact: true }).waitFor()
  const [other] = await addPages(page, 1, () => '#/traffic', false)
  await other!.getByRole('dialog', { name: 'This server has a token' }).waitFor()
  await send('/plants?limit=1')
  await shows(page, 'limit=1')
  expect(streams()).toBe(1)
  expect(await other!.locator('.virtual-row').count()).toBe(0)
})

test('a panel in the page itself reads events without a connection', async () => {
  const streams = countStreams()
  const { page, left, site } = await openInPage({ mount: { open: true, world: 'default' } })
  await page.getByText('live', { exact: true }).waitFor()
  await page.evaluate(() => void greenhouse.world().use('slow', { ms: 1 }))
  await page.locator('.active-scenario', { hasText: 'slow' }).waitFor()
  expect([streams(), left.length, site.asked.filter((path) => path.includes('__greenhouse'))]).toEqual([0, 0, []])
})
