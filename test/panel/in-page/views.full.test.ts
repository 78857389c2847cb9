import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeInPage } from '../../support/in-page.ts'
import { findBarriers } from '../../support/panel.ts'

/** Goes to a view by its link, and waits until what it shows was read. */
async function goTo(page: Page, view: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click()
  await page.getByRole('heading', { name: view, level: 1 }).waitFor()
  await expect.poll(() => page.locator('.view [aria-busy=true]').count()).toBe(0)
}

const ask = (page: Page, path: string, init?: RequestInit & { key?: string }) =>
  page.evaluate(([url, given]) => globalThis.ask(url!, given as RequestInit), [`http://${path}`, init] as const)

describeInPage('each view in a page works as that of a server', (open) => {
  test('all of them are there, and axe finds no barrier in any', async () => {
    const { page, left } = await open({ mount: { open: true } })
    await ask(page, 'plants.test/plants')
    const links = page.getByRole('navigation', { name: 'Views' }).getByRole('link')
    await links.first().waitFor()
    const views = (await links.allInnerTexts()).map((text) => /^[A-Za-z]+/.exec(text)![0])
    expect(views).toEqual([
      'Overview',
      'Traffic',
      'Scenarios',
      'Data',
      'Account',
      'Webhooks',
      'Time',
      'Assumptions',
      'Evidence',
      'Docs',
    ])
    for (const view of views) {
      await goTo(page, view)
      expect([view, await page.getByRole('alert').allInnerTexts()]).toEqual([view, []])
      expect([view, await findBarriers(page)]).toEqual([view, []])
    }
    expect(left).toEqual([])
  })

  test('a scenario, a record, a plan, a key, a clock and an assumption are changed for the page', async () => {
    const { page, left } = await open({ mount: { open: true, position: 'right' } })
    const notice = (text: string) => page.getByText(text).first().waitFor()

    await goTo(page, 'Scenarios')
    await page.getByRole('searchbox').fill('expired-key')
    await page.getByRole('switch', { name: 'expired-key' }).click()
    await expect.poll(() => ask(page, 'apps.test/v1/apps')).toBe(401)
    await page.getByRole('button', { name: 'clear all' }).click()
    await expect.poll(() => ask(page, 'apps.test/v1/apps')).toBe(200)

    await goTo(page, 'Data')
    await page.getByRole('link', { name: /^Plants/ }).click()
    await page.getByRole('cell', { name: '101', exact: true }).click()
    await page.getByLabel('name', { exact: true }).fill('Tumboa')
    await page.getByRole('button', { name: 'Save' }).click()
    await notice('Saved plants 101')
    expect(await page.evaluate(() => globalThis.greenhouse.world().records.plants.get(101)!.name)).toBe('Tumboa')

    await goTo(page, 'Account')
    await page
      .getByRole('link', { name: /acct_pro\b/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Read-only' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
    await notice('it is shown only once')
    const key = (await page.getByRole('dialog').locator('code').textContent())!
    await page.getByRole('button', { name: 'Done' }).click()
    expect(await ask(page, 'apps.test/v1/apps', { key })).toBe(200)
    expect(await ask(page, 'apps.test/v1/apps', { key, method: 'POST', body: '{"name":"x"}' })).toBe(403)

    await goTo(page, 'Time')
    await page.getByRole('button', { name: 'Freeze', exact: true }).click()
    await page.getByLabel('Advance by').fill('90m')
    await page.getByRole('button', { name: 'Advance', exact: true }).click()
    await expect
      .poll(() => page.evaluate(() => new Date(globalThis.greenhouse.world().clock.now()).toISOString()))
      .toMatch(/^2026-03-01T13:3/)

    await goTo(page, 'Assumptions')
    await page
      .locator('[id="assumption-plants.delete.unknown"]')
      .getByRole('button', { name: '204', exact: true })
      .click()
    await expect.poll(() => ask(page, 'plants.test/plants/987654321', { method: 'DELETE' })).toBe(204)
    expect(left).toEqual([])
  })

  test('an operation of the docs is tried, and its request is found in the traffic', async () => {
    const { page, left } = await open({ mount: { open: true } })
    await goTo(page, 'Docs')
    await page.getByRole('link', { name: /^GET \/plants / }).click()
    const form = page.getByRole('form', { name: 'Try plants.list' })
    await form.getByLabel('limit').fill('2')
    await form.getByRole('button', { name: 'Send' }).click()
    const reply = page.getByRole('region', { name: 'Reply', exact: true })
    await reply.locator('.badge').filter({ hasText: '200' }).waitFor()
    await reply.getByRole('link', { name: /see it in Traffic/ }).click()
    const entry = page.getByRole('complementary', { name: /^Request \d/ })
    await entry.getByRole('heading', { name: 'GET /plants?limit=2' }).waitFor()
    expect(left).toEqual([])
  })

  test('an event is triggered, and its delivery leaves for the endpoint', async () => {
    const { page, left } = await open({ mount: false })
    await page.evaluate(async () => {
      await globalThis.greenhouse.world().records.webhooks.update('wh_bcjl342gumzojejh', {
        url: 'https://api.example.com/hook',
        events: ['app.created'],
        enabled: true,
      })
      globalThis.mount({ open: true })
    })
    await goTo(page, 'Webhooks')
    await page
      .getByRole('button', { name: /Trigger/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Event').selectOption('app.created')
    await dialog.getByRole('button', { name: 'Trigger', exact: true }).click()
    await page.getByRole('complementary', { name: /^Delivery del_/ }).waitFor()
    expect(left).toEqual([])
  })
})
