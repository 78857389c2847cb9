import { expect, test } from 'vitest'
import { describeInPage } from '../../support/in-page.ts'

describeInPage('the panel in a page', (open) => {
  test('opens from its button, and shows the requests of the page as they come', async () => {
    const { page, left } = await open()
    await page.getByRole('button', { name: 'Greenhouse' }).click()
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Traffic' }).click()
    await page.getByText('No requests yet').waitFor()
    expect(await page.evaluate(() => globalThis.ask('http://plants.test/plants?limit=3'))).toBe(200)
    await page.locator('.virtual-row', { hasText: 'plants.list' }).waitFor()
    await page.evaluate(() => globalThis.ask('http://apps.test/v1/appz'))
    await page.locator('.virtual-row', { hasText: 'appz' }).click()
    await page.locator('.split-detail').getByText('404').first().waitFor()
    await page.getByRole('button', { name: 'Copy as' }).click()
    await page.getByRole('menuitem', { name: 'Copy as curl' }).click()
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^curl 'http:\/\/apps\.test\/v1\/appz' /)
    expect(left).toEqual([])
  })

  test('switches a scenario on that the next request of the page meets', async () => {
    const { page, left } = await open({ mount: { open: true } })
    await page.getByText('live', { exact: true }).waitFor()
    expect(await page.evaluate(() => globalThis.ask('http://apps.test/v1/apps'))).toBe(200)
    await page.locator('#view').focus()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find an action' }).fill('use server-error')
    await page
      .getByRole('option', { name: /^Use server-error/ })
      .first()
      .click()
    await page.getByRole('region', { name: 'Active scenarios' }).getByText('server-error').waitFor()
    expect(await page.evaluate(() => globalThis.ask('http://apps.test/v1/apps'))).toBe(500)
    await page.getByRole('button', { name: 'clear all' }).click()
    await expect.poll(() => page.evaluate(() => globalThis.greenhouse.world().active.length)).toBe(0)
    expect(await page.evaluate(() => globalThis.ask('http://apps.test/v1/apps'))).toBe(200)
    expect(left).toEqual([])
  })

  test('says why a scenario cannot be had through MSW', async () => {
    const { page } = await open({ mount: { open: true } })
    await page.getByText('live', { exact: true }).waitFor()
    await page.locator('#view').focus()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find an action' }).fill('use connection-reset')
    await page
      .getByRole('option', { name: /^Use connection-reset/ })
      .first()
      .click()
    await page.getByRole('status').getByText(/MSW/).waitFor()
  })

  test('sends its requests through the fetch of the page, and shows its URLs', async () => {
    const { page, left } = await open({ mount: { open: true } })
    await page.getByText('http://plants.test', { exact: true }).first().waitFor()
    await page.getByText('http://apps.test/v1', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Send GET /v1/apps' }).click()
    await page.getByText('GET /v1/apps was answered with 200').waitFor()
    expect(await page.evaluate(() => globalThis.greenhouse.world().journal.calls().length)).toBe(1)
    expect(left).toEqual([])
  })

  test('shows what the page changes by itself, and moves its clock', async () => {
    const { page } = await open({ mount: { open: true } })
    await page.getByText('live', { exact: true }).waitFor()
    await page.evaluate(() => void globalThis.greenhouse.world().use('slow', { ms: 800 }))
    await page.getByRole('region', { name: 'Active scenarios' }).getByText('ms=800').waitFor()
    await page.getByRole('button', { name: '+1d' }).click()
    await page.getByText('Advanced the clock by 1 day').waitFor()
    expect(await page.evaluate(() => new Date(globalThis.greenhouse.world().clock.now()).toISOString())).toMatch(
      /^2026-03-02T12/,
    )
  })
})
