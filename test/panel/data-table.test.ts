import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

describePanel('the table of a collection', (open) => {
  test('sorts, filters and pages at the server, and the URL keeps it', async () => {
    const { page, greenhouse } = await open('#/data/messages')
    const messages = greenhouse.world().records.messages.all()
    const cells = (column: number) => page.locator(`tbody td:nth-child(${column})`).allTextContents()
    await page.getByRole('button', { name: 'role' }).waitFor()
    expect(await cells(1)).toEqual(messages.slice(0, 50).map(({ id }) => id))

    await page.getByRole('button', { name: 'id', exact: true }).click()
    const byId = messages.map(({ id }) => id).sort()
    await expect.poll(() => cells(1)).toEqual(byId.slice(0, 50))
    await page.getByRole('button', { name: 'id', exact: true }).click()
    await expect.poll(() => cells(1)).toEqual(byId.toReversed().slice(0, 50))

    await page.getByRole('button', { name: 'Next' }).click()
    await expect.poll(() => cells(1)).toEqual(byId.toReversed().slice(50, 100))
    await page.reload()
    await expect.poll(() => cells(1)).toEqual(byId.toReversed().slice(50, 100))

    await page.getByLabel('Filter by a field').selectOption('role')
    await page.getByLabel('role is').selectOption('user')
    const ofUsers = messages.filter(({ role }) => role === 'user')
    await expect
      .poll(() => page.locator('.data-pages [role=status]').textContent())
      .toContain(`${ofUsers.length} records`)

    const words = ofUsers[0]!.content.slice(0, 12).toLowerCase()
    await page.getByLabel('Filter messages by text').fill(words)
    const found = ofUsers.filter(({ content }) => content.toLowerCase().includes(words)).map(({ id }) => id)
    await expect.poll(() => cells(1)).toEqual(found.sort().toReversed().slice(0, 50))
    expect(new URL(page.url()).hash).toBe(
      `#/data/messages?${new URLSearchParams({ sort: '-id', 'where.role': 'user', search: words })}`,
    )
  })

  test('leads from an app to its conversations and their messages, and back', async () => {
    const { page, greenhouse } = await open('#/data/apps')
    const { apps, conversations, messages } = greenhouse.world().records
    const conversation = conversations.all().find(({ id }) => messages.all().some((one) => one.conversation === id))!
    const app = apps.get(conversation.app)!
    await page.getByRole('cell', { name: app.id }).click()
    const ofApp = conversations.all().filter((one) => one.app === app.id)
    await page.getByRole('link', { name: `conversations ${ofApp.length}`, exact: true }).click()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(Math.min(50, ofApp.length))
    await page.getByRole('cell', { name: conversation.id }).click()
    const ofConversation = messages.all().filter((one) => one.conversation === conversation.id)
    await page.getByRole('link', { name: `messages ${ofConversation.length}`, exact: true }).click()
    await expect
      .poll(() => page.locator('tbody td:nth-child(1)').allTextContents())
      .toEqual(ofConversation.map(({ id }) => id))
    await page.getByRole('link', { name: conversation.id }).first().click()
    await page.getByLabel(`conversations ${conversation.id}`).getByRole('link', { name: app.id }).click()
    await page.getByLabel(`apps ${app.id}`).getByLabel('name', { exact: true }).waitFor()
  })

  test('is moved in with keys, shows what requests write, and says so where nothing fits', async () => {
    const { page, send } = await open('#/data/plants?where.account=acct_pro')
    await page.getByRole('cell', { name: 'Lavandula angustifolia' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByLabel('plants 102').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByLabel('plants 102').count()).toBe(0)
    await send('/plants', { method: 'POST', body: '{"id":4711,"name":"Newcomer"}' })
    await page.getByRole('cell', { name: 'Newcomer' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('no plant has this')
    await page.getByText('No plants match the filter').waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await page.getByRole('cell', { name: 'Monstera deliciosa' }).waitFor()
  })
})
