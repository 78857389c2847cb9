import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { load } from '../browser/shared-page.ts'
import { describePanel } from '../support/panel.ts'

describePanel('the page that tests share', (open) => {
  test('loads where a test wants it, even while the panel of the test before goes elsewhere', async () => {
    const { page, server, send } = await open('#/traffic')
    await send('/plants')
    await page.locator('.virtual-row').click()
    await page.getByRole('complementary', { name: 'Request 1' }).waitFor()
    await server.close()
    await page.getByText('offline').waitFor()
    const late = {
      url: () => page.url(),
      evaluate: page.evaluate.bind(page),
      async reload() {
        await using _ = await serve(createGreenhouse(), { port: server.port })
        // Now it has forgotten the request that was open, and gone back to the list.
        await page.getByText('The server was started again').waitFor()
        await page.reload()
      },
    } as unknown as Page
    await load(late, `${server.url}/__greenhouse/#/docs`)
    expect(page.url()).toContain('#/docs')
  })
})
