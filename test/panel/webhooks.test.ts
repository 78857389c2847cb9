import { expect } from 'vitest'
import { startReceiver } from '../webhooks/receiver.ts'
import { press, expectTexts } from './page.ts'
import { listenAt } from './world.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'

test('an event is triggered with the data of the form, and its delivery opens', async () => {
  const receiver = await startReceiver()
  const { page } = await openPanel('#/webhooks', {
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
  await expectTexts(detail, '9007199254740993', 'app_made_up')
  expect(receiver.received.map(({ body }) => body)).toEqual([
    expect.stringContaining('"data":{"id":"app_made_up","members":9007199254740993}'),
  ])
  await detail.getByRole('button', { name: 'Raw' }).click()
  expect(await detail.locator('pre').innerText()).toBe(receiver.received[0]!.body)
})

test('an event without a subscriber says so, and the form stays', async () => {
  const { page } = await openPanel('#/webhooks?trigger=plant.created')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('No enabled webhook subscribes to it: nobody will get it.').waitFor()
  await dialog.getByRole('button', { name: 'Trigger', exact: true }).click()
  await dialog.getByText('plant.created was sent to nobody').waitFor()
})

test('webhook.test goes only to the endpoint that is open', async () => {
  const receiver = await startReceiver()
  let id = ''
  const { page } = await openPanel('', {
    before: async (greenhouse) => {
      await listenAt(greenhouse, receiver.url, ['webhook.test'])
      ;({ id } = await listenAt(greenhouse, receiver.url, ['app.created']))
    },
  })
  await page.goto(`${page.url().split('#')[0]}#/webhooks/endpoints/${id}`)
  await press(page, 'Send webhook.test', 'It does not subscribe to webhook.test.')
  expect(receiver.received).toEqual([])
})

test('an event is triggered from the palette', async () => {
  const receiver = await startReceiver()
  const { page } = await openPanel('#/traffic', {
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

test('a delivery is tried again as the clock is moved in the panel, until it succeeds', async () => {
  const receiver = await startReceiver((_, place) =>
    place === 0 ? { status: 503, body: 'not yet' } : { status: 200, body: 'got it' },
  )
  const { page } = await openPanel('#/webhooks', {
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
  await expectTexts(detail, 'not yet', 'Attempt 2')
  expect(await detail.innerText()).toContain('due')

  await page.getByRole('button', { name: '+1m: advance the clock by 1 minute' }).click()
  await row.getByText('succeeded').waitFor()
  await expect.poll(() => row.innerText()).toContain('2 attempts')
  await expect.poll(() => detail.locator('.webhooks-attempts li').count()).toBe(2)
  await expect.poll(() => detail.innerText()).toContain('200')
  expect(receiver.received).toHaveLength(2)
  expect(receiver.received[1]!.headers['webhook-id']).toBe(receiver.received[0]!.headers['webhook-id'])
})

test('a delivery is sent the same again by hand', async () => {
  const receiver = await startReceiver()
  const { page, greenhouse } = await openPanel('#/webhooks', {
    before: (made) => listenAt(made, receiver.url, ['app.updated']),
  })
  const [made] = await greenhouse.world().trigger('app.updated')
  const deliveries = page.getByRole('table', { name: 'Deliveries, the newest first' })
  await deliveries.getByRole('row').filter({ hasText: 'app.updated' }).click()
  await press(page, 'Send again', 'Sent again: 200')
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([made!.event_id, made!.event_id])
  await expect.poll(() => page.locator('.webhooks-attempts li').count()).toBe(2)
  await page.evaluate(() => (location.hash += '?face=headers&attempt=0'))
  await expect.poll(() => page.getByRole('combobox', { name: 'Attempt' }).inputValue()).toBe('2')
  await deliveries.getByRole('row').filter({ hasText: 'webhook.test' }).first().click()
  await expect.poll(() => page.url()).not.toContain('attempt=')
  expect(page.url()).toContain('face=headers')
})

test('the report of a receiver says of each check how it went and why, once it was examined', async () => {
  const receiver = await startReceiver()
  let id = ''
  const { page } = await openPanel('#/webhooks', {
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

test('the report of a receiver has a switch that stops deliveries', async () => {
  const receiver = await startReceiver()
  const { page, greenhouse } = await openPanel('#/webhooks', {
    before: (made) => listenAt(made, receiver.url, ['app.updated']),
  })
  await page.getByRole('switch', { name: `Deliver to ${receiver.url}` }).click()
  await page.getByRole('switch', { name: `Deliver to ${receiver.url}`, checked: false }).waitFor()
  expect(await greenhouse.world().trigger('app.updated')).toEqual([])
})

test('the signature of a delivery is what the secret of the webhook gives, and no other', async () => {
  const receiver = await startReceiver()
  let secret = ''
  let id = ''
  const { page } = await openPanel('', {
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

test('the signature of a delivery says why a receiver cannot verify it', async () => {
  const receiver = await startReceiver()
  const ids: string[] = []
  const { page } = await openPanel('', {
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
