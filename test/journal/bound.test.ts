import { expect, test } from 'vitest'
import { createGreenhouse, type Greenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { open, testApi, type OwnClient } from '../support/test-api.ts'

const few = { journal: { entries: 3 } }
const evicted = expect.objectContaining({
  name: 'EvictedError',
  message: expect.stringContaining('it dropped matching entries to make room'),
})

testApi(
  'a question is refused only when what made room could have been the answer',
  few,
  async ({ world, call }) => {
    const { journal } = world
    await call('DELETE', '/plants/101')
    await call('GET', '/v1/apps')
    for (let count = 0; count < 3; count++) await call('GET', '/plants')
    expect(() => journal.calls({ operation: 'plants.delete' })).toThrow(evicted)
    expect(() => journal.calls({ operation: 'plants.delete', status: 204 })).toThrow(evicted)
    expect(() => journal.calls({ status: 204 })).toThrow(evicted)
    expect(journal.calls({ operation: 'plants.delete', status: 404 })).toEqual([])
    expect(journal.calls({ operation: 'plants.create' })).toEqual([])
    expect(journal.calls({ operation: 'apps.list', status: 204 })).toEqual([])
    expect(journal.calls({ operation: 'plants.list' })).toHaveLength(3)
    expect(journal.calls({ operation: 'plants.delete', limit: 0 })).toEqual([])
    expect(journal.calls()).toHaveLength(3)
  },
)

test.each<[journal: object | undefined, ids: number[]]>([
  [undefined, [1_000, 6, 1_005]],
  [{ entries: 1 }, [1, 1_005, 1_005]],
  [{ entries: Infinity }, [1_005, 1, 1_005]],
])(
  'a journal keeps as many entries as its options %j say, the newest',
  async (journal, expected) => {
    const { call, world } = open({ journal })
    for (let count = 0; count < 1_005; count++) await call('GET', '/plants?limit=0')
    const entries = world.journal.calls()
    expect([entries.length, entries[0]!.id, entries.at(-1)!.id]).toEqual(expected)
    expect(world.journal.evicted).toBe(entries[0]!.id - 1)
  },
)

test.each([
  ...[0, -1, 1.5, NaN].map((entries) => ({ journal: { entries } })),
  { memory: -1 },
  { memory: NaN },
])('the bound %j is an error', (options) =>
  expect(() => createGreenhouse(options)).toThrow(RangeError),
)

test('data that an entry shares with the one before counts once', async () => {
  const greenhouse = createGreenhouse({ journal: { entries: 3 } })
  await using server = await serve(greenhouse)
  const { journal } = greenhouse.world()
  const bytesAfter = async (requests: number, header: string) => {
    for (let count = 0; count < requests; count++)
      await (await fetch(`${server.url}/plants?limit=20`, { headers: { 'x-long': header } })).text()
    return journal.bytes
  }
  const one = await bytesAfter(1, 'l'.repeat(3_000))
  const three = await bytesAfter(2, 'l'.repeat(3_000))
  expect(one).toBeGreaterThan(3_000)
  expect(three).toBeLessThan(one + 3_000)
  const many = await bytesAfter(10, 'l'.repeat(3_000))
  expect(many).toBeLessThan(three)
  expect(await bytesAfter(1, 'm'.repeat(3_000))).toBeGreaterThan(many + 2_000)
  // Other headers take their place.
  expect(await bytesAfter(10, 'short')).toBeLessThan(three - 2_000)
  journal.clear()
  expect(journal.bytes).toBe(0)
})

testApi('near misses count', async ({ call, world: { journal } }) => {
  const bytesOf = async (path: string) => {
    const before = journal.bytes
    await call('GET', path)
    return journal.bytes - before
  }
  await bytesOf('/v1/plans')
  const ofKnownPath = await bytesOf('/v1/apps/none')
  expect((await bytesOf('/v1/appz/none')) - ofKnownPath).toBeGreaterThan(300)
})

const large = `{"name":"${'n'.repeat(10_000)}`

/** Creates a plant in a world with a body that is rejected. */
const ask = ({ call }: OwnClient, world: string, body = '{') =>
  call('POST', `/~${world}/plants`, { body })

test.each<[how: string, leave: (greenhouse: Greenhouse) => void]>([
  ['cleared', (greenhouse) => greenhouse.world('full').journal.clear()],
  ['reset', (greenhouse) => greenhouse.world('full').reset()],
  ['deleted', (greenhouse) => greenhouse.deleteWorld('full')],
  ['dropped', (greenhouse) => [1, 2, 3].forEach((count) => greenhouse.world(`other-${count}`))],
])('a journal that is %s gives its room back at once', async (_, leave) => {
  const client = open({ memory: 150_000, maxWorlds: 4 })
  const kept = client.greenhouse.world('kept')
  kept.pinned = true
  await ask(client, 'kept')
  for (let count = 0; count < 8; count++) await ask(client, 'full', large)
  leave(client.greenhouse)
  for (let count = 0; count < 8; count++) await ask(client, 'kept', large)
  expect([kept.journal.evicted, kept.journal.size]).toEqual([0, 9])
})

test('matching on a cut body throws, matching on everything else works', async () => {
  const { world, call } = open()
  const { journal } = world
  await call('POST', '/plants?a=1', {
    body: { name: 'x'.repeat(90_000), tag: 'x' },
    headers: { 'x-a': '1' },
  })
  expect(() => journal.calls({ body: { tag: 'x' } })).toThrow(
    "The journal can't tell whether this was ever called: the request 1 was too large to be kept in full.",
  )
  expect(journal.calls({ path: '/plants', headers: { 'x-a': '1' } })).toHaveLength(1)
  expect(journal.calls({ path: '/v1/apps', body: { tag: 'x' } })).toEqual([])
  expect(journal.violations().map(({ rule }) => rule)).not.toContain('invalid-body')
})

test('an entry says which bodies are only the beginning of what was sent', async () => {
  const { world, call } = open()
  await call('POST', '/plants', { body: { id: 1_001, name: 'Fern' } })
  await call('POST', '/plants', { body: { id: 1_002, name: 'Fern', tag: 'x'.repeat(65_536) } })
  for (let id = 2_000; id < 2_200; id++)
    world.records.plants.create({ id, name: 'Fern '.repeat(99), account: 'acct_pro' })
  await call('GET', '/plants?limit=500')
  const [short, request, reply] = world.journal.calls()
  expect(short).not.toHaveProperty('cut')
  expect(request!.cut).toContain('request.body')
  expect(reply!.cut).toEqual(['response.body'])
})

test('a reply as long as the journal keeps is whole', async () => {
  const { world, send } = open()
  for (const length of [65_536, 65_537]) {
    world.useOnly([{ respond: [{ on: 'plants.list', status: 200, text: 'x'.repeat(length) }] }])
    await send('/plants', { headers: { authorization: 'Bearer key_pro' } })
  }
  expect(world.journal.calls().map(({ cut }) => cut)).toEqual([undefined, ['response.body']])
})

test.each([
  ['text', []],
  ['no text', [{ malform: [{ on: 'plants.list', field: 'name', kind: 'bad-utf8' }] }]],
] as const)('a reply that is %s counts with its length', async (_, use) => {
  const { world, send } = open({ use })
  const name = 'x'.repeat(9_000)
  for (let id = 2_000; id < 2_010; id++)
    world.records.plants.create({ id, name, account: 'acct_lite' })
  await send('/plants', { headers: { authorization: 'Bearer key_lite' } })
  expect(world.journal.calls()[0]!.bytes).toBeGreaterThan(60_000)
  expect(world.journal.bytes).toBeGreaterThan(60_000)
})

const cap = 65_536

for (const letter of ['n', 'ü'])
  testApi(
    `64 KiB of a large body are kept, of the request and of the reply: ${letter}`,
    async ({ world, call }) => {
      const name = letter.repeat(cap)
      const { text } = await call('POST', '/plants', { body: { id: 9_001, name } })
      expect(JSON.parse(text)).toEqual({ name })
      const [{ request, response } = expect.fail()] = world.journal.calls()
      const sent = `{"id":9001,"name":"${name}`
      expect(request.body).toBe(sent.slice(0, Buffer.from(sent).subarray(0, cap).toString().length))
      expect(response.body).toBe(text.slice(0, cap))
    },
  )

testApi('a body that is no text does not hurt', async ({ world, send }) => {
  const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }
  expect(
    (await send('/plants', { method: 'POST', headers, body: new Uint8Array([0xff, 0xfe, 0x00]) }))
      .status,
  ).toBe(400)
  expect(world.journal.calls()[0]!.request.body).toBe('\ufffd\ufffd\0')
})

testApi(
  'only the kept part of a body counts as memory',
  { memory: 4 * 2 ** 20 },
  async ({ world, call }) => {
    for (let id = 9_001; id <= 9_005; id++)
      await call('POST', '/plants', { body: { id, name: id + 'n'.repeat(300_000) } })
    const lengths = world.journal.calls().map(({ response }) => String(response.body).length)
    expect(lengths).toEqual([cap, cap, cap, cap, cap])
  },
)
