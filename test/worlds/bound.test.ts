import { expect, test } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { addAndForgetOldest } from '../../src/core/world/worlds.ts'

const options = { maxWorlds: 3 }

const uses: [title: string, used: string[], left: string[]][] = [
  ['past the bound the least recently used world is dropped', ['a', 'b', 'c'], ['b', 'c']],
  ['asking for a world in code is a use', ['a', 'b', 'a', 'c'], ['a', 'c']],
  [
    'a request by path or key is a use',
    ['/~a/plants', '/~b/plants', 'key_pro@a', '/~c/plants'],
    ['a', 'c'],
  ],
]

for (const [title, used, left] of uses)
  testApi(title, options, async ({ greenhouse, call }) => {
    for (const one of used)
      if (one.startsWith('key')) await call('GET', '/plants', { key: one })
      else if (one.startsWith('/')) await call('GET', one)
      else greenhouse.world(one)
    expect(greenhouse.worlds().sort()).toEqual([...left, 'default'])
  })

testApi(
  'worlds are dropped in the order of their last use, however often',
  options,
  async ({ greenhouse, call }) => {
    const expected: string[] = []
    for (const name of ['a', 'b', 'c', 'd', 'c', 'e']) {
      if (expected.includes(name)) expected.splice(expected.indexOf(name), 1)
      expected.push(name)
      if (expected.length > 2) expected.shift()
      await call('GET', `/~${name}/plants`)
      expect(greenhouse.worlds().filter((world) => world !== 'default')).toEqual(expected)
    }
  },
)

testApi(
  'the world default is never dropped, pinned or not',
  options,
  async ({ greenhouse, call, world }) => {
    world.pinned = false
    await call('DELETE', '/plants/101')
    for (const name of ['a', 'b', 'c', 'd', 'e']) await call('GET', `/~${name}/plants`)
    expect(greenhouse.worlds()).toContain('default')
    expect(world.records.plants.get(101)).toBeUndefined()
    expect((await call('GET', '/plants')).status).toBe(200)
  },
)

testApi('a pinned world stays, and the next one goes', options, async ({ greenhouse, call }) => {
  greenhouse.world('a').pinned = true
  for (const name of ['b', 'c', 'd']) await call('GET', `/~${name}/plants`)
  expect(greenhouse.worlds().sort()).toEqual(['a', 'd', 'default'])
})

testApi(
  'with all worlds pinned a new one is added; unpinned they make room',
  options,
  async ({ greenhouse }) => {
    for (const name of ['a', 'b', 'c', 'd']) greenhouse.world(name).pinned = true
    expect(greenhouse.worlds()).toHaveLength(5)
    for (const name of ['a', 'b', 'c', 'd']) greenhouse.world(name).pinned = false
    greenhouse.world('e')
    expect(greenhouse.worlds().sort()).toEqual(['d', 'default', 'e'])
  },
)

testApi(
  'a request to a dropped world is 409, asking in code an error',
  options,
  async ({ greenhouse, call }) => {
    for (const name of ['a', 'b', 'c']) greenhouse.world(name)
    const answers = [
      await call('GET', '/~a/plants'),
      await call('GET', '/~a/v1/apps'),
      await call('GET', '/plants', { key: 'key_pro@a' }),
      await call('GET', '/v1/apps', { headers: { 'x-greenhouse-world': 'a' } }),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(409)
      expect(body).toEqual({
        error: { code: 'world_dropped', message: expect.stringMatching(/"a" was dropped.* 3 /) },
      })
    }
    expect(greenhouse.worlds()).not.toContain('a')
    expect(() => greenhouse.world('a')).toThrow(
      expect.objectContaining({ name: 'DroppedWorldError' }),
    )
  },
)

testApi(
  'a dropped world starts over after it is deleted',
  options,
  async ({ greenhouse, call }) => {
    await call('DELETE', '/~a/plants/101')
    for (const name of ['b', 'c']) greenhouse.world(name)
    expect(greenhouse.deleteWorld('a')).toBe(true)
    expect((await call('GET', '/~a/plants')).status).toBe(200)
    expect(greenhouse.world('a').records.plants.get(101)).toBeDefined()
  },
)

testApi(
  'a dropped world has no due work, and its journal ends',
  options,
  async ({ greenhouse }) => {
    const { clock, journal } = greenhouse.world('a')
    const seen: unknown[] = []
    journal.subscribe((entry) => seen.push(entry))
    clock.schedule(clock.now() + 1_000, () => seen.push('late'))
    for (const name of ['b', 'c']) greenhouse.world(name)
    clock.advance('1h')
    expect(seen).toEqual([undefined])
  },
)

testApi(
  'deleting a world makes room, a world that never existed does not',
  options,
  async ({ greenhouse }) => {
    expect(greenhouse.deleteWorld('never')).toBe(false)
    expect(greenhouse.worlds()).toEqual(['default'])
    for (const name of ['a', 'b']) greenhouse.world(name)
    greenhouse.deleteWorld('b')
    greenhouse.world('c')
    expect(greenhouse.worlds().sort()).toEqual(['a', 'c', 'default'])
  },
)

testApi(
  'a world that needs memory drops others, never itself',
  { memory: 4_000_000 },
  async ({ greenhouse }) => {
    const large = { respond: [{ status: 200, text: 'x'.repeat(400_000) }] }
    greenhouse.world('other').use(large)
    const world = greenhouse.world('full')
    const fill = () => {
      for (let count = 0; count < 9; count++) world.use(large)
    }
    expect(fill).toThrow(expect.objectContaining({ name: 'DataMemoryError' }))
    expect(greenhouse.worlds().sort()).toEqual(['default', 'full'])
  },
)

// Not through worlds: 100,000 of them take half a minute.
test('the newest names are remembered, however many come', () => {
  const names = new Set<string>()
  for (let count = 0; count < 5_000; count++) {
    addAndForgetOldest(names, `w${count}`, 1_000)
    expect(names.size).toBeGreaterThanOrEqual(Math.min(count + 1, 1_000))
    expect(names.size).toBeLessThanOrEqual(1_010)
  }
  expect([...names]).toEqual(Array.from(names, (_, index) => `w${5_000 - names.size + index}`))
})
