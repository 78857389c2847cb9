import { expect, test } from 'vitest'
import { createGreenhouse, type Greenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { open, testApi, type OwnClient } from '../support/test-api.ts'

const few = { journal: { entries: 3 } }
const evicted = expect.objectContaining({
  name: 'EvictedError',
  message: expect.stringContaining('to make room for newer ones'),
})

testApi('a question is refused only when what made room could have been the answer', few, async ({ world, call }) => {
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
})

testApi('a large body makes room for itself in bytes', { journal: { bytes: 60_000 } }, async ({ world, call }) => {
  for (let count = 0; count < 10; count++) await call('GET', '/plants?limit=1')
  for (const id of [9_001, 9_002]) await call('POST', '/plants', { body: { id, name: 'n'.repeat(27_500) } })
  expect(world.journal.calls().map(({ id, operation }) => [id, operation])).toEqual([[12, 'plants.create']])
  expect(world.journal.evicted).toBe(11)
  expect(() => world.journal.calls({ operation: 'plants.list' })).toThrow(evicted)
  await call('GET', '/plants?limit=1')
  expect(world.journal.calls().map(({ id }) => id)).toEqual([12, 13])
})

test.each<[journal: object | undefined, ids: number[]]>([
  [undefined, [1_000, 6, 1_005]],
  [{ entries: 1 }, [1, 1_005, 1_005]],
  [{ entries: Infinity, bytes: Infinity }, [1_005, 1, 1_005]],
])('a journal keeps as many entries as its options %j say, the newest', async (journal, expected) => {
  const { call, world } = open({ journal })
  for (let count = 0; count < 1_005; count++) await call('GET', '/plants?limit=0')
  const entries = world.journal.calls()
  expect([entries.length, entries[0]!.id, entries.at(-1)!.id]).toEqual(expected)
  expect(world.journal.evicted).toBe(entries[0]!.id - 1)
})

test.each([
  ...[0, -1, 1.5, NaN].map((entries) => ({ entries })),
  ...[-1, NaN].flatMap((bytes) => [{ bytes }, { memory: bytes }]),
])('the bound %j is an error', (journal) => expect(() => createGreenhouse({ journal })).toThrow(RangeError))

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
const ask = ({ call }: OwnClient, world: string, body = '{') => call('POST', `/~${world}/plants`, { body })

test('all journals together are bounded: the oldest entries of any world make room', async () => {
  const client = open({ journal: { memory: 100_000 } })
  const names = ['a', 'b', 'c']
  for (let round = 0; round < 5; round++) for (const world of names) await ask(client, world, large)
  const journals = names.map((name) => client.greenhouse.world(name).journal)
  expect(journals.reduce((sum, { bytes }) => sum + bytes, client.world.journal.bytes)).toBeLessThanOrEqual(100_000)
  const sizes = journals.map(({ size }) => size)
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
  expect(journals[2]!.calls().at(-1)!.id).toBe(5)
  expect(journals[0]!.evicted + sizes[0]!).toBe(5)
})

test('a world whose entries made room for those of others can not say "never"', async () => {
  const client = open({ journal: { memory: 100_000 } })
  await ask(client, 'quiet')
  for (let count = 0; count < 12; count++) await ask(client, 'busy', large)
  const { journal } = client.greenhouse.world('quiet')
  expect([journal.size, journal.evicted, journal.bytes]).toEqual([0, 1, 0])
  expect(() => journal.calls({ operation: 'plants.create' })).toThrow(evicted)
  expect(() => journal.calls()).toThrow(evicted)
  expect(journal.calls({ operation: 'plants.list' })).toEqual([])
  journal.clear()
  expect(journal.calls({ operation: 'plants.create' })).toEqual([])
})

test.each<[how: string, leave: (greenhouse: Greenhouse) => void]>([
  ['cleared', (greenhouse) => greenhouse.world('full').journal.clear()],
  ['reset', (greenhouse) => greenhouse.world('full').reset()],
  ['deleted', (greenhouse) => greenhouse.deleteWorld('full')],
  ['dropped', (greenhouse) => [1, 2, 3].forEach((count) => greenhouse.world(`other-${count}`))],
])('a journal that is %s gives its room back at once', async (_, leave) => {
  const client = open({ journal: { memory: 100_000 }, maxWorlds: 4 })
  const kept = client.greenhouse.world('kept')
  kept.pinned = true
  await ask(client, 'kept')
  for (let count = 0; count < 8; count++) await ask(client, 'full', large)
  leave(client.greenhouse)
  for (let count = 0; count < 8; count++) await ask(client, 'kept', large)
  expect([kept.journal.evicted, kept.journal.size]).toEqual([0, 9])
})

test('an entry larger than the bound is kept in outline, marked as such, and evicts no other', async () => {
  const client = open({ journal: { bytes: 20_000 } })
  await ask(client, 'a')
  await ask(client, 'a', large.repeat(3))
  const [first, entry] = client.greenhouse.world('a').journal.calls()
  expect(entry).toMatchObject({
    id: 2,
    operation: 'plants.create',
    request: { url: '/~a/plants', body: undefined },
    response: { status: 400, body: undefined },
    omitted: ['request.body', 'response.body'],
  })
  expect(first).not.toHaveProperty('omitted')
})

test('not even headers and URLs are kept beyond the bound', async () => {
  const { world, call } = open({ journal: { memory: 10_000 } })
  const { journal } = world
  world.use('flaky')
  await call('GET', `/plants?${'q'.repeat(100_000)}`, { key: null, headers: { 'x-large': 'h'.repeat(100_000) } })
  const [entry = expect.fail()] = journal.calls()
  expect(entry.request.url).toHaveLength(1_024 + '/plants?'.length)
  expect(entry.request.headers).toEqual({})
  expect(entry).toMatchObject({
    response: { headers: {} },
    scenarios: ['flaky'],
    omitted: expect.arrayContaining(['verdicts', 'request.headers', 'request.url', 'response.headers']),
  })
  expect(JSON.stringify(entry).length).toBeLessThan(5_000)
  expect(journal.bytes).toBeLessThan(10_000)
})

test('matching on a body too large to keep throws; matching on everything else works', async () => {
  const { world, call } = open({ journal: { bytes: 4_000 } })
  const { journal } = world
  await call('POST', '/plants?a=1', { body: { name: 'x'.repeat(9_000), tag: 'x' }, headers: { 'x-a': '1' } })
  expect(() => journal.calls({ body: { tag: 'x' } })).toThrow(
    "The journal can't tell whether this was ever called: the request 1 was too large to be kept in full.",
  )
  expect(journal.calls({ path: '/plants', headers: { 'x-a': '1' } })).toHaveLength(1)
  expect(journal.calls({ path: '/v1/apps', body: { tag: 'x' } })).toEqual([])
  expect(journal.violations().map(({ rule }) => rule)).not.toContain('invalid-body')
})

test('headers count too: when those of a request or a reply are too large, both are dropped', async () => {
  const { world, call } = open({ journal: { bytes: 4_000 } })
  const headersKept = async (headers: Record<string, string>) => {
    await call('GET', '/plants', { headers })
    const { request, response } = world.journal.calls().at(-1)!
    return [Object.keys(request.headers).length > 0, Object.keys(response.headers).length > 0]
  }
  expect(await headersKept({ 'x-a': 'a' })).toEqual([true, true])
  expect(await headersKept({ 'x-a': 'a'.repeat(5_000) })).toEqual([false, false])
  await world.use({ title: 'Large headers', fault: [{ kind: 'headers', set: { 'X-A': 'a'.repeat(5_000) } }] })
  expect(await headersKept({ 'x-a': 'a' })).toEqual([false, false])
  for (let place = 0; place < 40; place++)
    world.use({ title: `Header ${place}`, fault: [{ kind: 'headers', set: { [`X-${place}`]: '1' } }] })
  await headersKept({})
  expect(world.journal.calls().at(-1)!.scenarios).toHaveLength(32)
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

test('a reply that is no text counts with its length', async () => {
  const { world, send } = open({ use: [{ malform: [{ on: 'plants.list', field: 'name', kind: 'bad-utf8' }] }] })
  const name = 'x'.repeat(9_000)
  for (let id = 2_000; id < 2_010; id++) world.records.plants.create({ id, name, account: 'acct_lite' })
  await send('/plants', { headers: { authorization: 'Bearer key_lite' } })
  expect(world.journal.calls()[0]!.bytes).toBeGreaterThan(60_000)
  expect(world.journal.bytes).toBeGreaterThan(60_000)
})

const cap = 65_536

for (const letter of ['n', 'ü'])
  testApi(`64 KiB of a large body are kept, of the request and of the reply: ${letter}`, async ({ world, call }) => {
    const name = letter.repeat(cap)
    const { text } = await call('POST', '/plants', { body: { id: 9_001, name } })
    expect(JSON.parse(text)).toEqual({ name })
    const [{ request, response } = expect.fail()] = world.journal.calls()
    const sent = `{"id":9001,"name":"${name}`
    expect(request.body).toBe(sent.slice(0, Buffer.from(sent).subarray(0, cap).toString().length))
    expect(response.body).toBe(text.slice(0, cap))
  })

testApi('a body that is no text does not hurt', async ({ world, send }) => {
  const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }
  expect((await send('/plants', { method: 'POST', headers, body: new Uint8Array([0xff, 0xfe, 0x00]) })).status).toBe(
    400,
  )
  expect(world.journal.calls()[0]!.request.body).toBe('\ufffd\ufffd\0')
})

testApi('only what is kept of a body counts as memory', { journal: { memory: 2 ** 20 } }, async ({ world, call }) => {
  for (let id = 9_001; id <= 9_005; id++)
    await call('POST', '/plants', { body: { id, name: id + 'n'.repeat(300_000) } })
  const lengths = world.journal.calls().map(({ response }) => String(response.body).length)
  expect(lengths).toEqual([cap, cap, cap, cap, cap])
})
