import { expect } from 'vitest'
import { press } from './page.ts'
import { findBarriers, openPanel, panelTest as test } from '../support/panel.ts'

test('snapshots are taken, compared with, restored and deleted', async () => {
  const { page, send, world } = await openPanel('#/data?face=snapshots')
  const { plants } = world.records
  await page.getByText('There are no snapshots yet').waitFor()
  await page.getByLabel('Name of the snapshot').fill('before')
  await page.keyboard.press('Enter')
  await page.getByRole('cell', { name: 'before', exact: true }).click()
  const comparison = page.getByLabel('What changed since before')
  await comparison.getByText('No record has changed').waitFor()

  await send('/plants/101', { method: 'DELETE' })
  await send('/plants', { method: 'POST', body: '{"id":9007199254740995,"name":"Newcomer"}' })
  await plants.update(102, { name: 'Salvia rosmarinus' })
  await comparison.getByRole('link', { name: '9007199254740995' }).waitFor()
  await comparison.getByText('Salvia rosmarinus').waitFor()
  expect(await comparison.locator('section').allInnerTexts()).toEqual([
    expect.stringMatching(
      /^plants\s+\+ 1 added\s+9007199254740995\s+− 1 removed\s+101\s+± changed\s+102\s+name\s+Rosmarinus officinalis → Salvia rosmarinus$/,
    ),
  ])
  expect(await findBarriers(page)).toEqual([])

  await comparison.getByRole('button', { name: 'Restore the snapshot' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await comparison.getByText('No record has changed').waitFor()
  expect(plants.get(102)).toMatchObject({ name: 'Rosmarinus officinalis' })
  expect((await send('/plants/9007199254740995', { method: 'DELETE' })).status).toBe(404)
  expect((await send('/plants/101', { method: 'DELETE' })).status).toBe(204)

  for (const name of ['before', 'before-restore']) {
    await page.getByRole('button', { name: `Delete ${name}`, exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText(`Deleted the snapshot ${name}`, { exact: true }).waitFor()
  }
  await page.getByText('There are no snapshots yet').waitFor()
  expect(world.snapshots).toEqual([])
})

test('a snapshot is not replaced without a question, and Reset asks too', async () => {
  const { page, world } = await openPanel('#/data?face=snapshots', { before: (made) => made.world().snapshot('mine') })
  const { plants } = world.records
  plants.delete(101)
  await page.getByRole('cell', { name: 'mine', exact: true }).waitFor()
  await page.getByLabel('Name of the snapshot').fill('mine')
  await page.getByRole('button', { name: 'Take a snapshot' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await press(page, 'Compare with mine', '− 1 removed')
  await page.getByRole('button', { name: 'Reset default…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
  await expect.poll(() => world.records.plants.get(101)).toBeDefined()
})
