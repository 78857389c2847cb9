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
    await message.waitFor()
    await using _ = await serve(greenhouse, { port: server.port })
    await page.getByText('live', { exact: true }).waitFor()
    // Well before it would have gone by itself.
    await expect.poll(() => message.count(), { timeout: 2_000 }).toBe(0)
  })

  test('is live as soon as it answered a call', async () => {
    const { page, server, greenhouse } = await open('#/time')
    await page.getByRole('button', { name: 'Freeze the clock' }).waitFor()
    await server.close()
    // The next try comes three seconds after the last one by then.
    await page.waitForTimeout(4_500)
    await using _ = await serve(greenhouse, { port: server.port })
    const began = Date.now()
    await page.getByRole('button', { name: 'Freeze the clock' }).click()
    await page.getByText('live', { exact: true }).waitFor()
    expect(Date.now() - began).toBeLessThan(1_500)
  })
})
