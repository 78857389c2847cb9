import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { listenAt } from './webhook-receiver.ts'

describePanel('a receiver that fails first', (open) => {
  test('is tried again as the clock is moved in the panel, and then has taken the event', async () => {
    const receiver = await startReceiver((_, place) =>
      place === 0 ? { status: 503, body: 'not yet' } : { status: 200, body: 'got it' },
    )
    const { page } = await open('#/webhooks', {
      before: async (greenhouse) => {
        await listenAt(greenhouse, receiver.url, ['app.updated'])
        await greenhouse.world().trigger('app.updated')
        await greenhouse.world().settled()
      },
    })
    const deliveries = page.getByRole('table', { name: 'Deliveries, the newest first' })
    const row = deliveries.getByRole('row').filter({ hasText: 'app.updated' })
    await row.getByText('retrying').waitFor()
    await row.click()
    const detail = page.getByRole('complementary')
    await detail.getByText('not yet').waitFor()
    await detail.getByText('Attempt 2').waitFor()
    expect(await detail.innerText()).toContain('due')

    await page.getByRole('button', { name: '+1m: advance the clock by 1 minute' }).click()
    await row.getByText('succeeded').waitFor()
    await expect.poll(() => row.innerText()).toContain('2 attempts')
    await expect.poll(() => detail.locator('.webhooks-attempts li').count()).toBe(2)
    await expect.poll(() => detail.innerText()).toContain('200')
    expect(receiver.received).toHaveLength(2)
    expect(receiver.received[1]!.headers['webhook-id']).toBe(receiver.received[0]!.headers['webhook-id'])
  })

  test('is sent the same again by hand', async () => {
    const receiver = await startReceiver()
    const { page, greenhouse } = await open('#/webhooks', {
      before: (made) => listenAt(made, receiver.url, ['app.updated']),
    })
    const [made] = await greenhouse.world().trigger('app.updated')
    const deliveries = page.getByRole('table', { name: 'Deliveries, the newest first' })
    await deliveries.getByRole('row').filter({ hasText: 'app.updated' }).click()
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Sent again: 200').waitFor()
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([made!.event_id, made!.event_id])
    await expect.poll(() => page.locator('.webhooks-attempts li').count()).toBe(2)
    await page.evaluate(() => (location.hash += '?face=headers&attempt=0'))
    await expect.poll(() => page.getByRole('combobox', { name: 'Attempt' }).inputValue()).toBe('2')
    await deliveries.getByRole('row').filter({ hasText: 'webhook.test' }).first().click()
    await expect.poll(() => page.url()).not.toContain('attempt=')
    expect(page.url()).toContain('face=headers')
  })
})
