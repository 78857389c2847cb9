import { expect } from '@playwright/test'
import { test } from '../../testing/pages/site.ts'

const ask = (url: string) =>
  fetch(url, { headers: { authorization: 'Bearer key_pro' } }).then((response) =>
    response.headers.get('x-greenhouse'),
  )

for (const name of ['one', 'another'])
  test(`only the server gets the header: ${name}`, async ({
    page,
    context,
    world,
    greenhouseHost,
    site,
  }) => {
    await page.goto(site.url)
    expect(await page.evaluate(ask, `${greenhouseHost.apps}/apps`)).toContain(
      `world=${world.name};`,
    )
    await page.evaluate(ask, `${site.url}/elsewhere`)
    const second = await context.newPage()
    await second.goto(site.url)
    expect(await second.evaluate(ask, `${greenhouseHost.plants}/plants`)).toContain(
      `world=${world.name};`,
    )
    expect(site.asked).toEqual(
      ['/', '/elsewhere', '/'].map((path) => `GET ${path} without a world`),
    )
    expect(world.journal.calls()).toHaveLength(2)
  })

test('a test without a page has the bound URLs and keys', async ({
  request,
  api,
  world,
  greenhouse,
  greenhouseHost,
}) => {
  await request.get(`${api.plantsUrl}/plants`)
  await request.get(`${greenhouseHost.apps}/apps`, {
    headers: { authorization: `Bearer ${api.key('key_pro')}` },
  })
  expect(world.journal.calls().map((call) => call.response.status)).toEqual([401, 200])
  expect(greenhouse.worlds()).toEqual(['default', world.name])
})

test('fails', async ({ page, greenhouseHost, site }) => {
  await page.goto(site.url)
  await page.evaluate(ask, `${greenhouseHost.apps}/apps`)
  expect('the reply').toBe('another')
})
