import { expect } from 'vitest'
import type { Greenhouse } from 'greenhouse-mock'
import { startReceiver } from '../webhooks/receiver.ts'
import { press, expectTexts, findAction, go } from './page.ts'
import { listenAt } from './world.ts'
import { openPanel, panelTest as test, type PanelOptions } from '../support/panel.ts'

/** Opens the panel in a world with a webhook at a receiver, which answers 200 unless named. */
async function openListening(
  place: string,
  event = 'app.updated',
  { before, answer, ...options }: PanelOptions & { answer?: Parameters<typeof startReceiver>[0] } = {},
) {
  const receiver = await startReceiver(answer)
  let webhook = { id: '', secret: '' }
  const panel = await openPanel(place, {
    ...options,
    before: async (greenhouse) => {
      webhook = await listenAt(greenhouse, receiver.url, [event])
      await before?.(greenhouse)
    },
  })
  const deliveries = panel.page.getByRole('table', { name: 'Deliveries, the newest first' })
  const rowOf = (text: string) => deliveries.getByRole('row').filter({ hasText: text })
  return { ...panel, ...webhook, receiver, rowOf }
}

async function deliver(greenhouse: Greenhouse) {
  const [delivery] = await greenhouse.world().trigger('app.updated')
  await greenhouse.world().settled()
  return delivery!
}

test('an event is triggered with the data of the form, and its delivery opens', async () => {
  const { page, receiver } = await openListening('#/webhooks', 'app.created')
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
  await page.keyboard.press('t')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Event').selectOption('app.created')
  await dialog.getByText(`Listening: ${receiver.url}`).waitFor()
  await dialog.getByRole('button', { name: 'Fill in an example' }).click()
  const data = dialog.getByLabel('Data')
  await expect.poll(() => data.inputValue()).toContain('"display_name"')
  const trigger = () => dialog.getByRole('button', { name: 'Trigger', exact: true }).click()
  for (const [text, mistake] of [
    ['{"id":', 'This is not valid JSON yet.'],
    ['null', 'data: expected an object, received null'],
  ] as const) {
    await data.fill(text)
    await trigger()
    await dialog.getByText(mistake).waitFor()
  }
  await data.fill('{"id": "app_made_up", "members": 9007199254740993}')
  await trigger()

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
  const { page, greenhouse, receiver } = await openListening('', 'webhook.test')
  const { id } = await listenAt(greenhouse, receiver.url, ['app.created'])
  await go(page, `#/webhooks/endpoints/${id}`)
  await press(page, 'Send webhook.test', 'It does not subscribe to webhook.test.')
  expect(receiver.received).toEqual([])
})

test('an event is triggered from the palette', async () => {
  const { page, receiver } = await openListening('#/traffic', 'app.created')
  await (await findAction(page, 'trigger app.created')).filter({ hasText: 'Trigger app.created' }).click()
  await page.getByText('app.created goes to 1 endpoint').waitFor()
  await page.getByRole('complementary', { name: /^Delivery del_/ }).waitFor()
  expect(receiver.received).toHaveLength(1)
})

test('a delivery is tried again as the clock is moved in the panel, until it succeeds', async () => {
  const { page, receiver, rowOf } = await openListening('#/webhooks', 'app.updated', {
    answer: (_, place) => (place === 0 ? { status: 503, body: 'not yet' } : { status: 200, body: 'got it' }),
    before: deliver,
  })
  const row = rowOf('app.updated')
  await row.getByText('retrying').waitFor()
  await row.click()
  const detail = page.getByRole('complementary')
  await expectTexts(detail, 'not yet', 'Attempt 2')
  expect(await detail.innerText()).toContain('due')

  await page.getByRole('button', { name: '+1m: advance the clock by 1 minute' }).click()
  await expectTexts(row, 'succeeded', '2 attempts')
  await expect.poll(() => detail.locator('.webhooks-attempts li').count()).toBe(2)
  await expect.poll(() => detail.innerText()).toContain('200')
  expect(receiver.received).toHaveLength(2)
  expect(receiver.received[1]!.headers['webhook-id']).toBe(receiver.received[0]!.headers['webhook-id'])
})

test('a delivery is sent the same again by hand', async () => {
  const { page, world, receiver, rowOf } = await openListening('#/webhooks')
  const [made] = await world.trigger('app.updated')
  await rowOf('app.updated').click()
  await press(page, 'Send again', 'Sent again: 200')
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([made!.event_id, made!.event_id])
  await expect.poll(() => page.locator('.webhooks-attempts li').count()).toBe(2)
  await page.evaluate(() => (location.hash += '?face=headers&attempt=0'))
  await expect.poll(() => page.getByRole('combobox', { name: 'Attempt' }).inputValue()).toBe('2')
  await rowOf('webhook.test').first().click()
  await expect.poll(() => page.url()).not.toContain('attempt=')
  expect(page.url()).toContain('face=headers')
})

test('the report of a receiver says of each check how it went and why, once it was examined', async () => {
  const { page, id, receiver } = await openListening('#/webhooks')
  await page.getByRole('row').filter({ hasText: receiver.url }).first().click()
  const endpoint = page.getByRole('complementary', { name: `Endpoint ${id}` })
  const report = endpoint.getByRole('region', { name: 'Receiver report' })
  await report.getByText('Nothing has been sent to it yet.').waitFor()
  await report.getByRole('button', { name: 'Examine' }).click()
  const check = (question: string) => report.getByRole('listitem').filter({ hasText: question })
  await expect
    .poll(() => check('Refuses a wrong signature').innerText())
    .toMatch(/failed[^]*It answered 200 to a wrong signature/)
  expect(await check('Refuses an old timestamp').innerText()).toContain('failed')
  expect(await check('Accepts valid requests').innerText()).toContain('passed')
  expect(receiver.received).toHaveLength(4)
})

test('the report of a receiver has a switch that stops deliveries', async () => {
  const { page, world, receiver } = await openListening('#/webhooks')
  await page.getByRole('switch', { name: `Deliver to ${receiver.url}` }).click()
  await page.getByRole('switch', { name: `Deliver to ${receiver.url}`, checked: false }).waitFor()
  expect(await world.trigger('app.updated')).toEqual([])
})

const today = { greenhouse: { now: new Date().toISOString() } }

test('the signature of a delivery is what the secret of the webhook gives, and no other', async () => {
  const { page, greenhouse, secret, receiver } = await openListening('', 'app.updated', today)
  const { id } = await deliver(greenhouse)
  await go(page, `#/webhooks/deliveries/${id}?face=signature`)
  const detail = page.getByRole('complementary', { name: `Delivery ${id}` })
  await detail.getByText('Can the receiver verify it? Yes').waitFor()
  const { headers } = receiver.received[0]!
  expect(await detail.innerText()).toContain(`${headers['webhook-id']}.${headers['webhook-timestamp']}.{"type":`)
  for (const [given, verdict] of [
    ['whsec_!', 'A secret is whsec_ and base64.'],
    ['whsec_d3Jvbmc=', 'It gives another signature'],
    [secret, 'It gives this signature'],
  ] as const) {
    await detail.getByLabel('Check your secret').fill(given)
    await detail.getByRole('button', { name: 'Check', exact: true }).click()
    await detail.getByText(verdict).waitFor()
  }
})

test('the signature of a delivery says why a receiver cannot verify it', async () => {
  const { page, greenhouse, world } = await openListening('', 'app.updated', today)
  const verdictOn = async () => {
    const { id } = await deliver(greenhouse)
    await go(page, `#/webhooks/deliveries/${id}?face=signature`)
    const delivery = page.getByRole('complementary', { name: `Delivery ${id}` })
    return () => delivery.locator('.webhooks-verdict').innerText()
  }
  world.useOnly(['webhook-bad-signature'])
  await expect.poll(await verdictOn()).toContain('signed it with a secret that no webhook has')
  world.useOnly(['webhook-stale-timestamp'])
  await expect.poll(await verdictOn()).toContain('Only if it accepts old timestamps')
  world.clear()
  world.clock.advance('3h')
  await expect.poll(await verdictOn()).toMatch(/Only by the world’s time[^]*(2 h 59 min|3 h) ahead of this machine/)
})
