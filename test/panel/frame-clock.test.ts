import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

describePanel('the bar above every view', (open) => {
  test("shows the world's clock as it runs, freezes and moves, even when code moves it", async () => {
    const { page, greenhouse } = await open()
    const time = page.locator('.clock-time')
    await expect.poll(() => time.innerText()).toMatch(/^2026-03-01 12:00:3\d UTC$/)
    const first = await time.innerText()
    await expect.poll(() => time.innerText()).not.toBe(first)
    await page.getByRole('button', { name: 'Freeze the clock' }).click()
    await page.getByText('frozen').waitFor()
    expect(greenhouse.world().clock.frozen).toBe(true)
    await page.getByRole('button', { name: '+1h: advance the clock by 1 hour' }).click()
    await expect.poll(() => time.innerText()).toMatch(/^2026-03-01 13:00/)
    greenhouse.world().clock.set('2031-01-02T03:04:05Z')
    await expect.poll(() => time.innerText()).toBe('2031-01-02 03:04:05 UTC')
    await page.getByRole('button', { name: 'Let the clock run' }).click()
    await expect.poll(() => greenhouse.world().clock.frozen).toBe(false)
  })

  test('shows what is active, takes it away one by one or all at once, and takes that back', async () => {
    const { page, greenhouse } = await open('#/traffic')
    const world = greenhouse.world()
    world.use('rate-limited-plan', { window: 'day' })
    world.use('slow', { ms: 800 })
    world.use('expired-key')
    const active = page.getByRole('region', { name: 'Active scenarios' })
    await active.getByText('window=day', { exact: true }).waitFor()
    await active.getByRole('button', { name: 'Switch off slow' }).click()
    await expect.poll(() => world.scenarios).toEqual(['rate-limited-plan', 'expired-key'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect
      .poll(() => world.active.map(({ name, ms }) => [name, ms]))
      .toEqual([
        ['rate-limited-plan', undefined],
        ['slow', 800],
        ['expired-key', undefined],
      ])
    await active.getByRole('button', { name: 'clear all' }).click()
    await expect.poll(() => world.scenarios).toEqual([])
    await expect.poll(() => active.count()).toBe(0)
    world.use('server-error')
    await active.getByText('server-error').waitFor()
  })

  test('shows an inline scenario by its title, takes it away, and puts it back as it was', async () => {
    const { page, greenhouse } = await open('#/traffic')
    const world = greenhouse.world()
    world.use('slow', { ms: 1 })
    world.use({ title: 'slow', respond: [{ on: 'apps.list', status: 500 }] })
    const before = world.active
    const active = page.getByRole('region', { name: 'Active scenarios' })
    await active.getByText('“slow”', { exact: true }).waitFor()
    await active.getByRole('button', { name: 'Switch off “slow”' }).click()
    await expect.poll(() => world.scenarios).toEqual(['slow'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => world.active).toEqual(before)
    expect(world.scenarios).toEqual(['slow', 'inline-slow'])
  })
})
