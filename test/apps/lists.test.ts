import { expect } from 'vitest'
import { builtInCatalogue } from '../../src/catalogue/catalogue.ts'
import { requests } from '../malformations/requests.ts'
import { testApi } from '../support/test-api.ts'
import { fillApps, walk } from './walk.ts'
import type { World } from 'greenhouse-mock'
import { loginApp, openApp } from '../conversations/chat.ts'

testApi("the list holds the caller's apps, newest first, and no one else's", async ({ call }) => {
  const { status, body } = await call('GET', '/v1/apps', { key: 'key_free' })
  expect(status).toBe(200)
  expect(body.data.map((app: { name: string }) => app.name)).toEqual([
    'plant-doctor',
    'watering-helper',
  ])
  expect(body).toMatchObject({ has_more: false, next_cursor: null })
})

testApi('a page that the list just fills is the last one', async ({ call }) => {
  const pages = [1, 2].map((limit) => call('GET', `/v1/apps?limit=${limit}`, { key: 'key_free' }))
  const found = await Promise.all(pages)
  expect(found.map(({ body }) => [body.data.length, body.has_more])).toEqual([
    [1, true],
    [2, false],
  ])
})

testApi('a listed app looks as it does alone', async ({ call }) => {
  const { body } = await call('GET', '/v1/apps', { key: 'key_lite' })
  expect(body.data).not.toHaveLength(0)
  for (const app of body.data)
    expect((await call('GET', `/v1/apps/${app.id}`, { key: 'key_lite' })).body).toEqual(app)
})

testApi('an account without apps gets an empty list', async ({ call, world }) => {
  for (const app of world.records.apps.find((app) => app.account === 'acct_lite'))
    world.records.apps.delete(app.id)
  const { status, body } = await call('GET', '/v1/apps', { key: 'key_lite' })
  expect(status).toBe(200)
  expect(body).toEqual({ data: [], has_more: false, next_cursor: null })
})

testApi('with apps.list.shape=array the list is the bare array', async ({ call, world }) => {
  const { body } = await call('GET', '/v1/apps?limit=3')
  world.assume('apps.list.shape', 'array')
  const bare = await call('GET', '/v1/apps?limit=3')
  expect(bare.status).toBe(200)
  expect(bare.body).toEqual(body.data)
})

const lists = builtInCatalogue.operations
  .filter(({ id }) => id.endsWith('.list') && id !== 'plants.list')
  .map(({ id }) => id)

for (const id of lists)
  testApi(
    `${id} goes from the newest to the oldest, and the other way round`,
    async ({ call, world }) => {
      const sound = requests[id]!
      const [, path] = typeof sound === 'function' ? await sound(call, world) : sound
      const down = await walk(call, path, 'limit=3&order=desc')
      expect(down.length).toBeGreaterThan(0)
      expect(new Set(down).size).toBe(down.length)
      expect(await walk(call, path, 'limit=3&order=asc')).toEqual(down.toReversed())
      const [first] = (await call('GET', path)).body.data
      expect(first.id).toBe(id === 'plans.list' ? 'free' : down[0])
      expect(await call('GET', `${path}?order=up`)).toMatchObject({
        status: 400,
        body: {
          error: {
            message: expect.stringMatching(/^order must be one of "(desc|asc)", "(asc|desc)"\./),
          },
        },
      })
    },
  )

testApi(
  'every list of Area B has an order, and no other operation is called a list',
  {},
  async ({ greenhouse }) => {
    expect(lists.length).toBeGreaterThanOrEqual(8)
    const plurals = greenhouse
      .operations()
      .filter(({ method, path }) => method === 'GET' && /^\/v1\/.*\/?[^{/]+s$/.test(path))
      .map(({ id }) => id)
    expect(plurals.filter((id) => !lists.includes(id))).toEqual(['credits.get'])
  },
)

testApi('paging from the oldest sees records added meanwhile', async ({ call }) => {
  const { body } = await call('GET', '/v1/webhooks?order=asc&limit=1')
  for (const name of ['one', 'two']) await call('POST', '/v1/apps', { body: { name } })
  const all = await walk(call, '/v1/apps', 'limit=3&order=asc')
  expect(body.data).toHaveLength(1)
  const names = (await call('GET', '/v1/apps?limit=2')).body.data.map(
    ({ name }: { name: string }) => name,
  )
  expect(names).toEqual(['two', 'one'])
  expect(all.at(-1)).toBe((await call('GET', '/v1/apps?limit=1')).body.data[0].id)
})

testApi('an invalid query is refused after an equal valid one was answered', async ({ call }) => {
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  for (const query of ['limit=null', 'cursor=null', 'limit=null&cursor=null'])
    expect((await call('GET', `/v1/apps?${query}`)).status, query).toBe(400)
})

testApi('a page holds 20 apps unless limit says otherwise', async ({ call, world }) => {
  fillApps(world, 'acct_pro', 21)
  const { body } = await call('GET', '/v1/apps')
  expect(body.data).toHaveLength(20)
  expect(body.has_more).toBe(true)
  expect(body.next_cursor).toEqual(expect.any(String))
})

testApi('limit can be 1 to 100', async ({ call, world }) => {
  fillApps(world, 'acct_pro', 101)
  for (const limit of [1, 2, 19, 21, 99, 100]) {
    const { status, body } = await call('GET', `/v1/apps?limit=${limit}`)
    expect(status).toBe(200)
    expect(body.data).toHaveLength(limit)
    expect(body.has_more).toBe(true)
  }
  expect((await call('GET', '/v1/apps?limit=0100')).status).toBe(400)
})

const newestFirst = ({ records }: World) =>
  records.apps
    .find({ account: 'acct_pro' })
    .map(({ id }) => id)
    .reverse()

testApi('a walk from page to page sees every app once, newest first', async ({ call, world }) => {
  const all = newestFirst(world)
  expect(all.length).toBeGreaterThan(20)
  for (const limit of [1, 7, 20, all.length - 1, all.length, 100])
    expect(await walk(call, '/v1/apps', `limit=${limit}`), `limit ${limit}`).toEqual(all)
})

testApi(
  'an app that is created in the middle of a walk does not show up in it',
  async ({ call, world }) => {
    const all = newestFirst(world)
    expect(
      await walk(call, '/v1/apps', 'limit=7', () =>
        call('POST', '/v1/apps', { body: { name: 'late' } }),
      ),
    ).toEqual(all)
    expect(newestFirst(world)).toHaveLength(all.length + 1)
  },
)

testApi(
  'an app that is deleted ahead of a walk is left out of it, and nothing else is',
  async ({ call, world }) => {
    const all = newestFirst(world)
    const ahead = all[10]!
    expect(
      await walk(call, '/v1/apps', 'limit=7', () => call('DELETE', `/v1/apps/${ahead}`)),
    ).toEqual(all.filter((id) => id !== ahead))
  },
)

testApi('a walk misses nothing when apps behind it are deleted', async ({ call, world }) => {
  const all = newestFirst(world)
  const seen = await walk(call, '/v1/apps', 'limit=7', async (first) => {
    for (const id of first) await call('DELETE', `/v1/apps/${id}`)
  })
  expect(seen).toEqual(all)
})

const list = `/v1/apps/${openApp}/conversations`

/** Starts five conversations. */
async function start({ records }: World) {
  for (let count = 0; count < 5; count++)
    await records.conversations.create({
      id: `conv_${count}`,
      account: 'acct_pro',
      app: openApp,
      user: null,
      platform: 'api',
      created_at: count,
    })
}

testApi('a cursor that no list gave is 400', async ({ call }) => {
  for (const cursor of [
    '',
    'x',
    'c_',
    'c_!',
    'c_-1',
    'C_1',
    '1',
    'c_zzzzzzzzzzzz',
    'app_7sm4hb54ca5qj6nu',
    'c_1%00',
  ]) {
    const { status, body } = await call('GET', `/v1/apps?cursor=${cursor}`)
    expect(status, cursor).toBe(400)
    expect(body.error).toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^cursor /),
    })
  }
})

testApi('a cursor gives the same page however often it is used', async ({ call }) => {
  const { body } = await call('GET', '/v1/apps?limit=4')
  const first = await call('GET', `/v1/apps?limit=4&cursor=${body.next_cursor}`)
  const again = await call('GET', `/v1/apps?limit=4&cursor=${body.next_cursor}`)
  expect(first.body.data).toHaveLength(4)
  expect(again.body).toEqual(first.body)
})

const message = 'cursor must be a next_cursor of this list, with the same filters and order.'

testApi("another account's cursor is 400", async ({ call }) => {
  const { body } = await call('GET', '/v1/apps?limit=4')
  expect(
    await call('GET', `/v1/apps?cursor=${body.next_cursor}`, { key: 'key_free' }),
  ).toMatchObject({
    status: 400,
    body: { error: { message } },
  })
})

testApi(
  "another list's cursor is 400: of another operation, and of another app",
  async ({ call, world }) => {
    await start(world)
    const { body } = await call('GET', `${list}?limit=1`)
    for (const path of [
      '/v1/apps',
      `/v1/apps/${loginApp}/conversations`,
      `/v1/apps/${openApp}/users`,
      '/v1/plans',
    ])
      expect(await call('GET', `${path}?cursor=${body.next_cursor}`), path).toMatchObject({
        status: 400,
        body: { error: { message } },
      })
    const anotherLimit = await call('GET', `${list}?limit=7&cursor=${body.next_cursor}`)
    expect(anotherLimit.status).toBe(200)
  },
)

testApi(
  'a cursor holds for the filters and the order that it was made with',
  async ({ call, world }) => {
    await start(world)
    const { body } = await call('GET', `${list}?limit=1&status=active&order=asc`)
    for (const query of [
      '',
      'status=active',
      'order=asc',
      'status=ended&order=asc',
      'status=active&order=desc',
      'status=active&order=asc&from=2026-01-01',
    ])
      expect((await call('GET', `${list}?cursor=${body.next_cursor}&${query}`)).status, query).toBe(
        400,
      )
    expect(
      (await call('GET', `${list}?order=asc&cursor=${body.next_cursor}&status=active`)).status,
    ).toBe(200)
    const plain = await call('GET', `${list}?limit=1`)
    const sameOrder = await call('GET', `${list}?order=desc&cursor=${plain.body.next_cursor}`)
    expect(sameOrder.status).toBe(200)
  },
)

testApi('a cursor that somebody changed is 400', async ({ call }) => {
  const { body } = await call('GET', '/v1/apps?limit=4')
  const cursor: string = body.next_cursor
  for (const changed of [
    `${cursor}1`,
    cursor.slice(0, -1),
    cursor.toUpperCase(),
    ` ${cursor}`,
    cursor.replace(/.$/, (last) => (last === '3' ? '4' : '3')),
  ])
    expect(
      (await call('GET', `/v1/apps?cursor=${encodeURIComponent(changed)}`)).status,
      changed,
    ).toBe(400)
})
