import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'
import { goTo } from './places.ts'

/** What each view says where there is nothing, and what it offers to do about it. */
const views = [
  ['#/overview', 'No key is known in plain words', /Fixture files bring keys along.*Account makes them/],
  ['#/overview', 'This world has no accounts', /Fixture files bring them along.*you may add one/],
  ['#/traffic', 'No requests yet', /Overview has URLs, keys and code.*Send GET \/plants/],
  ['#/scenarios?own=true', 'No scenario of your own', /Start with --scenarios DIR.*Show all/],
  ['#/scenarios?search=qqq', 'No scenario has these words', /Show all/],
  ['#/scenarios/nope', 'There is no scenario “nope”', /--scenarios DIR/],
  ['#/data/plants', 'There are no plants yet', /Requests to the API make them.*Add to plants/],
  ['#/data/plants?search=x', 'None of the plants fits the filter', /Take the filter away/],
  ['#/data/plants/1', 'This record is not there', /Close/],
  ['#/data/nope', 'There is no collection “nope”', /Choose one of the list/],
  ['#/data?face=snapshots', 'There are no snapshots yet', /Take one before you try something/],
  ['#/account', 'This world has no accounts', /Fixture files add them, and so do you.*Add an account/],
  ['#/account/nobody', 'This account is not there', /"nobody"/],
  ['#/webhooks', 'Nobody listens yet', /Make an endpoint with webhooks\.create/],
  ['#/webhooks', 'Nothing was delivered yet', /Trigger an event/],
  ['#/webhooks?status=failed', 'No delivery fits the filter', /Take the filter away/],
  ['#/time', 'Nothing is due', /Buy credits with purchases\.create/],
  ['#/assumptions?leaned=true', 'No assumption fits', /None of the last requests leaned on one.*Show all/],
  ['#/docs?search=qqq', 'No operation fits the filter', /Take the filter away/],
  ['#/docs/nope', 'There is no operation nope', /Show all of them/],
  ['#/traffic?world=nowhere', 'There is no world “nowhere” yet', /The first request to it makes it.*Make nowhere/],
] as const

describePanel('in a world with nothing in it', (open) => {
  test('each view says what is empty and what to do next, and that leads on', async () => {
    const { page, greenhouse } = await open('', { greenhouse: { fixtures: {} } })
    for (const [place, title, next] of views) {
      await goTo(page, place)
      const state = page.locator('.state', { has: page.getByText(title, { exact: true }) })
      expect.soft((await state.innerText()).replaceAll(/\s+/g, ' '), place).toMatch(next)
    }
    const world = greenhouse.world()
    world.snapshot('now')
    await goTo(page, '#/data?face=snapshots&snapshot=now')
    await page.getByText('No record is other than it was').waitFor()
    world.records.accounts.create({ id: 'acct_new', name: 'New', email: 'new@example.com', plan: 'free' })
    await goTo(page, '#/account/acct_new')
    await page.getByText('This account has no keys').waitFor()
    world.records.accounts.delete('acct_new')

    await goTo(page, '#/overview')
    await page.getByRole('link', { name: 'you may add one' }).click()
    await page.getByRole('complementary', { name: 'Add to accounts' }).waitFor()
    await goTo(page, '#/traffic')
    await page.getByRole('button', { name: 'Send GET /plants' }).click()
    await page.locator('.virtual-row', { hasText: '/plants?limit=3' }).waitFor()
  })
})
