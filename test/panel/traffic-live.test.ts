import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'
import { start } from '../support/test-api.ts'
import { requestsOf } from './requests.ts'

describePanel('the traffic', (open) => {
  test('shows a request once it is answered, newest first, with its sender and what shaped it', async () => {
    const { page, greenhouse, send } = await open('#/traffic')
    await page.getByText('No requests yet').waitFor()
    await send('/plants?limit=3')
    await send('/v1/apps', { key: 'key_free', headers: { 'x-greenhouse-scenario': 'rate-limited-plan' } })
    const rows = requestsOf(page)
    await expect.poll(() => rows.count()).toBe(2)
    const [newest, oldest] = await rows.allInnerTexts()
    for (const text of ['429', 'GET', '/v1/apps', 'apps.list', 'key_free', 'rate-limited-plan'])
      expect(newest).toContain(text)
    for (const text of ['200', 'GET', '/plants?limit=3', 'plants.list', 'key_pro']) expect(oldest).toContain(text)
    const times = rows.locator('time')
    const [time] = await times.allInnerTexts()
    expect(time).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/)
    greenhouse.world().clock.advance('3d')
    await expect.poll(() => times.allInnerTexts()).toEqual(Array(2).fill(`${start.slice(5, 10)} ${time!.slice(0, 5)}`))
  })

  test('shows what was sent before the page opened, and the request that is still on its way', async () => {
    const { page, greenhouse, send } = await open('#/traffic', {
      before: async (made) => {
        await made.fetch(new Request('http://any/plants', { headers: { authorization: 'Bearer key_pro' } }))
      },
    })
    const rows = requestsOf(page)
    await rows.filter({ hasText: 'key_pro' }).waitFor()
    greenhouse.world().clock.freeze()
    const answering = send('/v1/apps', { headers: { 'x-greenhouse-scenario': 'slow:ms=60000' } })
    await rows.filter({ hasText: 'pending' }).waitFor()
    greenhouse.world().clock.advance('1m')
    await answering
    await expect.poll(() => rows.filter({ hasText: 'pending' }).count()).toBe(0)
    expect(await rows.count()).toBe(2)
  })

  test('starts over when the journal does', async () => {
    const { page, greenhouse, send } = await open('#/traffic')
    await send('/plants')
    const rows = requestsOf(page)
    await rows.first().waitFor()
    greenhouse.world().journal.clear()
    await page.getByText('No requests yet').waitFor()
    await send('/plants?limit=1')
    await expect.poll(() => rows.count()).toBe(1)
  })
})
