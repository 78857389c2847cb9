import { expect } from 'vitest'
import { sensorPlugin } from '../../examples/plug-in/sensors.ts'
import { click, clipboardOf, press } from './page.ts'
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

  await click(page, 'only the minute')
  await meter(page, 'Minute', '60 of 60 left')
  await meter(page, 'Day', '997 of 1\u202f000 left')
  await click(page, 'Refill')
  await meter(page, 'Day', '1\u202f000 of 1\u202f000 left')

  await page.getByLabel('Plan', { exact: true }).selectOption('pro')
  await meter(page, 'Minute', '300 of 300 left')
  await page.getByText('acct_free is on the plan pro').waitFor()
  const { headers } = await send('/v1/apps', { key: 'key_free' })
  expect(headers.get('x-ratelimit-limit-minute') ?? headers.get('x-ratelimit-limit')).toBe('300')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await meter(page, 'Minute', '59 of 60 left')
  expect(world.records.accounts.get('acct_free')).toMatchObject({ plan: 'free' })
  // Its window ends.
  await page.getByRole('button', { name: '+1m', exact: false }).click()
  await meter(page, 'Minute', '60 of 60 left')
  await meter(page, 'Day', '999 of 1\u202f000 left')
})

test('rows of keys have meters where each key has its own quota', async () => {
  const { page, send, world } = await openPanel('#/data/keys')
  await page.getByRole('cell', { name: 'key_pro', exact: true }).waitFor()
  expect(await page.getByRole('meter').count()).toBe(0)
  world.assume('rate-limit.scope', 'key')
  await meter(page, 'Minute of key_pro', '300 of 300 left')
  await send('/v1/apps')
  await meter(page, 'Minute of key_pro', '299 of 300 left')
  await meter(page, 'Minute of key_readonly', '300 of 300 left')
})

test('a key is generated, shown once, used, changed, revoked and deleted', async () => {
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
  await page.getByRole('button', { name: 'Revoke' }).waitFor()
  expect(await page.content()).not.toContain(secret)
  await page.reload()
  await page.getByRole('button', { name: 'Revoke' }).waitFor()
  expect(await page.content()).not.toContain(secret)
  expect(world.records.keys.get(secret)).toMatchObject({ expires_at: '2099-01-01T00:00:00Z', scopes: ['apps:read'] })

  await press(page, 'Revoke', 'is revoked')
  expect(await use()).toBe(401)
  await click(page, 'Undo')
  await expect.poll(() => use()).toBe(200)
  await press(page, 'Revoke', 'is revoked')
  await press(page, 'Undo the revocation', 'works again')
  expect(await use()).toBe(200)
  await press(page, 'Expire now', 'is expired')
  await page.getByRole('row', { name: 'expired' }).nth(1).waitFor()
  expect(await use()).toBe(401)
  await detail.getByLabel('expires_at').fill('')
  await detail.getByLabel('apps:write').check()
  await press(detail, 'Save', 'Saved keys')
  expect(await use({ method: 'POST', body: '{"name":"x"}' })).toBe(201)

  await press(detail, 'Delete', 'Deleted keys')
  expect(await use()).toBe(401)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(() => use()).toBe(200)
})

test('a key is found by its name, and its scopes that were not set stay unset', async () => {
  const { page, send, world } = await openPanel('#/data/keys')
  await page.getByLabel('Filter keys by text').fill('KEY_fr')
  await page.getByText('1 record', { exact: true }).waitFor()
  await page.getByRole('cell', { name: 'key_free' }).click()
  await page.getByLabel('expires_at').fill('2099-01-01T00:00:00Z')
  await press(page, 'Save', 'Saved keys')
  const key = world.records.keys.get('key_free')!
  expect([key.expires_at, key.scopes]).toEqual(['2099-01-01T00:00:00Z', undefined])
  expect((await send('/v1/apps', { key: key.secret })).status).toBe(200)
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

test('the scopes of plug-ins can be given and taken', async () => {
  const { page, world } = await openPanel('#/data/keys', { greenhouse: { plugins: [sensorPlugin()] } })
  const scopes = () => world.records.keys.get('key_readonly')!.scopes
  await page.getByRole('cell', { name: 'key_readonly' }).click()
  await page.getByLabel('sensors:write').check()
  await page.getByLabel('apps:read').uncheck()
  await press(page, 'Save', 'Saved keys')
  await expect.poll(scopes).toContain('sensors:write')
  expect(scopes()).not.toContain('apps:read')
})
