import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { loadScenarios, watchFolders } from 'greenhouse-mock/node'
import { writeFolder } from '../support/folder.ts'
import { findAction } from './page.ts'
import { findBarriers, openPanel, panelTest as test } from '../support/panel.ts'

test.each([
  ['snapshot', 'Take a snapshot'],
  ['undo', 'Undo the last change'],
  ['curl', 'Show code for curl, fetch and test runners'],
  ['redeliver', 'Show the deliveries of webhooks'],
  ['tag null', 'Use malformed-plant'],
  ['fail twice', 'Use flaky'],
  ['restore snapshot mine', 'Restore the snapshot mine'],
])('the palette finds by %s: %s', async (words, title) => {
  const { page } = await openPanel('#/overview', { before: (made) => made.world().snapshot('mine') })
  await page.locator('.clock-time').waitFor()
  await findAction(page, words)
  await page.getByRole('dialog').getByRole('option', { name: title, exact: true }).waitFor()
})

test('the palette copies the request that is open', async () => {
  const { page, send } = await openPanel('#/traffic/1')
  await send('/plants')
  await page.getByRole('button', { name: 'Copy as' }).waitFor()
  await findAction(page, 'curl')
  await page.getByRole('dialog').getByRole('option', { name: 'Copy the request as curl' }).click()
  await page.getByText('Copied the request as curl').waitFor()
})

test('the palette undoes the last change', async () => {
  const { page, world } = await openPanel('#/scenarios/slow')
  await page.getByRole('switch', { name: 'In use' }).click()
  await page.getByText('slow is active').waitFor()
  await findAction(page, 'undo')
  await page.getByRole('dialog').getByRole('option', { name: 'Undo the last change' }).click()
  await expect.poll(() => world.scenarios).toEqual([])
})

test('the search of scenarios finds what one calls a failure that goes away', async () => {
  const { page } = await openPanel('#/scenarios?search=fail%20twice')
  await page.getByRole('link', { name: 'Flaky', exact: true }).waitFor()
})

const sound = `title: Teapot
description: Every reply is a teapot.
covers: A status that nobody knows.
respond:
  - status: 418
`

test.each(['#/overview', '#/scenarios', '#/data/plants'])(
  'a broken scenario file is named in %s with its position and problem until it is repaired',
  async (place) => {
    const folder = writeFolder({ 'teapot.yaml': sound })
    const file = join(folder, 'teapot.yaml')
    const { page, greenhouse } = await openPanel(place, { greenhouse: { scenarios: loadScenarios(folder) } })
    const watching = watchFolders(greenhouse, { scenarios: folder })
    onTestFinished(() => watching.close())
    await page.locator('.clock-time').waitFor()
    writeFileSync(file, sound.replace('status: 418', 'status: 9'))
    const note = page.getByRole('alert').filter({ hasText: 'in files' })
    await note.waitFor()
    expect(await note.innerText()).toContain(`${file}:5:`)
    expect(await note.innerText()).toContain('respond.0.status')
    expect(await findBarriers(page)).toEqual([])
    writeFileSync(file, sound)
    await note.waitFor({ state: 'detached' })
  },
)

test('the palette finds a broken scenario file', async () => {
  const folder = writeFolder({ 'teapot.yaml': sound })
  const { page, greenhouse } = await openPanel('#/scenarios', { greenhouse: { scenarios: loadScenarios(folder) } })
  const watching = watchFolders(greenhouse, { scenarios: folder })
  onTestFinished(() => watching.close())
  await page.locator('.clock-time').waitFor()
  writeFileSync(join(folder, 'teapot.yaml'), sound.replace('status: 418', 'status: 9'))
  await expect.poll(() => greenhouse.files.problems.length).toBe(1)
  await findAction(page, 'teapot.yaml')
  await page.getByRole('option', { name: /^Problem in .*teapot\.yaml:5:.*respond\.0\.status/ }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
})
