import { expect } from 'greenhouse-mock/playwright'
import { ask, test } from './site.ts'

test.use({ greenhouseOptions: { strict: { contract: false } } })

test('passes: pages and request name the world', async ({ page, request, site, greenhouseHost }) => {
  await page.goto(site.url)
  expect((await page.evaluate(ask, { url: `${greenhouseHost.apps}/apps?limt=1` })).status).toBe(200)
  expect((await request.get(`${greenhouseHost.apps}/apps`)).status()).toBe(401)
})

test('fails: a client of its own names no world', async ({ greenhouseHost }) => {
  expect((await fetch(`${greenhouseHost.apps}/apps`)).status).toBe(400)
})

test('fails: a page asks for what no operation knows', async ({ page, site, greenhouseHost }) => {
  await page.goto(site.url)
  await page.evaluate(ask, { url: `${greenhouseHost.apps}/aps` })
})
