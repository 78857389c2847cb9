import { expect, test } from 'vitest'
import { describePanel, findBarriers } from '../support/panel.ts'

const use = ['slow:ms=1', 'flaky:failures=1', 'clock-skew']

describePanel('the order of scenarios in the panel', (open) => {
  test('keys change the order of the world', async () => {
    const { page, greenhouse } = await open('#/scenarios', { greenhouse: { use: use as never } })
    const handle = page.getByRole('button', { name: /^Move slow, / })
    await handle.focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => greenhouse.world().scenarios).toEqual(['flaky', 'slow', 'clock-skew'])
    await page.getByText('slow is now 2 of 3').waitFor({ state: 'attached' })
    expect(await handle.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('End')
    await expect.poll(() => greenhouse.world().scenarios).toEqual(['flaky', 'clock-skew', 'slow'])
    expect(greenhouse.world().active.at(-1)).toEqual({ name: 'slow', ms: 1, on: '*' })
  })

  test('buttons and dragging change it too', async () => {
    const { page, greenhouse } = await open('#/scenarios', { greenhouse: { use: use as never } })
    await page.getByRole('button', { name: 'Move clock-skew up' }).click()
    await expect.poll(() => greenhouse.world().scenarios).toEqual(['slow', 'clock-skew', 'flaky'])
    const row = (name: string) => page.locator('.scenarios-order li', { hasText: name })
    await row('flaky').dragTo(row('slow'))
    await expect.poll(() => greenhouse.world().scenarios).toEqual(['flaky', 'slow', 'clock-skew'])
  })

  test('axe finds no barrier in it, light and dark, 1440 and 390 px wide', async () => {
    const { page } = await open('#/scenarios', { greenhouse: { use: use as never } })
    await page.locator('.scenarios-order').waitFor()
    await page.locator('.scenario').first().waitFor()
    for (const width of [1440, 390])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        expect([width, colorScheme, await findBarriers(page)]).toEqual([width, colorScheme, []])
      }
  })
})
