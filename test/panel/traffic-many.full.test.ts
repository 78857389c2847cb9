import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'
import { fillJournal } from './fill-journal.ts'
import { requestsOf } from './requests.ts'

describePanel('a list of 20,000 requests', (open) => {
  test('draws only what is in sight, moves by keys to its end, and stays where one reads', async () => {
    const { page, send } = await open('#/traffic', {
      greenhouse: { journal: { entries: 25_000, bytes: 2 ** 27, memory: 2 ** 28 } },
      before: (greenhouse) => fillJournal(greenhouse, 20_000),
    })
    await expect.poll(() => page.locator('.view-head [role=status]').innerText()).toBe('20\u202f000 requests')
    const rows = requestsOf(page)
    expect(await rows.count()).toBeLessThan(60)
    await page.keyboard.press('j')
    await page.keyboard.press('End')
    await page.getByTitle('/plants/1', { exact: true }).waitFor()
    expect(await rows.count()).toBeLessThan(60)
    await page.keyboard.press('Home')
    await rows.filter({ hasText: '/plants/20000' }).waitFor()

    await page.locator('.virtual-list').evaluate((list) => void (list.scrollTop = 3_200))
    await rows.filter({ hasText: '/plants/19900' }).waitFor()
    const inSight = () => rows.filter({ hasText: '/plants/19890' }).evaluate((row) => row.getBoundingClientRect().top)
    const before = await inSight()
    for (let limit = 1; limit <= 5; limit++) await send(`/v1/apps?limit=${limit}`, { key: 'key_lite' })
    await expect.poll(() => page.locator('.virtual-list').evaluate((list) => list.scrollTop)).toBe(3_200 + 5 * 32)
    expect(await inSight()).toBe(before)
  })
})
