import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

describePanel('an answer of the server that comes late', (open) => {
  test('hides no newer event: neither of the scenarios nor of the clock', async () => {
    const { page, greenhouse } = await open()
    await page.getByText('live', { exact: true }).waitFor()
    const world = greenhouse.world()
    const answered: (() => void)[] = []
    for (const path of ['**/worlds/default', '**/worlds/default/scenarios'])
      await page.route(path, async (route) => {
        const response = await route.fetch()
        await new Promise<void>((resolve) => answered.push(resolve))
        await route.fulfill({ response })
      })
    // Both are read again after it.
    world.snapshot('before')
    await expect.poll(() => answered.length).toBe(2)

    world.use('server-error')
    world.clock.freeze()
    world.clock.set('2031-01-02T03:04:05Z')
    const active = page.getByRole('region', { name: 'Active scenarios' })
    await active.getByText('server-error').waitFor()
    const late = page.waitForResponse('**/worlds/default/scenarios')
    for (const answer of answered) answer()
    await (await late).finished()
    await page.unroute('**/worlds/default')
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))

    expect(await active.getByText('server-error').count()).toBe(1)
    expect(await page.locator('.clock-time').innerText()).toBe('2031-01-02 03:04:05 UTC')
  })
})
