import { expect } from 'vitest'
import { click, enter, goTo, hashOf, press, undo, cells, detailInput } from './page.ts'
import { openPanel, test } from './world.ts'

test('a table is sorted, filtered and paged by the server, and the URL keeps it', async () => {
  const { page, world } = await openPanel('#/data/messages')
  const messages = world.records.messages.all()
  await page.getByRole('button', { name: 'role' }).waitFor()
  expect(await cells(page)).toEqual(messages.slice(0, 50).map(({ id }) => id))
  const byId = messages.map(({ id }) => id).sort()
  await click(page, 'id')
  await expect.poll(() => cells(page)).toEqual(byId.slice(0, 50))
  await click(page, 'id')
  await expect.poll(() => cells(page)).toEqual(byId.toReversed().slice(0, 50))
  await click(page, 'Next')
  await expect.poll(() => cells(page)).toEqual(byId.toReversed().slice(50, 100))
  await page.reload()
  await expect.poll(() => cells(page)).toEqual(byId.toReversed().slice(50, 100))

  await enter(page.getByLabel('Filter by a field'), 'role=user')
  const ofUsers = messages.filter(({ role }) => role === 'user')
  await page.getByText(`of ${ofUsers.length} records`).waitFor()
  const words = ofUsers[0]!.content.slice(0, 12).toLowerCase()
  await page.getByLabel('Filter messages by text').fill(words)
  const found = ofUsers
    .filter(({ content }) => content.toLowerCase().includes(words))
    .map(({ id }) => id)
  await expect.poll(() => cells(page)).toEqual(found.sort().toReversed().slice(0, 50))
  const params = { sort: '-id', 'where.role': 'user', search: words }
  await expect.poll(() => hashOf(page)).toBe(`#/data/messages?${new URLSearchParams(params)}`)
  await click(page, 'role is user')
  await expect.poll(() => hashOf(page)).not.toContain('role')
})

test('records are added and copied with the next id, and removed again by Undo', async () => {
  const { page, send, world } = await openPanel('#/data/plants')
  const { plants, apps } = world.records
  const add = page.getByRole('complementary').getByRole('button', { name: 'Add', exact: true })
  await click(page, 'Add to plants')
  await detailInput(page, 'name').fill('Rafflesia')
  await expect.poll(() => detailInput(page, 'id').inputValue()).toBe('205')
  await add.click()
  await page.getByText('This is required.').waitFor()
  await detailInput(page, 'account').selectOption('acct_pro')
  await add.click()
  await page.getByText('Added plants 205').waitFor()
  expect(await (await send('/plants?limit=100')).json()).toContainEqual({ name: 'Rafflesia' })
  await undo(page, 'Added plants 205')
  await expect.poll(() => plants.get(205)).toBeUndefined()

  const [first] = apps.all()
  await goTo(page, `#/data/apps/${first!.id}`)
  await click(page, 'Duplicate')
  await detailInput(page, 'name').fill('a-copy')
  const id = await detailInput(page, 'id').inputValue()
  expect(id).toMatch(/^app_[a-z0-9]{16}$/)
  await add.click()
  await page.getByText(`Added apps ${id}`).waitFor()
  expect(apps.get(id)).toEqual({ ...first, id, name: 'a-copy' })
})

test('snapshots are taken, restored and deleted', async () => {
  const { page, send, world } = await openPanel('#/data?tab=snapshots')
  const { plants } = world.records
  await page.getByText('There are no snapshots yet').waitFor()
  await enter(page.getByLabel('Name of the snapshot'), 'before')
  await page.getByRole('cell', { name: 'before', exact: true }).waitFor()
  await send('/plants/101', { method: 'DELETE' })
  await send('/plants', { method: 'POST', body: '{"id":9007199254740995,"name":"Newcomer"}' })
  plants.update(102, { name: 'Salvia rosmarinus' })

  await click(page, 'Restore before')
  await click(page.getByRole('dialog'), 'Restore')
  await page.getByText('Restored before').waitFor()
  expect(plants.get(102)).toMatchObject({ name: 'Rosmarinus officinalis' })
  expect((await send('/plants/9007199254740995', { method: 'DELETE' })).status).toBe(404)
  expect((await send('/plants/101', { method: 'DELETE' })).status).toBe(204)

  await page.getByRole('cell', { name: 'before', exact: true }).waitFor()
  await click(page, 'Delete before')
  await press(page.getByRole('dialog'), 'Delete', 'Deleted the snapshot before')
  await page.getByText('There are no snapshots yet').waitFor()
  expect(world.snapshots).toEqual([])
})
