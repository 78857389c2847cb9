import { createGreenhouse } from 'greenhouse-mock'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { click, enter, go, press, requestsOf } from './page.ts'
import { openPanel, serveAgain, stopServer, test } from './world.ts'

test('the panel says that the server went away, and goes on by itself when it is back', async () => {
  const panel = await openPanel('#/traffic')
  const { page, send } = panel
  await send('/plants?limit=1')
  await requestsOf(page).first().waitFor()
  await stopServer(panel)
  await page.getByText('The server does not answer. You see its last state').waitFor()
  await expect.poll(() => requestsOf(page).count()).toBe(1)
  await go(page, '#/time')
  const message = page.getByText('The server does not answer. Is it still running?')
  for (const [count, sent] of ['Try again', 'Freeze the clock', 'Move'].entries()) {
    await click(page, sent)
    await expect.poll(() => message.count()).toBe(count + 1)
  }

  const greenhouse = createGreenhouse({ now: '2026-03-01T12:00:00Z', use: ['slow'] })
  const again = await serveAgain(panel, greenhouse)
  await page.getByText('live', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  // Well before it would have gone by itself.
  await expect.poll(() => message.count(), { timeout: 6_000 }).toBe(0)
  await page.getByRole('region', { name: 'Active scenarios' }).getByText('slow').waitFor()
  await go(page, '#/traffic')
  await again.send('/plants?limit=2')
  await requestsOf(page).filter({ hasText: 'limit=2' }).waitFor()
})

test('the panel asks for the token until it is right, keeps it in the tab, and is never stuck', async () => {
  const { page, send } = await openPanel('#/traffic', { serve: { token: 'sesame' } })
  const dialog = page.getByRole('dialog', { name: 'This server has a token' })
  const token = dialog.getByRole('textbox', { name: 'Token' })
  const before = await page.evaluate(() => history.length)
  for (const close of [() => page.keyboard.press('Escape'), () => click(dialog, 'Close')]) {
    await dialog.waitFor()
    await close()
    await expect.poll(() => page.locator('.banner').count()).toBe(1)
    await press(page, 'Enter the token', 'This server has a token')
  }
  for (const wrong of ['wrong', 'wrong again']) {
    await enter(token, wrong)
    await dialog.getByText('This token is wrong').waitFor()
  }
  await enter(token, 'sesame')
  await page.getByText('live', { exact: true }).waitFor()
  await expect.poll(() => dialog.count()).toBe(0)
  await page.reload()
  await page.getByText('live', { exact: true }).waitFor()
  await send('/plants')
  await requestsOf(page).first().waitFor()
  await expect.poll(() => dialog.count()).toBe(0)
  expect([await page.evaluate(() => history.length), page.url()]).toEqual([
    before,
    expect.not.stringContaining('sesame'),
  ])
})

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
