import { expect } from 'vitest'
import { sensorPlugin } from '../../examples/plug-in/sensors.ts'
import { click, clipboardOf, press, undo } from './page.ts'
import { findBarriers, openPanel, panelTest as test } from '../support/panel.ts'
import type { Page } from 'playwright-core'

const meter = (page: Page, name: string, text: string) =>
  expect.poll(() => page.getByRole('meter', { name, exact: true }).getAttribute('aria-valuetext')).toBe(text)

test('meters of an account and its row run down with requests, refill, and follow the plan', async () => {
  const { page, send, world } = await openPanel('#/data/accounts/acct_free')
  await meter(page, 'Minute', '60 of 60 left')
  for (let sent = 0; sent < 3; sent++) await send('/v1/apps', { key: 'key_free' })
  await meter(page, 'Minute', '57 of 60 left')
  await meter(page, 'Minute of acct_free', '57 of 60 left')
  await meter(page, 'Minute of acct_pro', '300 of 300 left')
  await meter(page, 'Day', '997 of 1\u202f000 left')
  await page.getByText('3 used, refills in', { exact: false }).first().waitFor()

  await click(page, 'Refill')
  await meter(page, 'Day', '1\u202f000 of 1\u202f000 left')

  await page.getByLabel('plan', { exact: true }).selectOption('pro')
  await press(page, 'Save', 'Saved accounts acct_free')
  await meter(page, 'Minute', '300 of 300 left')
  const { headers } = await send('/v1/apps', { key: 'key_free' })
  expect(headers.get('x-ratelimit-limit-minute') ?? headers.get('x-ratelimit-limit')).toBe('300')
  await undo(page, 'Saved accounts acct_free')
  await meter(page, 'Minute', '59 of 60 left')
  expect(world.records.accounts.get('acct_free')).toMatchObject({ plan: 'free' })
  // Its window ends.
  await page.getByRole('button', { name: '+1m', exact: false }).click()
  await meter(page, 'Minute', '60 of 60 left')
  await meter(page, 'Day', '999 of 1\u202f000 left')
})

test('a key is generated, shown once, used, revoked and expired', async () => {
  const { page, send, world } = await openPanel('#/data/keys?new=')
  const detail = page.getByRole('complementary')
  await detail.getByLabel('account', { exact: true }).selectOption('acct_pro')
  await detail.getByLabel('apps:read').check()
  await detail.getByLabel('expires_at').fill('soon')
  await press(detail, 'Generate', 'Write a time such as')
  await detail.getByLabel('expires_at').fill('2099-01-01T00:00:00Z')
  expect(await findBarriers(page)).toEqual([])
  await press(detail, 'Generate', 'it is shown only once')
  const secret = (await page.getByRole('dialog').locator('code').textContent())!
  await click(page, 'Copy the key')
  await expect.poll(() => clipboardOf(page)).toBe(secret)
  const use = async (init: RequestInit = {}) => (await send('/v1/apps', { key: secret, ...init })).status
  expect(await use()).toBe(200)
  expect(await use({ method: 'POST', body: '{"name":"x"}' })).toBe(403)
  await click(page, 'Done')
  for (const show of [() => undefined, () => page.reload()]) {
    await show()
    await detail.getByText('works').waitFor()
    expect(await page.content()).not.toContain(secret)
  }
  expect(world.records.keys.get(secret)).toMatchObject({ expires_at: '2099-01-01T00:00:00Z', scopes: ['apps:read'] })

  await detail.getByLabel('revoked').selectOption('true')
  await press(detail, 'Save', 'Saved keys')
  expect(await use()).toBe(401)
  await detail.getByText('revoked', { exact: true }).first().waitFor()
  await undo(page, 'Saved keys')
  await expect.poll(() => use()).toBe(200)
  await detail.getByLabel('expires_at').fill('2026-01-01T00:00:00Z')
  await click(detail, 'Save')
  await page.getByRole('row', { name: 'expired' }).nth(1).waitFor()
  expect(await use()).toBe(401)
})

test('a key of another world carries its name', async () => {
  const { page, send } = await openPanel('#/data/accounts/acct_pro?world=checkout', { worlds: ['checkout'] })
  await page.getByRole('link', { name: 'Generate key' }).click()
  await press(page.getByRole('complementary'), 'Generate', 'it is shown only once')
  const whole = (await page.getByRole('dialog').locator('code').textContent())!
  expect(whole).toMatch(/^key_[a-z0-9]+@checkout$/)
  expect((await send('/v1/apps', { key: whole })).status).toBe(200)
  expect((await send('/v1/apps', { key: whole.split('@')[0]! })).status).toBe(401)
})

test('keys have meters of their quotas, are found by name, and take scopes of plug-ins', async () => {
  const { page, send, world } = await openPanel('#/data/keys', { greenhouse: { plugins: [sensorPlugin()] } })
  const keyOf = (name: string) => world.records.keys.get(name)!
  await page.getByRole('cell', { name: 'key_pro', exact: true }).waitFor()
  expect(await page.getByRole('meter').count()).toBe(0)
  world.assume('rate-limit.scope', 'key')
  await meter(page, 'Minute of key_pro', '300 of 300 left')
  await send('/v1/apps')
  await meter(page, 'Minute of key_pro', '299 of 300 left')
  await meter(page, 'Minute of key_readonly', '300 of 300 left')

  await page.getByRole('cell', { name: 'key_readonly' }).click()
  await page.getByLabel('sensors:write').check()
  await page.getByLabel('apps:read').uncheck()
  await press(page, 'Save', 'Saved keys')
  expect(keyOf('key_readonly').scopes).toContain('sensors:write')
  expect(keyOf('key_readonly').scopes).not.toContain('apps:read')

  await page.getByLabel('Filter keys by text').fill('KEY_fr')
  await page.getByText('1 record', { exact: true }).waitFor()
  await page.getByRole('cell', { name: 'key_free' }).click()
  await page.getByLabel('expires_at').fill('2099-01-01T00:00:00Z')
  await click(page, 'Save')
  await expect.poll(() => keyOf('key_free').expires_at).toBe('2099-01-01T00:00:00Z')
  // What was not set stays so.
  expect(keyOf('key_free').scopes).toBeUndefined()
  expect((await send('/v1/apps', { key: 'key_free' })).status).toBe(200)
})

test('of what the form of a key reads, one failure is shown, and the rest throws nothing', async () => {
  const { page } = await openPanel('#/data/keys', {
    route: async (page) => {
      await page.route('**/records/accounts?**', (route) => route.fulfill({ status: 500, json: {} }))
      await page.route('**/worlds/default/accounts', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 100))
        await route.continue()
      })
    },
  })
  const answered = page.waitForResponse('**/worlds/default/accounts')
  await page.getByRole('cell', { name: 'key_readonly' }).click()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await answered
})
