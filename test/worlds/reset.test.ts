import fc from 'fast-check'
import {
  createGreenhouse,
  type Greenhouse,
  type GreenhouseOptions,
  type World,
} from 'greenhouse-mock'
import { expect, test } from 'vitest'
import { times } from '../support/soak.ts'
import { type CallOptions, createCaller, start } from '../support/test-api.ts'

/** Calls a world of a Greenhouse without a server. */
function callerOf(greenhouse: Greenhouse, world = 'default') {
  return createCaller((path, init) =>
    greenhouse.fetch(new Request(`http://greenhouse.test/~${world}${path}`, init)),
  )
}

/** Stops the clock where tests begin. */
function standStill(world: World): void {
  world.clock.freeze()
  world.clock.set(start)
}

const app = { name: 'probe' }
const requests: [method: string, path: string, options?: CallOptions][] = [
  ['GET', '/plants'],
  ['POST', '/plants', { body: { id: 9_001, name: 'Probe' } }],
  ['POST', '/plants', { body: { id: 101, name: 'Taken' } }],
  ['DELETE', '/plants/102'],
  ['GET', '/plants?limit=3', { key: 'key_free' }],
  ['GET', '/v1/apps?limit=2'],
  ['GET', '/v1/apps?limit=1', { key: 'key_free' }],
  ['POST', '/v1/apps', { body: app, headers: { 'idempotency-key': 'k1' } }],
  ['POST', '/v1/apps', { body: { name: 'other' }, headers: { 'idempotency-key': 'k2' } }],
  ['POST', '/v1/apps', { body: app, key: 'key_free' }],
  ['PATCH', '/v1/apps/app_w33c4cwmhfyfktiv', { body: { name: 'renamed' } }],
  ['DELETE', '/v1/apps/app_wfr4wqydlhx43ree'],
  ['GET', '/v1/apps', { key: 'key_expired' }],
  ['GET', '/v1/apps', { key: 'key_readonly' }],
  ['GET', '/v1/apps', { headers: { 'x-greenhouse-scenario': 'rate-limited-plan' } }],
  ['GET', '/v1/nothing'],
  ['GET', '/plant', { key: null }],
  ['GET', '/v1/apps', { key: 'key_lite' }],
]

/** All that can be seen of a world, and all that it answers to a fixed history; it writes. */
async function probe(greenhouse: Greenhouse, world: World) {
  const before = look(world)
  const call = callerOf(greenhouse, world.name)
  const replies: unknown[] = []
  const send = async (method: string, path: string, options?: CallOptions) => {
    const { status, headers, text } = await call(method, path, options)
    replies.push({ method, path, status, headers: [...headers], text })
    return text
  }
  for (const request of requests) await send(...request)
  const created = JSON.parse(await send('POST', '/v1/apps', { body: app }))
  await send('GET', `/v1/apps/${created.id}`)
  world.clock.advance('1m')
  await send('GET', '/v1/apps?limit=1')
  return {
    before,
    replies,
    after: look(world),
    journal: world.journal.calls().map(({ ms: _ms, ...entry }) => entry),
  }
}

/** Returns the visible state of a world. */
function look(world: World) {
  const { clock, records, scenarios, assumptions, snapshots, seed } = world
  const { accounts, keys, plants, apps } = records
  return {
    now: clock.now(),
    frozen: clock.frozen,
    records: [accounts.all(), keys.all(), plants.all(), apps.all()],
    scenarios: [...scenarios],
    assumptions,
    snapshots: [...snapshots],
    seed,
  }
}

interface Happening {
  title: string
  run(world: World, call: ReturnType<typeof callerOf>, greenhouse: Greenhouse): unknown
}

const key = fc.constantFrom('key_free', 'key_lite', 'key_pro', 'key_pro_plus')
const id = fc.oneof(
  fc.integer({ min: 1, max: 12 }),
  fc.integer({ min: 101, max: 113 }),
  fc.integer({ min: 9_000, max: 9_003 }),
)
const name = fc.constantFrom('a', 'b', 'probe', 'ünïcode')
const clockMove = fc.constantFrom('1s', '-1s', '45s', '-90s', '1h', '25h', '-1d', '40d')

const choices: Readonly<Record<string, readonly string[]>> = {
  'rate-limit.window': ['calendar', 'sliding', 'first-request'],
  'rate-limit.scope': ['account', 'key'],
  'rate-limit.rejected': ['free', 'counted'],
  'plants.rate-limits': ['off', 'on'],
  'plants.body.includes-id': ['no', 'yes'],
  'plants.delete.unknown': ['404', '204'],
  'plants.create.duplicate-id': ['400', 'replace'],
  'plants.list.order': ['created', 'newest', 'id'],
}

const happen = (title: string, run: Happening['run']): Happening => ({ title, run })

const removeAfter = (world: World, ms: number) =>
  world.clock.schedule(world.clock.now() + ms, () => void world.records.plants.delete(101))
const restore = (world: World, name: string) =>
  world.snapshots.includes(name) && world.restore(name)

const others: Readonly<Record<string, Happening['run']>> = {
  freeze: (world) => world.clock.freeze(),
  run: (world) => world.clock.run(),
  'due work in 30s': (world) => removeAfter(world, 30_000),
  'due work in 2h': (world) => removeAfter(world, 7_200_000),
  'use rate-limited-plan': (world) => world.use('rate-limited-plan', { remaining: 3 }),
  'use expired-key': (world) => world.use('expired-key'),
  'use server-error': (world) => world.use('server-error'),
  'use malformed-plant': (world) => world.use('malformed-plant'),
  clear: (world) => world.clear(),
  'snapshot one': (world) => world.snapshot('one'),
  'snapshot two': (world) => world.snapshot('two'),
  'restore one': (world) => restore(world, 'one'),
  'restore two': (world) => restore(world, 'two'),
  'acct_free goes lite': (world) => world.records.accounts.update('acct_free', { plan: 'lite' }),
  'acct_free goes pro': (world) => world.records.accounts.update('acct_free', { plan: 'pro' }),
  'revoke key_lite': (world) => world.records.keys.update('key_lite', { revoked: true }),
  'replace the plants': (world) =>
    world.records.plants.replace([{ id: 1, name: 'only', account: 'acct_pro' }]),
  'clear the journal': (world) => world.journal.clear(),
}

const happenings: fc.Arbitrary<Happening>[] = [
  fc
    .tuple(key, id, name)
    .map(([key, id, name]) =>
      happen(`create plant ${id} by ${key}`, (_, call) =>
        call('POST', '/plants', { key, body: { id, name } }),
      ),
    ),
  fc
    .tuple(key, id)
    .map(([key, id]) =>
      happen(`delete plant ${id} by ${key}`, (_, call) => call('DELETE', `/plants/${id}`, { key })),
    ),
  fc
    .tuple(
      key,
      fc.constantFrom(
        '/plants',
        '/plants?limit=3',
        '/v1/apps',
        '/v1/apps?limit=1',
        '/v1/unknown',
        '/plant',
      ),
    )
    .map(([key, path]) => happen(`GET ${path} by ${key}`, (_, call) => call('GET', path, { key }))),
  fc.tuple(key, name, fc.constantFrom(undefined, 'k1', 'k2')).map(([key, name, once]) =>
    happen(`create app ${name} by ${key}, ${once}`, (_, call) =>
      call('POST', '/v1/apps', {
        key,
        body: { name },
        headers: once === undefined ? {} : { 'idempotency-key': once },
      }),
    ),
  ),
  fc
    .tuple(fc.nat(30), name)
    .map(([index, name]) =>
      happen(`rename app ${index}`, (world, call) =>
        call('PATCH', `/v1/apps/${pick(world, index)}`, { body: { name } }),
      ),
    ),
  fc
    .nat(30)
    .map((index) =>
      happen(`delete app ${index}`, (world, call) =>
        call('DELETE', `/v1/apps/${pick(world, index)}`),
      ),
    ),
  fc.tuple(key, fc.integer({ min: 20, max: 70 })).map(([key, count]) =>
    happen(`spend ${count} of ${key}`, async (_, call) => {
      for (let sent = 0; sent < count; sent++) await call('GET', '/v1/apps?limit=1', { key })
    }),
  ),
  clockMove.map((by) => happen(`clock ${by}`, (world) => world.clock.advance(by))),
  ...Object.entries(others).map(([title, run]) => fc.constant(happen(title, run))),
  fc
    .constantFrom(...Object.keys(choices))
    .chain((id) =>
      fc
        .constantFrom(...choices[id]!)
        .map((value) => happen(`assume ${id}=${value}`, (world) => world.assume({ [id]: value }))),
    ),
  fc
    .integer({ min: 2, max: 9 })
    .map((seed) =>
      happen(`reset to the seed ${seed}`, (world) =>
        world.reset({ seed, now: '2030-01-01T00:00:00Z', scenarios: ['server-error'] }),
      ),
    ),
]

const history = fc.array(fc.oneof(...happenings), { minLength: 1, maxLength: 30, size: 'max' })

async function live(
  greenhouse: Greenhouse,
  world: World,
  happenings: readonly Happening[],
): Promise<void> {
  const call = callerOf(greenhouse, world.name)
  for (const happening of happenings) await happening.run(world, call, greenhouse)
}

function pick(world: World, index: number): string {
  const apps = world.records.apps.all()
  return apps[index % apps.length]?.id ?? 'app_none'
}

const options = fc.record<GreenhouseOptions>({
  now: fc.constant(start),
  seed: fc.constantFrom(1, 2),
  use: fc.constantFrom([], [{ name: 'rate-limited-plan', remaining: 3 }]),
  assumptions: fc.constantFrom<Record<string, string>>(
    {},
    { 'plants.body.includes-id': 'yes', 'rate-limit.reset-unit': 'iso-8601' },
  ),
})

test.each([
  ['reset', 150, 10],
  ['deleted', 40, 5],
] as const)(
  'after any history, a %s world answers byte for byte like one that was never used',
  async (way, full, usual) => {
    await fc.assert(
      fc.asyncProperty(
        options,
        fc.constantFrom('default', 'checkout'),
        history,
        async (options, name, happenings) => {
          const used = createGreenhouse(options)
          await live(used, used.world(name), happenings)
          used.world(name).snapshot('before')
          if (way === 'reset') used.world(name).reset()
          else expect(used.deleteWorld(name)).toBe(true)
          const fresh = createGreenhouse(options)
          for (const greenhouse of [used, fresh]) standStill(greenhouse.world(name))
          expect(await probe(used, used.world(name))).toEqual(await probe(fresh, fresh.world(name)))
        },
      ),
      { seed: 20_260_302, numRuns: times(full, usual) },
    )
  },
)

test('after any history, a restored world answers byte for byte as it did at the snapshot', async () => {
  await fc.assert(
    fc.asyncProperty(options, history, history, async (options, before, after) => {
      const greenhouse = createGreenhouse(options)
      const world = greenhouse.world()
      await live(greenhouse, world, before)
      standStill(world)
      world.snapshot('kept')
      const answers = async () => {
        world.journal.clear()
        const { journal, ...seen } = await probe(greenhouse, world)
        return { ...seen, journal: journal.map(({ id: _id, ...entry }) => entry) }
      }
      const expected = await answers()
      await live(
        greenhouse,
        world,
        after.filter(({ title }) => !/^(reset|snapshot)/.test(title)),
      )
      world.restore('kept')
      expect(await answers()).toEqual(expected)
    }),
    { seed: 20_260_302, numRuns: times(100, 6) },
  )
})

test('a reset of one world leaves the others as they are', async () => {
  const greenhouse = createGreenhouse({ now: start })
  for (const name of ['a', 'b'])
    await callerOf(greenhouse, name)('POST', '/plants', { body: { id: 9_001, name: 'Kept' } })
  greenhouse.world('a').reset()
  expect(greenhouse.world('a').records.plants.get(9_001)).toBeUndefined()
  expect(greenhouse.world('b').records.plants.get(9_001)).toMatchObject({ name: 'Kept' })
  expect(greenhouse.world('b').journal.calls()).toHaveLength(1)
})
