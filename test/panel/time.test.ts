import { expect } from 'vitest'
import { start } from '../support/test-api.ts'
import { click, enter, expectTexts } from './page.ts'
import { openPanel, test } from './world.ts'

test('the clock is frozen, set and advanced; a mistake is reported next to the input', async () => {
  const { page, world } = await openPanel('#/time')
  const at = () => new Date(world.clock.now()).toISOString()
  const field = page.getByLabel('Advance by, or set to')
  await click(page, 'Freeze')
  await page.getByRole('button', { name: 'Let it run' }).waitFor()
  for (const [text, now] of [
    [start, start],
    ['90m', '2026-03-01T13:30:30.000Z'],
  ] as const) {
    await enter(field, text)
    await expect.poll(at).toBe(now)
  }
  await click(page, 'Advance by 7d')
  await expect.poll(() => page.locator('.time-now').innerText()).toBe('2026-03-08 13:30:30 UTC')
  expect(at()).toBe('2026-03-08T13:30:30.000Z')
  await field.fill('a while')
  await click(page, 'Move')
  await page.locator('.field-error').filter({ hasText: 'a while' }).waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  expect(at()).toBe('2026-03-08T13:30:30.000Z')
})

test('due work runs up to the chosen one, or the next by button or n, and is reported', async () => {
  const { page, send, world } = await openPanel('#/time', { greenhouse: { frozen: true } })
  const rows = page.getByRole('table', { name: 'What is due' }).getByRole('row')
  const body = '{"amount": 250, "payment_method": "pm_ok"}'
  const { id } = (await (await send('/v1/credits/purchases', { method: 'POST', body })).json()) as {
    id: string
  }
  const title = `The purchase ${id} of 250 credits settles`
  await expectTexts(rows.nth(1), title)
  await page.locator(`.lane [title^="${title}"]`).waitFor()
  await click(page, 'Run to the next')
  const done = page.getByRole('region', { name: 'What was done' })
  await expectTexts(done, title)
  await done.getByRole('link', { name: id }).waitFor()
  expect(world.records.purchases.get(id)?.status).toBe('succeeded')
  await rows.filter({ hasText: id }).waitFor({ state: 'detached' })
  const at = Date.parse((await rows.nth(3).locator('time').getAttribute('datetime'))!)
  await click(rows.nth(3), /^Run to here/)
  await expect.poll(() => world.clock.now()).toBe(at)
  await page.getByText('3 things fell due').waitFor()
  await page.keyboard.press('n')
  await expect.poll(() => world.clock.now()).toBeGreaterThan(at)
  await rows.nth(1).press('Enter')
  await expect.poll(() => page.url()).toMatch(/#\/(data|webhooks)\/.+/)
})
