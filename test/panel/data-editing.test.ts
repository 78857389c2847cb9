import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

describePanel('records are changed in a form', (open) => {
  test('a plant that is edited is what the API lists, its id of 64 bits exact', async () => {
    const { page, send } = await open('#/data/plants/9007199254740993')
    await page.getByLabel('name', { exact: true }).fill('Tumboa')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved plants 9007199254740993').waitFor()
    expect(await (await send('/plants?limit=100')).json()).toContainEqual({ name: 'Tumboa', tag: 'desert' })
    await page.getByRole('cell', { name: 'Tumboa' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => page.getByLabel('name', { exact: true }).inputValue()).toBe('Welwitschia mirabilis')
    expect((await send('/plants/9007199254740992', { method: 'DELETE' })).status).toBe(404)
    expect((await send('/plants/9007199254740993', { method: 'DELETE' })).status).toBe(204)
  })

  test('one is added with the next id that a client can hold, and removed again by Undo', async () => {
    const { page, send, greenhouse } = await open('#/data/plants')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const form = page.getByLabel('Add to plants')
    await form.getByLabel('name', { exact: true }).fill('Rafflesia')
    expect(await form.getByLabel('id', { exact: true }).inputValue()).toBe('205')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await form.getByText('This is required.').waitFor()
    await form.getByLabel('account').selectOption('acct_pro')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Added plants 205').waitFor()
    expect(await (await send('/plants?limit=100')).json()).toContainEqual({ name: 'Rafflesia' })
    const { plants } = greenhouse.world().records
    expect(plants.get(205)).toMatchObject({ name: 'Rafflesia' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => plants.get(205)).toBeUndefined()
  })

  test('what the schema refuses is shown next to its input, in the form and in JSON', async () => {
    const { page, greenhouse } = await open('#/data/conversations')
    const [first] = greenhouse.world().records.conversations.all()
    await page.getByRole('cell', { name: first!.id }).click()
    const form = page.getByLabel(`conversations ${first!.id}`)
    await form.getByLabel('app', { exact: true }).selectOption({ index: 1 })
    await form.getByLabel('created_at').fill('yesterday')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Write a time such as').waitFor()
    await form.getByRole('button', { name: 'Edit as JSON' }).click()
    expect(await form.getByLabel('created_at').inputValue()).toBe('yesterday')
    await form.getByLabel('created_at').fill('2026-06-01T00:00:00Z')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText("it can't be changed: create another record instead").waitFor()
    expect(await form.getByLabel('app', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    await form.getByRole('button', { name: 'Edit as JSON' }).click()
    const json = form.getByLabel('JSON', { exact: true })
    await json.fill((await json.inputValue()).replace('"platform"', '"plattform"'))
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('there is no field "plattform"', { exact: false }).waitFor()
  })

  test('a text of two lines keeps them', async () => {
    const { page, greenhouse } = await open('#/data/plants/101', {
      before: (made) => made.world().records.plants.update(101, { name: 'Fern\nof two lines' }),
    })
    const name = page.getByLabel('name', { exact: true })
    await name.press('Control+End')
    await name.pressSequentially('!')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved plants 101').waitFor()
    expect(greenhouse.world().records.plants.get(101)).toMatchObject({ name: 'Fern\nof two lines!' })
  })

  test('a list that was not set stays so', async () => {
    const { page, greenhouse, send } = await open('#/data/keys')
    await page.getByRole('row').nth(1).getByRole('cell').first().click()
    await page.getByLabel('expires_at').fill('2099-01-01T00:00:00Z')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved keys').waitFor()
    const key = greenhouse.world().records.keys.all()[0]!
    expect(key).toMatchObject({ expires_at: '2099-01-01T00:00:00Z' })
    expect(key.scopes).toBeUndefined()
    expect((await send('/v1/apps', { key: key.secret })).status).toBe(200)
  })

  test('a copy gets a new id', async () => {
    const { page, greenhouse } = await open('#/data/apps')
    const { apps } = greenhouse.world().records
    const [first] = apps.all()
    await page.getByRole('cell', { name: first!.id }).click()
    await page.getByRole('button', { name: 'Duplicate' }).click()
    const form = page.getByLabel(`A copy of ${first!.id}`)
    const id = await form.getByLabel('id', { exact: true }).inputValue()
    expect(id).toMatch(/^app_[a-z0-9]{16}$/)
    await form.getByLabel('name', { exact: true }).fill('a-copy')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText(`Added apps ${id}`).waitFor()
    expect(apps.get(id)).toEqual({ ...first, id, name: 'a-copy' })
  })

  test('what others change meanwhile shows, and never over what one types', async () => {
    const { page, greenhouse } = await open('#/data/plants/101')
    const name = page.getByLabel('name', { exact: true })
    await name.waitFor()
    await greenhouse.world().records.plants.update(101, { name: 'First' })
    await expect.poll(() => name.inputValue()).toBe('First')
    await page.getByLabel('tag').fill('mine')
    await greenhouse.world().records.plants.update(101, { name: 'Second' })
    await page.getByText('The record has changed meanwhile').waitFor()
    expect(await name.inputValue()).toBe('First')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved plants 101').waitFor()
    expect(greenhouse.world().records.plants.get(101)).toMatchObject({ name: 'Second', tag: 'mine' })
  })
})
