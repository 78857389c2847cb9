import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

const head = { title: 'Own', description: 'Own', covers: 'Own' }
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())
const authorized = { headers: { authorization: 'Bearer key_pro' } }

const scenarios = {
  named: { ...head, malform: [{ on: ['plants.list', 'plants.create', 'apps.list'], field: 'name', kind: 'null' }] },
  dotted: { ...head, malform: [{ on: '*', field: 'data.name', kind: 'null' }] },
  twice: {
    ...head,
    options: { on: { default: 'plants.list' }, at: { default: '/1' } },
    malform: [{ on: '${on}', at: '${at}', kind: 'duplicate' }],
  },
  bytes: {
    ...head,
    options: { field: { default: 'name' } },
    malform: [{ on: '*', field: '${field}', kind: 'bad-utf8' }],
  },
  several: {
    ...head,
    malform: [
      { on: 'plants.list', at: '/0/name', kind: 'bad-utf8' },
      { on: 'plants.list', at: '/1/name', kind: 'bad-utf8' },
    ],
  },
  unchecked: {
    ...head,
    options: { at: { default: '' }, kind: { default: 'missing' } },
    malform: [{ on: 'p*', at: '${at}', kind: '${kind}' }],
  },
}

testApi(
  'a field that the contract names is malformed wherever it is, of lists in the first item',
  { scenarios },
  async ({ world, call }) => {
    const [plants, apps] = [(await call('GET', '/plants')).body, (await call('GET', '/v1/apps')).body]
    world.use('named')
    expect((await call('GET', '/plants')).body).toEqual([{ ...plants[0], name: null }, ...plants.slice(1)])
    expect((await call('GET', '/v1/apps')).body).toEqual({
      ...apps,
      data: [{ ...apps.data[0], name: null }, ...apps.data.slice(1)],
    })
    expect((await call('POST', '/plants', { body: { id: 5000, name: 'Ficus' } })).body).toEqual({ name: null })
  },
)

testApi('a field with what holds it is malformed only there', { scenarios }, async ({ world, call }) => {
  world.use('dotted')
  expect((await call('GET', '/v1/apps')).body.data[0].name).toBeNull()
  expect((await call('GET', '/plants')).body[0].name).not.toBeNull()
})

testApi('a pointer writes a slash in a name as ~1, and a tilde as ~0', { scenarios }, async ({ world, call }) => {
  world.use('unchecked', { at: '/0/a~1b~0c', kind: 'null' })
  expect((await call('GET', '/plants')).body[0]).toHaveProperty(['a/b~c'], null)
})

testApi('an item is repeated, and the others stay', { scenarios }, async ({ world, call }) => {
  const [plants, apps] = [(await call('GET', '/plants')).body, (await call('GET', '/v1/apps')).body]
  world.use('twice')
  expect((await call('GET', '/plants')).body).toEqual([plants[0], plants[1], ...plants.slice(1)])
  for (const at of ['/data/0', '/data']) {
    world.use('twice', { on: 'apps.list', at })
    expect((await call('GET', '/v1/apps')).body).toEqual({ ...apps, data: [apps.data[0], ...apps.data] })
  }
  world.clear()
  world.use({ malform: [{ on: 'apps.list', field: 'data', kind: 'duplicate' }] })
  expect((await call('GET', '/v1/apps')).body).toEqual({ ...apps, data: [apps.data[0], ...apps.data] })
})

testApi(
  'a text holds bytes that are no UTF-8, and the rest is as long and as sound as before',
  { scenarios },
  async ({ world, send }) => {
    for (const path of ['/plants', '/v1/apps']) {
      world.clear()
      const sound = await (await send(path, authorized)).text()
      const name = /"name":"([^"]*)"/.exec(sound)![1]!
      world.use('bytes')
      const response = await send(path, authorized)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
      const bytes = await bytesOf(response)
      expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow(TypeError)
      expect(bytes.filter((byte) => byte === 0xff)).toHaveLength(3)
      const half = name.length >>> 1
      const spoilt = `"name":"${name.slice(0, half)}\ufffd\ufffd\ufffd${name.slice(half)}"`
      expect(new TextDecoder().decode(bytes)).toBe(sound.replace(`"name":"${name}"`, spoilt))
    }
  },
)

testApi(
  'two texts of one reply can hold such bytes, whatever characters the plants have',
  { scenarios },
  async ({ world, call, send }) => {
    await world.records.plants.update(world.records.plants.all().find(({ account }) => account === 'acct_pro')!.id, {
      name: '\ue000😀\ue001',
    })
    const sound = (await call('GET', '/plants')).body
    world.use('several')
    const text = new TextDecoder().decode(await bytesOf(await send('/plants', authorized)))
    const body = JSON.parse(text)
    expect(body.map(({ name }: { name: string }) => name.replaceAll('\ufffd', ''))).toEqual(
      sound.map(({ name }: { name: string }) => name),
    )
    expect(body[0].name).toBe('\ue000\ufffd\ufffd\ufffd😀\ue001')
    expect(body.map(({ name }: { name: string }) => name.split('\ufffd').length - 1).slice(0, 3)).toEqual([3, 3, 0])
  },
)

testApi('a text that is not there leaves the reply as it is', { scenarios }, async ({ world, call }) => {
  const sound = await call('GET', '/plants', { key: 'key_lite' })
  world.use('bytes', { field: 'tag' })
  expect((await call('GET', '/plants', { key: 'key_lite' })).text).toBe(sound.text)
  expect(world.journal.calls().at(-1)!.verdicts).toMatchObject([{ effect: 'malform.0', fired: false }])
  await call('GET', '/v1/apps/none')
  expect(world.journal.calls().at(-1)!.reason).toBe('"none" is not among the apps of acct_pro')
})

testApi("what can't be done to a whole reply leaves it as it is", { scenarios }, async ({ world, call }) => {
  const sound = await call('GET', '/plants')
  for (const options of [
    {},
    { at: '/name', kind: 'duplicate' },
    { at: '/0/name', kind: 'duplicate' },
    { at: '/0/name', kind: 'bad-enum' },
    { at: '/-1/name' },
    { at: '/00/name' },
  ]) {
    world.use('unchecked', options)
    const { status, text } = await call('GET', '/plants')
    expect({ options, status, text }).toEqual({ options, status: 200, text: sound.text })
  }
})
