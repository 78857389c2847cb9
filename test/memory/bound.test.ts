import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const options = { dataMemory: 3 * 2 ** 20 }
const long = 'x'.repeat(500_000)

testApi(
  'past the bound the least recently used worlds are dropped, as when there are too many',
  options,
  async ({ greenhouse, call }) => {
    for (const [index, name] of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].entries()) {
      expect((await call('POST', `/~${name}/plants`, { body: { id: 1_000 + index, name: long } })).status).toBe(200)
    }
    expect(greenhouse.worlds()).toContain('h')
    expect(greenhouse.worlds()).not.toContain('a')
    const dropped = await call('GET', '/~a/plants')
    expect(dropped.status).toBe(409)
    expect(dropped.body.error.code).toBe('world_dropped')
  },
)

testApi(
  'with nothing to drop, a write is 500 naming the flag, stores nothing, and reads go on',
  options,
  async ({ world, call }) => {
    let id = 1_000
    let refused = await call('POST', '/plants', { body: { id, name: long } })
    while (refused.status === 200) refused = await call('POST', '/plants', { body: { id: ++id, name: long } })
    expect(id).toBe(1_006)
    expect(refused.status).toBe(500)
    expect(refused.body.message).toMatch(/data limit of this mock is reached: 3145728 bytes.*--data-memory/)
    expect(world.records.plants.get(id)).toBeUndefined()
    const app = await call('POST', '/v1/apps', {
      body: {
        name: 'x',
        ...Object.fromEntries(
          ['description', 'system_prompt', 'welcome_message'].map((name) => [name, 'x'.repeat(16_384)]),
        ),
      },
    })
    expect([201, 500]).toContain(app.status)
    expect((await call('GET', '/plants')).status).toBe(200)
  },
)

testApi('deleting records or resetting the world makes room', options, async ({ world, call }) => {
  const create = (id: number) => call('POST', '/plants', { body: { id, name: long } })
  for (let id = 1_000; id < 1_006; id++) expect((await create(id)).status).toBe(200)
  expect((await create(1_006)).status).toBe(500)
  expect((await call('DELETE', '/plants/1003')).status).toBe(204)
  expect((await create(1_006)).status).toBe(200)
  expect((await create(1_007)).status).toBe(500)
  world.reset()
  for (let id = 1_000; id < 1_006; id++) expect((await create(id)).status).toBe(200)
})

testApi(
  'a plant that is created and deleted again and again needs no more room, snapshots or not',
  options,
  async ({ world, call }) => {
    for (const taken of [false, true]) {
      if (taken) world.snapshot('before')
      for (let round = 0; round < 20; round++) {
        expect((await call('POST', '/plants', { body: { id: 1_000, name: long } })).status).toBe(200)
        expect((await call('DELETE', '/plants/1000')).status).toBe(204)
        if (taken && round % 5 === 0) world.restore('before')
      }
    }
  },
)

testApi('what a snapshot holds counts until it is gone', options, async ({ world, call }) => {
  const create = (id: number) => call('POST', '/plants', { body: { id, name: long } })
  for (let id = 1_000; id < 1_005; id++) await create(id)
  world.snapshot('full')
  for (let id = 1_000; id < 1_005; id++) await call('DELETE', `/plants/${id}`)
  expect((await create(1_010)).status).toBe(200)
  expect((await create(1_011)).status).toBe(500)
  world.restore('full')
  expect((await call('DELETE', '/plants/1000')).status).toBe(204)
  world.reset()
  for (let id = 1_000; id < 1_006; id++) expect((await create(id)).status).toBe(200)
})

testApi(
  'what is still written to a world that is gone takes no room from the others',
  options,
  async ({ greenhouse, call }) => {
    const gone = greenhouse.world('gone')
    greenhouse.deleteWorld('gone')
    for (let id = 1_000; id < 1_010; id++) await gone.records.plants.create({ id, name: long, account: 'acct_pro' })
    expect((await call('POST', '/plants', { body: { id: 1_000, name: long } })).status).toBe(200)
  },
)
