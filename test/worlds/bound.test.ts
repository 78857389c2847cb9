import { expect } from 'vitest'
import { throughOwn } from '../support/through.ts'

const options = { maxWorlds: 3 }

throughOwn(
  'past the bound the least recently used world is dropped',
  async ({ greenhouse }) => {
    for (const name of ['a', 'b', 'c']) greenhouse.world(name)
    expect(greenhouse.worlds().sort()).toEqual(['b', 'c', 'default'])
  },
  options,
)

throughOwn(
  'a request is a use',
  async ({ greenhouse, call }) => {
    await call('GET', '/~a/plants')
    await call('GET', '/~b/plants')
    await call('GET', '/plants', { key: 'key_pro@a' })
    await call('GET', '/~c/plants')
    expect(greenhouse.worlds().sort()).toEqual(['a', 'c', 'default'])
  },
  options,
)

throughOwn(
  'asking for a world in code is a use',
  async ({ greenhouse }) => {
    for (const name of ['a', 'b', 'a', 'c']) greenhouse.world(name)
    expect(greenhouse.worlds().sort()).toEqual(['a', 'c', 'default'])
  },
  options,
)

throughOwn(
  'worlds are dropped in the order of their last use, however often',
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
  options,
)

throughOwn(
  'the world default is never dropped, not even when it is not pinned',
  async ({ greenhouse, call, world }) => {
    world.pinned = false
    await call('DELETE', '/plants/101')
    for (const name of ['a', 'b', 'c', 'd', 'e']) await call('GET', `/~${name}/plants`)
    expect(greenhouse.worlds()).toContain('default')
    expect(world.records.plants.get(101)).toBeUndefined()
    expect((await call('GET', '/plants')).status).toBe(200)
  },
  options,
)

throughOwn(
  'a pinned world stays, and the next one goes',
  async ({ greenhouse, call }) => {
    greenhouse.world('a').pinned = true
    for (const name of ['b', 'c', 'd']) await call('GET', `/~${name}/plants`)
    expect(greenhouse.worlds().sort()).toEqual(['a', 'd', 'default'])
  },
  options,
)

throughOwn(
  'with all worlds pinned a new one is added, and room is made once they are unpinned',
  async ({ greenhouse }) => {
    for (const name of ['a', 'b', 'c', 'd']) greenhouse.world(name).pinned = true
    expect(greenhouse.worlds()).toHaveLength(5)
    for (const name of ['a', 'b', 'c', 'd']) greenhouse.world(name).pinned = false
    greenhouse.world('e')
    expect(greenhouse.worlds().sort()).toEqual(['d', 'default', 'e'])
  },
  options,
)

throughOwn(
  'a request to a dropped world is 409 in the shape of the control API, in both areas',
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
      expect(body).toEqual({ error: { code: 'world_dropped', message: expect.stringMatching(/"a" was dropped.* 3 /) } })
    }
    expect(greenhouse.worlds()).not.toContain('a')
  },
  options,
)

throughOwn(
  'asking for a dropped world in code is an error',
  async ({ greenhouse }) => {
    for (const name of ['a', 'b', 'c']) greenhouse.world(name)
    expect(() => greenhouse.world('a')).toThrow(expect.objectContaining({ name: 'DroppedWorldError' }))
  },
  options,
)

throughOwn(
  'a dropped world starts over after it is deleted',
  async ({ greenhouse, call }) => {
    await call('DELETE', '/~a/plants/101')
    for (const name of ['b', 'c']) greenhouse.world(name)
    expect(greenhouse.deleteWorld('a')).toBe(true)
    expect((await call('GET', '/~a/plants')).status).toBe(200)
    expect(greenhouse.world('a').records.plants.get(101)).toBeDefined()
  },
  options,
)

throughOwn(
  'a dropped world does nothing more: due work is forgotten and the journal ends',
  async ({ greenhouse }) => {
    const { clock, journal } = greenhouse.world('a')
    const seen: unknown[] = []
    journal.subscribe((entry) => seen.push(entry))
    clock.schedule(clock.now() + 1_000, () => seen.push('late'))
    for (const name of ['b', 'c']) greenhouse.world(name)
    clock.advance('1h')
    expect(seen).toEqual([undefined])
  },
  options,
)

throughOwn(
  'deleting a world that never existed returns false',
  async ({ greenhouse }) => {
    expect(greenhouse.deleteWorld('never')).toBe(false)
    expect(greenhouse.worlds()).toEqual(['default'])
  },
  options,
)

throughOwn(
  'deleting a world makes room',
  async ({ greenhouse }) => {
    for (const name of ['a', 'b']) greenhouse.world(name)
    greenhouse.deleteWorld('b')
    greenhouse.world('c')
    expect(greenhouse.worlds().sort()).toEqual(['a', 'c', 'default'])
  },
  options,
)

throughOwn(
  'a world that needs more memory than there is drops others for it, and never itself',
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
  { dataMemory: 4_000_000 },
)
