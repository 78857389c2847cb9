import { expect } from 'vitest'
import { catalogue } from '../../src/api/assembly/catalogue.ts'
import { requests } from '../malformations/requests.ts'
import { testApi } from '../support/test-api.ts'
import { walk } from './walk.ts'

testApi("the list holds the caller's apps, newest first, and no one else's", async ({ call }) => {
  const { status, body } = await call('GET', '/v1/apps', { key: 'key_free' })
  expect(status).toBe(200)
  expect(body.data.map((app: { name: string }) => app.name)).toEqual(['plant-doctor', 'watering-helper'])
  expect(body).toMatchObject({ has_more: false, next_cursor: null })
})

testApi('a listed app looks as it does alone', async ({ call }) => {
  const { body } = await call('GET', '/v1/apps', { key: 'key_lite' })
  expect(body.data).not.toHaveLength(0)
  for (const app of body.data) expect((await call('GET', `/v1/apps/${app.id}`, { key: 'key_lite' })).body).toEqual(app)
})

testApi('an account without apps gets an empty list', async ({ call, world }) => {
  for (const app of world.records.apps.find((app) => app.account === 'acct_lite')) world.records.apps.delete(app.id)
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

const lists = catalogue.operations.filter(({ id }) => id.endsWith('.list') && id !== 'plants.list').map(({ id }) => id)

for (const id of lists)
  testApi(`${id} goes from the newest to the oldest, and the other way round`, async ({ call, world }) => {
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
      body: { error: { message: expect.stringMatching(/^order must be one of "(desc|asc)", "(asc|desc)"\./) } },
    })
  })

testApi('every list of Area B has an order, and no other operation is called a list', {}, async ({ greenhouse }) => {
  expect(lists.length).toBeGreaterThanOrEqual(8)
  const plurals = greenhouse
    .operations()
    .filter(({ method, path }) => method === 'GET' && /^\/v1\/.*\/?[^{/]+s$/.test(path))
    .map(({ id }) => id)
  expect(plurals.filter((id) => !lists.includes(id))).toEqual(['credits.get'])
})

testApi('a walk from the oldest on sees what is added on its way', async ({ call }) => {
  const { body } = await call('GET', '/v1/webhooks?order=asc&limit=1')
  for (const name of ['one', 'two']) await call('POST', '/v1/apps', { body: { name } })
  const all = await walk(call, '/v1/apps', 'limit=3&order=asc')
  expect(body.data).toHaveLength(1)
  const names = (await call('GET', '/v1/apps?limit=2')).body.data.map(({ name }: { name: string }) => name)
  expect(names).toEqual(['two', 'one'])
  expect(all.at(-1)).toBe((await call('GET', '/v1/apps?limit=1')).body.data[0].id)
})

testApi('what a list answered before does not make an invalid query valid', async ({ call }) => {
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  for (const query of ['limit=null', 'cursor=null', 'limit=null&cursor=null'])
    expect((await call('GET', `/v1/apps?${query}`)).status, query).toBe(400)
})
