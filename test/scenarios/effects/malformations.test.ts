import { expect } from 'vitest'
import { testApi, type Client } from '../../support/test-api.ts'
import { own } from '../helpers.ts'

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())
const authorized = { headers: { authorization: 'Bearer key_pro' } }
const names = (body: { name: unknown }[]) => body.map(({ name }) => name)
const bothLists = async ({ call }: Client) =>
  [await call('GET', '/plants'), await call('GET', '/v1/apps')].map((list) => list.body)

testApi('a field is malformed wherever it is, of lists in the first item', async (client) => {
  const { world, call } = client
  const [plants, apps] = await bothLists(client)
  world.use({
    malform: [{ on: ['plants.list', 'plants.create', 'apps.list'], field: 'name', kind: 'null' }],
  })
  const data = [{ ...apps.data[0], name: null }, ...apps.data.slice(1)]
  expect(await bothLists(client)).toEqual([
    [{ ...plants[0], name: null }, ...plants.slice(1)],
    { ...apps, data },
  ])
  expect((await call('POST', '/plants', { body: { id: 5000, name: 'Ficus' } })).body).toEqual({
    name: null,
  })
})

testApi('a field with what holds it is malformed only there', async (client) => {
  client.world.use({ malform: [{ on: '*', field: 'data.name', kind: 'null' }] })
  const [plants, apps] = await bothLists(client)
  expect(apps.data[0].name).toBeNull()
  expect(plants[0].name).not.toBeNull()
})

const scenarios = own({
  options: { at: { default: '' }, kind: { default: 'missing' } },
  malform: [{ on: 'p*', at: '${at}', kind: '${kind}' }],
})

testApi(
  'a pointer writes a slash in a name as ~1, and a tilde as ~0',
  { scenarios },
  async ({ world, call }) => {
    world.use('own', { at: '/0/a~1b~0c', kind: 'null' })
    expect((await call('GET', '/plants')).body[0]).toHaveProperty(['a/b~c'], null)
  },
)

testApi(
  'an item is repeated, and the others stay; of duplicate-ids that is the first',
  async (client) => {
    const { world, call } = client
    const [plants, apps] = await bothLists(client)
    world.use({ malform: [{ on: 'plants.list', at: '/1', kind: 'duplicate' }] })
    expect((await call('GET', '/plants')).body).toEqual([plants[0], plants[1], ...plants.slice(1)])
    const repeated = { ...apps, data: [apps.data[0], ...apps.data] }
    for (const place of [{ at: '/data/0' }, { at: '/data' }, { field: 'data' }]) {
      world.useOnly([{ malform: [{ on: 'apps.list', kind: 'duplicate', ...place }] }])
      expect((await call('GET', '/v1/apps')).body).toEqual(repeated)
    }
    world.useOnly(['duplicate-ids'])
    expect(await bothLists(client)).toEqual([[plants[0], ...plants], repeated])
    expect((await call('GET', '/plants', { key: 'key_lite' })).body).toEqual([])
  },
)

testApi('a text holds bytes that are no UTF-8, and the rest is sound', async ({ world, send }) => {
  for (const path of ['/plants', '/v1/apps']) {
    world.clear()
    const sound = await (await send(path, authorized)).text()
    const name = /"name":"([^"]*)"/.exec(sound)![1]!
    world.use({ malform: [{ on: '*', field: 'name', kind: 'bad-utf8' }] })
    const response = await send(path, authorized)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/json',
    ])
    const bytes = await bytesOf(response)
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow(TypeError)
    expect(bytes.filter((byte) => byte === 0xff)).toHaveLength(3)
    const half = name.length >>> 1
    const spoilt = `"name":"${name.slice(0, half)}\ufffd\ufffd\ufffd${name.slice(half)}"`
    expect(new TextDecoder().decode(bytes)).toBe(sound.replace(`"name":"${name}"`, spoilt))
    expect(await bytesOf(await send(path, authorized)), 'once more').toEqual(bytes)
  }
})

testApi('two texts of one reply can hold such bytes', async ({ world, call, send }) => {
  const { id } = world.records.plants.all().find(({ account }) => account === 'acct_pro')!
  await world.records.plants.update(id, { name: '\ue000😀\ue001' })
  const sound = names((await call('GET', '/plants')).body)
  for (const at of ['/0/name', '/1/name'])
    world.use({ malform: [{ on: 'plants.list', at, kind: 'bad-utf8' }] })
  const text = new TextDecoder().decode(await bytesOf(await send('/plants', authorized)))
  const spoilt = names(JSON.parse(text)) as string[]
  expect(spoilt.map((name) => name.replaceAll('\ufffd', ''))).toEqual(sound)
  expect(spoilt[0]).toBe('\ue000\ufffd\ufffd\ufffd😀\ue001')
  expect(spoilt.map((name) => name.split('\ufffd').length - 1).slice(0, 3)).toEqual([3, 3, 0])
})

testApi('a text that is not there leaves the reply as it is', async ({ world, call }) => {
  const sound = await call('GET', '/plants', { key: 'key_lite' })
  world.use({ malform: [{ on: '*', field: 'tag', kind: 'bad-utf8' }] })
  expect((await call('GET', '/plants', { key: 'key_lite' })).text).toBe(sound.text)
  expect(world.journal.calls().at(-1)!.verdicts).toMatchObject([
    { effect: 'malform.0', fired: false },
  ])
  await call('GET', '/v1/apps/none')
  expect(world.journal.calls().at(-1)!.reason).toBe('"none" is not among the apps of acct_pro')
})

testApi('a field under any name may be missing', async ({ world }) => {
  const at = '/payload/data/id'
  const choose = (breaks: boolean) => () =>
    world.use({ malform: [{ on: 'deliveries.get', at, kind: 'missing', breaks }] })
  expect(choose(false)).not.toThrow()
  expect(choose(true)).toThrow(
    /a reply whose "\/payload\/data\/\*" is missing does not break the contract: it may be anything$/,
  )
})

testApi(
  'a malformation that leaves the plant legal is refused with the ones that do not',
  async ({ world, call }) => {
    for (const wrong of ['tag missing', 'tag empty', 'name empty']) {
      const [field, kind] = wrong.split(' ') as ['tag', 'empty']
      const reason = new RegExp(
        `a reply whose "/0/${field}" is ${kind} does not break the contract: expected .*null or wrong-type`,
      )
      expect(() => world.use('malformed-plant', { field, kind })).toThrow(reason)
      const header = { 'x-greenhouse-scenario': `malformed-plant:field=${field};kind=${kind}` }
      const { status, body } = await call('GET', '/plants', { headers: header })
      expect([status, body.error.message]).toEqual([400, expect.stringMatching(reason)])
    }
    expect(world.scenarios).toEqual([])
  },
)

testApi(
  'any plant of the list can be malformed, and stored plants stay',
  async ({ world, call }) => {
    const sound = (await call('GET', '/plants')).body
    const stored = world.records.plants.all()
    const at = async (item: number, options: object = {}) => {
      world.use('malformed-plant', { item, ...options })
      return (await call('GET', '/plants')).body
    }
    expect(await at(3)).toEqual(sound.with(3, { ...sound[3], name: 42 }))
    expect(sound[12], 'a plant without a tag').toEqual({ name: 'Jasminum officinale' })
    expect(await at(12, { field: 'tag', kind: 'null' })).toEqual(
      sound.with(12, { ...sound[12], tag: null }),
    )
    expect(await at(1_000)).toEqual(sound)
    await at(0)
    world.use({ malform: [{ on: 'plants.list', at: '', kind: 'huge' }] })
    expect(await call('GET', '/plants', { key: 'key_lite' }), 'an empty list').toMatchObject({
      status: 200,
      body: [],
    })
    expect(world.records.plants.all()).toEqual(stored)
  },
)

testApi('a malformed list is the list as it is now', async ({ world, call }) => {
  world.use('malformed-plant')
  const list = async () => (await call('GET', '/plants')).body as { name: unknown }[]
  const before = await list()
  expect(await list()).toEqual(before)
  expect(before[0]!.name).toBe(42)
  expect((await call('DELETE', '/plants/102')).status).toBeLessThan(300)
  expect(names(await list())).toEqual(names(before).toSpliced(1, 1))
  world.use('malformed-plant', { kind: 'null' })
  expect((await list())[0]!.name).toBeNull()
  world.clear()
  expect((await list())[0]!.name).toBe('Lavandula angustifolia')
})

testApi('each request gets the list as its own scenarios change it', async ({ world, call }) => {
  const first = async (scenario = '') =>
    (await call('GET', '/plants', { headers: { 'x-greenhouse-scenario': scenario } })).body[0]
  const sound = await first()
  for (let round = 0; round < 2; round++) {
    expect(await first('malformed-plant')).toEqual({ ...sound, name: 42 })
    expect(await first('malformed-plant:field=tag;kind=null')).toEqual({ ...sound, tag: null })
    expect(await first()).toEqual(sound)
  }
  expect(world.journal.calls().map(({ scenarios }) => scenarios.length)).toEqual([
    0, 1, 1, 0, 1, 1, 0,
  ])
})

testApi('a plant that is malformed at random stays so in every read', async ({ world, call }) => {
  const odd = { on: 'plants.list', at: '/0/tag', kind: 'missing' } as const
  world.use({ malform: [{ on: 'plants.list', at: '/0/name', kind: 'null', every: 2 }, odd] })
  const seen: unknown[] = []
  for (let round = 0; round < 4; round++) seen.push((await call('GET', '/plants')).body[0])
  expect(names(seen as { name: unknown }[])).toEqual([
    'Lavandula angustifolia',
    null,
    'Lavandula angustifolia',
    null,
  ])
  expect(seen.some((plant) => 'tag' in (plant as object))).toBe(false)
  const fired = world.journal
    .calls()
    .map(({ verdicts }) => verdicts!.map((verdict) => verdict.fired).join())
  expect(fired).toEqual(['false,true', 'true,true', 'false,true', 'true,true'])
})

testApi(
  'the length of a malformed list is exact, even after it was cut short',
  async ({ world, call, send }) => {
    world.use('malformed-plant', { kind: 'huge' })
    for (let round = 0; round < 2; round++) {
      const { text, headers } = await call('GET', '/plants?limit=2')
      expect(text.length).toBeGreaterThan(100_000)
      if (headers.has('content-length'))
        expect(headers.get('content-length')).toBe(String(text.length))
    }
    world.use('truncated-json')
    const cut = await send('/plants?limit=2', authorized)
    const { length } = await cut.text()
    expect(length).toBeLessThan(100_000)
    await expect.poll(() => world.journal.calls().at(-1)!.bytes).toBe(length)
  },
)

/** What a reply of plants does not have, or what cannot be done to it. */
const places = [
  { at: '/0/nothing', kind: 'missing' },
  { at: '/0/nothing/at/all', kind: 'null' },
  { at: '/1000', kind: 'duplicate' },
  { at: '/name', kind: 'missing' },
  { at: '/0/name/deeper', kind: 'missing' },
  { at: '', kind: 'missing' },
  { at: '/name', kind: 'duplicate' },
  { at: '/0/name', kind: 'duplicate' },
  { at: '/0/name', kind: 'bad-enum' },
  { at: '/-1/name', kind: 'missing' },
  { at: '/00/name', kind: 'missing' },
]

testApi(
  'a scenario that malforms what a reply does not have is idle',
  { scenarios },
  async ({ world, call }) => {
    const { text } = await call('GET', '/plants')
    for (const place of places) {
      world.use('own', place)
      const answer = await call('GET', '/plants')
      expect([place, answer.status, answer.text]).toEqual([place, 200, text])
      expect(answer.headers.get('x-greenhouse'), place.at).toMatch(/; idle=own$/)
      await call('GET', '/nowhere')
      expect(world.journal.calls().at(-1)!.verdicts).toMatchObject([
        { why: 'it acts on other operations' },
      ])
    }
  },
)

testApi('a reply without the text stays as it is', async ({ world, call }) => {
  world.records.plants.replace([{ id: 1, name: 'Fern', account: 'acct_pro' }])
  world.use({ malform: [{ on: 'plants.list', at: '/0/tag', kind: 'bad-utf8' }] })
  expect(await call('GET', '/plants')).toMatchObject({ status: 200, body: [{ name: 'Fern' }] })
})
