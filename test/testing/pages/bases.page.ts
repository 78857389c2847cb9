import { expect } from 'greenhouse-mock/playwright'
import { findHidden, inChromium } from '../../cors/pages.ts'
import { ask, test } from './site.ts'

const bases = { plants: 'https://plants.example.com/garden', apps: 'https://api.example.com/v1' }
test.use({ greenhouseBases: bases })

const json = { 'content-type': 'application/json' }

for (const name of ['one', 'another'])
  test(`the page's own URLs are answered from the test's world: ${name}`, async ({
    page,
    world,
    site,
    context,
  }) => {
    await page.goto(site.url)
    const listed = await page.evaluate(ask, { url: `${bases.apps}/apps?limit=1` })
    expect(listed).toMatchObject({
      status: 200,
      trace: `world=${world.name}; operation=apps.list`,
      limit: '300',
    })
    expect(JSON.parse(listed.text).data).toHaveLength(1)
    expect((await page.evaluate(ask, { url: `${bases.plants}/plants` })).trace).toContain(
      'operation=plants.list',
    )
    const second = await context.newPage()
    await second.goto(site.url)
    await second.evaluate(ask, { url: `${bases.apps}/apps` })
    expect(world.journal.calls()).toHaveLength(3)
    expect(site.asked).toEqual(['GET / without a world', 'GET / without a world'])
  })

test('a body and a method that need a preflight', async ({ page, world, site }) => {
  await page.goto(site.url)
  const fern = { method: 'POST', headers: json, body: '{"id":1001,"name":"Grüner Farn"}' }
  const created = await page.evaluate(ask, { url: `${bases.plants}/plants`, ...fern })
  expect(created).toMatchObject({ status: 200, text: '{"name":"Grüner Farn"}' })
  const deleted = await page.evaluate(ask, { url: `${bases.plants}/plants/1001`, method: 'DELETE' })
  expect(deleted.status).toBeLessThan(300)
  const head = await page.evaluate(ask, { url: `${bases.plants}/plants`, method: 'HEAD' })
  expect(head.text).toBe('')
  expect(world.journal.calls().map(({ request }) => request.method)).toEqual([
    'POST',
    'DELETE',
    'HEAD',
  ])
})

test('a page with cookies, of an origin that is not of this machine, may read what it gets', async ({
  page,
}) => {
  const shop = { contentType: 'text/html', body: '<link rel="icon" href="data:,">' }
  await page.route('https://shop.example.com/', (route) => route.fulfill(shop))
  await page.goto('https://shop.example.com/')
  expect(await findHidden(await inChromium(page), bases.apps)).toEqual([])
})

test('a streamed message arrives, its events in order', async ({ page, world, site }) => {
  await page.goto(site.url)
  const post = (path: string, body: object) =>
    page.evaluate(ask, {
      url: bases.apps + path,
      method: 'POST',
      headers: json,
      body: JSON.stringify(body),
    })
  const [app] = JSON.parse((await page.evaluate(ask, { url: `${bases.apps}/apps` })).text).data
  const started = JSON.parse((await post(`/apps/${app.id}/conversations`, {})).text)
  const messages = `/apps/${app.id}/conversations/${started.id}/messages`
  const { type, text } = await post(messages, { content: 'Hello', stream: true })
  expect(type).toContain('text/event-stream')
  const events = [...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)
  expect([events[0], events.at(-1)]).toEqual(['message.delta', 'message.completed'])
  expect(world.journal.calls().at(-1)!.response.body).toContain('message.completed')
})

test('a request without an answer ends when the page gives up, and is aborted', async ({
  page,
  world,
  site,
}) => {
  world.use('timeout')
  await page.goto(site.url)
  const outcome = page.evaluate(async (url) => {
    const controller = new AbortController()
    const pending = fetch(url, {
      headers: { authorization: 'Bearer key_pro' },
      signal: controller.signal,
    })
    addEventListener('give-up', () => controller.abort())
    return pending.then(String, (error: Error) => error.name)
  }, `${bases.apps}/apps`)
  await expect.poll(() => world.journal.calls().length).toBe(1)
  await page.evaluate(() => dispatchEvent(new Event('give-up')))
  expect(await outcome).toBe('AbortError')
  await expect.poll(() => world.journal.calls()[0]?.aborted).toBe(true)
})

test('a request that is never answered keeps no test from ending', async ({
  page,
  world,
  site,
}) => {
  world.use('timeout')
  await page.goto(site.url)
  await page.evaluate((url) => void fetch(url).catch(() => undefined), `${bases.apps}/apps`)
  await expect.poll(() => world.journal.calls().length).toBe(1)
})

test('a network that fails is one to the page', async ({ page, world, site }) => {
  world.use('network-error')
  await page.goto(site.url)
  await expect(page.evaluate(ask, { url: `${bases.apps}/apps` })).rejects.toThrow(/Failed to fetch/)
})

test('a fault that needs a connection is refused as it is switched on', ({
  world,
  greenhouseHost,
}) => {
  expect(greenhouseHost.apps).toBe(bases.apps)
  expect(() => world.use('connection-reset')).toThrow(/Playwright can't produce the fault/)
})

test('requests of no page reach the world too, at the same URLs', async ({
  page,
  context,
  request,
  world,
  api,
}) => {
  for (const sender of [request, page.request, context.request]) {
    const headers = { authorization: 'Bearer key_pro' }
    const response = await sender.get(`${bases.apps}/apps`, { headers, params: { limit: 2 } })
    await expect(response).toBeOK()
    expect(response.url()).toBe(`${bases.apps}/apps?limit=2`)
    expect((await response.json()).data).toHaveLength(2)
    const created = await sender.post(`${bases.apps}/apps`, { headers, data: { name: 'helper' } })
    expect(created.status()).toBe(201)
    await sender.fetch(`${api.plantsUrl}/plants`, { headers })
  }
  expect(world.journal.calls().map(({ operation }) => operation)).toEqual(
    Array(3).fill(['apps.list', 'apps.create', 'plants.list']).flat(),
  )
})

test('requests outside the base URLs are left alone', async ({ page, request, world, site }) => {
  await page.goto(site.url)
  await page.evaluate(ask, { url: `${site.url}/elsewhere` })
  await request.get(`${site.url}/other`)
  expect(site.asked.slice(1)).toEqual([
    'GET /elsewhere without a world',
    'GET /other without a world',
  ])
  expect(world.journal.calls()).toEqual([])
})
