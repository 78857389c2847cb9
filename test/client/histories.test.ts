import fc from 'fast-check'
import { expect, test } from 'vitest'
import { times } from '../support/soak.ts'
import { createGreenhouse, type JournalEntry, type World } from 'greenhouse-mock'
import { connect, type RemoteWorld } from 'greenhouse-mock/client'
import { serve } from 'greenhouse-mock/server'
import { start } from '../support/test-api.ts'

type AnyWorld = World | RemoteWorld

/** Something that happens to a world: its name, and what it returns. */
type Step = readonly [title: string, run: (world: any, send: Send) => unknown]

type Send = (method: string, path: string, key: string, body?: unknown) => Promise<Response>

const requests = [
  ['GET', '/plants?limit=2'],
  ['POST', '/plants', { id: 900719925474099, name: 'Fern' }],
  ['POST', '/plants', { name: 'Fern' }],
  ['DELETE', '/plants/1'],
  ['GET', '/plants?limti=3'],
  ['GET', '/v1/apps'],
  ['POST', '/v1/apps', { name: 'Shop' }],
  ['GET', '/nowhere'],
] as const

const keys = ['key_pro', 'key_free', 'key_nobody']

const ask = fc
  .tuple(fc.constantFrom(...requests), fc.constantFrom(...keys))
  .map(([[method, path, body], key]): Step => [
    `${method} ${path} ${key}`,
    async (_, send) => {
      const response = await send(method, path, key, body)
      return [response.status, await response.text()]
    },
  ])

const id = fc.constantFrom<number | bigint>(1, 2, 777, 9007199254740993n, 9007199254740995n)
const name = fc.constantFrom('Fern', 'Ficus', '')
const snapshot = fc.constantFrom('before', 'later')

const change: readonly fc.Arbitrary<Step>[] = [
  fc
    .constantFrom<unknown[]>(
      ['slow:ms=1'],
      ['slow', { ms: 1, on: 'apps.*' }],
      [{ name: 'expired-key' }],
      [{ title: 'my own', respond: [{ on: 'plants.list', status: 500, times: 1 }] }],
      ['slwo'],
      ['slow', { msec: 1 }],
      [{ respond: [{ on: 'plants.lst', status: 500 }] }],
    )
    .map((given) => [`use ${JSON.stringify(given)}`, (world) => world.use(...given)]),
  fc
    .subarray(['expired-key', 'slow:ms=1', 'revoked-key'])
    .map((given) => [`useOnly ${given}`, (world) => world.useOnly(given)]),
  fc
    .constantFrom(undefined, 'slow', 'expired-key', 'slwo')
    .map((given) => [`clear ${given}`, (world) => world.clear(given)]),
  fc
    .constantFrom<unknown[]>(
      ['plants.delete.unknown', '204'],
      ['plants.delete.unknown', '205'],
      [{ 'plants.delete.unknown': '404' }],
      ['plants.delet.unknown', '204'],
    )
    .map((given) => [`assume ${JSON.stringify(given)}`, (world) => world.assume(...given)]),
  fc
    .constantFrom<string | number>('90s', 61_000, '1d', '-1h', 'soon')
    .map((given) => [`advance ${given}`, (world) => world.clock.advance(given)]),
  fc.constant(['set', (world: World) => world.clock.set('2026-05-01T00:00:00Z')]),
  snapshot.map((given) => [`snapshot ${given}`, (world) => world.snapshot(given)]),
  snapshot.map((given) => [`restore ${given}`, (world) => world.restore(given)]),
  fc
    .constantFrom(
      undefined,
      { seed: 7, scenarios: ['slow:ms=1'] },
      { records: { plants: [] } },
      { sed: 1 },
    )
    .map((given) => [
      `reset ${JSON.stringify(given)}`,
      // In process, the world is frozen again as its options say.
      (world) => world.reset(given),
    ]),
  fc
    .tuple(id, name)
    .map(([id, name]) => [
      `create ${id} ${name}`,
      (world) => world.records.plants.create({ id, name, account: 'acct_pro' }),
    ]),
  fc
    .tuple(id, name)
    .map(([id, name]) => [
      `update ${id} ${name}`,
      (world) => world.records.plants.update(id, { name }),
    ]),
  id.map((id) => [`delete ${id}`, (world) => world.records.plants.delete(id)]),
  fc.constant([
    'delete an app with its users',
    async (world: World) =>
      world.records.apps.delete((await world.records.apps.all())[0]?.id ?? 'none'),
  ]),
  fc.constant([
    'replace',
    (world: World) => world.records.plants.replace([{ id: 5, name: 'x', account: 'acct_pro' }]),
  ]),
  fc.constant(['clear the journal', (world: World) => world.journal.clear()]),
  fc.constant([
    'createKey',
    (world: World) => world.createKey({ account: 'acct_lite', scopes: ['plants:read'] }),
  ]),
  fc.constant([
    'createKey of nobody',
    (world: World) => world.createKey({ account: 'acct_nobody' }),
  ]),
  fc.constant([
    'trigger',
    async (world: World) => {
      const made = await world.trigger('message.sent', undefined, { account: 'acct_pro' })
      // A server answers when the deliveries were attempted.
      return made.map(({ id, event_id, type, payload }) => ({ id, event_id, type, payload }))
    },
  ]),
  fc.constant(['trigger nothing', (world: World) => world.trigger('message.snet' as never)]),
  fc.constant(['settled', (world: World) => world.settled()]),
]

const read: readonly fc.Arbitrary<Step>[] = [
  fc
    .constantFrom<object>(
      {},
      { operation: 'plants.list' },
      { operation: 'plants.lits' },
      { status: 401 },
      { limit: 2 },
      { method: 'post', path: '/plants' },
      { path: '/v1/*', limit: 1 },
      { query: { limit: 2 } },
      { query: { limit: expect.any(String) } },
      { headers: { authorization: false } },
      { headers: { authorization: true }, account: 'acct_pro' },
      { body: { name: 'Fern' } },
      { body: { name: expect.stringMatching(/^Sh/) }, limit: 1 },
      { key: 'key_pro' },
      { account: 'acct_porg' },
      { violations: true },
      { opration: 'plants.list' },
    )
    .map((query) => [
      `calls ${JSON.stringify(query)}`,
      async (world) => (await world.journal.calls(query)).map(toComparable),
    ]),
  fc
    .constantFrom<object>(
      {},
      { operation: 'plants.create' },
      { ignore: ['unknown-query'] },
      { ignore: ['unknown'] },
    )
    .map((query) => [
      `violations ${JSON.stringify(query)}`,
      async (world) =>
        (await world.journal.violations(query)).map(({ url, ...rest }: { url: string }) => [
          rest,
          bare(url),
        ]),
    ]),
  id.map((id) => [`get ${id}`, (world) => world.records.plants.get(id)]),
  fc.constant([
    'find',
    (world: World) => world.records.plants.find({ name: (name) => name > 'B' }, { take: 3 }),
  ]),
  fc.constant([
    'find nothing',
    (world: World) => world.records.plants.find({ nmae: 'x' } as never),
  ]),
  fc.constant([
    'count',
    async (w: World) => [
      await w.records.plants.count(),
      await w.records.apps.count({ account: 'acct_pro' }),
    ],
  ]),
  ...(['scenarios', 'active', 'assumptions', 'seed', 'pinned', 'snapshots', 'plantz'] as const).map(
    (name) => fc.constant<Step>([name, (world) => world[name]]),
  ),
  fc.constant([
    'clock',
    async (world: World) => [await world.clock.now(), await world.clock.frozen],
  ]),
  fc.constant(['records.plantz', (world: any) => world.records.plantz]),
  fc.constant(['key', (world: World) => world.key('key_pro')]),
]

const step = fc.oneof(
  { weight: 3, arbitrary: ask },
  { weight: 5, arbitrary: fc.oneof(...change) },
  { weight: 4, arbitrary: fc.oneof(...read) },
)

const bare = (url: string) => url.replace(/^\/~\w+/, '')

function toComparable({ request, response, ms: _, ...entry }: JournalEntry): unknown {
  const { method, url, body } = request
  return {
    ...entry,
    request: { method, url: bare(url), body },
    status: response.status,
    body: response.body,
  }
}

/**
 * What differs in words: in process, messages name the method, and a record is described by its
 * schema.
 */
const saidOtherwise =
  /^(create|update|delete|replace|restore|reset|createKey|trigger|calls \{"account)/

async function outcome([title, run]: Step, world: AnyWorld, send: Send): Promise<unknown> {
  try {
    const value = await run(world, send)
    return JSON.parse(
      JSON.stringify({ value }, (_, part) => (typeof part === 'bigint' ? `${part}n` : part)),
    )
  } catch (error) {
    return saidOtherwise.test(title) ? 'an error' : (error as Error).message
  }
}

test('a history is the same through World and through the client', async () => {
  const options = { seed: 1, now: start, frozen: true }
  const [inProcess, served] = [createGreenhouse(options), createGreenhouse(options)]
  await using server = await serve(served)
  const client = await connect(server.url)
  let count = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const name = `w${count++}`
      const [world, remote] = [inProcess.world(name), client.world(name)]
      const toInit = (method: string, key: string, body: unknown) => ({
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const direct: Send = (method, path, key, body) =>
        inProcess.fetch(
          new Request(`http://greenhouse.test/~${name}${path}`, toInit(method, key, body)),
        )
      const sent: Send = (method, path, key, body) =>
        fetch(remote.plantsUrl + path, toInit(method, key, body))
      for (const step of steps)
        expect([step[0], await outcome(step, remote, sent)]).toEqual([
          step[0],
          await outcome(step, world, direct),
        ])
      const calls = async (one: AnyWorld) => (await one.journal.calls()).map(toComparable)
      expect(await calls(remote)).toEqual(await calls(world))
      expect([await remote.journal.size, await remote.journal.evicted]).toEqual([
        world.journal.size,
        0,
      ])
      expect(await remote.delete()).toBe(true)
    }),
    { numRuns: times(40, 10), seed: 47 },
  )
})
