import { expect, test } from 'vitest'
import { createGreenhouse, type Case, type Greenhouse, type World } from 'greenhouse-mock'
import { replayCase, toCaseText } from 'greenhouse-mock'
import { loadCase } from 'greenhouse-mock/node'
import { defineCollection } from 'greenhouse-mock/config'
import { join } from 'node:path'
import * as z from 'zod'
import { writeFolder } from '../support/folder.ts'
import { toInit } from '../support/test-api.ts'
import { createPlants, open, subscribe } from '../webhooks/open.ts'
import { startReceiver } from '../webhooks/receiver.ts'

const read = (text: string) => loadCase(join(writeFolder({ 'a.case.yaml': text }), 'a.case.yaml'))

async function replay(given: Case) {
  const { greenhouse, differences } = await replayCase(given)
  greenhouse.close()
  return differences
}

const renewal = `
case: 1
title: The payment of a renewal fails on the last day of February
world: support
start:
  now: 2026-02-28T23:59:00Z
  frozen: true
  scenarios: ["rate-limited-plan:remaining=1"]
  records:
    plants: { put: [{ id: 900, name: Fern, account: acct_pro }], remove: [2] }
steps:
  - request: GET /v1/apps
    headers: { authorization: Bearer key_pro }
    reply: { status: 200 }
  - request: GET /v1/apps
    headers: { authorization: Bearer key_pro }
    reply:
      status: 429
      headers: { retry-after: "60" }
      body: { error: { code: rate_limit_exceeded, message: The rate limit of the plan is exceeded., request_id: req_mj4wejwjwpyrbo5k } }
  - clock: { now: 2026-03-01T00:05:00Z }
  - request: GET /plants?limit=100
    headers: { authorization: Bearer key_pro }
    reply: { status: 200 }
`

test('a mistake in a record of a case has its line and column', async () => {
  const given = read(renewal.replace('name: Fern', 'name: Fern, colour: green'))
  await expect(replayCase(given)).rejects.toThrow(
    /a\.case\.yaml:10:\d+: start\.records\.plants\.put\.0\.colour: there is no such field/,
  )
})

test('a case written by hand has a start, requests and expected replies', async () => {
  const given = read(renewal)
  const { greenhouse, world, requests, differences } = await replayCase(given)
  expect([differences, requests, world.name]).toEqual([[], 3, 'support'])
  expect(world.clock.now()).toBe(Date.parse('2026-03-01T00:05:00Z'))
  expect(world.records.plants.get(900)).toMatchObject({ name: 'Fern' })
  expect(world.records.plants.get(2)).toBeUndefined()
  expect(world.journal.calls().map(({ response }) => response.status)).toEqual([200, 429, 200])
  greenhouse.close()
})

test.each([
  ['status: 429', 'status: 503', { field: 'status', expected: '503', actual: '429' }],
  [
    'retry-after: "60"',
    'retry-after: "61"',
    { field: 'headers.retry-after', expected: '61', actual: '60' },
  ],
  [
    'retry-after: "60"',
    'x-none: "1"',
    { field: 'headers.x-none', expected: '1', actual: undefined },
  ],
  [
    'code: rate_limit_exceeded',
    'code: x',
    { field: 'body.error.code', expected: '"x"', actual: '"rate_limit_exceeded"' },
  ],
])('what differs has a name: %s is %s', async (before, after, difference) => {
  expect(await replay(read(renewal.replace(before, after)))).toEqual([
    { step: 2, request: 'GET /v1/apps', ...difference },
  ])
})

test('a case may start with records that refer to deleted ones, as a world can hold them', async () => {
  const schema = z.object({ id: z.string(), plant: z.int() })
  const readings = defineCollection({ name: 'readings', schema, refers: { plant: 'plants' } })
  const fixtures = { extends: 'default', readings: [{ id: 'r1', plant: 1 }] }
  using greenhouse = createGreenhouse({ collections: [readings], fixtures })
  const before = greenhouse.world()
  before.records.plants.delete(1)
  using again = createGreenhouse({ collections: [readings], case: before.toState() })
  expect(again.world().records.plants.get(1)).toBeUndefined()
  const start = { records: { apps: { replace: [] } } }
  const { greenhouse: replayed, world } = await replayCase({ case: 1, start })
  expect([world.records.apps.count(), world.records.users.count() > 0]).toEqual([0, true])
  replayed.close()
})

test('createGreenhouse({ case }) starts every world where the case starts; other options win', () => {
  const given = read(renewal)
  using greenhouse = createGreenhouse({ case: given, seed: 7 })
  for (const name of ['support', 'other']) {
    const world = greenhouse.world(name)
    expect([world.seed, world.scenarios, world.journal.size]).toEqual([7, ['rate-limited-plan'], 0])
    expect(world.records.plants.get(900)).toMatchObject({ name: 'Fern' })
    expect(new Date(world.clock.now()).toISOString()).toMatch(/^2026-02-28T23:59:0/)
  }
  expect(() =>
    createGreenhouse({ case: given, fixtures: { extends: 'default' } as never }),
  ).toThrow(
    'the option "case" says which records worlds start with. Leave out the option "fixtures"',
  )
})

test('ids and secrets after a restart are new ones, and its case is replayed with them', async () => {
  const create = async (greenhouse: Greenhouse) => {
    const init = toInit('POST', { body: { url: 'http://127.0.0.1:9/', events: ['app.created'] } })
    const reply = await greenhouse.fetch(new Request('http://greenhouse.test/v1/webhooks', init))
    const made = (await reply.json()) as { id: string; secret: string }
    greenhouse.world().records.webhooks.delete(made.id)
    return made
  }
  const made: string[] = []
  let state: Case | undefined
  for (let start = 0; start < 3; start++) {
    using greenhouse: Greenhouse = createGreenhouse(state ? { case: state } : {})
    const { id, secret } = await create(greenhouse)
    made.push(id, secret)
    expect(await replay(greenhouse.world().toCase())).toEqual([])
    state = greenhouse.world().toState()
  }
  expect(new Set(made).size).toBe(6)
})

test('a record is put at any place, also as the only one', async () => {
  for (const place of [0, -1, 5]) {
    const record = { id: 900, name: 'Fern', account: 'acct_pro' }
    const { world, greenhouse } = await replayCase({
      case: 1,
      title: 'The only plant',
      start: { records: { plants: { replace: [] } } },
      steps: [{ put: { collection: 'plants', record, place } }],
    } as never)
    expect(world.records.plants.all().map(({ id }) => id)).toEqual([900])
    greenhouse.close()
  }
})

test('replayCase stops before a step, at its time, with a frozen clock', async () => {
  const given = read(renewal)
  given.steps![1]!.at = '2026-02-28T23:59:30Z'
  const { greenhouse, world, requests } = await replayCase(given, { before: 2 })
  expect([requests, world.clock.frozen, world.clock.now()]).toEqual([
    1,
    true,
    Date.parse('2026-02-28T23:59:30Z'),
  ])
  const message = 'Failed to stop before step 99: the case has 4 steps.'
  await expect(replayCase(given, { before: 99 })).rejects.toThrow(message)
  greenhouse.close()
})

test('a saved case is complete: one changed byte in any part of a reply is found by name', async () => {
  using greenhouse = createGreenhouse({ now: '2026-03-01T12:00:30Z', frozen: true })
  const world = greenhouse.world()
  const ask = (path: string) =>
    greenhouse.fetch(new Request(`http://greenhouse.test${path}`, toInit('GET')))
  await ask('/plants?limit=2')
  await ask('/v1/apps?limit=1')
  const text = toCaseText(world.toCase())
  expect(await replay(read(text))).toEqual([])
  for (const [before, after, field] of [
    ['Content-Type: application/json', 'Content-Type: application/JSON', 'headers.Content-Type'],
    [
      'X-RateLimit-Remaining: "299"',
      'X-RateLimit-Remaining: "298"',
      'headers.X-RateLimit-Remaining',
    ],
    ['name: Lavandula angustifolia', 'name: Lavandula angustifoliA', 'body.0.name'],
    ['Date: "Sun', 'X-More: more, Date: "Sun', 'headers.X-More'],
    ['has_more: true', 'has_more: false', 'body.has_more'],
    ['seed: 1', 'seed: 2', 'headers.X-Request-Id'],
  ]) {
    expect(text).toContain(before)
    expect((await replay(read(text.replace(before!, after!))))[0]).toMatchObject({ field })
  }
})

const steps: [step: string, problem: string][] = [
  ['request: /v1/apps', '.request: expected a method and a path, such as "GET /v1/apps?limit=2"'],
  ['at: 2026-01-01T00:00:00Z', ': does nothing: expected one of request, use, '],
  ['use: [slow], clear: true', ': does use and clear: make each a step of its own'],
  ['request: GET /, body: 1, text: x', ': has two bodies: keep one of body, text and bytes'],
  ['clear: true, reply: { status: 200 }', '.reply: belongs to a request: this step has none'],
  [
    'refill: { account: a, window: minut }',
    '.refill.window: expected one of "minute", "day". Did you mean "minute"?',
  ],
  ['clock: { now: noon }', '.clock.now: expected a time such as 2026-01-31T12:00:00Z'],
  ['use: [{ name: ../x }]', '.use.0'],
  ['remove: { collection: __proto__, key: 1 }', '.remove.collection: expected a name'],
  ['request: GET /, headers: { a: "b\\r\\nc: d" }', '.headers.a: expected a value in one line'],
  ['request: GET /, bytes: "*"', '.bytes: expected base64'],
]

test.each([
  ['', 'a.case.yaml:1:1: expected a case, which begins with "case: 1"'],
  ['title: x', 'a.case.yaml:1:1: case: is missing: a case begins with "case: 1"'],
  ['case: 2', 'a.case.yaml:1:1: case: expected 1: this version of Greenhouse reads no other'],
  ['case: 1\nstep: []', 'a.case.yaml:2:1: step: there is no such field. Did you mean "steps"?'],
  [
    'case: 1\nstart: { nwo: x }',
    'a.case.yaml:2:10: start.nwo: there is no such field. Did you mean "now"?',
  ],
  [
    'case: 1\nworld: "x\'.\\n//"',
    'a.case.yaml:2:1: world: expected 1 to 64 of the characters A-Z a-z 0-9 . _ -',
  ],
  [
    'case: 1\nstart: { own_scenarios: { "a b": {} } }',
    'start.own_scenarios.a b: expected the name of a scenario',
  ],
  [
    'case: 1\nstart: { assumptions: { "a\\n::error::": x } }',
    'start.assumptions.a\\n::error::: expected a name',
  ],
  ...steps.map(([step, problem]): [string, string] => [
    `case: 1\nsteps: [{ ${step} }]`,
    `steps.0${problem}`,
  ]),
])('a mistake has its place: %j', (text, message) => {
  expect(() => read(text)).toThrow(message)
})

test.each([
  [
    'steps: [{ use: [slwo] }]',
    'Step 1 of the case can\'t be repeated: .*"slwo".*Did you mean "slow"',
  ],
  [
    'steps: [{ put: { collection: plant, record: {} } }]',
    'There is no collection "plant".*Did you mean "plants"',
  ],
  [
    'steps: [{ answer: { delivery: del_1, status: 200, error: null, response: "", latency: 1 } }]',
    'nothing was sent for the delivery "del_1"',
  ],
  [
    'start: { records: { plants: { remove: [99999] } } }',
    'there is no record "99999" in "plants" to remove',
  ],
  ['steps: [{ remove: { collection: plants, key: 99999 } }]', '"plants" has no record "99999"'],
  ['steps: [{ restore: before }]', 'no such snapshot'],
  ['incomplete: the journal was cleared', "The case can't be replayed: the journal was cleared."],
  ['start: { scenarios: [slwo] }', 'Did you mean "slow"'],
  [
    'start: { assumptions: { plants.delete.unknwon: "204" } }',
    'Did you mean "plants.delete.unknown"',
  ],
  ['start: { records: { plants: { put: [{ id: 1, nam: x }] } } }', 'Did you mean "name"'],
])('a case that cannot be replayed says why: %s', async (text, message) => {
  await expect(replayCase(read(`case: 1\n${text}`))).rejects.toThrow(new RegExp(message))
})

test('each scenario switched on is a step in the case, and a replay sends nothing to receivers', async () => {
  const receiver = await startReceiver()
  const client = open()
  await subscribe(client, receiver.url)
  await createPlants(client, 1)
  await client.world.settled()
  client.world.use('slow')
  client.world.use('expired-key')
  client.world.useOnly(['slow:ms=1'])
  const made = client.world.toCase()
  expect(made.steps!.flatMap((step) => ('use' in step ? [step.use] : []))).toEqual([
    [expect.objectContaining({ name: 'slow' })],
    [expect.objectContaining({ name: 'expired-key' })],
  ])
  expect(made.steps!.at(-1)).toMatchObject({ use_only: [{ name: 'slow', ms: 1 }] })
  expect(receiver.received).toHaveLength(1)
  expect(await replay(made)).toEqual([])
  expect(receiver.received).toHaveLength(1)
})

const lost = 'there was no memory for its changes'

test('short memory drops changes of idle worlds, the least recently used first', () => {
  using greenhouse = createGreenhouse({ memory: 8_000_000 })
  const worlds = ['a', 'b', 'c', 'd'].map((name) => greenhouse.world(name))
  for (const { records } of worlds) records.plants.update(1, { name: 'x'.repeat(1_150_000) })
  expect(worlds.map((world) => world.toCase().incomplete)).toEqual([
    lost,
    lost,
    undefined,
    undefined,
  ])
})

test.each<[string, (world: World, greenhouse: Greenhouse) => unknown]>([
  ['the journal was cleared', (world) => world.journal.clear()],
  ['fixtures or scenarios were read again', (_, greenhouse) => greenhouse.reload({ fixtures: {} })],
  ['a receiver was examined', (world) => world.examine(world.records.webhooks.all()[0]!.id)],
  [
    lost,
    ({ records: { plants } }) => {
      for (const id of [1, 2, 3, 4, 5]) plants.update(id, { name: 'x'.repeat(1_000_000) })
    },
  ],
])('a case says why its history is lost: %s', async (why, lose) => {
  using greenhouse = createGreenhouse({ memory: 8_000_000 })
  const world = greenhouse.world()
  await greenhouse.fetch(new Request('http://greenhouse.test/plants'))
  world.snapshot('kept')
  world.restore('kept')
  expect(world.toCase().incomplete).toBeUndefined()
  await lose(world, greenhouse)
  expect(world.toCase().incomplete).toBe(why)
  world.reset()
  expect(world.toCase().incomplete).toBeUndefined()
})

test('a case has up to 2,000 changes from outside, and one more is too many', () => {
  const { world } = open()
  for (let count = world.toCase().steps?.length ?? 0; count < 2_000; count++) world.clear()
  expect([world.toCase().incomplete, world.toCase().steps!.length]).toEqual([undefined, 2_000])
  world.clear()
  expect(world.toCase().incomplete).toBe('more than 2000 changes were made from outside')
  world.clear()
  expect(world.toCase().steps ?? []).toEqual([])
})

test('a world without requests loses no history as its journal is cleared or files are read', () => {
  using greenhouse = createGreenhouse()
  const world = greenhouse.world()
  world.journal.clear()
  greenhouse.reload({ fixtures: {} })
  world.use('slow')
  expect(world.toCase().incomplete).toBeUndefined()
})

test('a case says that the journal had no room for the first requests', async () => {
  using greenhouse = createGreenhouse({ journal: { entries: 2 } })
  for (let count = 0; count < 5; count++)
    await greenhouse.fetch(new Request('http://greenhouse.test/plants'))
  expect(greenhouse.world().toCase().incomplete).toBe(
    'the journal had no room for the first 3 requests',
  )
})

test('the work to put and remove records grows as their number does', () => {
  const readsOf = (count: number) => {
    let reads = 0
    const remove = Array.from({ length: count }, (_, index) => 1_000 + index)
    const put = remove.map((id) => ({
      get id() {
        reads++
        return id
      },
      name: 'Fern',
      account: 'acct_pro',
    }))
    const start = { records: { plants: { put, remove } } }
    createGreenhouse({
      case: { case: 1, made: { by: 'x', at: '2026-01-01T00:00:00Z' }, start },
    }).close()
    return reads
  }
  expect(readsOf(400)).toBeLessThan(5 * readsOf(100))
})
