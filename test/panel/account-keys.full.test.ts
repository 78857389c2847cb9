import { expect } from 'vitest'
import { sensorPlugin } from '../../examples/plug-in/sensors.ts'
import { click, chooseItem, clipboardOf, holdAnswers } from './page.ts'
import { findBarriers, openPanel, panelTest as test } from '../support/panel.ts'

test('no expiry is counted from a clock that is not known yet', async () => {
  const answers = holdAnswers('**/__greenhouse/worlds/default/scenarios')
  const { page } = await openPanel('#/account/acct_pro', { route: answers.hold })
  await page.getByRole('button', { name: 'Create a key' }).click()
  const hour = page.getByRole('dialog').getByRole('button', { name: 'in 1 hour' })
  expect(await hour.isDisabled()).toBe(true)
  answers.release()
  await hour.click()
  expect(await page.getByLabel('Expires at').inputValue()).toMatch(/^2026-03-01T13:/)
})

test('a key is created, shown once, used, revoked and deleted', async () => {
  const { page, send, world } = await openPanel('#/account/acct_pro')
  await page.getByRole('button', { name: 'Create a key' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Read-only' }).click()
  await form.getByLabel('Expires at').fill('soon')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await form.getByText('Write a time such as', { exact: false }).waitFor()
  await form.getByRole('button', { name: 'in 1 hour' }).click()
  expect(await findBarriers(page)).toEqual([])
  await form.getByRole('button', { name: 'Create', exact: true }).click()

  await page.getByText('it is shown only once', { exact: false }).waitFor()
  const secret = (await page.getByRole('dialog').locator('code').textContent())!
  await page.getByRole('button', { name: 'Copy the key' }).click()
  await page.getByText('Copied', { exact: true }).waitFor()
  expect(await clipboardOf(page)).toBe(secret)
  const use = async (init: RequestInit = {}) => (await send('/v1/apps', { key: secret, ...init })).status
  expect(await use()).toBe(200)
  expect(await use({ method: 'POST', body: '{"name":"x"}' })).toBe(403)
  await page.getByRole('button', { name: 'Done' }).click()
  expect(await page.content()).not.toContain(secret)
  await page.reload()
  await page.getByText('6 of 11: read-only').nth(1).waitFor()
  expect(await page.content()).not.toContain(secret)

  const key = world.records.keys.get(secret)!
  expect(key.expires_at).toMatch(/^\d{4}-\d\d-\d\dT13:/)
  const row = page.getByRole('row').filter({ hasText: /fp_/ })
  const choose = async (item: string) => {
    await row.getByRole('button').click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Revoke')
  await row.getByText('revoked').waitFor()
  expect(await use()).toBe(401)
  await page.getByRole('button', { name: 'Undo' }).click()
  await row.getByText('works').waitFor()
  expect(await use()).toBe(200)

  await choose('Expire now')
  await row.getByText('expired').waitFor()
  expect(await use()).toBe(401)
  await choose('Expiry…')
  await click(page.getByRole('dialog'), 'never', 'Save')
  await row.getByText('works').waitFor()
  expect(await use()).toBe(200)

  await choose('Scopes…')
  await click(page.getByRole('dialog'), 'All', 'Save')
  await row.getByRole('cell', { name: 'all' }).waitFor()
  expect(await use({ method: 'POST', body: '{"name":"x"}' })).toBe(201)

  await choose('Delete…')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => row.count()).toBe(0)
  expect(await use()).toBe(401)
})

test('a deleted key of plain words comes back', async () => {
  const { page, send, world } = await openPanel('#/account/acct_pro')
  const status = async () => (await send('/v1/apps', { key: 'key_readonly' })).status
  await chooseItem(page, 'Actions for key_readonly', 'Delete…')
  await page.getByText('Deleted key_readonly').waitFor()
  expect(await status()).toBe(401)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(status).toBe(200)
  expect(world.records.keys.get('key_readonly')!.scopes).toHaveLength(6)
})

test('a key of another world carries its name', async () => {
  const { page, send } = await openPanel('#/account/acct_pro?world=checkout', { worlds: ['checkout'] })
  await page.getByRole('button', { name: 'Create a key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
  const whole = (await page.getByRole('dialog').locator('code').textContent())!
  expect(whole).toMatch(/^key_[a-z0-9]+@checkout$/)
  expect((await send('/v1/apps', { key: whole })).status).toBe(200)
  expect((await send('/v1/apps', { key: whole.split('@')[0]! })).status).toBe(401)
})

test('the scopes of plug-ins can be given and taken', async () => {
  const { page, world } = await openPanel('#/account/acct_pro', { greenhouse: { plugins: [sensorPlugin()] } })
  const scopes = () => world.records.keys.get('key_readonly')!.scopes
  const change = async (label: string) => {
    await chooseItem(page, 'Actions for key_readonly', 'Scopes…')
    await page.getByRole('dialog').getByLabel(label).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Changed the scopes of').last().waitFor()
  }
  await change('sensors:write')
  await expect.poll(scopes).toContain('sensors:write')
  await change('apps:read')
  await expect.poll(scopes).not.toContain('apps:read')
  expect(scopes()).toContain('sensors:write')
})
