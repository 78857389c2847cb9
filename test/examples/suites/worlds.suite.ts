import { createTest, test } from 'greenhouse-mock/vitest'

const names = new Set<string>()
let tries = 0

for (let index = 0; index < 50; index++)
  test.concurrent('Überall, the same long title that does not fit into the name of a world — at all', async ({
    api,
    world,
    expect,
  }) => {
    expect(world.name).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
    names.add(world.name)
    const headers = { authorization: `Bearer key_lite`, 'content-type': 'application/json' }
    const post = (id: number) =>
      fetch(`${api.plantsUrl}/plants`, {
        method: 'POST',
        headers,
        body: `{"id":${id},"name":"Plant ${index}"}`,
      })
    expect(
      await Promise.all([1001, 1002, 1003].map(async (id) => (await post(id)).status)),
    ).toEqual([200, 200, 200])
    const listed = await fetch(`${api.plantsUrl}/plants`, { headers })
    expect(await listed.json()).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ name: `Plant ${index}` })),
    )
    expect(world.journal.calls()).toHaveLength(4)
  })

test('each of them had a separate world, and all are gone', ({ greenhouse, expect }) => {
  expect(names.size).toBe(50)
  expect(greenhouse.worlds()).toEqual(['default'])
})

test('a key alone leads to the world', async ({ api, world, greenhouseHost, expect }) => {
  const response = await fetch(`${greenhouseHost.apps}/apps`, {
    headers: { authorization: `Bearer ${api.key('key_pro')}` },
  })
  expect(response.headers.get('x-greenhouse')).toContain(`world=${world.name};`)
})

test('a further try finds a new world', { retry: 1 }, async ({ api, world, expect }) => {
  expect(world.journal.calls()).toEqual([])
  await fetch(`${api.plantsUrl}/plants`)
  tries++
  expect(tries).toBe(2)
})

const bases = { plants: 'https://plants.example.com/garden', apps: 'https://api.example.com/v1' }
const intercepted = createTest({ ...bases, now: '2026-03-01T12:00:00Z' })

for (let index = 0; index < 20; index++)
  intercepted.concurrent(
    'production’s base URLs, and the ones bound to the world',
    async ({ api, world, expect }) => {
      world.use(index % 2 === 0 ? 'expired-key' : 'server-error')
      const expected = index % 2 === 0 ? 401 : 500
      const headers = { authorization: 'Bearer key_pro' }
      const bound = { authorization: `Bearer ${api.key('key_pro')}` }
      expect((await fetch(`${api.plantsUrl}/plants`, { headers })).status).toBe(expected)
      expect((await fetch(`${bases.plants}/plants`, { headers: bound })).status).toBe(expected)
      expect((await fetch(`${api.appsUrl}/apps`, { headers })).status).toBe(expected)
      expect((await fetch(`${bases.apps}/apps`, { headers: bound })).status).toBe(expected)
      expect(world.journal.calls()).toHaveLength(4)
    },
  )
