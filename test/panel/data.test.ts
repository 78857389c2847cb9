import { expect } from 'vitest'
import { click, clipboardOf, enter, goTo, hashOf, press, undo, cells, detailInput } from './page.ts'
import { findBarriers, openPanel, test } from './world.ts'

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
  expect(hashOf(page)).toBe(`#/data/messages?${new URLSearchParams(params)}`)
  await click(page, 'role is user')
  await expect.poll(() => hashOf(page)).not.toContain('role')
})

test('an edited plant is what the API lists, its id of 64 bits exact', async () => {
  const { page, send } = await openPanel('#/data/plants/9007199254740993')
  await detailInput(page, 'name').fill('Tumboa')
  await press(page, 'Save', 'Saved plants 9007199254740993')
  expect(await (await send('/plants?limit=100')).json()).toContainEqual({
    name: 'Tumboa',
    tag: 'desert',
  })
  await page.getByRole('cell', { name: 'Tumboa' }).waitFor()
  await undo(page, 'Saved plants 9007199254740993')
  await expect.poll(() => detailInput(page, 'name').inputValue()).toBe('Welwitschia mirabilis')
  expect((await send('/plants/9007199254740992', { method: 'DELETE' })).status).toBe(404)
  expect((await send('/plants/9007199254740993', { method: 'DELETE' })).status).toBe(204)
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

test('a rejected value is shown next to its input, in the form and in JSON', async () => {
  const { page, world } = await openPanel('#/data/conversations')
  await page.getByRole('cell', { name: world.records.conversations.all()[0]!.id }).click()
  await detailInput(page, 'app').selectOption({ index: 1 })
  await detailInput(page, 'created_at').fill('yesterday')
  await press(page, 'Save', 'Write a time such as')
  await click(page, 'Edit as JSON')
  await expect.poll(() => detailInput(page, 'created_at').inputValue()).toBe('yesterday')
  await detailInput(page, 'created_at').fill('2026-06-01T00:00:00Z')
  await press(page, 'Save', "it can't be changed: create another record instead")
  expect(await detailInput(page, 'app').getAttribute('aria-invalid')).toBe('true')
  await click(page, 'Edit as JSON')
  const json = detailInput(page, 'JSON')
  await json.fill((await json.inputValue()).replace('"platform"', '"plattform"'))
  await press(page, 'Save', 'there is no such field')
})

test('a record is deleted with all that belongs to it after a question, and all comes back', async () => {
  const { page, world } = await openPanel('#/data/webhooks')
  const { webhooks, deliveries } = world.records
  const all = () => [webhooks.all(), deliveries.all()]
  const before = all()
  const { id, secret } = webhooks.all()[1]!
  await page.getByRole('cell', { name: id }).click()
  const remove = page.getByRole('complementary').getByRole('button', { name: 'Delete' })
  const question = page.getByRole('dialog')
  await remove.click()
  await question.getByText(`of "deliveries"`, { exact: false }).waitFor()
  await click(question, 'Cancel')
  expect(all()).toEqual(before)
  await remove.click()
  await press(question, 'Delete', `Deleted webhooks ${id} and what referred to it`)
  expect([webhooks.get(id), deliveries.find({ webhook: id })]).toEqual([undefined, []])
  await undo(page, `Deleted webhooks ${id}`)
  // Each in its former position, with the secret, which is never shown.
  await expect.poll(all).toEqual(before)
  await page.getByRole('cell', { name: id }).waitFor()
  expect(await page.content()).not.toContain(secret)
})

test('a key is generated, shown once, used, revoked and expired', async () => {
  const { page, send, world } = await openPanel('#/data/keys?new=')
  const detail = page.getByRole('complementary')
  await click(page, 'Edit as JSON')
  await detail.getByLabel('JSON').fill('{}')
  await press(detail, 'Generate', 'is missing')
  await click(page, 'Edit as a form')
  await detail.getByLabel('account', { exact: true }).selectOption('acct_pro')
  await detail.getByLabel('apps:read').check()
  await detail.getByLabel('expires_at').fill('soon')
  await press(detail, 'Generate', 'Write a time such as')
  await detail.getByLabel('expires_at').fill('2099-01-01T00:00:00Z')
  expect(await findBarriers(page)).toEqual([])
  await press(detail, 'Generate', 'it is shown only once')
  const secret = (await page.getByRole('dialog').locator('code').textContent())!
  await click(page, 'Copy the key')
  await expect.poll(() => clipboardOf(page)).toBe(secret)
  const use = async (init: RequestInit = {}) =>
    (await send('/v1/apps', { key: secret, ...init })).status
  expect(await use()).toBe(200)
  expect(await use({ method: 'POST', body: '{"name":"x"}' })).toBe(403)
  await click(page, 'Done')
  for (const show of [() => undefined, () => page.reload()]) {
    await show()
    await detail.getByText('works').waitFor()
    expect(await page.content()).not.toContain(secret)
  }
  expect(world.records.keys.get(secret)).toMatchObject({
    expires_at: '2099-01-01T00:00:00Z',
    scopes: ['apps:read'],
  })

  await detail.getByLabel('revoked').selectOption('true')
  await press(detail, 'Save', 'Saved keys')
  expect(await use()).toBe(401)
  await detail.getByText('revoked', { exact: true }).first().waitFor()
  await undo(page, 'Saved keys')
  await expect.poll(() => use()).toBe(200)
  await detail.getByLabel('expires_at').fill('2026-01-01T00:00:00Z')
  await click(detail, 'Save')
  await page.getByRole('row', { name: 'expired' }).nth(1).waitFor()
  expect(await use()).toBe(401)
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
