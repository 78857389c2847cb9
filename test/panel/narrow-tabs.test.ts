import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

const phone = { viewport: { width: 375, height: 700 } }

/** Whether all of it is between the edges of the screen. */
const isInSight = (element: Locator) =>
  element.evaluate((one) => {
    const { left, right } = one.getBoundingClientRect()
    return left >= -1 && right <= innerWidth + 1
  })

describePanel('on a phone', (open) => {
  test.each(['docs', 'overview'])('the name of the view %s is in sight while it is open', async (view) => {
    const { page } = await open(`#/${view}`, { browser: phone })
    const link = page.getByRole('navigation', { name: 'Views' }).locator('[aria-current]')
    await link.waitFor()
    await expect.poll(() => isInSight(link)).toBe(true)
  })

  test('the tab that is chosen is in sight', async () => {
    const { page } = await open('#/overview?code=playwright', { browser: { viewport: { width: 280, height: 700 } } })
    const tab = page.getByRole('tab', { name: 'Playwright' })
    await tab.waitFor()
    await expect.poll(() => isInSight(tab)).toBe(true)
    expect(await page.evaluate(() => document.getElementById('view')!.scrollTop)).toBe(0)
  })
})
