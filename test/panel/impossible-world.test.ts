import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

describePanel('a link to a world that can not be', (open) => {
  test('says so, and not that the server is away; the way to the default world works', async () => {
    const { page } = await open('#/traffic?world=a%20b')
    await page.getByText('No world can have the name “a b”').waitFor()
    await page.getByText('no such world', { exact: true }).waitFor()
    expect(await page.getByText('offline').count()).toBe(0)
    expect(await page.getByRole('button', { name: /^Create/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Go to default' }).click()
    await page.getByText('No requests yet').waitFor()
    await page.getByText('live', { exact: true }).waitFor()
  })
})
