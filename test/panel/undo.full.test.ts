import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

describePanel('undo takes back its own change alone', (open) => {
  test('of a scenario: what was switched on since stays, by the panel or by a test', async () => {
    const { page, greenhouse } = await open('#/scenarios/expired-key')
    const world = greenhouse.world()
    await page.getByRole('switch', { name: 'In use' }).click()
    await page.getByText('expired-key is active').waitFor()
    world.use('forbidden')
    await page.getByRole('region', { name: 'Active scenarios' }).getByText('forbidden').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => world.scenarios).toEqual(['forbidden'])
  })

  test('of a scenario that others have changed since: it stays, and the panel says so', async () => {
    const { page, greenhouse } = await open('#/scenarios/slow')
    const world = greenhouse.world()
    await page.getByRole('switch', { name: 'In use' }).click()
    await page.getByText('slow is active').waitFor()
    world.use('slow', { ms: 7 })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('It was changed again since').waitFor()
    expect(world.active).toMatchObject([{ name: 'slow', ms: 7 }])
  })

  test('of a deleted record: it gets its former place among the others', async () => {
    const { page, greenhouse } = await open('#/data/plants')
    const { plants } = greenhouse.world().records
    const ids = () => plants.all().map(({ id }) => id)
    const before = ids()
    const account = plants.all()[1]!.account
    const lists = () => plants.find({ account }).map(({ id }) => id)
    const listed = lists()
    await page.goto(page.url().replace('#/data/plants', `#/data/plants/${before[1]}`))
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => plants.get(before[1]!)).toBeUndefined()
    plants.create({ id: 777_777, name: 'Newest', account })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(ids).toEqual([...before, 777_777])
    expect(lists()).toEqual([...listed, 777_777])
  })

  test('of all that belonged to a deleted record: each gets its place', async () => {
    const { page, greenhouse } = await open('#/data/conversations')
    const { conversations, messages } = greenhouse.world().records
    const ids = () => [conversations, messages].flatMap((records) => records.all().map(({ id }) => id))
    const before = ids()
    const [conversation] = conversations.all().filter(({ id }) => messages.all().some((one) => one.conversation === id))
    await page.getByRole('cell', { name: conversation!.id }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => conversations.get(conversation!.id)).toBeUndefined()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(ids).toEqual(before)
  })

  test('of a change of a record: a field that was changed since keeps its value', async () => {
    const { page, greenhouse } = await open('#/data/plants/9007199254740993')
    const { plants } = greenhouse.world().records
    const id = 9007199254740993n
    const { tag } = plants.get(id)!
    const detail = page.getByRole('complementary')
    await detail.getByLabel('name', { exact: false }).first().fill('Mine')
    await detail.getByLabel('tag', { exact: false }).first().fill('mine')
    await detail.getByRole('button', { name: 'Save' }).click()
    await page.getByText(`Saved plants ${id}`).waitFor()
    plants.update(id, { name: 'Theirs' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => plants.get(id)).toMatchObject({ name: 'Theirs', ...(tag !== undefined && { tag }) })
    expect(plants.get(id)!.tag).toBe(tag)
  })

  test('in the world in which it was made, whichever is shown by then', async () => {
    const { page, greenhouse } = await open('#/account/acct_free', { before: (made) => made.world('other') })
    const planOf = (name?: string) => greenhouse.world(name).records.accounts.get('acct_free')!.plan
    await page.getByText('acct_free').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find an action' }).fill('Put acct_free on the plan lite')
    await page.getByRole('dialog').getByRole('option', { name: 'plan lite' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => planOf()).toBe('lite')
    greenhouse.world('other').records.accounts.update('acct_free', { plan: 'pro' })
    expect(await page.getByText('in the world default').count()).toBe(0)
    await page.evaluate(() => (location.hash = '#/account/acct_free?world=other'))
    await page.getByText('in the world default').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => planOf()).toBe('free')
    expect(planOf('other')).toBe('pro')
  })
})
