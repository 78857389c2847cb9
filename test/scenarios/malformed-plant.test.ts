import { expect } from 'vitest'
import * as z from 'zod/mini'
import { plantSchema } from '../../src/areas/plants/schemas.ts'
import { testApi } from '../support/test-api.ts'

const list = z.array(plantSchema)

/** The results for the plant `{ name: 'Lavandula angustifolia', tag: 'herb' }`, and whether they break the schema. */
const kinds: [field: 'name' | 'tag', kind: string, becomes: unknown, breaks: boolean][] = [
  ['name', 'wrong-type', { name: 42, tag: 'herb' }, true],
  ['name', 'null', { name: null, tag: 'herb' }, true],
  ['name', 'missing', { tag: 'herb' }, true],
  ['name', 'huge', { name: 'x'.repeat(100_000), tag: 'herb' }, false],
  ['name', 'extra', { name: 'Lavandula angustifolia', tag: 'herb', unexpected_field: 'unexpected' }, false],
  ['tag', 'wrong-type', { name: 'Lavandula angustifolia', tag: 42 }, true],
  ['tag', 'null', { name: 'Lavandula angustifolia', tag: null }, true],
  ['tag', 'huge', { name: 'Lavandula angustifolia', tag: 'x'.repeat(100_000) }, false],
  ['tag', 'extra', { name: 'Lavandula angustifolia', tag: 'herb', unexpected_field: 'unexpected' }, false],
]

for (const [field, kind, becomes, breaks] of kinds)
  testApi(`the first plant's ${field} is ${kind}, and no other plant's`, async ({ world, call }) => {
    const sound = (await call('GET', '/plants')).body
    world.use('malformed-plant', { field, kind: kind as never })
    const { status, body } = await call('GET', '/plants')
    expect(status).toBe(200)
    expect(body).toEqual([becomes, ...sound.slice(1)])
    expect(list.safeParse(body).error?.issues.map(({ path }) => path) ?? []).toEqual(breaks ? [[0, field]] : [])
    world.clear()
    expect((await call('GET', '/plants')).body).toEqual(sound)
  })

testApi('what would leave the plant legal is refused, with what would not', async ({ world, call }) => {
  for (const [field, kind] of [
    ['tag', 'missing'],
    ['tag', 'empty'],
    ['name', 'empty'],
  ] as const) {
    const reason = new RegExp(
      `a reply whose "/0/${field}" is ${kind} does not break the contract: expected .*null or wrong-type`,
    )
    expect(() => world.use('malformed-plant', { field, kind })).toThrow(reason)
    const header = { 'x-greenhouse-scenario': `malformed-plant:field=${field};kind=${kind}` }
    const { status, body } = await call('GET', '/plants', { headers: header })
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(reason)])
  }
  expect(world.scenarios).toEqual([])
})

testApi('any plant of the list can be the malformed one', async ({ world, call }) => {
  const sound = (await call('GET', '/plants')).body
  world.use('malformed-plant', { item: 3 })
  const { body } = await call('GET', '/plants')
  expect(list.safeParse(body).error?.issues.map(({ path }) => path)).toEqual([[3, 'name']])
  expect(body.toSpliced(3, 1)).toEqual(sound.toSpliced(3, 1))
  world.use('malformed-plant', { item: 1_000 })
  expect((await call('GET', '/plants')).body).toEqual(sound)
})

testApi('a tag that a plant does not have can be malformed too', async ({ world, call }) => {
  const item = 12
  expect((await call('GET', '/plants')).body[item]).toEqual({ name: 'Jasminum officinale' })
  world.use('malformed-plant', { item, field: 'tag', kind: 'null' })
  expect((await call('GET', '/plants')).body[item]).toEqual({ name: 'Jasminum officinale', tag: null })
})

testApi('an empty list stays as it is', async ({ world, call }) => {
  world.use('malformed-plant')
  world.use({ malform: [{ on: 'plants.list', at: '', kind: 'huge' }] })
  expect(await call('GET', '/plants', { key: 'key_lite' })).toMatchObject({ status: 200, body: [] })
})

testApi('the stored plants stay as they are, and creating and deleting work', async ({ world, call }) => {
  const before = world.records.plants.all()
  world.use('malformed-plant')
  await call('GET', '/plants')
  expect(world.records.plants.all()).toEqual(before)
  expect(await call('POST', '/plants', { body: { id: 5000, name: 'Ficus' } })).toMatchObject({
    status: 200,
    body: { name: 'Ficus' },
  })
  expect((await call('DELETE', '/plants/5000')).status).toBe(204)
})

testApi('a malformed plant that is sent needs no scenario: it is a 400', async ({ world, call }) => {
  const before = world.records.plants.count()
  const plants = [
    { id: 5000 },
    { name: 'Ficus' },
    { id: 5000, name: null },
    { id: 5000, name: 42 },
    { id: '5000', name: 'Ficus' },
    { id: 5000, name: 'Ficus', tag: 42 },
  ]
  for (const body of [...plants, { id: 5000, name: 'Ficus', tag: null }, [], 'null'])
    expect(await call('POST', '/plants', { body })).toMatchObject({
      status: 400,
      body: { error: 400, message: expect.any(String) },
    })
  expect(world.records.plants.count()).toBe(before)
})
