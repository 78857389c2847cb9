import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { World } from 'greenhouse-mock'
import { controlFetch } from '../../src/control/answer-call.ts'
import { times } from '../support/soak.ts'
import { createCaller, open } from '../support/test-api.ts'

const memory = 250_000
const names = ['default', 'a', 'b', 'c', 'd']
const keys = ['one', 'two']

const step = fc.record({
  world: fc.constantFrom(...names),
  length: fc.constantFrom(10, 3_000, 40_000),
  id: fc.integer({ min: 1_000, max: 1_004 }),
  key: fc.constantFrom(...keys),
  does: fc.constantFrom(
    ...([
      'list',
      'refuse',
      'create',
      'once',
      'remove',
      'hold',
      'store',
      'replace',
      'change',
    ] as const),
    ...([
      'use',
      'header',
      'clear',
      'snapshot',
      'restore',
      'forget',
      'wipe',
      'reset',
      'drop',
      'follow',
      'pin',
    ] as const),
  ),
})

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

/**
 * What a value takes, as the documentation of the estimate says: 24 bytes, 8 for each member, and
 * its texts.
 */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 24 + (value.length > 64 ? value.length : 2 * value.length)
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, part) => sum + 8 + sizeOf(part), 24)
}

const recordsSize = (records: readonly object[], initial: ReadonlySet<object>) =>
  records.reduce((sum, record) => sum + (initial.has(record) ? 0 : 200 + sizeOf(record)), 0)

/** Adds up what is alive in a world, one thing after the other. */
function sumOf({ core }: World, changes: readonly string[], initial: ReadonlySet<object>): number {
  const records = core.collections.map((one) => recordsSize(core.collection(one).all(), initial))
  const entries = core.journal.records({ before: Infinity }).map(({ bytes }) => bytes)
  const history = core.state.history.changes.map(({ change }) => 120 + sizeOf(change))
  const { saved } = core.state
  const kept = changes.flatMap((id) => saved.findChange(id) ?? [])
  const snapshots = [
    ...saved.named.values(),
    ...kept.flatMap(({ before, after, deleted }) => [before, after, ...(deleted?.values() ?? [])]),
  ].map(({ data, idempotency, scenarios }) => {
    const held = Array.from(data.indexes.values(), (index) => recordsSize(index.all(), initial))
    const active = scenarios.active.map(({ bytes }) => bytes)
    return (
      10_000 + idempotency.bytes + (scenarios.headerState?.bytes ?? 0) + total(held) + total(active)
    )
  })
  const parts = [records, entries, history, snapshots].map(total)
  return 7_200 + total(parts) + core.state.idempotency.bytes + core.scenarios.bytes
}

const total = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0)

test('after any history, the estimate is the sum of the parts, below its limit', async () => {
  const reached = {
    refused: 0,
    droppedJournals: 0,
    droppedWorlds: 0,
    entriesOfItsOwn: 0,
    undone: 0,
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 30, maxLength: 60, size: 'max' }),
      async (steps) => {
        const { greenhouse, world: first } = open({ memory, seed: 1, journal: { entries: 5 } })
        const initial = new Set(
          first.core.collections.flatMap((one) => first.core.initialRecordsOf(one).all()),
        )
        const ask = createCaller((path, init) =>
          greenhouse.fetch(new Request(`http://greenhouse.test${path}`, init)),
        )
        const changes: string[] = []
        const following = new Map<string, () => void>()
        /** How many requests each world answered since its journal began. */
        const answered = new Map<string, number>()
        let isDropped = false
        greenhouse.changes.observe((change) => {
          if (change.type !== 'world' || ['created', 'restored'].includes(change.change)) return
          following.delete(change.world)
          answered.delete(change.world)
          if (change.change === 'dropped') isDropped = true
        })
        const request = async (
          name: string,
          method: string,
          path: string,
          options?: Parameters<typeof ask>[2],
        ) => {
          const reply = await ask(method, `/~${name}${path}`, options)
          answered.set(name, (answered.get(name) ?? 0) + 1)
          if (reply.status === 507) reached.refused++
        }
        const does: Record<Step['does'], (world: World, one: Step) => unknown> = {
          list: ({ name }) => request(name, 'GET', '/plants?limit=5'),
          refuse: ({ name }, { length }) =>
            request(name, 'POST', '/plants', { body: 'x'.repeat(length) }),
          create: ({ name }, { id, length }) =>
            request(name, 'POST', '/plants', { body: { id, name: 'x'.repeat(length) } }),
          once: ({ name }, { key, length }) =>
            request(name, 'POST', '/v1/apps', {
              body: { name: 'App', description: 'x'.repeat(Math.min(length, 5_000)) },
              headers: { 'idempotency-key': key },
            }),
          remove: ({ name }, { id }) => request(name, 'DELETE', `/plants/${id}`),
          hold: () => undefined,
          store: ({ records }, { id, length }) =>
            records.plants.get(id)
              ? records.plants.update(id, { name: 'y'.repeat(length) })
              : records.plants.create({ id, name: 'z'.repeat(length), account: 'acct_pro' }),
          replace: ({ records }, { length }) =>
            records.plants.replace([{ id: 1_000, name: 'r'.repeat(length), account: 'acct_pro' }]),
          async change({ name }, { id, length }) {
            const changed = await control(name, '/records/plants/1', 'PATCH', {
              name: 'c'.repeat(length),
            })
            if (changed.status >= 300 || id % 2) return
            if ((await control(name, '/undo', 'POST', {})).status === 204) reached.undone++
          },
          use: (world, { id }) =>
            world.use(
              id % 2
                ? 'flaky'
                : { respond: [{ on: 'apps.get', status: 503, text: 'x'.repeat(id) }] },
            ),
          header: ({ name }) =>
            request(name, 'GET', '/v1/apps', {
              headers: { 'x-greenhouse-scenario': 'huge-store:count=2' },
            }),
          clear: (world) => world.clear(),
          snapshot: (world, { key }) => world.snapshot(key),
          restore: (world, { key }) => world.snapshots.includes(key) && world.restore(key),
          forget: (world, { key }) =>
            world.snapshots.includes(key) && world.core.state.saved.delete(key),
          wipe({ name, journal }) {
            journal.clear()
            answered.delete(name)
          },
          reset: (world) => world.reset(),
          drop: ({ name }) => greenhouse.deleteWorld(name),
          follow({ name, journal }) {
            const stop = following.get(name)
            if (stop) stop()
            else
              following.set(
                name,
                journal.subscribe(() => undefined),
              )
            if (stop) following.delete(name)
          },
          pin: (world) => (world.pinned = !world.pinned),
        }
        const control = async (name: string, path: string, method: string, body: object) => {
          const init = { method, body: JSON.stringify(body) }
          const reply = await controlFetch(greenhouse)(
            `http://localhost/__greenhouse/worlds/${name}${path}`,
            init,
          )
          const id = reply.headers.get('x-greenhouse-undo')
          if (id !== null) changes.push(id)
          return reply
        }
        for (const one of steps) {
          if (!greenhouse.findWorld(one.world)) greenhouse.deleteWorld(one.world)
          isDropped = false
          const world = greenhouse.world(one.world)
          try {
            await does[one.does](world, one)
          } catch (error) {
            expect((error as Error).name).toBe('DataMemoryError')
            reached.refused++
          }
          const worlds = greenhouse.worlds().map((name) => greenhouse.findWorld(name)!)
          const { used } = worlds[0]!.core.memory.all
          expect([one, used]).toEqual([
            one,
            total(worlds.map((alive) => sumOf(alive, changes, initial))),
          ])
          // A world itself, and what its scenarios keep, cannot be refused.
          const certain = worlds.map(({ core }) => 7_200 + core.scenarios.bytes)
          expect(used).toBeLessThanOrEqual(memory + total(certain))
          for (const { name, journal } of worlds) {
            expect([name, journal.size + journal.evicted]).toEqual([name, answered.get(name) ?? 0])
            if (journal.size > 0 || journal.evicted === 0) continue
            expect(() => journal.calls()).toThrow('dropped matching entries to make room')
            if (name === one.world) reached.entriesOfItsOwn++
            else reached.droppedJournals++
          }
          if (!isDropped) continue
          reached.droppedWorlds++
          // Before the first idle world goes, the journals of all of them went.
          for (const { name, pinned, journal } of worlds)
            if (name !== one.world && !pinned && !following.has(name))
              expect([name, journal.size]).toEqual([name, 0])
        }
      },
    ),
    { numRuns: times(40, 15), seed: 20_261_131 },
  )
  const some = expect.toSatisfy((count: number) => count > times(5, 0))
  expect(reached).toEqual({
    refused: some,
    droppedJournals: some,
    droppedWorlds: some,
    entriesOfItsOwn: some,
    undone: some,
  })
})
