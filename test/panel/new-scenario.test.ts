import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'
import { click, download } from './page.ts'

test('a form writes the YAML of a new scenario until one edits it; it is tried and downloaded', async () => {
  const { page, send, world } = await openPanel('#/scenarios')
  await click(page, 'New scenario')
  const yaml = page.getByLabel('YAML')
  const field = (name: string) => page.getByLabel(name, { exact: true })
  await field('title').fill('Lite is down')
  await field('status').fill('500')
  await field('on').fill('plants.lst')
  const mistakes = page.getByLabel('Mistakes')
  await mistakes.getByText('Did you mean "plants.list"?').waitFor()
  expect(await yaml.inputValue()).toContain('title: Lite is down\n')
  expect(await yaml.inputValue()).toContain('respond:\n  - { status: 500, on: plants.lst }\n')
  await mistakes.getByText('Line 5, column 20').waitFor()
  await field('on').fill('plants.list')
  await page.locator('option', { hasText: 'acct_lite' }).waitFor({ state: 'attached' })
  await field('account').selectOption('acct_lite')
  await field('times').fill('2')
  await mistakes.getByText('No mistakes.').waitFor()

  await yaml.fill((await yaml.inputValue()).replace('status: 500', 'status: 418'))
  await expect.poll(() => field('status').isDisabled()).toBe(true)
  await yaml.fill((await yaml.inputValue()).replace('respond', 'respnd'))
  await mistakes.getByText('Did you mean "respond"?').waitFor()
  expect(await page.getByRole('button', { name: 'Try' }).isDisabled()).toBe(true)
  await yaml.fill((await yaml.inputValue()).replace('respnd', 'respond'))
  await click(page, 'Try')
  await expect.poll(() => world.scenarios).toEqual(['inline-lite-is-down'])
  const statuses = []
  for (const key of ['key_pro', 'key_lite', 'key_lite', 'key_lite'])
    statuses.push((await send('/plants', { key })).status)
  expect(statuses).toEqual([200, 418, 418, 200])

  await page.getByText('start the server with --scenarios DIR').waitFor()
  expect(await page.getByRole('button', { name: /^Save/ }).count()).toBe(0)
  const { file, text } = await download(page, () => click(page, 'Download'))
  expect([file, text]).toEqual(['lite-is-down.yaml', await yaml.inputValue()])
  await click(page, 'Write it from the form again')
  expect(await yaml.inputValue()).toContain('status: 500')
  expect(await field('status').inputValue()).toBe('500')
})

/** What the form writes for each thing that a scenario can do. */
const effects = {
  'Delay the reply': 'fault:\n  - { kind: delay, fixed: "2s" }',
  'Make a field wrong': 'malform:\n  - { field: name, kind: wrong-type }',
  'Cut the connection': 'fault:\n  - { kind: reset }',
  'Never answer': 'fault:\n  - { kind: timeout }',
  'Expire keys': 'keys:\n  - { expire: "0s" }',
  'Spend a quota': 'quota:\n  - { window: minute, remaining: 0 }',
  'Answer with a status': 'respond:\n  - { status: 503 }',
}

test('a scenario of each kind has no mistakes and is saved where a second server reads it', async () => {
  const { page } = await openPanel('#/scenarios?new=*')
  const yaml = page.getByLabel('YAML')
  const mistakes = page.getByLabel('Mistakes')
  for (const [title, text] of Object.entries(effects)) {
    await page.getByLabel('What it does').selectOption(title)
    await expect.poll(() => yaml.inputValue()).toContain(text)
    await mistakes.getByText('No mistakes.').waitFor()
  }

  const folder = writeFolder({ 'first.yaml': await yaml.inputValue() })
  const { ready } = await startServe(['--scenarios', folder])
  await page.goto(`${ready.plants_url}/__greenhouse/#/scenarios?new=*`)
  const save = () => page.getByRole('button', { name: `Save in ${folder}` }).click()
  await page.getByLabel('name', { exact: true }).fill('slow')
  await save()
  await page.getByRole('dialog').getByText('There is a scenario of the name "slow" already').waitFor()
  await click(page.getByRole('dialog'), 'Cancel')
  await page.getByLabel('name', { exact: true }).fill('second')
  await save()
  await page.getByRole('complementary', { name: 'Scenario second' }).waitFor()
  await page.getByRole('switch', { name: 'second', exact: true }).waitFor()
  expect(readFileSync(join(folder, 'second.yaml'), 'utf8')).toContain('respond:\n  - { status: 503 }\n')
  const second = await startServe(['--scenarios', folder, '--scenario', 'second'])
  expect((await second.call('/plants')).status).toBe(503)
})
