import { createGreenhouse } from 'greenhouse-mock'
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
