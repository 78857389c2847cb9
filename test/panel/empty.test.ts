import { expect } from 'vitest'
import { goTo, press } from './page.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'

const views = [
  ['#/traffic', 'No requests yet', /Connect a client as below/],
  ['#/traffic?tab=connect', 'No key can be shown', /Fixture files can have keys.*Data generates them/],
  [
    '#/scenarios?own=true',
    'You have no scenarios of your own',
    /Write one here, or start with --scenarios DIR.*Show all/,
  ],
  ['#/scenarios?search=qqq', 'No scenario matches', /Show all/],
  ['#/scenarios/nope', 'There is no scenario “nope”', /--scenarios DIR/],
  ['#/data/plants', 'There are no plants yet', /Create some through the API.*Add to plants/],
  ['#/data/plants?search=x', 'No plants match the filter', /Clear the filter/],
  ['#/data/plants/1', 'This record does not exist', /Close/],
  ['#/data/nope', 'There is no collection “nope”', /Choose one from the list/],
  ['#/data?tab=snapshots', 'There are no snapshots yet', /Take one before you try something/],
  ['#/data/accounts', 'There are no accounts yet', /in fixture files, or here.*Add to accounts/],
  ['#/data/accounts/nobody', 'This record does not exist', /"nobody"/],
  ['#/data/keys', 'There are no keys yet', /Generate key/],
  ['#/webhooks/endpoints', 'No endpoints yet', /Create one: its URL is where/],
  ['#/webhooks', 'Nothing was delivered yet', /Trigger an event/],
  ['#/webhooks?status=failed', 'No delivery matches the filter', /Clear the filter/],
  ['#/time', 'Nothing is due', /Buy credits, or let a receiver/],
  ['#/scenarios?tab=assumptions&search=zzz', 'No assumption matches', /All words of a search.*Show all/],
  ['#/traffic?world=nowhere', 'There is no world “nowhere” yet', /The first request to it creates it.*nowhere/],
] as const

test('each view of an empty world says what is empty and what to do next, and that leads on', async () => {
  const { page, greenhouse, world } = await openPanel('', { greenhouse: { fixtures: {} } })
  for (const [place, title, next] of views) {
    await goTo(page, place)
    const state = page.locator('.state', { has: page.getByText(title, { exact: true }) })
    expect.soft((await state.innerText()).replaceAll(/\s+/g, ' '), place).toMatch(next)
  }
  expect(greenhouse.hasWorld('nowhere')).toBe(false)
  await press(page, 'Create nowhere', 'No requests yet')
  expect(greenhouse.hasWorld('nowhere')).toBe(true)
  world.snapshot('now')
  await goTo(page, '#/data?tab=snapshots&snapshot=now&world=default')
  await page.getByText('No record has changed').waitFor()

  await goTo(page, '#/scenarios/nothing?search=zzz')
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect.poll(() => page.locator('.scenario').count()).toBeGreaterThan(50)
})
