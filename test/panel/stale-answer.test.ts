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

  test('takes over no other world, empties no newer change, and brings no cleared traffic back', async () => {
    const { page, greenhouse, send } = await open('#/traffic', {
      before: (made) => made.world('other').use('slow'),
    })
    await page.getByText('live', { exact: true }).waitFor()
    const active = page.getByRole('region', { name: 'Active scenarios' })
    const world = greenhouse.world()
    /** Holds the answers of a path until it is called. */
    const hold = async (path: string, method: string) => {
      const answered: (() => void)[] = []
      await page.route(path, async (route) => {
        if (route.request().method() !== method) return route.fallback()
        const response = await route.fetch()
        await new Promise<void>((resolve) => answered.push(resolve))
        await route.fulfill({ response })
      })
      return {
        isAnswered: () => expect.poll(() => answered.length).toBeGreaterThan(0),
        async release() {
          const late = page.waitForResponse((response) => response.request().method() === method)
          for (const answer of answered) answer()
          await (await late).finished()
          await page.unroute(path)
          await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
        },
      }
    }

    world.use('slow')
    await active.getByText('slow').waitFor()
    const clearing = await hold('**/worlds/default/scenarios', 'DELETE')
    await page.getByRole('button', { name: 'clear all' }).click()
    await clearing.isAnswered()
    world.use('server-error')
    await active.getByText('server-error').waitFor()
    await clearing.release()
    expect.soft(await active.getByText('server-error').count()).toBe(1)

    const moving = await hold('**/worlds/default/clock', 'PATCH')
    await page.getByRole('button', { name: /advance the clock by 1 day/ }).click()
    await moving.isAnswered()
    await page.evaluate(() => void (location.hash = '#/traffic?world=other'))
    await active.getByText('slow').waitFor()
    const before = await page.locator('.clock-time').innerText()
    await moving.release()
    expect.soft((await page.locator('.clock-time').innerText()).slice(0, 10)).toBe(before.slice(0, 10))

    const reading = await hold('**/worlds/default/journal?*', 'GET')
    await send('/plants?limit=1')
    await page.evaluate(() => void (location.hash = '#/traffic'))
    await reading.isAnswered()
    // Its events are followed once a request of it shows.
    await expect
      .poll(async () => {
        await send('/plants?limit=3')
        return page.locator('.virtual-row', { hasText: 'limit=3' }).count()
      })
      .toBeGreaterThan(0)
    world.journal.clear()
    await send('/plants?limit=2')
    await page.locator('.virtual-row', { hasText: 'limit=2' }).waitFor()
    await reading.release()
    expect.soft(await page.locator('.virtual-row', { hasText: 'limit=1' }).count()).toBe(0)
  })
})
