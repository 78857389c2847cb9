import { expect, test } from 'vitest'
import { testApi, open } from '../support/test-api.ts'
import { subscribe } from '../webhooks/open.ts'

const begin = '2026-03-01T12:00:00.000Z'

testApi(
  'restore brings back a running clock, which runs on from where it was',
  async ({ world }) => {
    world.clock.run()
    const now = world.clock.now()
    world.snapshot('s')
    world.clock.advance('3d')
    world.clock.freeze()
    world.restore('s')
    expect(world.clock.frozen).toBe(false)
    expect(world.clock.now()).toBeGreaterThanOrEqual(now)
    expect(world.clock.now()).toBeLessThan(now + 3_600_000)
  },
)

testApi('the journal goes on over a restore', async ({ world, call }) => {
  world.snapshot('s')
  await call('GET', '/plants')
  world.restore('s')
  await call('GET', '/v1/apps')
  expect(world.journal.calls().map(({ id, operation }) => [id, operation])).toEqual([
    [1, 'plants.list'],
    [2, 'apps.list'],
  ])
})

testApi(
  'restoring an unknown snapshot suggests a known one, and changes nothing',
  async ({ world }) => {
    world.snapshot('before')
    world.records.plants.delete(101)
    expect(() => world.restore('befor')).toThrow(/"befor".*Did you mean "before"\?/)
    expect(() => world.restore('befor')).toThrow(RangeError)
    expect(world.records.plants.get(101)).toBeUndefined()
  },
)

testApi('names of snapshots are data', async ({ world }) => {
  for (const name of ['__proto__', 'constructor', '', '../x', '\0']) {
    expect(() => world.restore(name)).toThrow(RangeError)
    world.snapshot(name)
    world.records.plants.delete(101)
    world.restore(name)
    expect(world.records.plants.get(101)).toBeDefined()
  }
})

testApi(
  'restore brings back the fixtures of the time of the snapshot, read or not',
  {},
  async ({ greenhouse }) => {
    const fixturesOf = (name: string) => ({
      accounts: [{ id: 'acct_a', name: 'A', email: 'a@example.com', plan: 'pro' }],
      keys: [{ secret: 'key_a', account: 'acct_a' }],
      plants: [{ id: 1, name, account: 'acct_a' }],
    })
    greenhouse.reload({ fixtures: fixturesOf('old') })
    for (const name of ['read', 'unread']) {
      const world = greenhouse.world(name)
      if (name === 'read') expect(world.records.plants.count()).toBe(1)
      world.snapshot('s')
      world.records.plants.create({ id: 2, name: 'mine', account: 'acct_a' })
    }
    greenhouse.reload({ fixtures: fixturesOf('new') })
    for (const name of ['read', 'unread']) {
      const world = greenhouse.world(name)
      world.restore('s')
      expect([name, ...world.records.plants.all().map((plant) => plant.name)]).toEqual([
        name,
        'old',
      ])
    }
    expect(greenhouse.world('other').records.plants.get(1)!.name).toBe('new')
  },
)

testApi(
  'records in hand are the same ones after a restore and after a reset',
  async ({ world }) => {
    const { plants } = world.records
    world.snapshot('s')
    for (const goBack of [() => world.restore('s'), () => world.reset()]) {
      goBack()
      plants.create({ id: 9_001, name: 'Fern', account: 'acct_pro' })
      expect(world.records.plants.get(9_001)).toBe(plants.get(9_001))
      goBack()
      expect(plants.get(9_001)).toBeUndefined()
    }
  },
)

const count = 100_000
const plants = Array.from({ length: count }, (_, id) => ({
  id: id + 1,
  name: `Plant ${id}`,
  account: 'acct_pro',
}))

test('snapshots of 100,000 plants share the records that did not change', async () => {
  const { world, call } = open()
  world.records.plants.replace(plants)
  const first = world.records.plants.get(1)
  const last = world.records.plants.get(count)
  for (let number = 0; number < 10; number++) world.snapshot(`s${number}`)
  expect((await call('DELETE', '/plants/1')).status).toBe(204)
  expect(world.records.plants.get(count)).toBe(last)
  world.restore('s0')
  expect(world.records.plants.count()).toBe(count)
  expect(world.records.plants.get(1)).toBe(first)
  world.restore('s9')
  expect(world.records.plants.get(count)).toBe(last)
})

test('a world has at most 1,000 snapshots', () => {
  const { world } = open()
  for (let number = 0; number < 1_000; number++) world.snapshot(`s${number}`)
  expect(() => world.snapshot('s1000')).toThrow('the world "default" has 1000 snapshots already')
})

test('a restore during due work is exact: the clock is as saved, and no earlier work goes on', () => {
  const { world } = open({ now: begin })
  const done: string[] = []
  world.snapshot('before')
  world.clock.schedule('2026-03-01T12:00:01Z', () => world.restore('before'))
  world.clock.schedule('2026-03-01T12:00:02Z', () => done.push('of before'))
  world.clock.advance('1h')
  expect(new Date(world.clock.now()).toISOString()).toBe(begin)
  world.clock.advance('1h')
  expect(new Date(world.clock.now()).toISOString()).toBe('2026-03-01T13:00:00.000Z')
  expect(done).toEqual([])
})

test('a snapshot during due work has the time when it was due, and the work still to come', () => {
  const { world } = open({ now: begin })
  const done: string[] = []
  world.clock.schedule('2026-03-01T12:00:01Z', () => world.snapshot('within'))
  world.clock.schedule('2026-03-01T12:00:02Z', () => done.push('later'))
  world.clock.advance('1h')
  world.restore('within')
  expect(new Date(world.clock.now()).toISOString()).toBe('2026-03-01T12:00:01.000Z')
  world.clock.advance('1s')
  expect(done).toEqual(['later', 'later'])
})

test('a reset during due work starts over', () => {
  const { world } = open({ now: begin })
  world.clock.schedule('2026-03-01T12:00:01Z', () => world.reset())
  world.clock.advance('1h')
  expect(world.clock.now() - Date.parse(begin)).toBeLessThan(60_000)
})

const failing = () => Promise.reject(new Error('It failed'))

test('undo takes back an attempt within a change, with the snapshots that it deleted', async () => {
  const { world } = open()
  const { core } = world
  world.snapshot('before')
  await core.state.saved.doChange('change', () => core.life.attempt({}, () => Promise.resolve()))
  expect(world.snapshots).toEqual([])
  expect(core.state.saved.undo('change')).toBe(true)
  expect(world.snapshots).toEqual(['before'])
})

test('an attempt that fails within a change leaves the snapshots, and nothing to undo', async () => {
  const { world, greenhouse } = open()
  const { core } = world
  world.snapshot('before')
  const told: unknown[] = []
  greenhouse.changes.observe((change) => {
    if (change.type === 'world') told.push(change.change)
  })
  await expect(
    core.state.saved.doChange('change', () => core.life.attempt({}, failing)),
  ).rejects.toThrow('It')
  expect(told).toEqual(['reset', 'reset'])
  expect(world.snapshots).toEqual(['before'])
  expect(core.state.saved.findChange('change')).toBeUndefined()
})

test('an attempt that cannot even start leaves the world as it was', async () => {
  const { world, greenhouse } = open({ seed: 1 })
  world.records.plants.delete(101)
  const stop = greenhouse.changes.observe(() => {
    stop()
    throw new Error('An observer failed')
  })
  await expect(world.core.life.attempt({ seed: 2 }, failing)).rejects.toThrow('An observer failed')
  expect(world.seed).toBe(1)
  expect(world.records.plants.get(101)).toBeUndefined()
})

test('work that waits stands still during an attempt, and goes on after its failure', async () => {
  const { world } = open({ now: begin })
  const { clock } = world
  const done: string[] = []
  clock.schedule('2026-03-01T12:00:01Z', () => done.push('due'))
  const moveBoth = () => {
    for (const one of [clock, world.clock]) one.advance('1h')
    return failing()
  }
  await expect(world.core.life.attempt({}, moveBoth)).rejects.toThrow('It failed')
  expect([done, new Date(world.clock.now()).toISOString()]).toEqual([[], begin])
  world.clock.advance('1s')
  expect(done).toEqual(['due'])
})

/** The URL of a receiver that does not answer. */
const nobody = 'http://127.0.0.1:9/'

test('a failed attempt leaves the grade of a receiver that was examined before', async () => {
  const client = open()
  const { world } = client
  const { id } = await subscribe(client, nobody)
  const grade = await world.examine(id)
  expect(grade.result).not.toBe('unknown')
  const examineAgain = async () => {
    await world.examine((await subscribe(client, nobody)).id)
    return failing()
  }
  await expect(world.core.life.attempt({}, examineAgain)).rejects.toThrow('It failed')
  expect(world.grade(id)).toEqual(grade)
})

type Core = ReturnType<typeof open>['world']['core']

test.each([
  ['a reset', (core: Core) => core.life.reset({ seed: 3 })],
  ['another attempt', (core: Core) => core.life.attempt({ seed: 3 }, () => Promise.resolve())],
])('a failed attempt brings no state back that %s replaced', async (_, replaceState) => {
  const { core } = open({ seed: 1 }).world
  const work = async () => {
    await replaceState(core)
    return failing()
  }
  await expect(core.life.attempt({ seed: 2 }, work)).rejects.toThrow('It failed')
  expect(core.seed).toBe(3)
})
