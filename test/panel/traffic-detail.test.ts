import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

describePanel('an opened request', (open) => {
  test('keeps the name of its key once all of it is read', async () => {
    const { page, send } = await open('#/traffic')
    await send('/plants')
    await page.locator('.virtual-row').click()
    const detail = page.getByRole('complementary', { name: 'Request 1' })
    await detail.getByRole('tab', { name: 'Decisions' }).waitFor()
    expect(await detail.locator('.detail-facts').textContent()).toContain('key_pro')
  })

  test('that is yet to come is shown when it comes', async () => {
    const { page, send } = await open('#/traffic/1')
    const detail = page.getByRole('complementary', { name: 'Request 1' })
    await detail.getByRole('button', { name: 'Try again' }).waitFor()
    await send('/plants')
    await detail.getByRole('tab', { name: 'Decisions' }).waitFor()
    expect(await detail.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  })
})
