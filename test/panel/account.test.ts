import { expect } from 'vitest'
import { press } from './page.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'
import type { Page } from 'playwright-core'

test('the meters of an account run down as requests come, refill, and move with the plan', async () => {
  const { page, send, world } = await openPanel('#/account/acct_free')
  await meter(page, 'Minute', '60 of 60 left')
  for (let sent = 0; sent < 3; sent++) await send('/v1/apps', { key: 'key_free' })
  await meter(page, 'Minute', '57 of 60 left')
  await meter(page, 'Day', '997 of 1\u202f000 left')
  await page.getByText('3 used, refills in', { exact: false }).first().waitFor()

  await page.getByRole('button', { name: 'only the minute' }).click()
  await meter(page, 'Minute', '60 of 60 left')
  await meter(page, 'Day', '997 of 1\u202f000 left')
  await page.getByRole('button', { name: 'Refill', exact: true }).click()
  await meter(page, 'Day', '1\u202f000 of 1\u202f000 left')

  await page.getByLabel('Plan').selectOption('pro')
  await meter(page, 'Minute', '300 of 300 left')
  await page.getByText('acct_free is on the plan pro').waitFor()
  const { headers } = await send('/v1/apps', { key: 'key_free' })
  expect(headers.get('x-ratelimit-limit-minute') ?? headers.get('x-ratelimit-limit')).toBe('300')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await meter(page, 'Minute', '59 of 60 left')
  expect(world.records.accounts.get('acct_free')).toMatchObject({ plan: 'free' })
})

test('the meters of an account are full again when the clock passes the window', async () => {
  const { page, send } = await openPanel('#/account/acct_free')
  await meter(page, 'Minute', '60 of 60 left')
  await send('/v1/apps', { key: 'key_free' })
  await meter(page, 'Minute', '59 of 60 left')
  await page.getByRole('button', { name: '+1m', exact: false }).click()
  await meter(page, 'Minute', '60 of 60 left')
  await meter(page, 'Day', '999 of 1\u202f000 left')
})

test('credits of an account lead to their record', async () => {
  const { page, world } = await openPanel('#/account/acct_pro')
  await page.getByRole('link', { name: 'Edit credits' }).click()
  const form = page.getByLabel('credits acct_pro')
  await form.getByLabel('purchased').fill('70000')
  await press(form, 'Save', 'Saved credits acct_pro')
  const { spent } = world.records.credits.get('acct_pro')!
  await page.goto(page.url().replace(/#.*/, '#/account/acct_pro'))
  const balance = (70_000 - spent).toLocaleString('en').replace(',', '\u202f')
  await page.getByText(balance, { exact: true }).waitFor()
})

async function meter(page: Page, name: string, text: string) {
  await expect.poll(() => page.getByRole('meter', { name }).getAttribute('aria-valuetext')).toBe(text)
}
