import { afterEach } from 'vitest'
import { http, HttpResponse } from 'msw'
import { createTest } from 'greenhouse-mock/vitest'
import { ask, bases, deliver, listen, server } from './team-server.ts'

listen('error')
afterEach(() => server.resetHandlers())

const test = createTest({ server, ...bases })
const apps = `${bases.apps}/apps`

for (let index = 0; index < 10; index++)
  test.concurrent('base URLs are answered from the world of the key, first', async ({
    api,
    world,
    expect,
  }) => {
    expect((await ask(apps, api.key('key_pro'))).trace).toBe(
      `world=${world.name}; operation=apps.list`,
    )
    expect((await ask(`${bases.plants}/plants`, api.key('key_pro'))).status).toBe(200)
    expect(world.journal.calls()).toHaveLength(2)
  })

test("the team's handlers answer other requests", async ({ expect }) => {
  expect((await ask('https://weather.example.com/today', '')).body).toEqual({ sun: true })
  expect((await ask(`${bases.plants}/hours`, '')).body).toEqual({ open: 9 })
})

test('below both base URLs the team answers what no operation knows', async ({ api, expect }) => {
  for (const key of ['', api.key('key_pro')]) {
    expect((await ask(`${bases.apps}/feature-flags`, key)).body).toEqual({ dark: true })
    expect((await ask(`${bases.plants}/plants/calendar`, key)).body).toEqual({ month: 3 })
  }
  server.use(http.get(`${bases.apps}/themes`, () => HttpResponse.json({ themes: 2 })))
  expect((await ask(`${bases.apps}/themes`, api.key('key_pro'))).body).toEqual({ themes: 2 })
  const inside = server.boundary(() => ask(`${bases.apps}/feature-flags`, api.key('key_pro')))
  expect((await inside()).body).toEqual({ dark: true })
  expect((await ask(`${bases.apps}/flags`, api.key('key_pro'))).status).toBe(404)
})

test('an override of a test comes first', async ({ api, expect }) => {
  server.use(http.get(apps, () => HttpResponse.json({ override: true }), { once: true }))
  expect((await ask(apps, api.key('key_pro'))).body).toEqual({ override: true })
  expect((await ask(apps, api.key('key_pro'))).trace).toContain('operation=apps.list')
})

test('resetHandlers keeps the handlers of Greenhouse, and removes the rest', async ({
  api,
  expect,
}) => {
  const count = server.listHandlers().length
  server.use(http.get(apps, () => HttpResponse.json({ override: true })))
  server.resetHandlers()
  expect(server.listHandlers()).toHaveLength(count)
  expect((await ask(apps, api.key('key_pro'))).trace).toContain('operation=apps.list')
  server.resetHandlers(
    http.get('https://weather.example.com/today', () => HttpResponse.json({ sun: false })),
  )
  expect((await ask(apps, api.key('key_pro'))).trace).toContain('operation=apps.list')
  expect((await ask('https://weather.example.com/today', '')).body).toEqual({ sun: false })
})

test('a boundary has them too', async ({ api, expect }) => {
  const inside = server.boundary(async () => {
    server.use(http.get(apps, () => HttpResponse.json({ override: true })))
    const first = await ask(apps, api.key('key_pro'))
    server.resetHandlers()
    return [first, await ask(apps, api.key('key_pro'))]
  })
  const [first, second] = await inside()
  expect(first!.body).toEqual({ override: true })
  expect(second!.trace).toContain('operation=apps.list')
})

test('a delivery reaches receivers with and without a handler of the team', async ({
  api,
  world,
  expect,
}) => {
  const key = api.key('key_pro')
  expect(await deliver(bases.apps, key, () => world.settled())).toHaveLength(1)
  const mocked: string[] = []
  server.use(
    http.post('https://hooks.example.com/', ({ request }) => {
      mocked.push(request.headers.get('webhook-id')!)
      return new HttpResponse()
    }),
  )
  await deliver(bases.apps, key, () => world.settled(), 'https://hooks.example.com/')
  expect(mocked).toHaveLength(1)
})

test('unknown requests are rejected as the team chose', async ({ expect }) => {
  await expect(ask('https://elsewhere.example.com/', '')).rejects.toThrow()
})
