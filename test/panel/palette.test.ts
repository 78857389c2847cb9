import { loadScenarios, watchFolders } from 'greenhouse-mock/node'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { writeFolder } from '../support/folder.ts'
import { clipboardOf, findAction, hashOf } from './page.ts'
import { findBarriers, openPanel, test } from './world.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Actions' })

/** Types words, and presses Enter once the palette highlights the title. */
async function run(page: Page, words: string, title: string): Promise<void> {
  await findAction(page, words)
  await dialog(page)
    .getByRole('option', { name: new RegExp(`^${title}( g .)?$`), selected: true })
    .waitFor()
  await page.keyboard.press('Enter')
}

test('the palette runs what is highlighted for the words that are typed', async () => {
  const { page, world, greenhouse, send } = await openPanel('#/time', {
    before: (made) => void made.world().snapshot('mine'),
  })
  await page.locator('.clock-time').waitFor()
  const before = world.clock.now()
  const isLater = () => world.clock.now() - before >= 3_600_000
  for (const [words, title, read, expected] of [
    ['use expired-key', 'Use expired-key', () => world.scenario, 'expired-key'],
    ['switch off expired', 'Switch off expired-key', () => world.scenario, ''],
    ['undo', 'Undo a change', () => world.scenario, 'expired-key'],
    ['clear scenarios', 'Switch all scenarios off', () => world.scenario, ''],
    ['advance 1 h', 'Advance the clock by 1 hour', isLater, true],
    ['copy key_pro_plus', 'Copy key_pro_plus', () => clipboardOf(page), 'key_pro_plus'],
    ['go to traffic', 'Go to Traffic', () => hashOf(page), '#/traffic'],
  ] as const) {
    await run(page, words, title)
    await expect.poll<unknown>(read).toBe(expected)
  }
  await run(page, 'create key', 'Create an API key')
  const secret = await page.getByRole('dialog').locator('code').innerText()
  expect((await send('/v1/apps', { key: secret })).status).toBe(200)
  await page.getByRole('button', { name: 'Done' }).click()
  expect(await page.getByText(secret).count()).toBe(0)
  await run(page, 'curl', 'Show base URLs and keys')
  await expect.poll(() => hashOf(page)).toBe('#/traffic?tab=connect')
  await run(page, 'new world', 'Start a world again, as you say')
  await page.getByRole('dialog', { name: 'New world' }).waitFor()
  await page.keyboard.press('Escape')
  // What deletes asks first.
  for (const [words, title, name] of [
    ['reset the', 'Reset the world', 'Reset the world default?'],
    ['restore mine', 'Restore the snapshot mine', 'Restore the snapshot mine?'],
    ['clear journal', 'Clear the journal', 'Clear the traffic?'],
    ['delete a world', 'Delete a world', 'Delete the world default?'],
  ] as const) {
    await run(page, words, title)
    await page.getByRole('dialog', { name }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  expect([greenhouse.worlds(), world.journal.calls().length]).toEqual([['default'], 1])
  await run(page, 'dark', 'Use the dark theme')
  const theme = () => page.evaluate(() => document.documentElement.style.colorScheme)
  await expect.poll(theme).toBe('dark')
  await page.reload()
  await expect.poll(theme).toBe('dark')
})

test('each typed word starts a word of a title or synonym, and an exact beginning comes first', async () => {
  const { page, world } = await openPanel('#/time')
  await page.locator('.clock-time').waitFor()
  for (const [words, expected] of [
    ['list', 'List all operations'],
    ['list all assum', 'List all assumptions'],
    ['redeliver', 'Deliver again'],
    ['tokens', 'List the API keys'],
    ['go data', 'Go to Data\ng d'],
    ['null tag malformed', undefined],
    ['eset world', undefined],
    ['zzzz', undefined],
  ] as const) {
    const options = await findAction(page, words)
    if (expected) await expect.poll(() => options.first().innerText()).toBe(expected)
    else await page.getByText('No action matches.').waitFor()
    if (!expected) await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  }
  expect([hashOf(page), world.scenarios]).toEqual(['#/time', []])
})

test('the palette moves by arrows, and the focus is where it was as soon as a dialog is gone', async () => {
  const { page } = await openPanel('#/traffic')
  const link = page.locator('.top-bar').getByRole('link', { name: 'Connect' })
  await findAction(page, '')
  const selected = dialog(page).getByRole('option', { selected: true })
  const first = await selected.innerText()
  await page.keyboard.press('ArrowDown')
  expect(await selected.innerText()).not.toBe(first)
  await page.keyboard.press('ArrowUp')
  expect(await selected.innerText()).toBe(first)
  await page.keyboard.press('Escape')
  for (const [key, name] of [
    ['Control+k', 'Actions'],
    ['?', 'Keys'],
  ] as const) {
    await link.focus()
    await page.keyboard.press(key)
    await page.getByRole('dialog', { name }).waitFor()
    const watch = await page.evaluateHandle(() => {
      const gone = new Promise<string | null>((resolve) => {
        const observer = new MutationObserver(() => {
          if (document.querySelector('dialog')) return
          observer.disconnect()
          resolve(document.activeElement!.textContent)
        })
        observer.observe(document, { childList: true, subtree: true })
      })
      return { gone }
    })
    await page.keyboard.press('Escape')
    expect([name, await watch.evaluate(({ gone }) => gone)]).toEqual([name, 'Connect'])
  }
})

const sound = `title: Teapot
description: Every reply is a teapot.
covers: A status that nobody knows.
respond:
  - status: 418
`

test('a broken scenario file is named with position and problem above every view until repaired', async () => {
  const folder = writeFolder({ 'teapot.yaml': sound })
  const file = join(folder, 'teapot.yaml')
  const { page, greenhouse } = await openPanel('#/data', { greenhouse: { scenarios: loadScenarios(folder) } })
  const watching = watchFolders(greenhouse, { scenarios: folder })
  onTestFinished(() => watching.close())
  await page.locator('.clock-time').waitFor()
  writeFileSync(file, sound.replace('status: 418', 'status: 9'))
  const note = page.getByRole('alert').filter({ hasText: '1 problem in files' })
  await note.waitFor()
  expect(await note.innerText()).toContain(`${file}:5:`)
  expect(await note.innerText()).toContain('respond.0.status')
  expect(await findBarriers(page)).toEqual([])
  writeFileSync(file, sound)
  await note.waitFor({ state: 'detached' })
})
