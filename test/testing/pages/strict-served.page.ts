import { expect } from 'greenhouse-mock/playwright'
import { ask, test } from './site.ts'

test.use({ greenhouseOptions: { strict: { contract: false } } })

test('passes: pages and request name the world', async ({
  page,
  request,
  site,
  greenhouseHost,
}) => {
  await page.goto(site.url)
  expect((await page.evaluate(ask, { url: `${greenhouseHost.apps}/apps?limt=1` })).status).toBe(200)
  expect((await request.get(`${greenhouseHost.apps}/apps`)).status()).toBe(401)
})

test('fails: a client created in the test names no world', async ({ greenhouseHost }) => {
  expect((await fetch(`${greenhouseHost.apps}/apps`)).status).toBe(400)
})

test('fails: a page asks for what no operation knows', async ({ page, site, greenhouseHost }) => {
  await page.goto(site.url)
  await page.evaluate(ask, { url: `${greenhouseHost.apps}/aps` })
})

let before: { plantsUrl: string; world: string }

test('passes: its client goes on after its end', ({ api, world }) => {
  before = { plantsUrl: api.plantsUrl, world: world.name }
})

test('fails: a request of the test before comes late', async ({ greenhouse, world }) => {
  await fetch(`${before.plantsUrl}/plants`)
  expect(greenhouse.worlds()).toContain(world.name)
  expect(greenhouse.worlds()).not.toContain(before.world)
})
