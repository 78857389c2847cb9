import { expect } from 'vitest'
import { clipboardOf, hashOf } from './page.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'

test('the palette finds every action and does it', async () => {
  const { page, world } = await openPanel('#/overview')
  const choose = async (words: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find an action' }).pressSequentially(words)
    await page.getByRole('dialog').getByRole('option', { selected: true }).waitFor()
    await page.keyboard.press('Enter')
  }
  await page.locator('.clock-time').waitFor()
  await choose('use expired-key')
  await expect.poll(() => world.scenarios).toEqual(['expired-key'])
  await choose('clear all scenarios')
  await expect.poll(() => world.scenarios).toEqual([])
  const before = world.clock.now()
  await choose('advance 1 h')
  await expect.poll(() => world.clock.now() - before).toBeGreaterThanOrEqual(3_600_000)
  await choose('copy key_pro_plus')
  await expect.poll(() => clipboardOf(page)).toBe('key_pro_plus')
  await choose('go to traffic')
  await expect.poll(() => hashOf(page)).toBe('#/traffic')
  await choose('the dark theme')
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
  await page.reload()
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
})

test('the palette moves by arrows, says when nothing matches, and Escape restores the focus', async () => {
  const { page } = await openPanel('#/traffic')
  await page.getByRole('button', { name: 'Pause' }).focus()
  await page.keyboard.press('Control+k')
  const selected = page.getByRole('dialog').getByRole('option', { selected: true })
  const first = await selected.innerText()
  await page.keyboard.press('ArrowDown')
  expect(await selected.innerText()).not.toBe(first)
  await page.keyboard.press('ArrowUp')
  expect(await selected.innerText()).toBe(first)
  await page.keyboard.type('zzzz')
  await page.getByText('No action matches.').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Pause')
})

test('the focus is where it was as soon as a dialog is gone', async () => {
  const { page } = await openPanel('#/traffic')
  const pause = page.getByRole('button', { name: 'Pause' })
  for (const [key, name] of [
    ['Control+k', 'Actions'],
    ['?', 'Keys'],
  ] as const) {
    await pause.focus()
    await page.keyboard.press(key)
    await page.getByRole('dialog', { name }).waitFor()
    const watch = await page.evaluateHandle(() => {
      const gone = new Promise<string | null>((resolve) => {
        const observer = new MutationObserver(() => {
          if (document.querySelector('dialog')) return
          observer.disconnect()
          resolve(document.activeElement!.textContent)
        })
        observer.observe(document, { childList: true, subtree: true })
      })
      return { gone }
    })
    await page.keyboard.press('Escape')
    expect([name, await watch.evaluate(({ gone }) => gone)]).toEqual([name, 'Pause'])
  }
})

test('keys go to views with g and a letter, ? lists them, and typing is left alone', async () => {
  const { page } = await openPanel('#/overview')
  await page.locator('main h1').waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await expect.poll(() => hashOf(page)).toBe('#/traffic')
  await page.locator('[data-filter]').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('g o?')
  expect(hashOf(page)).toBe('#/traffic?search=g+o%3F')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keys' })
  await list.getByText('Go to Traffic').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => list.count()).toBe(0)
})

test('Tab reaches everything of the frame, the link that skips it first', async () => {
  const { page } = await openPanel('#/traffic')
  await page.getByText('No requests yet').waitFor()
  await page.getByRole('button', { name: 'Freeze the clock' }).waitFor()
  const names: string[] = []
  for (let step = 0; step < 16; step++) {
    await page.keyboard.press('Tab')
    names.push(
      await page.evaluate(() => {
        const { activeElement: element } = document
        return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
      }),
    )
  }
  expect(names.slice(0, 9)).toEqual([
    'Skip to the view',
    'Greenhouse: traffic',
    'default',
    'Freeze the clock',
    '+1m: advance the clock by 1 minute',
    '+1h: advance the clock by 1 hour',
    '+1d: advance the clock by 1 day',
    'Connect',
    'Actions Ctrl K',
  ])
  expect(names).toContain('Traffic')
  expect(names).toContain('Time')
})
