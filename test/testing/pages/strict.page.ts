import { expect } from 'greenhouse-mock/playwright'
import { ask, test } from './site.ts'

// The base of apps is below that of plants.
const bases = { plants: 'https://plants.example.com', apps: 'https://plants.example.com/api/v1' }
test.use({ greenhouseBases: bases, greenhouseOptions: { strict: true } })

test('passes: operations are known', async ({ page, site }) => {
  await page.goto(site.url)
  expect((await page.evaluate(ask, { url: `${bases.apps}/apps` })).status).toBe(200)
})

test('fails: what no operation knows does not leave for the network', async ({ page, site }) => {
  await page.goto(site.url)
  expect((await page.evaluate(ask, { url: `${bases.plants}/plnts` })).status).toBe(404)
})

test('fails: nor does what no page sends', async ({ request }) => {
  expect((await request.get(`${bases.plants}/plnts`)).status()).toBe(404)
})

test('passes: an application may stand at the base URL', async ({ page }) => {
  await page.route(`${bases.plants}/`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Shop</h1>' }),
  )
  await page.goto(`${bases.plants}/`)
  await expect(page.getByRole('heading')).toHaveText('Shop')
})
