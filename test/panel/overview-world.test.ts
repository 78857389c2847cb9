import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

describePanel('the overview of another world', (open) => {
  test('has its own base URLs, which work as they stand', async () => {
    const { page, server, greenhouse } = await open('#/overview?world=checkout', {
      before: (made) => made.world('checkout'),
    })
    for (const [url, path] of [
      [`${server.url}/~checkout`, '/plants'],
      [`${server.url}/~checkout/v1`, '/apps'],
    ]) {
      await page.getByText(url!, { exact: true }).waitFor()
      const response = await fetch(url! + path!, { headers: { authorization: 'Bearer key_pro' } })
      expect(response.status).toBe(200)
    }
    expect(greenhouse.world('checkout').journal.size).toBe(2)
    await page.evaluate(() => (location.hash = '#/overview'))
    await expect.poll(() => page.getByText('/~').count()).toBe(0)
  })
})
