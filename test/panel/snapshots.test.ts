import { expect } from 'vitest'
import { click, press, undo } from './page.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'

test('snapshots are taken, compared with, restored and deleted', async () => {
  const { page, send, world } = await openPanel('#/data?tab=snapshots')
  const { plants } = world.records
  await page.getByText('There are no snapshots yet').waitFor()
  await page.getByLabel('Name of the snapshot').fill('before')
  await page.keyboard.press('Enter')
  await page.getByRole('cell', { name: 'before', exact: true }).click()
  const comparison = page.getByLabel('What changed since before')
  await comparison.getByText('No record has changed').waitFor()

  await send('/plants/101', { method: 'DELETE' })
  await send('/plants', { method: 'POST', body: '{"id":9007199254740995,"name":"Newcomer"}' })
  plants.update(102, { name: 'Salvia rosmarinus' })
  await comparison.getByRole('link', { name: '9007199254740995' }).waitFor()
  await comparison.getByText('Salvia rosmarinus').waitFor()
  expect((await comparison.locator('section').innerText()).replaceAll(/\s+/g, ' ')).toBe(
    'plants + added 9007199254740995 − removed 101 ± changed 102 name: Rosmarinus officinalis → Salvia rosmarinus',
  )

  await click(page, 'Restore before')
  await click(page.getByRole('dialog'), 'Restore')
  await comparison.getByText('No record has changed').waitFor()
  expect(plants.get(102)).toMatchObject({ name: 'Rosmarinus officinalis' })
  expect((await send('/plants/9007199254740995', { method: 'DELETE' })).status).toBe(404)
  expect((await send('/plants/101', { method: 'DELETE' })).status).toBe(204)

  for (const name of ['before', 'before-restore']) {
    await page.getByRole('cell', { name, exact: true }).click()
    await click(page, `Delete ${name}`)
    await press(page.getByRole('dialog'), 'Delete', `Deleted the snapshot ${name}`)
  }
  await page.getByText('There are no snapshots yet').waitFor()
  expect(world.snapshots).toEqual([])
})

test('replacing a snapshot asks first, and undoing a restore gives back later changes', async () => {
  const { page, world } = await openPanel('#/data?tab=snapshots', { before: (made) => made.world().snapshot('mine') })
  const { plants } = world.records
  plants.delete(101)
  await page.getByRole('cell', { name: 'mine', exact: true }).waitFor()
  await page.getByLabel('Name of the snapshot').fill('mine')
  await click(page, 'Take a snapshot')
  await click(page.getByRole('dialog'), 'Cancel')
  await page.getByRole('cell', { name: 'mine', exact: true }).click()
  await press(page, 'Restore mine', '− removed')
  await press(page.getByRole('dialog'), 'Restore', 'Restored mine')
  expect([plants.get(101) !== undefined, world.snapshots]).toEqual([true, ['mine', 'before-restore']])
  await undo(page, 'Restored mine')
  await expect.poll(() => plants.get(101)).toBeUndefined()
})
