import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { testApi } from '../support/test-api.ts'

const few = { journal: { entries: 3 } }
const evicted = expect.objectContaining({
  name: 'EvictedError',
  message: expect.stringContaining('to make room for newer ones'),
})

testApi('past the bound the oldest entries make room', few, async ({ world, call }) => {
  for (let count = 0; count < 8; count++) await call('GET', `/plants?limit=${count}`)
  expect(world.journal.calls().map(({ id, request }) => [id, request.url])).toEqual(
    [6, 7, 8].map((id) => [id, `/plants?limit=${id - 1}`]),
  )
  expect(world.journal.evicted).toBe(5)
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

testApi('once cleared the journal can tell again', few, async ({ world, call }) => {
  for (let count = 0; count < 5; count++) await call('DELETE', '/plants/101')
  world.journal.clear()
  expect(world.journal.evicted).toBe(0)
  expect(world.journal.calls({ operation: 'plants.delete' })).toEqual([])
  expect(world.journal.calls()).toEqual([])
})

testApi(
  'bytes are bounded, too: a large body makes room for itself',
  { journal: { bytes: 60_000 } },
  async ({ world, call }) => {
    for (let count = 0; count < 10; count++) await call('GET', '/plants?limit=1')
    for (const id of [9_001, 9_002]) await call('POST', '/plants', { body: { id, name: 'n'.repeat(27_500) } })
    expect(world.journal.calls().map(({ id, operation }) => [id, operation])).toEqual([[12, 'plants.create']])
    expect(world.journal.evicted).toBe(11)
    expect(() => world.journal.calls({ operation: 'plants.list' })).toThrow(evicted)
    await call('GET', '/plants?limit=1')
    expect(world.journal.calls().map(({ id }) => id)).toEqual([12, 13])
  },
)

test('by default 1,000 entries are kept', async () => {
  const greenhouse = createGreenhouse()
  for (let count = 0; count < 1_005; count++) await greenhouse.fetch(new Request('http://greenhouse.test/plants'))
  const entries = greenhouse.world().journal.calls()
  expect([entries.length, entries[0]!.id, entries.at(-1)!.id]).toEqual([1_000, 6, 1_005])
})

test('a journal can keep one entry, the newest', async () => {
  const greenhouse = createGreenhouse({ journal: { entries: 1 } })
  for (const path of ['/plants', '/v1/apps']) await greenhouse.fetch(new Request(`http://greenhouse.test${path}`))
  expect(
    greenhouse
      .world()
      .journal.calls()
      .map(({ operation }) => operation),
  ).toEqual(['apps.list'])
})

test('a bound that is none is an error', () => {
  for (const journal of [
    { entries: 0 },
    { entries: -1 },
    { entries: 1.5 },
    { entries: Number.NaN },
    { bytes: -1 },
    { bytes: Number.NaN },
  ])
    expect(() => createGreenhouse({ journal })).toThrow(RangeError)
})

test('a journal can be without a bound', async () => {
  const greenhouse = createGreenhouse({ journal: { entries: Infinity, bytes: Infinity } })
  for (let count = 0; count < 1_005; count++) await greenhouse.fetch(new Request('http://greenhouse.test/plants'))
  expect(greenhouse.world().journal.calls()).toHaveLength(1_005)
})

test('data shared by entries counts once, even after the oldest of them was dropped', async () => {
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
  expect(await bytesAfter(10, 'l'.repeat(3_000))).toBe(three)
  expect(await bytesAfter(1, 'm'.repeat(3_000))).toBeGreaterThan(three + 2_000)
  // Other headers take their place.
  expect(await bytesAfter(10, 'short')).toBeLessThan(three - 2_000)
  journal.clear()
  expect(journal.bytes).toBe(0)
})
