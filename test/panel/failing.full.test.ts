import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'
import { fillWorld } from './filled-world.ts'

/** Each view and what opens in it, none of which was there before, and what it shows once it was read. */
const places = [
  ['#/overview', /Base URLs[\s\S]*key_pro[\s\S]*What is left of the plans[\s\S]*acct_free/],
  ['#/traffic', /\/v1\/appz/],
  ['#/traffic/3', /Save as scenario/],
  ['#/scenarios', /Rate-limited plan/],
  ['#/scenarios/slow', /How to switch this on[\s\S]*X-Greenhouse-Scenario/],
  ['#/data/plants', /9007199254740993/],
  ['#/data/plants/9007199254740993', /Belongs to[\s\S]*Save/],
  ['#/data/webhooks?new=*', /Add to webhooks[\s\S]*Cancel/],
  ['#/data?face=snapshots&snapshot=filled', /No record has changed/],
  ['#/account/acct_pro', /Requests left[\s\S]*key_readonly/],
  ['#/webhooks?trigger=app.created', /app\.updated[\s\S]*Fill in an example/],
  ['#/webhooks/deliveries/del_lrtulzjiz4ruujdv', /Send again/],
  ['#/webhooks/endpoints/wh_bcjl342gumzojejh', /Answers in time/],
  ['#/time', /Due next[\s\S]*Run to here/],
  ['#/assumptions', /Rate limit/],
  ['#/docs/messages.list', /conversation_id[\s\S]*Send/],
] as const

describePanel('where the control API fails', (open) => {
  test('each view says why, and shows all of it after one try again', async () => {
    const { page } = await open('#/docs', { before: fillWorld })
    await page.getByText('live', { exact: true }).waitFor()
    await page.getByText('/v1/apps').first().waitFor()
    let fails: 'answers 500' | 'does not answer' | undefined
    await page.route(/\/__greenhouse\/(?!panel\/|events)/, (route) => {
      if (fails === undefined) return route.continue()
      if (fails === 'does not answer') return route.abort()
      return route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'The disk is full.' } } })
    })
    for (const [index, [place, shown]] of places.entries()) {
      fails = index % 2 === 0 ? 'answers 500' : 'does not answer'
      await page.evaluate((hash) => void (location.hash = hash), place)
      const alert = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Try again' }) })
      await alert.last().waitFor()
      expect
        .soft(await alert.last().innerText(), place)
        .toContain(fails === 'answers 500' ? 'The disk is full.' : 'The server does not answer.')
      const mayGoByItself = fails === 'does not answer'
      fails = undefined
      const pressed = alert
        .last()
        .getByRole('button')
        .click({ timeout: mayGoByItself ? 1_000 : 30_000 })
      // Another answer that comes first has it read again already.
      await (mayGoByItself ? pressed.catch(() => undefined) : pressed)
      await expect.poll(() => page.locator('body').innerText(), { message: place }).toMatch(shown)
      await expect.poll(() => alert.count(), { message: place }).toBe(0)
    }

    fails = 'answers 500'
    await page.getByRole('button', { name: 'default', exact: true }).click()
    const banner = page.getByRole('alert').filter({ hasText: 'The world default could not be read' })
    await banner.getByText('The disk is full.').waitFor()
    fails = undefined
    await page.keyboard.press('Escape')
    await banner.getByRole('button', { name: 'Read it again' }).click()
    await banner.waitFor({ state: 'detached' })
  })
})
