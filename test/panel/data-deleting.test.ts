import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

describePanel('records are deleted', (open) => {
  test('Undo puts them back as they were', async () => {
    const { page, greenhouse, send } = await open('#/data/plants/9007199254740993')
    const before = greenhouse.world().records.plants.get(9007199254740993n)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Deleted plants 9007199254740993').waitFor()
    expect((await send('/plants/9007199254740993', { method: 'DELETE' })).status).toBe(404)
    await expect.poll(() => page.getByRole('cell', { name: 'Welwitschia mirabilis' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('cell', { name: 'Welwitschia mirabilis' }).waitFor()
    expect(greenhouse.world().records.plants.get(9007199254740993n)).toEqual(before)
    expect((await send('/plants/9007199254740993', { method: 'DELETE' })).status).toBe(204)
  })

  test('with all that belongs to them after a question, and all of it comes back', async () => {
    const { page, greenhouse } = await open('#/data/conversations')
    const { conversations, messages } = greenhouse.world().records
    const conversation = conversations.all().find(({ id }) => messages.all().some((one) => one.conversation === id))!
    const inIt = () =>
      messages
        .all()
        .filter((one) => one.conversation === conversation.id)
        .sort((one, other) => (one.id < other.id ? -1 : 1))
    const before = inIt()
    await page.getByRole('cell', { name: conversation.id }).click()
    const remove = page.getByRole('button', { name: 'Delete' })
    await remove.click()
    const question = page.getByRole('dialog')
    await question.getByText(`${before.length} of "messages"`, { exact: false }).waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(conversations.get(conversation.id)).toEqual(conversation)

    await remove.click()
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByText(`Deleted conversations ${conversation.id} and ${before.length} more`).waitFor()
    expect([conversations.get(conversation.id), inIt()]).toEqual([undefined, []])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(inIt).toEqual(before)
    expect(conversations.get(conversation.id)).toEqual(conversation)
  })

  test('only after a question where a secret would be lost', async () => {
    const { page, greenhouse } = await open('#/data/webhooks')
    const { webhooks } = greenhouse.world().records
    const webhook = webhooks.all()[0]!
    await page.getByRole('cell', { name: webhook.id }).click()
    expect(await page.content()).not.toContain(webhook.secret)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('You can’t undo this: the record has a secret', { exact: false }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    expect(webhooks.get(webhook.id)).toEqual(webhook)
  })
})
