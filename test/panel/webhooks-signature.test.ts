import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { listenAt } from './webhook-receiver.ts'

describePanel('the signature of a delivery', (open) => {
  test('is what the secret of the webhook gives, and no other', async () => {
    const receiver = await startReceiver()
    let secret = ''
    let id = ''
    const { page } = await open('', {
      greenhouse: { now: new Date().toISOString() },
      before: async (greenhouse) => {
        ;({ secret } = await listenAt(greenhouse, receiver.url, ['app.updated']))
        id = (await greenhouse.world().trigger('app.updated'))[0]!.id
        await greenhouse.world().settled()
      },
    })
    await page.goto(`${page.url().split('#')[0]}#/webhooks/deliveries/${id}?face=signature`)
    const detail = page.getByRole('complementary', { name: `Delivery ${id}` })
    await detail.getByText('Can the receiver verify it? Yes').waitFor()
    const { headers } = receiver.received[0]!
    expect(await detail.innerText()).toContain(`${headers['webhook-id']}.${headers['webhook-timestamp']}.{"type":`)
    const check = async (given: string) => {
      await detail.getByLabel('Check your secret').fill(given)
      await detail.getByRole('button', { name: 'Check', exact: true }).click()
    }
    await check('whsec_!')
    await detail.getByText('A secret is whsec_ and base64.').waitFor()
    await check('whsec_d3Jvbmc=')
    await detail.getByText('It gives another signature').waitFor()
    await check(secret)
    await detail.getByText('It gives this signature').waitFor()
  })

  test('says why a receiver cannot verify it', async () => {
    const receiver = await startReceiver()
    const ids: string[] = []
    const { page } = await open('', {
      greenhouse: { now: new Date().toISOString() },
      before: async (greenhouse) => {
        await listenAt(greenhouse, receiver.url, ['app.updated'])
        const world = greenhouse.world()
        for (const scenario of ['webhook-bad-signature', 'webhook-stale-timestamp'] as const) {
          world.useOnly([scenario])
          ids.push((await world.trigger('app.updated'))[0]!.id)
          await world.settled()
        }
        world.clear()
        world.clock.advance('3h')
        ids.push((await world.trigger('app.updated'))[0]!.id)
        await world.settled()
      },
    })
    const told = async (id: string) => {
      await page.goto(`${page.url().split('#')[0]}#/webhooks/deliveries/${id}?face=signature`)
      return page
        .getByRole('complementary', { name: `Delivery ${id}` })
        .locator('.webhooks-verdict')
        .innerText()
    }
    expect(await told(ids[0]!)).toContain('signed it with a secret that no webhook has')
    expect(await told(ids[1]!)).toContain('Only if it accepts old timestamps')
    expect(await told(ids[2]!)).toMatch(/Only by the world’s time[^]*(2 h 59 min|3 h) ahead of this machine/)
  })
})
