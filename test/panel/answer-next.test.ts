import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

describePanel('the next calls', (open) => {
  test('to an operation get the answer that is chosen, and the others what they got before', async () => {
    const { page, greenhouse, send } = await open('#/traffic')
    await send('/plants?limit=1')
    await page.locator('.virtual-row').click()
    await page.getByRole('button', { name: 'Answer next' }).click()
    const dialog = page.getByRole('dialog', { name: 'Next calls to plants.list' })
    await dialog.getByLabel('Calls').fill('2')
    await dialog.getByLabel('Status').fill('99')
    await dialog.getByText('Expected a status from 200 to 599.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Answer them' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Status').fill('503')
    await dialog.getByLabel('Body').fill('{"error":503,"message":"later","id":9007199254740993}')
    const code = await dialog.locator('pre').innerText()
    expect(code).toMatch(/^world\.use\(\{/)
    expect(code).toContain('id: 9007199254740993n')
    await dialog.getByRole('button', { name: 'Answer them' }).click()
    await page.getByText('“answer plants.list” is active').waitFor()
    const statuses = []
    for (let call = 0; call < 3; call++) statuses.push((await send('/plants?limit=1')).status)
    expect(statuses).toEqual([503, 503, 200])
    expect(greenhouse.world().journal.calls({ status: 503 })[0]!.response.body).toContain('9007199254740993')
  })

  test('are answered from the palette too, and undo takes it back', async () => {
    const { page, greenhouse, send } = await open('#/traffic')
    await send('/plants?limit=1')
    await page.locator('.virtual-row').click()
    await page.getByRole('button', { name: 'Answer next' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find an action' }).fill('respond')
    await page.getByRole('dialog').getByRole('option', { name: 'Answer the next calls to plants.list' }).click()
    await page.getByRole('button', { name: 'Answer them' }).click()
    await expect.poll(() => greenhouse.world().scenarios.length).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => greenhouse.world().scenarios.length).toBe(0)
  })
})
