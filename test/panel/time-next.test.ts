import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

const frozen = { before: (greenhouse: { world(): { clock: { freeze(): void } } }) => greenhouse.world().clock.freeze() }

describePanel('what is due', (open) => {
  test('settles a purchase as the clock runs to the next, and says what was done', async () => {
    const { page, greenhouse, send } = await open('#/time', frozen)
    await page.getByRole('heading', { name: 'Due next' }).waitFor()
    const made = await send('/v1/credits/purchases', {
      method: 'POST',
      body: '{"amount": 250, "payment_method": "pm_ok"}',
    })
    const { id } = (await made.json()) as { id: string }
    const due = page.getByRole('table', { name: 'What is due' })
    await due.getByText(`The purchase ${id} of 250 credits settles`).waitFor()
    expect(await due.getByRole('row').nth(1).innerText()).toContain(id)

    await page.getByRole('button', { name: 'Run to the next' }).click()
    const done = page.getByRole('region', { name: 'What was done' })
    await done.getByText(`The purchase ${id} of 250 credits settles`).waitFor()
    await done.getByText('succeeded').waitFor()
    expect(greenhouse.world().records.purchases.get(id)?.status).toBe('succeeded')
    await expect.poll(() => due.getByText(id).count()).toBe(0)
    await expect.poll(() => page.locator('.time-now time').innerText()).toBe('2026-03-01 12:00:33 UTC')
  })

  test('is done up to the one that was chosen, and the n key does the next', async () => {
    const { page, greenhouse } = await open('#/time', frozen)
    const due = page.getByRole('table', { name: 'What is due' })
    const rows = due.getByRole('row')
    await rows.nth(3).waitFor()
    const [first, third] = [await rows.nth(1).innerText(), rows.nth(3)]
    const at = (await third.locator('time').getAttribute('datetime'))!
    await third.getByRole('button', { name: /^Run to here/ }).click()
    await expect.poll(() => greenhouse.world().clock.now()).toBe(Date.parse(at))
    await page.getByRole('region', { name: 'What was done' }).waitFor()
    await expect.poll(() => rows.nth(1).innerText()).not.toBe(first)
    await page.keyboard.press('n')
    await expect.poll(() => greenhouse.world().clock.now()).toBeGreaterThan(Date.parse(at))
  })
})
