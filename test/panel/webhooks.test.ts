import { expect } from 'vitest'
import { click, expectTexts, press, pressKeys } from './page.ts'
import { test, openListening, deliver } from './world.ts'

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
  await expect.poll(() => row.locator('.badge-good').count()).toBe(2)
  await expectTexts(detail, 'got it')
  await press(page, 'Send again', 'Sent again: 200')
  await expectTexts(detail, 'Attempt 3')
  await expect.poll(() => page.locator('.lane svg').count()).toBe(3)
  const [first, ...others] = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(others).toEqual([first, first])
  await page.keyboard.press('Escape')
  await detail.waitFor({ state: 'detached' })
})
