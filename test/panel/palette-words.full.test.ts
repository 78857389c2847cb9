import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

describePanel('the palette knows', (open) => {
  test.each([
    ['snapshot', 'Take a snapshot'],
    ['undo', 'Undo the last change'],
    ['curl', 'Show code for curl, fetch and test runners'],
    ['redeliver', 'Show the deliveries of webhooks'],
    ['tag null', 'Use malformed-plant'],
    ['fail twice', 'Use flaky'],
    ['restore snapshot mine', 'Restore the snapshot mine'],
  ])('%s', async (words, title) => {
    const { page } = await open('#/overview', { before: (made) => made.world().snapshot('mine') })
    await page.locator('.clock-time').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find an action' }).fill(words)
    await page.getByRole('dialog').getByRole('option', { name: title, exact: true }).waitFor()
  })

  test('how to copy the request that is open', async () => {
    const { page, send } = await open('#/traffic/1')
    await send('/plants')
    await page.getByRole('button', { name: 'Copy as' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find an action' }).fill('curl')
    await page.getByRole('dialog').getByRole('option', { name: 'Copy the request as curl' }).click()
    await page.getByText('Copied the request as curl').waitFor()
  })

  test('how to take the last change back', async () => {
    const { page, greenhouse } = await open('#/scenarios/slow')
    await page.getByRole('switch', { name: 'In use' }).click()
    await page.getByText('slow is active').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find an action' }).fill('undo')
    await page.getByRole('dialog').getByRole('option', { name: 'Undo the last change' }).click()
    await expect.poll(() => greenhouse.world().scenarios).toEqual([])
  })
})

describePanel('the search of scenarios knows', (open) => {
  test('what one calls a failure that goes away', async () => {
    const { page } = await open('#/scenarios?search=fail%20twice')
    await page.getByRole('link', { name: 'Flaky', exact: true }).waitFor()
  })
})
