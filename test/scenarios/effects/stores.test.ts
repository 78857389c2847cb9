import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'
import { own } from '../helpers.ts'

const empty = { scenarios: own({ records: [{ collection: 'plants', keep: 'none' }] }) }
const create = { body: { id: 5000, name: 'Ficus' } }

testApi(
  'records shows a separate store, in snapshots, until it is cleared',
  empty,
  async ({ world, call }) => {
    const names = async () =>
      (await call('GET', '/plants')).body.map(({ name }: { name: string }) => name)
    const before = await names()
    world.use('own')
    await call('POST', '/plants', create)
    world.snapshot('one plant')
    await call('DELETE', '/plants/5000')
    expect(await names()).toEqual([])
    world.restore('one plant')
    expect(await names()).toEqual(['Ficus'])
    world.clear()
    expect(await names()).toEqual(before)
    world.use('own')
    expect(await names(), 'switched on again it starts anew').toEqual([])
  },
)

testApi(
  "a scenario's records can be for one caller: others see stored ones",
  async ({ world, call }) => {
    world.use({ records: [{ collection: 'plants', keep: 'none', where: { account: 'acct_pro' } }] })
    expect((await call('GET', '/plants')).body).toEqual([])
    expect((await call('GET', '/plants', { key: 'key_free' })).body.length).toBeGreaterThan(0)
  },
)

const scenarios = own({ records: [{ collection: 'plants', add: 3 }] })

testApi(
  'the same records are generated every time, next to those that are stored',
  { scenarios },
  async ({ world, call }) => {
    world.use('own')
    const first = (await call('GET', '/plants')).text
    world.reset()
    world.clock.freeze()
    world.use('own')
    expect((await call('GET', '/plants')).text).toBe(first)
    const sampled = JSON.parse(first).filter(({ tag }: { tag?: string }) => tag === 'sample')
    expect(sampled).toHaveLength(3)
    const place = world.records.accounts.all().findIndex(({ id }) => id === 'acct_pro')
    expect(sampled[0].name).toBe(`Plant ${place + 1}`)
  },
)

testApi(
  'every account gets its own records that are made up',
  { scenarios },
  async ({ world, call }) => {
    world.use('own')
    for (const { secret } of world.records.keys.find({
      revoked: undefined,
      expires_at: undefined,
    })) {
      const { body } = await call('GET', '/plants', { key: secret })
      const sampled = body.filter(({ tag }: { tag?: string }) => tag === 'sample')
      expect([secret, sampled.length]).toEqual([secret, 3])
    }
  },
)

testApi('apps that are made up look like any other', async ({ world, call }) => {
  world.use({ records: [{ collection: 'apps', keep: 'none', add: 2 }] })
  const { data } = (await call('GET', '/v1/apps')).body
  expect(data).toMatchObject([
    {
      id: expect.stringMatching(/^app_sample[a-j]{10}$/),
      name: expect.stringMatching(/^app-\d+$/),
    },
    { name: expect.stringMatching(/^app-\d+$/) },
  ])
})

const post = (id: number) => ({ body: { id, name: 'Ficus' } })

testApi('records that are made up step aside for those that are there', async ({ world, call }) => {
  await call('POST', '/plants', post(1_000_000_002))
  const before = (await call('GET', '/plants')).body
  world.use('huge-store', { count: 10 })
  const plants = (await call('GET', '/plants')).body
  expect(plants).toHaveLength(before.length + 10)
  expect(plants).toContainEqual({ name: 'Ficus' })
})

testApi('the last of two scenarios about a collection counts', async ({ world, call }) => {
  const count = async () => (await call('GET', '/plants')).body.length
  const before = await count()
  world.use('empty-store')
  world.use('huge-store', { count: 10 })
  expect(await count()).toBe(before + 10)
  world.clear('huge-store')
  expect(await count()).toBe(0)
})

testApi(
  'each world writes into its own, and a reset ends it',
  {},
  async ({ greenhouse, world, call }) => {
    for (const each of [world, greenhouse.world('other')]) each.use('empty-store')
    const counts = async () => [
      (await call('GET', '/plants')).body.length,
      (await call('GET', '/~other/plants')).body.length,
    ]
    await call('POST', '/plants', post(1))
    expect(await counts()).toEqual([1, 0])
    world.reset()
    expect((await counts())[0]).toBeGreaterThan(1)
  },
)

testApi(
  'empty-store is empty, keeps created records, and gives stored ones back',
  async ({ world, call }) => {
    const before = [(await call('GET', '/plants')).text, (await call('GET', '/v1/apps')).text]
    world.use('empty-store')
    expect((await call('GET', '/plants')).body).toEqual([])
    expect((await call('GET', '/v1/apps')).body).toEqual({
      data: [],
      has_more: false,
      next_cursor: null,
    })
    expect((await call('DELETE', '/plants/101')).status).toBe(404)
    expect((await call('POST', '/plants', { body: { id: 101, name: 'First' } })).status).toBe(200)
    expect((await call('POST', '/v1/apps', { body: { name: 'first' } })).status).toBe(201)
    expect((await call('GET', '/plants')).body).toEqual([{ name: 'First' }])
    expect((await call('GET', '/v1/apps')).body.data).toMatchObject([{ name: 'first' }])
    world.clear()
    expect([(await call('GET', '/plants')).text, (await call('GET', '/v1/apps')).text]).toEqual(
      before,
    )
  },
)

testApi(
  'huge-store has thousands more of everything, and each can be had by itself',
  async ({ world, call }) => {
    const before = (await call('GET', '/plants')).body
    world.use('huge-store', { count: 1_200 })
    const plants = (await call('GET', '/plants')).body
    expect(plants).toHaveLength(before.length + 1_200)
    expect(plants.slice(0, before.length)).toEqual(before)
    const ids = new Set<string>()
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await call('GET', `/v1/apps?limit=100${cursor && `&cursor=${cursor}`}`)
      for (const { id } of body.data) ids.add(id)
      cursor = body.next_cursor
    }
    expect(ids.size).toBe(
      world.records.apps.all().filter(({ account }) => account === 'acct_pro').length + 1_200,
    )
    expect((await call('GET', `/v1/apps/${[...ids][0]}`)).status).toBe(200)
    world.clear()
    expect((await call('GET', '/plants')).body).toEqual(before)
  },
)

testApi('the ids of added plants go up', async ({ world, call }) => {
  world.assume('plants.body.includes-id', 'yes')
  world.use('huge-store', { count: 2 })
  const [first, second] = (await call('GET', '/plants')).body.slice(-2)
  expect(second.id).toBeGreaterThan(first.id)
})
