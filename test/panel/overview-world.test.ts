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

  test('has its keys as they are there now', async () => {
    const { page, greenhouse } = await open('#/overview?world=checkout', { before: (made) => made.world('checkout') })
    const { records, clock } = greenhouse.world('checkout')
    const row = (key: string) => page.getByRole('row', { name: `Copy ${key}@checkout` })
    await row('key_pro').waitFor()
    expect(await row('key_pro').innerText()).not.toContain('revoked')
    records.accounts.update('acct_pro', { plan: 'free' })
    records.keys.update('key_pro', { revoked: true })
    records.keys.update('key_lite', { expires_at: new Date(clock.now() + 60_000).toISOString() })
    await expect.poll(() => row('key_pro').innerText()).toMatch(/free.*revoked/s)
    await expect.poll(() => row('key_lite').innerText()).toContain('expires 20')
    clock.advance('1h')
    await expect.poll(() => row('key_lite').innerText()).toContain('expired 20')
  })
})
