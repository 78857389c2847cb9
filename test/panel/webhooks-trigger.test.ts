import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { listenAt } from './webhook-receiver.ts'

describePanel('an event', (open) => {
  test('is triggered with the data that the form has, and its delivery opens', async () => {
    const receiver = await startReceiver()
    const { page } = await open('#/webhooks', {
      before: (greenhouse) => listenAt(greenhouse, receiver.url, ['app.created']),
    })
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
    await page.keyboard.press('t')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Event').selectOption('app.created')
    await dialog.getByText(`Listening: ${receiver.url}`).waitFor()
    await dialog.getByRole('button', { name: 'Fill in an example' }).click()
    const data = dialog.getByLabel('Data')
    await expect.poll(() => data.inputValue()).toContain('"display_name"')
    await data.fill('{"id":')
    await dialog.getByRole('button', { name: 'Trigger', exact: true }).click()
    await dialog.getByText('This is not valid JSON yet.').waitFor()
    await data.fill('null')
    await dialog.getByRole('button', { name: 'Trigger', exact: true }).click()
    await dialog.getByText('data: expected an object, received null').waitFor()
    await data.fill('{"id": "app_made_up", "members": 9007199254740993}')
    await dialog.getByRole('button', { name: 'Trigger', exact: true }).click()

    const detail = page.getByRole('complementary', { name: /^Delivery del_/ })
    await detail.getByText('succeeded').waitFor()
    await detail.getByRole('tab', { name: 'Payload' }).click()
    await detail.getByText('9007199254740993').waitFor()
    await detail.getByText('app_made_up').waitFor()
    expect(receiver.received.map(({ body }) => body)).toEqual([
      expect.stringContaining('"data":{"id":"app_made_up","members":9007199254740993}'),
    ])
    await detail.getByRole('button', { name: 'Raw' }).click()
    expect(await detail.locator('pre').innerText()).toBe(receiver.received[0]!.body)
  })

  test('that nobody listens to says so, and the form stays', async () => {
    const { page } = await open('#/webhooks?trigger=plant.created')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('No enabled webhook subscribes to it: nobody will get it.').waitFor()
    await dialog.getByRole('button', { name: 'Trigger', exact: true }).click()
    await dialog.getByText('plant.created was sent to nobody').waitFor()
  })

  test('webhook.test goes to no other endpoint than the one that is open', async () => {
    const receiver = await startReceiver()
    let id = ''
    const { page } = await open('', {
      before: async (greenhouse) => {
        await listenAt(greenhouse, receiver.url, ['webhook.test'])
        ;({ id } = await listenAt(greenhouse, receiver.url, ['app.created']))
      },
    })
    await page.goto(`${page.url().split('#')[0]}#/webhooks/endpoints/${id}`)
    await page.getByRole('button', { name: 'Send webhook.test' }).click()
    await page.getByText('It does not subscribe to webhook.test.').waitFor()
    expect(receiver.received).toEqual([])
  })

  test('is triggered from the palette', async () => {
    const receiver = await startReceiver()
    const { page } = await open('#/traffic', {
      before: (greenhouse) => listenAt(greenhouse, receiver.url, ['app.created']),
    })
    await page.getByRole('heading', { name: 'Traffic' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('trigger app.created')
    await page.getByRole('option', { name: 'Trigger app.created' }).click()
    await page.getByText('app.created goes to 1 endpoint').waitFor()
    await page.getByRole('complementary', { name: /^Delivery del_/ }).waitFor()
    expect(receiver.received).toHaveLength(1)
  })
})
