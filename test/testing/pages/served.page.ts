import { expect } from 'greenhouse-mock/playwright'
import { findHidden, inChromium, inHappyDom, inJsdom } from '../../cors/pages.ts'
import { ask, test } from './site.ts'

const headers = { authorization: 'Bearer key_pro' }

test("requests of no page reach the test's world, and carry it nowhere else", async ({
  page,
  context,
  request,
  world,
  greenhouseHost,
  site,
}) => {
  for (const sender of [request, page.request, context.request]) {
    const response = await sender.get(`${greenhouseHost.apps}/apps`, { headers })
    await expect(response).toBeOK()
    expect(response.headers()['x-greenhouse']).toContain(`world=${world.name};`)
    await sender.post(`${greenhouseHost.plants}/plants`, {
      headers,
      data: { id: 1001, name: 'Fern' },
    })
    await sender.get(`${site.url}/elsewhere`)
  }
  expect(world.journal.calls()).toHaveLength(6)
  expect(site.asked).toEqual(Array(3).fill('GET /elsewhere without a world'))
})

test('a request that names another world goes there', async ({
  request,
  greenhouse,
  greenhouseHost,
  world,
}) => {
  await request.get(`${greenhouseHost.apps}/apps`, {
    headers: { ...headers, 'X-Greenhouse-World': 'other' },
  })
  await request.get(`${greenhouseHost.plants}/~third/plants`, { headers })
  expect(world.journal.calls()).toEqual([])
  expect(greenhouse.worlds()).toEqual(expect.arrayContaining(['other', 'third']))
})

test('a request of the page, sent again by a program', async ({
  page,
  greenhouseHost,
  world,
  site,
}) => {
  await page.goto(site.url)
  const fern = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"id":1001,"name":"Fern"}',
  }
  const [sent] = await Promise.all([
    page.waitForRequest((request) => request.method() === 'POST'),
    page.evaluate(ask, { url: `${greenhouseHost.plants}/plants`, ...fern }),
  ])
  expect((await page.request.fetch(sent)).status()).toBeGreaterThanOrEqual(200)
  expect(world.journal.calls({ operation: 'plants.create' })).toHaveLength(2)
})

test('a page with cookies reads every reply, wherever it runs', async ({
  page,
  api,
  greenhouseHost,
  site,
}) => {
  await page.goto(site.url)
  expect(await findHidden(await inChromium(page), greenhouseHost.apps)).toEqual([])
  for (const ask of [inJsdom(site.url), inHappyDom(site.url)])
    expect(await findHidden(ask, api.appsUrl)).toEqual([])
})
