import { expect } from 'vitest'
import { press, clipboardOf, holdAnswers } from './page.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'

test('an operation is tried with parameters, and its request is found in the traffic', async () => {
  const { page } = await openPanel('#/docs')
  const links = page.getByRole('navigation', { name: 'Operations' }).getByRole('link')
  await links.first().press('End')
  await expect.poll(() => links.last().evaluate((link) => link.matches(':focus'))).toBe(true)
  await page.getByRole('link', { name: /^GET \/plants / }).click()
  const form = page.getByRole('form', { name: 'Try plants.list' })
  await form.getByLabel('limit').fill('2')
  await form.getByLabel('Key').selectOption('key_readonly')
  await press(form, 'Copy as curl', 'Copied the request as curl')
  expect(await clipboardOf(page)).toContain('Bearer key_readonly')
  await form.getByRole('button', { name: 'Send' }).click()
  const reply = page.getByRole('region', { name: 'Reply', exact: true })
  await reply.locator('.badge').filter({ hasText: '200' }).waitFor()
  expect(await reply.locator('.json-members').first().innerText()).toContain('Lavandula')
  expect(await reply.innerText()).toContain('application/json')
  await reply.getByRole('link', { name: /see it in Traffic/ }).click()
  const entry = page.getByRole('complementary', { name: /^Request \d/ })
  await entry.getByRole('heading', { name: 'GET /plants?limit=2' }).waitFor()
})

test('an operation can be sent once its keys are known, and not before', async () => {
  const answers = holdAnswers('**/worlds/default/keys')
  const { page } = await openPanel('#/docs/plants.list', { route: answers.hold })
  await page.locator('main .detail-facts').waitFor()
  expect(await page.getByRole('button', { name: 'Send', exact: true }).count()).toBe(0)
  answers.release()
  await expect.poll(() => page.getByLabel('Key', { exact: true }).inputValue()).toBe('key_pro')
})

test('an operation is sent to the world that is shown with the body as typed, and copied as curl', async () => {
  const { page, greenhouse, server, world } = await openPanel('#/docs/plants.create?world=checkout', {
    worlds: ['checkout'],
  })
  const form = page.getByRole('form', { name: 'Try plants.create' })
  const body = form.getByLabel('Body')
  await body.fill('{"id": 9007199254740995, "name": "Ficus"}')
  await press(form, 'Copy as curl', 'Copied the request as curl')
  expect(await clipboardOf(page)).toBe(
    `curl '${server.url}/~checkout/plants' -H 'authorization: Bearer key_pro' -H 'content-type: application/json' --data-raw '{"id": 9007199254740995, "name": "Ficus"}'`,
  )
  await form.getByRole('button', { name: 'Send' }).click()
  const reply = page.getByRole('region', { name: 'Reply', exact: true })
  await reply.locator('.badge').filter({ hasText: '200' }).waitFor()
  expect(greenhouse.world('checkout').records.plants.get(9007199254740995n)?.name).toBe('Ficus')
  expect(world.records.plants.get(9007199254740995n)).toBeUndefined()
  await body.fill('{"id": 1,')
  await form.getByRole('button', { name: 'Send' }).click()
  await reply.locator('.badge').filter({ hasText: '400' }).waitFor()
})

test('an operation asks for what its path needs, and says when no reply came', async () => {
  const { page, world } = await openPanel('#/docs/plants.delete')
  const form = page.getByRole('form', { name: 'Try plants.delete' })
  await form.getByLabel('id').fill('')
  await form.getByRole('button', { name: 'Send' }).click()
  await form.getByText('The path requires it.').waitFor()
  expect(world.journal.calls()).toEqual([])
  world.use('connection-reset')
  await form.getByLabel('id').fill('101')
  await press(form, 'Send', 'The connection ended before the reply was complete.')
})
