import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { listenAt } from './webhook-receiver.ts'

describePanel('the report of a receiver', (open) => {
  test('says of each check how it went and why, once the receiver was examined', async () => {
    const receiver = await startReceiver()
    let id = ''
    const { page } = await open('#/webhooks', {
      before: async (greenhouse) => {
        ;({ id } = await listenAt(greenhouse, receiver.url, ['app.updated']))
      },
    })
    await page.getByRole('row').filter({ hasText: receiver.url }).first().click()
    const report = page
      .getByRole('complementary', { name: `Endpoint ${id}` })
      .getByRole('region', { name: 'Receiver report' })
    await report.getByText('Nothing has been sent to it yet.').waitFor()
    await report.getByRole('button', { name: 'Examine' }).click()
    const line = (question: string) => report.getByRole('listitem').filter({ hasText: question })
    await expect
      .poll(() => line('Refuses a wrong signature').innerText())
      .toMatch(/failed[^]*It answered 200 to a wrong signature/)
    expect(await line('Refuses an old timestamp').innerText()).toContain('failed')
    expect(await line('Accepts valid requests').innerText()).toContain('passed')
    expect(receiver.received).toHaveLength(4)
  })

  test('stands next to a switch that stops deliveries', async () => {
    const receiver = await startReceiver()
    const { page, greenhouse } = await open('#/webhooks', {
      before: (made) => listenAt(made, receiver.url, ['app.updated']),
    })
    await page.getByRole('switch', { name: `Deliver to ${receiver.url}` }).click()
    await page.getByRole('switch', { name: `Deliver to ${receiver.url}`, checked: false }).waitFor()
    expect(await greenhouse.world().trigger('app.updated')).toEqual([])
  })
})
