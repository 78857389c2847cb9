import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'
import { requestsOf } from './requests.ts'

describePanel('requests that the journal dropped', (open) => {
  test('are counted once the page is reloaded, but not while the list still has them', async () => {
    const { page, send } = await open('#/traffic', { greenhouse: { journal: { entries: 3 } } })
    await page.getByText('No requests yet').waitFor()
    for (const limit of [1, 2, 3, 4, 5]) await send(`/plants?limit=${limit}`)
    await expect.poll(() => requestsOf(page).count()).toBe(5)
    const count = page.locator('.view-head [role=status]')
    expect(await count.innerText()).toBe('5 requests')
    await page.reload()
    await expect.poll(() => requestsOf(page).count()).toBe(3)
    await expect.poll(() => count.innerText()).toBe('3 requests, 2 older gone')
    await send('/plants?limit=6')
    await expect.poll(() => count.innerText()).toBe('4 requests, 2 older gone')
  })
})
