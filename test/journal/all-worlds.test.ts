import { expect, test } from 'vitest'
import { createGreenhouse, type Greenhouse } from 'greenhouse-mock'

const evicted = expect.objectContaining({
  name: 'EvictedError',
  message: expect.stringContaining('to make room for newer ones'),
})

async function ask(greenhouse: Greenhouse, world: string, body = ''): Promise<void> {
  await greenhouse.fetch(
    new Request(`http://x/~${world}/plants`, {
      method: 'POST',
      body: body || '{',
      headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' },
    }),
  )
}

const bytesOf = (greenhouse: Greenhouse) =>
  greenhouse.worlds().reduce((sum, name) => sum + greenhouse.world(name).journal.bytes, 0)

test('all journals together are bounded: the oldest entries of any world make room', async () => {
  const greenhouse = createGreenhouse({ journal: { memory: 100_000 } })
  for (let round = 0; round < 5; round++)
    for (const world of ['a', 'b', 'c']) await ask(greenhouse, world, `{"name":"${'n'.repeat(10_000)}`)
  expect(bytesOf(greenhouse)).toBeLessThanOrEqual(100_000)
  const sizes = ['a', 'b', 'c'].map((name) => greenhouse.world(name).journal.size)
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
  expect(greenhouse.world('c').journal.calls().at(-1)!.id).toBe(5)
  expect(greenhouse.world('a').journal.evicted + sizes[0]!).toBe(5)
})

test('a world whose entries made room for those of others can not say "never"', async () => {
  const greenhouse = createGreenhouse({ journal: { memory: 100_000 } })
  await ask(greenhouse, 'quiet')
  for (let count = 0; count < 12; count++) await ask(greenhouse, 'busy', `{"name":"${'n'.repeat(10_000)}`)
  const { journal } = greenhouse.world('quiet')
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
  const greenhouse = createGreenhouse({ journal: { memory: 100_000 }, maxWorlds: 4 })
  greenhouse.world('kept').pinned = true
  await ask(greenhouse, 'kept')
  for (let count = 0; count < 8; count++) await ask(greenhouse, 'full', `{"name":"${'n'.repeat(10_000)}`)
  leave(greenhouse)
  for (let count = 0; count < 8; count++) await ask(greenhouse, 'kept', `{"name":"${'n'.repeat(10_000)}`)
  expect(greenhouse.world('kept').journal.evicted).toBe(0)
  expect(greenhouse.world('kept').journal.size).toBe(9)
})

test('an entry larger than the bound is kept in outline, marked as such, and evicts no other', async () => {
  const greenhouse = createGreenhouse({ journal: { bytes: 20_000 } })
  await ask(greenhouse, 'a')
  await ask(greenhouse, 'a', `{"name":"${'n'.repeat(30_000)}`)
  const [, entry] = greenhouse.world('a').journal.calls()
  expect(entry).toMatchObject({
    id: 2,
    operation: 'plants.create',
    request: { url: '/~a/plants', body: undefined },
    response: { status: 400, body: undefined },
    omitted: ['request.body', 'response.body'],
  })
  expect(greenhouse.world('a').journal.calls()[0]).not.toHaveProperty('omitted')
})

test('not even headers and URLs are kept beyond the bound', async () => {
  const greenhouse = createGreenhouse({ journal: { memory: 10_000 } })
  greenhouse.world().use('flaky')
  await greenhouse.fetch(
    new Request(`http://x/plants?${'q'.repeat(100_000)}`, { headers: { 'x-large': 'h'.repeat(100_000) } }),
  )
  const { journal } = greenhouse.world()
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

test('a bound that is none is an error', () => {
  for (const memory of [-1, Number.NaN]) expect(() => createGreenhouse({ journal: { memory } })).toThrow(RangeError)
})
