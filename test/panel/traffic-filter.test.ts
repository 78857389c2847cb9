import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'
import { requestsOf } from './requests.ts'
import { fillWorld } from './filled-world.ts'
import { goTo } from './places.ts'

describePanel('the filter of the traffic', (open) => {
  test('stands in the URL and outlives a reload', async () => {
    const { page } = await open('#/traffic', { before: fillWorld })
    const rows = requestsOf(page)
    await expect.poll(() => rows.count()).toBe(7)
    await page.getByLabel('Status').selectOption('4xx')
    await expect.poll(() => rows.count()).toBe(5)
    await page.getByLabel('Operation').selectOption('plants.create')
    await expect.poll(() => rows.count()).toBe(2)
    await page.keyboard.press('/')
    await page.keyboard.type('key_pro')
    expect(new URL(page.url()).hash).toBe('#/traffic?status=4xx&operation=plants.create&search=key_pro')
    await page.reload()
    await expect.poll(() => rows.count()).toBe(2)
    expect(await page.getByLabel('Filter requests by text').inputValue()).toBe('key_pro')
    expect(await page.locator('.view-head [role=status]').innerText()).toBe('2 of 7 requests')
  })

  test('leaves those of seven requests that the URL asks for, and none but a button that clears it', async () => {
    const { page } = await open('#/traffic', { before: fillWorld })
    for (const [query, count] of [
      ['errors=true', 6],
      ['scenario=*', 2],
      ['scenario=server-error', 1],
      ['violations=true', 3],
      ['status=404', 1],
      ['search=appz', 1],
      ['assumption=auth.scheme-case&status=5xx', 0],
    ] as const) {
      await goTo(page, `#/traffic?${query}`)
      await expect
        .poll(() => page.locator('.view-head [role=status]').innerText(), { message: query })
        .toBe(`${count} of 7 requests`)
      await expect.poll(() => requestsOf(page).count(), { message: query }).toBe(count)
    }
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await expect.poll(() => requestsOf(page).count()).toBe(7)
  })

  test('goes to the operation of an open request with one press', async () => {
    const { page } = await open('#/traffic/1', { before: fillWorld })
    await page.getByTitle('Show only this operation').click()
    await expect.poll(() => requestsOf(page).count()).toBe(2)
    expect(new URL(page.url()).hash).toBe('#/traffic/1?operation=plants.list')
  })
})
