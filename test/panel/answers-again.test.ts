import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { describePanel } from '../support/panel.ts'

describePanel('a server that answers again', (open) => {
  test('is not said to be away any more', async () => {
    const { page, server, greenhouse } = await open('#/time')
    await page.getByRole('button', { name: 'Freeze the clock' }).waitFor()
    await server.close()
    await page.getByText('offline').waitFor()
    await page.getByRole('button', { name: 'Freeze the clock' }).click()
    const message = page.getByText('The server does not answer. Is it still running?')
    await message.first().waitFor()
    await using _ = await serve(greenhouse, { port: server.port })
    await page.getByText('live', { exact: true }).waitFor()
    // Well before it would have gone by itself.
    await expect.poll(() => message.count(), { timeout: 6_000 }).toBe(0)
  })
})
