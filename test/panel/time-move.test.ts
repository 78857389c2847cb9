import { expect, test } from 'vitest'
import { start } from '../support/test-api.ts'
import { describePanel } from '../support/panel.ts'

describePanel('the clock', (open) => {
  test('is frozen, advanced by a length of time and by a preset, and set', async () => {
    const { page, greenhouse } = await open('#/time')
    const { clock } = greenhouse.world()
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

  test('says how far a frozen clock is behind the machine, and offers to set it', async () => {
    // Somewhat later than the machine, so that the page opens before it is behind.
    const { page, greenhouse } = await open('#/time', {
      greenhouse: { now: new Date(Date.now() + 2_000).toISOString() },
      before: (made) => made.world().clock.freeze(),
    })
    const { clock } = greenhouse.world()
    const before = clock.now()
    await page.getByText('behind this machine').waitFor()
    await page.getByRole('button', { name: 'Set to this machine’s time' }).click()
    await expect.poll(() => clock.now()).toBeGreaterThan(before)
  })

  test('does not move for an invalid length of time, and says why next to the input', async () => {
    const { page, greenhouse } = await open('#/time', {
      before: (made) => made.world().clock.freeze(),
    })
    const before = greenhouse.world().clock.now()
    await page.getByLabel('Advance by').fill('a while')
    await page.getByLabel('Advance by').press('Enter')
    await page.locator('.field-error').filter({ hasText: 'a while' }).waitFor()
    expect(await page.getByLabel('Advance by').getAttribute('aria-invalid')).toBe('true')
    expect(greenhouse.world().clock.now()).toBe(before)
  })
})
