import { expect } from 'vitest'
import { start } from '../support/test-api.ts'
import { expectTexts } from './page.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'

test('the clock is frozen, advanced by a length of time and by a preset, and set', async () => {
  const { page, world } = await openPanel('#/time')
  const { clock } = world
  await page.getByRole('button', { name: 'Freeze', exact: true }).click()
  await page.getByRole('button', { name: 'Let it run' }).waitFor()
  const at = () => new Date(clock.now()).toISOString()
  await page.getByLabel('Set to').fill(start)
  await page.getByLabel('Set to').press('Enter')
  await expect.poll(at).toBe(start)
  await page.getByLabel('Advance by').fill('90m')
  await page.getByRole('button', { name: 'Advance', exact: true }).click()
  await expect.poll(at).toBe('2026-03-01T13:30:30.000Z')
  await page.getByRole('button', { name: 'Advance the clock by 7 days' }).click()
  await expect.poll(at).toBe('2026-03-08T13:30:30.000Z')
  await expect.poll(() => page.locator('.time-now time').innerText()).toBe('2026-03-08 13:30:30 UTC')
})

test('the clock says how far it is behind the machine when frozen, and offers to set it', async () => {
  const { page, world } = await openPanel('#/time', {
    greenhouse: { now: new Date(Date.now() + 2_000).toISOString(), frozen: true },
  })
  const { clock } = world
  const before = clock.now()
  await page.getByText('behind this machine').waitFor()
  await page.getByRole('button', { name: 'Set to this machine’s time' }).click()
  await expect.poll(() => clock.now()).toBeGreaterThan(before)
})

test('the clock does not move for an invalid length of time, and says why next to the input', async () => {
  const { page, world } = await openPanel('#/time', { greenhouse: { frozen: true } })
  const before = world.clock.now()
  await page.getByLabel('Advance by').fill('a while')
  await page.getByLabel('Advance by').press('Enter')
  await page.locator('.field-error').filter({ hasText: 'a while' }).waitFor()
  expect(await page.getByLabel('Advance by').getAttribute('aria-invalid')).toBe('true')
  expect(world.clock.now()).toBe(before)
})

const frozen = { greenhouse: { frozen: true } }

test('a purchase that is due settles as the clock runs to the next, and what was done is said', async () => {
  const { page, send, world } = await openPanel('#/time', frozen)
  await page.getByRole('heading', { name: 'Due next' }).waitFor()
  const body = '{"amount": 250, "payment_method": "pm_ok"}'
  const made = await send('/v1/credits/purchases', { method: 'POST', body })
  const { id } = (await made.json()) as { id: string }
  const due = page.getByRole('table', { name: 'What is due' })
  await due.getByText(`The purchase ${id} of 250 credits settles`).waitFor()
  expect(await due.getByRole('row').nth(1).innerText()).toContain(id)

  await page.getByRole('button', { name: 'Run to the next' }).click()
  const done = page.getByRole('region', { name: 'What was done' })
  await expectTexts(done, `The purchase ${id} of 250 credits settles`, 'succeeded')
  expect(world.records.purchases.get(id)?.status).toBe('succeeded')
  await expect.poll(() => due.getByText(id).count()).toBe(0)
  await expect.poll(() => page.locator('.time-now time').innerText()).toBe('2026-03-01 12:00:33 UTC')
})

test('what is due is done up to the chosen one, and the n key does the next', async () => {
  const { page, world } = await openPanel('#/time', frozen)
  const due = page.getByRole('table', { name: 'What is due' })
  const rows = due.getByRole('row')
  await rows.nth(3).waitFor()
  const [first, third] = [await rows.nth(1).innerText(), rows.nth(3)]
  const at = (await third.locator('time').getAttribute('datetime'))!
  await third.getByRole('button', { name: /^Run to here/ }).click()
  await expect.poll(() => world.clock.now()).toBe(Date.parse(at))
  await page.getByRole('region', { name: 'What was done' }).waitFor()
  await expect.poll(() => rows.nth(1).innerText()).not.toBe(first)
  await page.keyboard.press('n')
  await expect.poll(() => world.clock.now()).toBeGreaterThan(Date.parse(at))
})
