import { expect } from 'vitest'
import { press, hashOf } from './page.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'
import type { Locator } from 'playwright-core'

test('the bar shows the clock as it runs, freezes and moves, even when code moves it', async () => {
  const { page, world } = await openPanel()
  const time = page.locator('.clock-time')
  const shown = async () => Date.parse((await time.innerText()).replace(' UTC', 'Z').replace(' ', 'T'))
  // A page may take any time to open, and the clock runs meanwhile.
  await expect.poll(async () => Math.abs(world.clock.now() - (await shown()))).toBeLessThan(2_000)
  const first = await shown()
  await expect.poll(shown).toBeGreaterThan(first)
  await press(page, 'Freeze the clock', 'frozen')
  expect(world.clock.frozen).toBe(true)
  const frozen = world.clock.now()
  await page.getByRole('button', { name: '+1h: advance the clock by 1 hour' }).click()
  await expect.poll(async () => Math.abs(frozen + 3_600_000 - (await shown()))).toBeLessThan(1_000)
  world.clock.set('2031-01-02T03:04:05Z')
  await expect.poll(() => time.innerText()).toBe('2031-01-02 03:04:05 UTC')
  await page.getByRole('button', { name: 'Let the clock run' }).click()
  await expect.poll(() => world.clock.frozen).toBe(false)
})

test('the bar takes away active scenarios one by one or all at once, and puts them back', async () => {
  const { page, world } = await openPanel('#/traffic')
  world.use('rate-limited-plan', { window: 'day' })
  world.use('slow', { ms: 800 })
  world.use('expired-key')
  const active = page.getByRole('region', { name: 'Active scenarios' })
  await active.getByText('window=day', { exact: true }).waitFor()
  await active.getByRole('button', { name: 'Switch off slow' }).click()
  await expect.poll(() => world.scenarios).toEqual(['rate-limited-plan', 'expired-key'])
  await page.getByRole('button', { name: 'Undo' }).click()
  const switchedOn = () => world.active.map(({ name, ms }) => `${name} ${ms}`)
  await expect.poll(switchedOn).toEqual(['rate-limited-plan undefined', 'slow 800', 'expired-key undefined'])
  await active.getByRole('button', { name: 'clear all' }).click()
  await expect.poll(() => world.scenarios).toEqual([])
  await expect.poll(() => active.count()).toBe(0)
  world.use('server-error')
  await active.getByText('server-error').waitFor()
})

test('the bar shows an inline scenario by its title, and puts it back as it was', async () => {
  const { page, world } = await openPanel('#/traffic')
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

test('a spent scenario is shown as used up, and as active once it is switched on again', async () => {
  const { page, send, world } = await openPanel('#/scenarios/flaky', { greenhouse: { use: ['flaky:failures=2'] } })
  const bar = page.getByRole('region', { name: 'Active scenarios' })
  await bar.getByText('flaky').waitFor()
  await send('/plants')
  const usedUp = bar.getByText('used up')
  await page.waitForTimeout(600)
  if ((await usedUp.count()) > 0) throw new Error('It says so after the first of two failures.')
  await send('/plants')
  await usedUp.waitFor()
  await page.getByText('It has acted as often as it may, and does nothing now.').waitFor()
  world.use('flaky', { failures: 2 })
  await usedUp.waitFor({ state: 'detached' })
})

test('a menu of 200 worlds goes to the world whose name one types', async () => {
  const { page } = await openPanel('#/overview', {
    greenhouse: { maxWorlds: 300 },
    worlds: Array.from({ length: 200 }, (_, number) => `branch-${100 + number}`),
  })
  await page.getByRole('button', { name: 'default', exact: true }).click()
  await page.getByText('Type to find one').waitFor()
  await page.getByRole('menuitemradio', { name: 'branch-299' }).waitFor()
  await page.keyboard.type('branch-257')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('branch-257')
  await page.keyboard.press('Enter')
  await expect.poll(() => hashOf(page)).toBe('#/overview?world=branch-257')
})

test('a menu matches parts of names, presses no key of the panel, and starts over after a pause', async () => {
  const { page } = await openPanel('#/overview', { worlds: ['checkout', 'go-tests'] })
  await page.getByRole('button', { name: 'default', exact: true }).click()
  await page.getByRole('menuitemradio', { name: 'go-tests' }).waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  await page.keyboard.type('out')
  await expect.poll(focused).toBe('checkout')
  await page.waitForTimeout(1_100)
  await page.keyboard.type('go-t')
  await expect.poll(focused).toBe('go-tests')
  expect(hashOf(page)).toBe('#/overview')
})

const phone = { viewport: { width: 375, height: 700 } }

const isInSight = (element: Locator) =>
  element.evaluate((one) => {
    const { left, right } = one.getBoundingClientRect()
    return left >= -1 && right <= innerWidth + 1
  })

test.each(['time', 'traffic'])('the name of the view %s is in sight on a phone', async (view) => {
  const { page } = await openPanel(`#/${view}`, { browser: phone })
  const link = page.getByRole('navigation', { name: 'Views' }).locator('[aria-current]')
  await link.waitFor()
  await expect.poll(() => isInSight(link)).toBe(true)
})

test('the chosen tab is in sight on a phone', async () => {
  const { page } = await openPanel('#/overview?code=playwright', { browser: { viewport: { width: 280, height: 700 } } })
  const tab = page.getByRole('tab', { name: 'Playwright' })
  await tab.waitFor()
  await expect.poll(() => isInSight(tab)).toBe(true)
  expect(await page.evaluate(() => document.getElementById('view')!.scrollTop)).toBe(0)
})
