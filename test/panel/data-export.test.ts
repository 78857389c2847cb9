import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { loadFixtures } from 'greenhouse-mock/node'
import { createGreenhouse } from 'greenhouse-mock'
import { describePanel, findBarriers } from '../support/panel.ts'
import { start } from '../support/test-api.ts'

describePanel('records are exported', (open) => {
  test('one collection as a file that a new world starts from', async () => {
    const { page, greenhouse, send } = await open('#/data/plants')
    await send('/plants', { method: 'POST', body: '{"id":9007199254740995,"name":"# not: a comment"}' })
    await page.getByRole('button', { name: 'Export and reset' }).click()
    await page.getByRole('menuitem', { name: 'Export plants…' }).click()
    const { name, folder } = await download(page, 'Download plants.yaml')
    expect(name).toBe('plants.yaml')
    expect(await readFile(join(folder, name), 'utf8')).toContain('9007199254740995')
    await copyFile('fixtures/accounts.yaml', join(folder, 'accounts.yaml'))
    expect(recordsOf(createGreenhouse({ fixtures: loadFixtures(folder), now: start }), 'plants')).toEqual(
      recordsOf(greenhouse, 'plants'),
    )
  })

  test('the whole world in one file, secrets left out', async () => {
    const { page, greenhouse } = await open('#/data/plants')
    const [webhook] = greenhouse.world().records.webhooks.all()
    await page.getByRole('button', { name: 'Export and reset' }).click()
    await page.getByRole('menuitem', { name: 'Export the whole world…' }).click()
    await page.getByRole('tab', { name: 'messages.yaml' }).click()
    await page.getByText('Placeholders replace', { exact: false }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    const { name, folder } = await download(page, 'Download all as default.yaml')
    expect(await readFile(join(folder, name), 'utf8')).not.toContain(webhook!.secret)
    const again = createGreenhouse({ fixtures: loadFixtures(folder), now: start })
    for (const collection of ['accounts', 'keys', 'plants', 'apps', 'users'] as const)
      expect(recordsOf(again, collection).length).toBe(recordsOf(greenhouse, collection).length)
    expect(recordsOf(again, 'plants')).toEqual(recordsOf(greenhouse, 'plants'))
  })
})

function recordsOf(
  greenhouse: ReturnType<typeof createGreenhouse>,
  name: 'accounts' | 'keys' | 'plants' | 'apps' | 'users',
) {
  return greenhouse.world().records[name].all()
}

async function download(page: Page, button: string) {
  const folder = await mkdtemp(join(tmpdir(), 'greenhouse-panel-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()])
  const name = file.suggestedFilename()
  await file.saveAs(join(folder, name))
  return { name, folder }
}
