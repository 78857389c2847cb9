import { expect } from 'vitest'
import { click, expectTexts, press, pressKeys, undo } from './page.ts'
import { test, openListening, deliver } from './world.ts'

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

test('a delivery is retried as the clock moves until it succeeds, and is sent again by hand', async () => {
  const answer = (_: unknown, index: number) =>
    index === 0 ? { status: 503, body: 'not yet' } : { status: 200, body: 'got it' }
  const { page, world, receiver, row, detail } = await openListening(
    '#/webhooks',
    'app.updated',
    answer,
  )
  await deliver(world)
  await expectTexts(row, 'retrying')
  await pressKeys(page, 'j', 'Enter')
  await expectTexts(detail, 'not yet', 'Attempt 2', 'due')
  await click(detail, 'Run to the next attempt')
  await expectTexts(row, 'succeeded')
  await expectTexts(detail, 'got it')
  await press(page, 'Send again', 'Sent again: 200')
  await expectTexts(detail, 'Attempt 3')
  await expect.poll(() => page.locator('.lane svg').count()).toBe(3)
  const [first, ...others] = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(others).toEqual([first, first])
  await page.keyboard.press('Escape')
  await detail.waitFor({ state: 'detached' })
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
