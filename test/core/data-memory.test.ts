import { expect } from 'vitest'
import { testControl } from '../support/control.ts'
import { testApi } from '../support/test-api.ts'

const text = 'x'.repeat(1_000)

testApi(
  'what is deleted makes room, so a world can make and delete more than data may take',
  { dataMemory: 40_000 },
  async ({ call, world }) => {
    for (let round = 0; round < 60; round++) {
      const { status, body } = await call('POST', '/v1/apps', { body: { name: 'App', description: text } })
      expect([round, status]).toEqual([round, 201])
      expect((await call('DELETE', `/v1/apps/${body.id}`)).status).toBe(204)
    }
    const { plants } = world.records
    world.snapshot('before')
    plants.replace([{ id: 1, name: 'x'.repeat(18_000), account: 'acct_pro' }])
    plants.delete(1)
    plants.create({ id: 2, name: 'x'.repeat(18_000), account: 'acct_pro' })
    expect(() => plants.update(2, { name: 'x'.repeat(40_000) })).toThrow('The data limit of this mock is reached')
  },
)

testApi(
  'copies for snapshots count, even after a restore and when a snapshot is taken again',
  { dataMemory: 90_000 },
  async ({ world }) => {
    const { plants } = world.records
    for (let round = 0; round < 30; round++) {
      world.snapshot(`${round}`)
      plants.update(1, { name: `Fern ${round}` })
    }
    world.restore('29')
    world.snapshot('0')
    expect(() => plants.create({ id: 9_000, name: 'Fern', account: 'acct_pro' })).toThrow('The data limit of this mock')
  },
)

for (const names of [['same'], ['one', 'two']])
  testApi(
    `snapshots that are replaced again and again take the memory of ${names.length}`,
    { dataMemory: 90_000 },
    async ({ world }) => {
      const { plants } = world.records
      for (let round = 0; round < 300; round++) {
        world.snapshot(names[round % names.length]!)
        plants.update(1, { tag: `tag ${round}` })
        plants.create({ id: 99_999, name: 'x'.repeat(1_000), account: 'acct_pro' })
        if (round % 3 > 0) world.snapshot(names[0]!)
        plants.delete(99_999)
      }
      world.restore(names.at(-1)!)
      expect(plants.get(1)!.tag).toBe(names.length > 1 ? 'tag 298' : 'tag 299')
    },
  )

testApi(
  'what scenarios make up and remember counts, those of headers too, and goes with a reset',
  { dataMemory: 50_000 },
  async ({ call, world }) => {
    const headers = { 'x-greenhouse-scenario': 'huge-store:count=100' }
    const create = async () => (await call('POST', '/v1/apps', { body: { name: 'App', description: text } })).status
    for (let round = 0; round < 3; round++) {
      expect([round, await create()]).toEqual([round, 201])
      for (let time = 0; time < 2; time++) await call('GET', '/v1/apps', { headers })
      expect([round, await create()]).toEqual([round, 500])
      world.reset()
    }
    world.use('huge-store', { count: 100 })
    await call('GET', '/v1/apps')
    expect(() => world.records.plants.update(1, { name: 'Fern' })).toThrow('The data limit of this mock is reached')
  },
)

testApi(
  'a replaced snapshot gives back what scenarios of headers remembered in it',
  { dataMemory: 100_000 },
  async ({ call, world }) => {
    const headers = { 'x-greenhouse-scenario': 'huge-store:count=20' }
    for (let time = 0; time < 2; time++) await call('GET', '/v1/apps', { headers })
    for (let round = 0; round < 30; round++) world.snapshot('same')
    expect((await call('POST', '/v1/apps', { body: { name: 'App', description: text } })).status).toBe(201)
  },
)

testApi('headers that name no scenario make no room', { dataMemory: 8_000 }, async ({ call, world }) => {
  for (let count = 1; count <= 16; count++)
    await call('GET', '/plants', { headers: { 'x-greenhouse-scenario': ','.repeat(count) } })
  const plant = { id: 9_000, name: 'x'.repeat(1_500), account: 'acct_pro' }
  expect(() => world.records.plants.create(plant)).toThrow('The data limit of this mock is reached')
})

testApi(
  'records that only a snapshot holds count, whatever takes their place',
  { dataMemory: 90_000 },
  async ({ world }) => {
    const { plants } = world.records
    const replace = () => plants.replace([{ id: 1, name: 'x'.repeat(10_000), account: 'acct_pro' }])
    const fill = (write: () => void) => {
      for (let round = 0; round < 20; round++) {
        write()
        world.snapshot(`${round}`)
      }
    }
    expect(() => fill(replace)).toThrow('The data limit of this mock is reached')
    expect(world.snapshots.length).toBeGreaterThan(3)
    world.reset()
    world.snapshot('empty')
    const create = () => {
      world.restore('empty')
      plants.create({ id: 9_000, name: 'x'.repeat(10_000), account: 'acct_pro' })
    }
    expect(() => fill(create)).toThrow('The data limit of this mock is reached')
    world.reset()
    for (let round = 0; round < 20; round++) replace()
  },
)

testControl(
  'a snapshot that outlived a reset gives back what it held',
  { dataMemory: 60_000 },
  async ({ greenhouse, control }) => {
    const { plants } = greenhouse.world().records
    for (let round = 0; round < 5; round++) {
      for (let id = 1; id < 5; id++) plants.create({ id: 9_000 + id, name: 'x'.repeat(5_000), account: 'acct_pro' })
      expect((await control('POST', '/worlds/default/reset', { snapshot: 'undo' })).status).toBe(200)
      expect((await control('DELETE', '/worlds/default/snapshots/undo')).status).toBe(204)
    }
  },
)
