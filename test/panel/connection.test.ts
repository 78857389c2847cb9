import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { describePanel } from '../support/panel.ts'
import { requestsOf } from './requests.ts'

describePanel('the panel', (open) => {
  test('says that the server went away, and takes up again when it is back, by itself', async () => {
    const { page, server, send } = await open('#/traffic')
    await send('/plants?limit=1')
    await requestsOf(page).first().waitFor()
    await server.close()
    await page.getByText('The server does not answer. You see its last state').waitFor()
    await page.getByText('offline').waitFor()
    expect(await requestsOf(page).count()).toBe(1)
    await page.getByRole('button', { name: 'Freeze the clock' }).click()
    await page.getByRole('status').getByText('The server does not answer. Is it still running?').waitFor()

    const greenhouse = createGreenhouse({ now: '2026-03-01T12:00:00Z' })
    greenhouse.world().use('slow')
    await using again = await serve(greenhouse, { port: server.port })
    await page.getByText('live', { exact: true }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByRole('region', { name: 'Active scenarios' }).getByText('slow').waitFor()
    await fetch(`${again.url}/plants?limit=2`, { headers: { authorization: 'Bearer key_pro' } })
    await requestsOf(page).filter({ hasText: 'limit=2' }).waitFor()
  })

  test('asks once for the token of the server, keeps it for the tab, and says when it is wrong', async () => {
    const { page, send } = await open('#/traffic', { serve: { token: 'sesame' } })
    const dialog = page.getByRole('dialog', { name: 'This server has a token' })
    await dialog.getByLabel('Token').fill('wrong')
    await page.keyboard.press('Enter')
    await dialog.getByText('The server refused this token.').waitFor()
    await dialog.getByLabel('Token').fill('sesame')
    await page.keyboard.press('Enter')
    await page.getByText('No requests yet').waitFor()
    expect(await dialog.count()).toBe(0)
    await page.reload()
    await page.getByText('live', { exact: true }).waitFor()
    await send('/plants')
    await requestsOf(page).first().waitFor()
    expect(await dialog.count()).toBe(0)
  })
})
