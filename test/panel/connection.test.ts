import { expect } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { press, go, requestsOf, stopServer, serveAgain } from './page.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'
import type { Page } from 'playwright-core'

test('the panel says that the server went away, and goes on by itself when it is back', async () => {
  const panel = await openPanel('#/traffic')
  const { page, send } = panel
  await send('/plants?limit=1')
  await requestsOf(page).first().waitFor()
  await stopServer(panel)
  await page.getByText('The server does not answer. You see its last state').waitFor()
  expect(await requestsOf(page).count()).toBe(1)
  await page.getByRole('button', { name: 'Freeze the clock' }).click()
  const message = page.getByRole('status').getByText('The server does not answer. Is it still running?')
  await message.waitFor()

  const greenhouse = createGreenhouse({ now: '2026-03-01T12:00:00Z', use: ['slow'] })
  const again = await serveAgain(panel, greenhouse)
  await page.getByText('live', { exact: true }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  // Well before it would have gone by itself.
  await expect.poll(() => message.count(), { timeout: 6_000 }).toBe(0)
  await page.getByRole('region', { name: 'Active scenarios' }).getByText('slow').waitFor()
  await again.send('/plants?limit=2')
  await requestsOf(page).filter({ hasText: 'limit=2' }).waitFor()
})

test('the panel asks once for the token of the server, and says when it is wrong', async () => {
  const { page, send } = await openPanel('#/traffic', { serve: { token: 'sesame' } })
  const dialog = page.getByRole('dialog', { name: 'This server has a token' })
  await dialog.getByLabel('Token').fill('wrong')
  await page.keyboard.press('Enter')
  await dialog.getByText('The server refused this token.').waitFor()
  await dialog.getByLabel('Token').fill('sesame')
  await page.keyboard.press('Enter')
  await page.getByText('No requests yet').waitFor()
  expect(await dialog.count()).toBe(0)
  await page.reload()
  await page.getByText('live', { exact: true }).waitFor()
  await send('/plants')
  await requestsOf(page).first().waitFor()
  expect(await dialog.count()).toBe(0)
})

async function holdAnswered(page: Page, path: string, method: string) {
  const answered: (() => void)[] = []
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    const response = await route.fetch()
    await new Promise<void>((resolve) => answered.push(resolve))
    await route.fulfill({ response })
  })
  return {
    isAnswered: () => expect.poll(() => answered.length).toBeGreaterThan(0),
    async release() {
      const late = page.waitForResponse((response) => response.request().method() === method)
      for (const answer of answered) answer()
      await (await late).finished()
      await page.unroute(path)
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
    },
  }
}

test('a late answer hides no newer event of the scenarios or the clock', async () => {
  const { page, world } = await openPanel()
  await page.getByText('live', { exact: true }).waitFor()
  const paths = ['**/worlds/default', '**/worlds/default/scenarios']
  const readings = await Promise.all(paths.map((path) => holdAnswered(page, path, 'GET')))
  // Both are read again after it.
  world.snapshot('before')
  for (const reading of readings) await reading.isAnswered()

  world.use('server-error')
  world.clock.freeze()
  world.clock.set('2031-01-02T03:04:05Z')
  const active = page.getByRole('region', { name: 'Active scenarios' })
  await active.getByText('server-error').waitFor()
  for (const reading of readings) await reading.release()
  expect(await active.getByText('server-error').count()).toBe(1)
  expect(await page.locator('.clock-time').innerText()).toBe('2031-01-02 03:04:05 UTC')
})

test('a late answer changes no other world, no newer change, and brings no cleared traffic back', async () => {
  const { page, send, world } = await openPanel('#/traffic', { before: (made) => made.world('other').use('slow') })
  await page.getByText('live', { exact: true }).waitFor()
  const active = page.getByRole('region', { name: 'Active scenarios' })

  world.use('slow')
  await active.getByText('slow').waitFor()
  const clearing = await holdAnswered(page, '**/worlds/default/scenarios', 'DELETE')
  await page.getByRole('button', { name: 'clear all' }).click()
  await clearing.isAnswered()
  world.use('server-error')
  await active.getByText('server-error').waitFor()
  await clearing.release()
  expect.soft(await active.getByText('server-error').count()).toBe(1)

  const moving = await holdAnswered(page, '**/worlds/default/clock', 'PATCH')
  await page.getByRole('button', { name: /advance the clock by 1 day/ }).click()
  await moving.isAnswered()
  await go(page, '#/traffic?world=other')
  await active.getByText('slow').waitFor()
  const before = await page.locator('.clock-time').innerText()
  await moving.release()
  expect.soft((await page.locator('.clock-time').innerText()).slice(0, 10)).toBe(before.slice(0, 10))

  const reading = await holdAnswered(page, '**/worlds/default/journal?*', 'GET')
  await send('/plants?limit=1')
  await go(page, '#/traffic')
  await reading.isAnswered()
  // Its events are followed once a request of it shows.
  await expect
    .poll(async () => {
      await send('/plants?limit=3')
      return page.locator('.virtual-row', { hasText: 'limit=3' }).count()
    })
    .toBeGreaterThan(0)
  world.journal.clear()
  await send('/plants?limit=2')
  await page.locator('.virtual-row', { hasText: 'limit=2' }).waitFor()
  await reading.release()
  expect.soft(await page.locator('.virtual-row', { hasText: 'limit=1' }).count()).toBe(0)
})

test('an impossible name of a world is not taken for a server that is away', async () => {
  const { page } = await openPanel('#/traffic?world=a%20b')
  await page.getByText('No world can have the name “a b”').waitFor()
  await page.getByText('no such world', { exact: true }).waitFor()
  expect(await page.getByText('offline').count()).toBe(0)
  expect(await page.getByRole('button', { name: /^Create/ }).count()).toBe(0)
  await press(page, 'Go to default', 'No requests yet')
  await page.getByText('live', { exact: true }).waitFor()
})
