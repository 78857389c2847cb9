import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { describePanel } from '../support/panel.ts'

const message = (page: Page) => page.getByText('The server does not answer. Is it still running?')

/** Forms, and how each is sent. */
const forms: readonly (readonly [place: string, send: (page: Page) => Promise<void>])[] = [
  [
    '#/data/plants/101',
    async (page) => {
      await page.getByLabel('name', { exact: true }).fill('Lost')
      await page.getByRole('button', { name: 'Save' }).click()
    },
  ],
  ['#/webhooks?trigger=app.created', (page) => page.getByRole('button', { name: 'Trigger', exact: true }).click()],
  [
    '#/account/acct_pro',
    async (page) => {
      await page.getByRole('button', { name: 'Create a key', exact: true }).click()
      await page.getByRole('button', { name: 'Create', exact: true }).click()
    },
  ],
  [
    '#/time',
    async (page) => {
      await page.getByLabel('Advance by').fill('1m')
      await page.getByLabel('Advance by').press('Enter')
    },
  ],
  [
    '#/overview',
    async (page) => {
      await page.getByRole('button', { name: 'default', exact: true }).click()
      await page.getByRole('menuitem', { name: 'New world…' }).click()
      await page.getByLabel('Name').fill('shop')
      await page.getByRole('button', { name: 'Create', exact: true }).click()
    },
  ],
]

describePanel('a server that answers again', (open) => {
  test('is not said to be away any more', async () => {
    const { page, server, greenhouse } = await open('#/time')
    await page.getByRole('button', { name: 'Freeze the clock' }).waitFor()
    await server.close()
    await page.getByText('offline').waitFor()
    await page.getByRole('button', { name: 'Freeze the clock' }).click()
    await message(page).first().waitFor()
    await using _ = await serve(greenhouse, { port: server.port })
    await page.getByText('live', { exact: true }).waitFor()
    // Well before it would have gone by itself.
    await expect.poll(() => message(page).count(), { timeout: 6_000 }).toBe(0)
  })

  test.each(forms)('shows no error in the form of %s either', async (place, send) => {
    const { page } = await open(place)
    await page.getByText('live', { exact: true }).waitFor()
    const path = /__greenhouse\/worlds/
    await page.route(path, (route) => (route.request().method() === 'GET' ? route.continue() : route.abort()))
    // Without other requests meanwhile.
    await page.waitForTimeout(400)
    await send(page)
    await message(page).first().waitFor()
    await page.unroute(path)
    // Any answer will do: opening the palette asks.
    await page.evaluate(() => dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true })))
    await expect.poll(() => message(page).count(), { timeout: 6_000 }).toBe(0)
  })

  test('has no more pages than it allows: what is open shows, and that it is not live', async () => {
    const { page, server, greenhouse } = await open('#/overview')
    await page.getByText('live', { exact: true }).waitFor()
    // Its own stream ends, so that there is room for as many as there can be.
    const url = page.url()
    await page.goto('about:blank')
    const stop = new AbortController()
    // A stream without a reference ends.
    const streams: Response[] = []
    await expect
      .poll(async () => {
        const stream = await fetch(`${server.url}/__greenhouse/events`, { signal: stop.signal })
        if (stream.ok) streams.push(stream)
        return streams.length
      })
      .toBe(100)
    await page.goto(url)
    await page.getByRole('alert').filter({ hasText: 'Too many pages are open' }).waitFor()
    expect(await page.getByText('offline').count()).toBe(0)
    await page.locator('.clock-time').waitFor()
    greenhouse.world().use('slow')
    stop.abort()
    await page.getByText('live', { exact: true }).waitFor()
    expect(await page.getByText('Too many pages are open').count()).toBe(0)
    await page.getByRole('region', { name: 'Active scenarios' }).getByText('slow').waitFor()
  })
})
