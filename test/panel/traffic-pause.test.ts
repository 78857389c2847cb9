import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'
import { requestsOf } from './requests.ts'

describePanel('a pause of the traffic', (open) => {
  test('holds the list and loses nothing', async () => {
    const { page, send } = await open('#/traffic')
    const rows = requestsOf(page)
    await send('/plants?limit=1')
    await rows.first().waitFor()
    await page.keyboard.press('p')
    for (let limit = 2; limit <= 6; limit++) await send(`/plants?limit=${limit}`)
    const resume = page.getByRole('button', { name: 'Resume, 5 new' })
    await resume.waitFor()
    expect(await rows.count()).toBe(1)
    await page.locator('.side-link', { hasText: 'Overview' }).click()
    await page.locator('.side-link', { hasText: 'Traffic' }).click()
    await resume.click()
    await expect.poll(() => rows.count()).toBe(6)
    expect(await rows.first().innerText()).toContain('limit=6')
  })

  test('of an empty list says so, and how it goes on', async () => {
    const { page, send } = await open('#/traffic')
    await page.getByText('No requests yet').waitFor()
    await page.keyboard.press('p')
    await send('/plants')
    await page.getByText('The list is paused').waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await requestsOf(page).first().waitFor()
  })
})
