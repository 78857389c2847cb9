import { expect } from 'vitest'
import { click, expectTexts, go, press, undo } from './page.ts'
import { openPanel, requestOf, test, openListening, deliver } from './world.ts'

test('endpoints of two accounts at one URL are two receivers', async () => {
  const { page, greenhouse, receiver } = await openListening(
    '#/webhooks?trigger=app.created',
    'app.created',
  )
  const other = { key: 'key_lite', body: { url: receiver.url, events: ['app.created'] } }
  const made = await (await greenhouse.fetch(requestOf('/v1/webhooks', 'POST', other))).json()
  const dialog = page.getByRole('dialog')
  await expect
    .poll(() => dialog.getByLabel('Receiver').innerText())
    .toContain(`${receiver.url} (acct_pro)`)
  await dialog.getByLabel('Receiver').selectOption(`${receiver.url} (acct_lite)`)
  await click(dialog, 'Trigger')
  await page.getByRole('complementary', { name: /^Delivery/ }).waitFor()
  const { deliveries } = greenhouse.world().records
  expect(deliveries.all().filter(({ type }) => type === 'app.created')).toMatchObject([
    { webhook: made.id },
  ])
})

test('on a phone a delivery says why it is not verified, and the labels of its lane are apart', async () => {
  const browser = { viewport: { width: 390, height: 844 } }
  const { page } = await openPanel('#/webhooks/deliveries/del_lrtulzjiz4ruujdv', { browser })
  await expect
    .poll(() => page.locator('.attempts .callout').first().innerText())
    .toMatch(/\?\s+Not known\.\s+Its headers/)
  const labels = page.locator('.lane:last-child span')
  const edges = await labels.evaluateAll((all) =>
    all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect),
  )
  expect(edges.length).toBeGreaterThan(3)
  for (const [index, { right }] of edges.slice(0, -1).entries())
    expect(edges[index + 1]!.left).toBeGreaterThan(right)
})

test('the signature follows from the secret, and the page explains why a receiver rejects it', async () => {
  const { page, world, secret, receiver, detail } = await openListening('')
  await go(page, await deliver(world))
  await expectTexts(detail, 'The signature is right, and the timestamp is the time of the attempt.')
  await detail.getByText('Check the signature').click()
  const { headers } = receiver.received[0]!
  await expectTexts(detail, `${headers['webhook-id']}.${headers['webhook-timestamp']}.{"type":`)
  for (const [given, answer] of [
    ['whsec_!', 'A secret is whsec_ and base64.'],
    ['whsec_d3Jvbmc=', 'It gives another signature'],
    [secret, 'It gives this signature'],
  ] as const) {
    await detail.getByLabel('Check your secret').fill(given)
    await click(detail, 'Check')
    await expectTexts(detail, answer)
  }
  for (const [arrange, why] of [
    [() => world.useOnly(['webhook-bad-signature']), /signed it with a secret that no webhook has/],
    [() => world.useOnly(['webhook-stale-timestamp']), /Only if it accepts old timestamps/],
    [() => world.clear(), /Only by the world’s time.*(2 h 59 min|3 h) ahead of this machine/],
  ] as const) {
    arrange()
    world.clock.advance('1h')
    await go(page, await deliver(world))
    await expect.poll(() => detail.locator('.callout').innerText()).toMatch(why)
  }
})

test('an event is triggered with the data of the form', async () => {
  const { page, receiver, detail } = await openListening('#/webhooks', 'app.created')
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
  await page.keyboard.press('t')
  const dialog = page.getByRole('dialog')
  const data = dialog.getByLabel('Data')
  const trigger = async (text: string, answer: string) => {
    await data.fill(text)
    await click(dialog, 'Trigger')
    await expectTexts(dialog, answer)
  }
  await dialog.getByLabel('Event').selectOption('plant.created')
  await expectTexts(dialog, 'No enabled webhook subscribes to it: nobody will get it.')
  await trigger('', 'plant.created was sent to nobody')
  await dialog.getByLabel('Event').selectOption('app.created')
  await expectTexts(dialog, `Listening: ${receiver.url}`)
  await trigger('{"id":', 'This is not valid JSON yet.')
  await trigger('null', 'expected an object, received null')
  await data.fill('{"id": "app_made_up", "members": 9007199254740993}')
  await click(dialog, 'Trigger')
  await expectTexts(detail.locator('.json'), '9007199254740993')
  await click(detail, 'Raw')
  const { body } = receiver.received[0]!
  expect(body).toContain('"data":{"id":"app_made_up","members":9007199254740993}')
  await expect.poll(() => detail.locator('pre').last().innerText()).toBe(body)
})

test('the report of an endpoint gives each check with its reason, and a switch stops deliveries', async () => {
  const { page, world, receiver, row, detail } = await openListening('#/webhooks/endpoints')
  await row.click()
  await expectTexts(detail, 'Nothing has been sent to it yet.')
  await press(page, 'Examine', 'Examined: failed')
  for (const [question, answer] of [
    ['Rejects a wrong signature', /failed[^]*It answered 200 to a wrong signature/],
    ['Rejects an old timestamp', /failed/],
    ['Accepts valid requests', /passed/],
  ] as const)
    await expect
      .poll(() => detail.getByRole('listitem').filter({ hasText: question }).innerText())
      .toMatch(answer)
  expect(receiver.received).toHaveLength(4)
  await page.getByRole('switch', { name: `Deliver to ${receiver.url}` }).click()
  await page.getByRole('switch', { name: `Deliver to ${receiver.url}`, checked: false }).waitFor()
  expect(await world.trigger('app.updated')).toEqual([])
  await undo(page, 'Switched its deliveries off')
  await page.getByRole('switch', { name: `Deliver to ${receiver.url}`, checked: true }).waitFor()
})
