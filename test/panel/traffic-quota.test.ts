import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

describePanel('a 429', (open) => {
  test("leads to the quota of the caller's account", async () => {
    const { page, send } = await open('#/traffic/1')
    await send('/v1/apps', { key: 'key_lite', headers: { 'x-greenhouse-scenario': 'rate-limited-plan' } })
    await page.getByRole('link', { name: 'Quota of the plan' }).click()
    await expect.poll(() => new URL(page.url()).hash).toBe('#/account/acct_lite')
  })
})
