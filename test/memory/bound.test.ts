import { expect } from 'vitest'
import { testApi, type Client } from '../support/test-api.ts'
import { testControl } from '../support/control.ts'

const options = { memory: 3 * 2 ** 20 }
const long = 'x'.repeat(500_000)
const reached = 'The memory limit of this mock is reached'
const creator =
  ({ call }: Pick<Client, 'call'>) =>
  (id: number) =>
    call('POST', '/plants', { body: { id, name: long } })

testApi(
  'past the bound the least recently used worlds are dropped',
  options,
  async ({ greenhouse, call }) => {
    for (const name of 'abcdefgh')
      expect(
        (await call('POST', `/~${name}/plants`, { body: { id: 1_000, name: long } })).status,
      ).toBe(200)
    expect(greenhouse.worlds()).toContain('h')
    expect(greenhouse.worlds()).not.toContain('a')
    const dropped = await call('GET', '/~a/plants')
    expect([dropped.status, dropped.body.error.code]).toEqual([409, 'world_dropped'])
  },
)

testApi(
  'with nothing to drop, a write is 507 and stores nothing; reads go on',
  options,
  async ({ world, call }) => {
    let id = 1_000
    const create = creator({ call })
    let refused = await create(id)
    while (refused.status === 200) refused = await create(++id)
    expect(id).toBe(1_006)
    expect(refused.status).toBe(507)
    expect(refused.body.message).toMatch(
      /memory limit of this mock is reached: 3145728 bytes.*--memory/,
    )
    expect(world.records.plants.get(id)).toBeUndefined()
    const text = 'x'.repeat(16_384)
    const body = { name: 'x', description: text, system_prompt: text, welcome_message: text }
    const app = await call('POST', '/v1/apps', { body })
    expect([201, 500]).toContain(app.status)
    expect((await call('GET', '/plants')).status).toBe(200)
  },
)

testApi('deleting records or resetting the world makes room', options, async ({ world, call }) => {
  const create = creator({ call })
  for (let id = 1_000; id < 1_006; id++) expect((await create(id)).status).toBe(200)
  expect((await create(1_006)).status).toBe(507)
  expect((await call('DELETE', '/plants/1003')).status).toBe(204)
  expect((await create(1_006)).status).toBe(200)
  expect((await create(1_007)).status).toBe(507)
  world.records.plants.replace(world.records.plants.all())
  expect((await create(1_007)).status).toBe(507)
  world.reset()
  for (let id = 1_000; id < 1_006; id++) expect((await create(id)).status).toBe(200)
})

testApi(
  'creating and deleting again and again takes no more room',
  options,
  async ({ world, call }) => {
    for (const taken of [false, true]) {
      if (taken) world.snapshot('before')
      for (let round = 0; round < 20; round++) {
        expect((await call('POST', '/plants', { body: { id: 1_000, name: long } })).status).toBe(
          200,
        )
        expect((await call('DELETE', '/plants/1000')).status).toBe(204)
        if (taken && round % 5 === 0) world.restore('before')
      }
    }
  },
)

testApi('the records of a snapshot count until it is deleted', options, async ({ world, call }) => {
  const create = creator({ call })
  for (let id = 1_000; id < 1_003; id++) await create(id)
  world.snapshot('full')
  expect(() => world.snapshot('too many')).toThrow(reached)
  for (let id = 1_000; id < 1_003; id++) await call('DELETE', `/plants/${id}`)
  for (let id = 1_010; id < 1_013; id++) expect((await create(id)).status).toBe(200)
  expect((await create(1_013)).status).toBe(507)
  world.restore('full')
  expect((await call('DELETE', '/plants/1000')).status).toBe(204)
  world.reset()
  for (let id = 1_000; id < 1_006; id++) expect((await create(id)).status).toBe(200)
})

testApi(
  'writes to a deleted world take no room from the others',
  options,
  async ({ greenhouse, call }) => {
    const gone = greenhouse.world('gone')
    greenhouse.deleteWorld('gone')
    for (let id = 1_000; id < 1_010; id++)
      await gone.records.plants.create({ id, name: long, account: 'acct_pro' })
    expect((await call('POST', '/plants', { body: { id: 1_000, name: long } })).status).toBe(200)
  },
)

const text = 'x'.repeat(1_000)

testApi('deleted records make room for new ones', { memory: 40_000 }, async ({ call, world }) => {
  for (let round = 0; round < 60; round++) {
    const { status, body } = await call('POST', '/v1/apps', {
      body: { name: 'App', description: text },
    })
    expect([round, status]).toEqual([round, 201])
    expect((await call('DELETE', `/v1/apps/${body.id}`)).status).toBe(204)
  }
  const { plants } = world.records
  world.snapshot('before')
  plants.replace([{ id: 1, name: 'x'.repeat(18_000), account: 'acct_pro' }])
  plants.delete(1)
  plants.create({ id: 2, name: 'x'.repeat(18_000), account: 'acct_pro' })
  expect(() => plants.update(2, { name: 'x'.repeat(40_000) })).toThrow(reached)
})

testApi('snapshots count, also after a restore', { memory: 308_000 }, async ({ world }) => {
  const { plants } = world.records
  const create = (id: number) => plants.create({ id, name: 'Fern', account: 'acct_pro' })
  for (let round = 0; round < 29; round++) world.snapshot(`${round}`)
  create(9_000)
  world.snapshot('29')
  for (let round = 0; round < 2; round++) {
    expect(() => create(9_001)).toThrow(reached)
    world.restore('29')
  }
  world.restore('0')
  await create(9_001)
})

for (const names of [['same'], ['one', 'two']])
  testApi(
    `replacing snapshots takes the memory of ${names.length}`,
    { memory: 90_000 },
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
  'state of scenarios counts, and goes with a reset',
  { memory: 50_000 },
  async ({ call, world }) => {
    const headers = { 'x-greenhouse-scenario': 'huge-store:count=100' }
    const create = async () =>
      (await call('POST', '/v1/apps', { body: { name: 'App', description: text } })).status
    for (let round = 0; round < 3; round++) {
      expect([round, await create()]).toEqual([round, 201])
      for (let time = 0; time < 2; time++) await call('GET', '/v1/apps', { headers })
      expect([round, await create()]).toEqual([round, 500])
      world.reset()
    }
    world.use('huge-store', { count: 100 })
    await call('GET', '/v1/apps')
    expect(() => world.records.plants.update(1, { name: 'Fern' })).toThrow(reached)
  },
)

testApi(
  'a replaced snapshot frees the state of header scenarios',
  { memory: 100_000 },
  async ({ call, world }) => {
    const headers = { 'x-greenhouse-scenario': 'huge-store:count=20' }
    for (let time = 0; time < 2; time++) await call('GET', '/v1/apps', { headers })
    for (let round = 0; round < 30; round++) world.snapshot('same')
    expect(
      (await call('POST', '/v1/apps', { body: { name: 'App', description: text } })).status,
    ).toBe(201)
  },
)

testApi(
  'headers that name no scenario make no room',
  { memory: 8_000 },
  async ({ call, world }) => {
    for (let count = 1; count <= 16; count++)
      await call('GET', '/plants', { headers: { 'x-greenhouse-scenario': ','.repeat(count) } })
    const plant = { id: 9_000, name: 'x'.repeat(1_500), account: 'acct_pro' }
    expect(() => world.records.plants.create(plant)).toThrow(reached)
  },
)

testApi('state of a quota counts for each account', { memory: 60_000 }, async ({ call, world }) => {
  const plantsThatFit = async (...keys: string[]) => {
    world.reset()
    world.use('rate-limited-plan')
    for (const key of keys) await call('GET', '/v1/apps', { key })
    let id = 9_000
    expect(() => {
      for (;;) world.records.plants.create({ id: ++id, name: 'x'.repeat(100), account: 'acct_pro' })
    }).toThrow(reached)
    return id
  }
  const all = await plantsThatFit()
  expect(all - (await plantsThatFit('key_free', 'key_lite', 'key_pro'))).toBeGreaterThan(5)
})

testApi(
  'decisions on requests count with their keys',
  { memory: 90_000 },
  async ({ call, world }) => {
    const plantsThatFit = async (keys: number) => {
      world.reset()
      for (let count = 0; count < keys; count++)
        await call('POST', '/v1/webhooks/wh_none/test', {
          headers: { 'idempotency-key': `${count}`.padEnd(200, 'x') },
        })
      let id = 9_000
      expect(() => {
        for (;;)
          world.records.plants.create({ id: ++id, name: 'x'.repeat(100), account: 'acct_pro' })
      }).toThrow(reached)
      return id
    }
    expect((await plantsThatFit(0)) - (await plantsThatFit(40))).toBeGreaterThan(40)
  },
)

testApi('records that only a snapshot holds count', { memory: 90_000 }, async ({ world }) => {
  const { plants } = world.records
  const replace = () => plants.replace([{ id: 1, name: 'x'.repeat(10_000), account: 'acct_pro' }])
  const fill = (write: () => void) => {
    for (let round = 0; round < 20; round++) {
      write()
      world.snapshot(`${round}`)
    }
  }
  expect(() => fill(replace)).toThrow(reached)
  expect(world.snapshots).toHaveLength(3)
  world.reset()
  world.snapshot('empty')
  const create = () => {
    world.restore('empty')
    plants.create({ id: 9_000, name: 'x'.repeat(10_000), account: 'acct_pro' })
  }
  expect(() => fill(create)).toThrow(reached)
  world.reset()
  for (let round = 0; round < 20; round++) replace()
})

testControl(
  'a snapshot of a reset world is freed',
  { memory: 60_000 },
  async ({ control, world }) => {
    const { plants } = world.records
    for (let round = 0; round < 5; round++) {
      for (let id = 1; id < 5; id++)
        plants.create({ id: 9_000 + id, name: 'x'.repeat(5_000), account: 'acct_pro' })
      expect((await control('PUT', '/worlds/default/snapshots/full')).status).toBe(200)
      expect((await control('POST', '/worlds/default/reset')).status).toBe(200)
    }
  },
)
