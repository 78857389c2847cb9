import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadScenarios, watchFolders } from 'greenhouse-mock/node'
import { writeFolder } from '../support/folder.ts'
import { describePanel, findBarriers } from '../support/panel.ts'

const sound = `title: Teapot
description: Every reply is a teapot.
covers: A status that nobody knows.
respond:
  - status: 418
`

describePanel('a scenario file that is broken', (open) => {
  test.each(['#/overview', '#/scenarios', '#/data/plants'])(
    'is named in %s with its place and what is wrong, until it is mended',
    async (place) => {
      const folder = writeFolder({ 'teapot.yaml': sound })
      const file = join(folder, 'teapot.yaml')
      const { page, greenhouse } = await open(place, { greenhouse: { scenarios: loadScenarios(folder) } })
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

  test('is found by the palette', async () => {
    const folder = writeFolder({ 'teapot.yaml': sound })
    const { page, greenhouse } = await open('#/scenarios', { greenhouse: { scenarios: loadScenarios(folder) } })
    const watching = watchFolders(greenhouse, { scenarios: folder })
    onTestFinished(() => watching.close())
    await page.locator('.clock-time').waitFor()
    writeFileSync(join(folder, 'teapot.yaml'), sound.replace('status: 418', 'status: 9'))
    await expect.poll(() => greenhouse.files.problems.length).toBe(1)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find an action' }).fill('teapot.yaml')
    await page.getByRole('option', { name: /^Problem in .*teapot\.yaml:5:.*respond\.0\.status/ }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
  })
})
