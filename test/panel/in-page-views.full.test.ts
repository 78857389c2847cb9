import { expect } from 'vitest'
import { openInPage } from '../support/in-page.ts'
import { soaks } from '../support/soak.ts'
import { press, choose, copyAs } from './page.ts'
import { findBarriers, panelTest as test } from '../support/panel.ts'
import type { Page } from 'playwright-core'

test('the panel in a page opens from its button, and shows requests of the page as they come', async () => {
  const { page, left } = await openInPage()
  await page.getByRole('button', { name: 'Greenhouse' }).click()
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Traffic' }).click()
  await page.getByText('No requests yet').waitFor()
  expect(await page.evaluate(() => globalThis.ask('http://plants.test/plants?limit=3'))).toBe(200)
  await page.locator('.virtual-row', { hasText: 'plants.list' }).waitFor()
  await page.evaluate(() => globalThis.ask('http://apps.test/v1/appz'))
  await page.locator('.virtual-row', { hasText: 'appz' }).click()
  await page.locator('.split-detail').getByText('404').first().waitFor()
  expect(await copyAs(page, 'curl')).toMatch(/^curl 'http:\/\/apps\.test\/v1\/appz' /)
  expect(left).toEqual([])
})

test('the panel in a page sends through the fetch of the page, and both change the same world', async () => {
  const { page, left } = await openInPage({ mount: { open: true } })
  const active = page.getByRole('region', { name: 'Active scenarios' })
  await page.getByText('live', { exact: true }).waitFor()
  await page.getByText('http://plants.test', { exact: true }).first().waitFor()
  await page.getByText('http://apps.test/v1', { exact: true }).first().waitFor()
  await press(page, 'Send GET /v1/apps', 'GET /v1/apps was answered with 200')
  expect(await page.evaluate(() => globalThis.greenhouse.world().journal.calls().length)).toBe(1)

  await page.locator('#view').focus()
  await choose(page, 'Use server-error')
  await active.getByText('server-error').waitFor()
  expect(await ask(page, 'apps.test/v1/apps')).toBe(500)
  await page.getByRole('button', { name: 'clear all' }).click()
  await expect.poll(() => ask(page, 'apps.test/v1/apps')).toBe(200)
  await page.evaluate(() => void globalThis.greenhouse.world().use('slow', { ms: 8 }))
  await active.getByText('ms=8').waitFor()
  await page.locator('#view').focus()
  await choose(page, 'Use connection-reset')
  await page.getByRole('status').getByText(/MSW/).waitFor()
  expect(left).toEqual([])
})

async function goTo(page: Page, view: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click()
  await page.locator(`#view[aria-label=${view}] h1`).waitFor()
  await expect.poll(() => page.locator('.view [aria-busy=true]').count()).toBe(0)
}

const ask = (page: Page, path: string, init?: RequestInit & { key?: string }) =>
  page.evaluate(([url, given]) => globalThis.ask(url!, given as RequestInit), [`http://${path}`, init] as const)

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  (['bottom', 'right'] as const).flatMap((position) =>
    (position === 'bottom' ? [1280, 390] : [1280]).map((width) => ({ colorScheme, position, width })),
  ),
)

// In full each theme at each position; else each position once.
test.each(looks.filter((look) => soaks || (look.colorScheme === 'dark') === (look.position === 'right')))(
  'all views are there in a page, and axe finds no barrier in any: %o',
  async ({ colorScheme, position, width }) => {
    const browser = { colorScheme, viewport: { width, height: 800 } }
    const { page, left } = await openInPage({ mount: { position }, browser })
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Greenhouse' }).click()
    await ask(page, 'plants.test/plants')
    for (const view of ['Traffic', 'Scenarios', 'Data', 'Webhooks', 'Time']) {
      await goTo(page, view)
      expect([view, await page.getByRole('alert').allInnerTexts()]).toEqual([view, []])
      expect([view, await findBarriers(page)]).toEqual([view, []])
    }
    expect(left).toEqual([])
  },
)

test('an event is triggered in a page, and its delivery leaves for the endpoint', async () => {
  const { page, left } = await openInPage({ mount: false })
  await page.evaluate(async () => {
    await globalThis.greenhouse.world().records.webhooks.update('wh_bcjl342gumzojejh', {
      url: 'https://api.example.com/hook',
      events: ['app.created'],
      enabled: true,
    })
    globalThis.mount({ open: true })
  })
  await goTo(page, 'Webhooks')
  const triggers = page.getByRole('button', { name: /Trigger/ })
  await triggers.first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Event').selectOption('app.created')
  await dialog.getByRole('button', { name: 'Trigger', exact: true }).click()
  await page.getByRole('complementary', { name: /^Delivery del_/ }).waitFor()
  expect(left).toEqual([])
})

test('a loader of stories gives each story a new world, which the panel shows', async () => {
  const { page } = await openInPage({ mount: false, entry: 'story-page.ts' })
  const show = (id: string, ...greenhouse: string[]) =>
    page.evaluate((story) => globalThis.showStory(story as never), { id, parameters: { greenhouse } })
  expect(await show('apps--failing', 'server-error')).toBe(500)
  await page.getByRole('button', { name: 'Greenhouse: apps--failing' }).click()
  await page.getByRole('region', { name: 'Active scenarios' }).getByText('server-error').waitFor()
  expect(await show('apps--filled')).toBe(200)
  await page.getByRole('button', { name: 'Greenhouse: apps--filled' }).waitFor()
  expect(await page.locator('greenhouse-panel').count()).toBe(1)
  expect(await show('apps--failing')).toBe(200)
  await page.getByRole('heading', { name: 'Traffic', level: 1 }).waitFor()
  expect(await page.getByRole('region', { name: 'Active scenarios' }).count()).toBe(0)
})
