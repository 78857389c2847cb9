import { test } from 'vitest'
import { describePanel } from '../support/panel.ts'

describePanel('a scenario that has acted as often as it may', (open) => {
  test('is shown as used up, and as active again once it is switched on again', async () => {
    const { page, send, greenhouse } = await open('#/scenarios/flaky', {
      before: (made) => void made.world().use('flaky', { failures: 2 }),
    })
    const bar = page.getByRole('region', { name: 'Active scenarios' })
    await bar.getByText('flaky').waitFor()
    await send('/plants')
    const usedUp = bar.getByText('used up')
    await page.waitForTimeout(600)
    if ((await usedUp.count()) > 0) throw new Error('It says so after the first of two failures.')
    await send('/plants')
    await usedUp.waitFor()
    await page.getByText('It has acted as often as it may, and does nothing now.').waitFor()
    greenhouse.world().use('flaky', { failures: 2 })
    await usedUp.waitFor({ state: 'detached' })
  })
})
