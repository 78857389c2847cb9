import { expect, onTestFinished, test, vi } from 'vitest'
import {
  createGreenhouse,
  type MalformationKind,
  type ScenarioName,
  type World,
} from 'greenhouse-mock'
import {
  collectEvidence,
  coverageOf,
  mergeEvidence,
  readEvidence,
  type RuleGrade,
} from 'greenhouse-mock/evidence'
import { adapters } from '../support/adapters.ts'
import { giveCredits, startConversation } from '../conversations/chat.ts'
import { open, type OwnClient, testApi, toInit } from '../support/test-api.ts'
import { soaks, times } from '../support/soak.ts'
import { requests } from '../malformations/requests.ts'
import { toSent } from '../coverage/ways.ts'

type Client = (client: OwnClient) => Promise<unknown>

const reads: Client = ({ call }) => call('GET', '/plants')

const readsBoth: Client = async ({ call }) => {
  await call('GET', '/plants')
  await call('GET', '/v1/apps')
}

/** Tries again as long as the reply is an error, after these waits on the world's clock. */
const tries =
  (waits: readonly string[], method = 'GET', path = '/plants', options = {}): Client =>
  async ({ call, world }) => {
    await call(method, path, options).catch(() => undefined)
    for (const wait of waits) {
      world.clock.advance(wait)
      await call(method, path, options).catch(() => undefined)
    }
  }

const using =
  (use: (client: OwnClient) => void, behave: Client): Client =>
  (client) => {
    use(client)
    return behave(client)
  }

const failing = (behave: Client) => using(({ world }) => world.use('server-error'), behave)
const limited = (behave: Client) => using(({ world }) => world.use('rate-limited-plan'), behave)
const extended =
  (kind: MalformationKind) =>
  ({ world }: OwnClient) =>
    world.use('malformed-reply', { on: 'plants.list', at: '/0/name', kind })
const app = { body: { name: 'fern' } }
const withKey = (key: string) => ({ ...app, headers: { 'idempotency-key': key } })
const lostWrite = (behave: Client) =>
  using(({ world }) => world.use('server-error', { on: 'apps.create' }), behave)

const pages: Client = async ({ call }) => {
  let { body } = await call('GET', '/v1/apps?limit=1')
  while (body.has_more)
    ({ body } = await call('GET', `/v1/apps?limit=1&cursor=${body.next_cursor}`))
}

/** Reads, then whatever follows: three times without a scenario, and once with it. */
const goesOn =
  (kind: MalformationKind, isStopped: boolean): Client =>
  async (client) => {
    const { call, greenhouse } = client
    for (let count = 0; count < 3; count++) await readsBoth(client)
    extended(kind)(client)
    await call('GET', '/plants')
    if (!isStopped) await call('GET', '/v1/apps')
    expect(greenhouse.worlds()).toEqual(['default'])
  }

async function stream(client: OwnClient): Promise<Response> {
  giveCredits(client, 10)
  const { path } = await startConversation(client)
  return client.send(
    `${path}/messages`,
    toInit('POST', { body: { content: 'Hello', stream: true } }),
  )
}

const atOnce =
  (count: number): Client =>
  ({ call, world }) => {
    world.use('slow', { ms: 300 })
    return Promise.all(Array.from({ length: count }, () => call('GET', '/plants')))
  }

interface Rule {
  rule: string
  keeps: Client
  breaks: Client
  message: RegExp
  /** By default, who sends nothing. */
  never?: Client
}

const rules: readonly Rule[] = [
  {
    rule: 'retry-after-honoured',
    keeps: limited(tries(['60s'])),
    breaks: limited(tries(['59s'])),
    message: /^waited 59 s, not 60 s$/,
    never: failing(tries(['1s'])),
  },
  {
    rule: 'backs-off',
    keeps: failing(tries(['1s', '2s', '4s'])),
    breaks: failing(tries(Array(119).fill('1s'))),
    message: /^tried 120 times, always 1000 ms apart$/,
    never: failing(tries(['1s'])),
  },
  {
    rule: 'gives-up',
    keeps: failing(tries(Array(9).fill('1s'))),
    breaks: failing(tries(Array(10).fill('1s'))),
    message: /^tried more than 10 times$/,
    never: failing(reads),
  },
  {
    rule: 'no-retry-of-4xx',
    keeps: using(({ world }) => world.use('forbidden'), reads),
    breaks: using(({ world }) => world.use('forbidden'), tries(['1s'])),
    message: /^repeated after a 403$/,
  },
  {
    rule: 'stops-on-bad-key',
    keeps: using(({ world }) => world.use('expired-key'), reads),
    breaks: using(({ world }) => world.use('expired-key'), readsBoth),
    message: /^sent another request with the key$/,
  },
  {
    rule: 'unsafe-retry-has-key',
    keeps: lostWrite(tries(['1s'], 'POST', '/v1/apps', withKey('one'))),
    breaks: lostWrite(tries(['1s'], 'POST', '/v1/apps', app)),
    message: /^repeated without an Idempotency-Key$/,
    never: lostWrite(tries([], 'POST', '/v1/apps', app)),
  },
  {
    rule: 'key-never-in-url',
    keeps: reads,
    breaks: ({ call }) => call('GET', '/v1/apps?api_key=key_pro'),
    message: /api_key/,
    never: ({ call }) => call('GET', '/plants', { key: null }),
  },
  {
    rule: 'follows-pagination',
    keeps: pages,
    breaks: ({ call }) => call('GET', '/v1/apps?limit=1'),
    message: /^has_more was true/,
  },
  {
    rule: 'ignores-unknown-fields',
    keeps: goesOn('extra', false),
    breaks: goesOn('extra', true),
    message: /^asked for nothing more; after 3 other replies of plants.list it always did$/,
    never: using(extended('extra'), reads),
  },
  {
    rule: 'survives-null',
    keeps: goesOn('null', false),
    breaks: goesOn('null', true),
    message: /^asked for nothing more/,
    never: goesOn('extra', true),
  },
  {
    rule: 'no-stampede',
    keeps: atOnce(10),
    breaks: atOnce(11),
    message: /^11 equal reads at once$/,
  },
  {
    rule: 'releases-streams',
    keeps: async (client) => (await stream(client)).text(),
    breaks: async (client) => {
      client.world.use('stream-stalls')
      const { body } = await stream(client)
      onTestFinished(() => void body!.cancel().catch(() => undefined))
    },
    message: /^left a stream open$/,
    never: reads,
  },
  {
    rule: 'contract',
    keeps: reads,
    breaks: ({ call }) => call('GET', '/plants?limt=3'),
    message: /^unknown-query: .*Did you mean "limit"\?$/,
  },
]

/** At full size through hosts, too, whose streams end in other ways. */
const among = adapters.filter(({ name }) =>
  soaks ? ['msw', 'node server'].includes(name) : name === 'core',
)

for (const { rule, keeps, breaks, message, never = async () => undefined } of rules) {
  const find = async (behave: Client, client: OwnClient): Promise<RuleGrade> => {
    const collector = collectEvidence(client.greenhouse)
    await behave(client)
    // The journal knows of the end of a reply a moment after its client.
    await expect
      .poll(() => readEvidence([client.world]).card.requests)
      .toBe(client.world.journal.size)
    if (rule !== 'releases-streams')
      await expect
        .poll(() => client.world.journal.calls().some(({ pending }) => pending))
        .toBe(false)
    const ofJournal = readEvidence([client.world]).card.rules
    expect(collector.end().card.rules).toEqual(ofJournal)
    return ofJournal.find((one) => one.rule === rule)!
  }
  const cases: [title: string, behave: Client, expected: object][] = [
    [
      'passes a client that keeps it',
      keeps,
      { result: 'passed', failed: 0, examples: [{ requests: expect.any(Array) }] },
    ],
    [
      'fails a client that breaks it, and shows the requests',
      breaks,
      { result: 'failed', failed: 1, examples: [{ message: expect.stringMatching(message) }] },
    ],
    [
      'says nothing of a client that never meets it',
      never,
      { result: 'not exercised', examples: [] },
    ],
  ]
  for (const [title, behave, expected] of cases)
    testApi(
      `${rule}: ${title}`,
      {},
      async (client) => {
        const found = await find(behave, client)
        expect(found).toMatchObject(expected)
        const ids = client.world.journal.calls().map(({ id }) => id)
        if (behave === breaks) expect(ids).toContain(found.examples[0]!.requests.at(-1)!.entry)
      },
      among,
    )
}

test('findings of several processes are added up', async () => {
  const collect = async (path: string) => {
    using greenhouse = createGreenhouse()
    const collector = collectEvidence(greenhouse)
    await greenhouse.fetch(new Request(`http://greenhouse.test${path}`, toInit('GET')))
    return collector.end()
  }
  const all = [await collect('/plants'), await collect('/plants?limt=1'), await collect('/v1/apps')]
  const { card, cells } = mergeEvidence(JSON.parse(JSON.stringify(all)))
  expect(card.requests).toBe(3)
  expect(card.rules.find(({ rule }) => rule === 'contract')).toMatchObject({
    result: 'failed',
    passed: 2,
    failed: 1,
  })
  expect(cells).toEqual({ 'plants.list/200': 2, 'apps.list/200': 1 })
  expect(mergeEvidence([]).card.rules.every(({ result }) => result === 'not exercised')).toBe(true)
})

const lists = (path: string, world: string) =>
  new Request(`http://greenhouse.test/~${world}/v1/apps?limit=1${path}`, toInit('GET'))

/** Reads a first page, and the next one if it is a client that pages. */
async function collectPages(worlds: Readonly<Record<string, boolean>>) {
  using greenhouse = createGreenhouse()
  const collector = collectEvidence(greenhouse)
  for (const [world, isPaging] of Object.entries(worlds)) {
    const { next_cursor } = await (await greenhouse.fetch(lists('', world))).json()
    if (isPaging) await greenhouse.fetch(lists(`&cursor=${next_cursor}`, world))
  }
  return collector.end()
}

test.each([
  ['in another world', () => collectPages({ one: false, two: true, three: false }), 'passed', 0],
  [
    'in another process',
    async () =>
      mergeEvidence([await collectPages({ one: false }), await collectPages({ two: true })]),
    'passed',
    0,
  ],
  [
    'nowhere',
    async () =>
      mergeEvidence([
        await collectPages({ one: false, two: false }),
        await collectPages({ one: false }),
      ]),
    'failed',
    1,
  ],
])('a client that reads the next page %s', async (_, collect, result, failed) => {
  const { card } = await collect()
  expect(card.rules.find(({ rule }) => rule === 'follows-pagination')).toMatchObject({
    result,
    failed,
  })
})

test('a malformed reply in one world does not accuse the client in another one', async () => {
  using greenhouse = createGreenhouse()
  const collector = collectEvidence(greenhouse)
  const ask = (path: string) =>
    greenhouse.fetch(new Request(`http://greenhouse.test/~${path}`, toInit('GET')))
  for (const path of ['plants', 'v1/apps', 'plants', 'v1/apps']) await ask(`one/${path}`)
  greenhouse.world('one').use('malformed-reply', { on: 'plants.list', at: '/0/name', kind: 'null' })
  await ask('one/plants')
  const found = () => collector.end().card.rules.find(({ rule }) => rule === 'survives-null')
  await ask('two/plants')
  expect(found()).toMatchObject({ result: 'not exercised', failed: 0 })
})

/**
 * How long after each reply the client comes again, on the world's clock, and by how much of that
 * it was only late.
 */
test.each([
  [[1000, 1000], [0, 0], 'failed'],
  [[1000, 1000, 1000], [0, 240, 10], 'failed'],
  [[1000, 1000, 1000], [240, 0, 120], 'failed'],
  [[200, 400, 800], [0, 0, 0], 'passed'],
  [[1000, 2000, 4000], [240, 0, 0], 'passed'],
  // A busy machine makes these equal, and would make those grow.
  [[50, 100, 200], [240, 200, 100], 'not exercised'],
  [[100, 100, 100], [0, 60, 240], 'not exercised'],
  [[700, 350, 800], [0, 0, 0], 'not exercised'],
])('waits of %j ms, late by %j ms: backs-off %s', async (waits, late, result) => {
  const { greenhouse, world } = open({ now: '2026-03-01T12:00:00Z', frozen: true })
  const { bigint } = process.hrtime
  let passed = 0
  const machine = vi
    .spyOn(process.hrtime, 'bigint')
    .mockImplementation(() => bigint() + BigInt(passed * 1e6))
  onTestFinished(() => machine.mockRestore())
  world.use('server-error')
  const ask = async () =>
    (await greenhouse.fetch(new Request('http://greenhouse.test/plants', toInit('GET')))).text()
  await ask()
  for (const [at, wait] of waits.entries()) {
    world.clock.advance(wait + late[at]!)
    passed += late[at]!
    await ask()
  }
  expect(readEvidence([world]).card.rules.find(({ rule }) => rule === 'backs-off')).toMatchObject({
    result,
  })
})

test('collectEvidence refuses a wrong argument', () => {
  using greenhouse = createGreenhouse()
  expect(() => mergeEvidence([{}] as never)).toThrow(
    'Failed to call mergeEvidence(): the first argument',
  )
  expect(() => readEvidence(greenhouse.world() as never)).toThrow(
    'a list of worlds, such as [greenhouse.world()]',
  )
})

test.each([{ 'retry-after': '60' }, { 'Retry-After': 'Sun, 01 Mar 2026 12:01:00 GMT' }] as Record<
  string,
  string
>[])('Retry-After is read in every form: %j', async (headers) => {
  for (const [wait, result] of Object.entries({ '59s': 'failed', '60s': 'passed' })) {
    const { call, world } = open({ now: '2026-03-01T12:00:00Z' })
    world.use({ respond: [{ status: 503, headers }] })
    await call('GET', '/plants')
    world.clock.advance(wait)
    await call('GET', '/plants')
    const { rules } = readEvidence([world]).card
    expect(rules.find(({ rule }) => rule === 'retry-after-honoured')).toMatchObject({ result })
  }
})

test('every world counts, also beyond the number that is followed at a time', async () => {
  using greenhouse = createGreenhouse({ scenarios: {} })
  const collector = collectEvidence(greenhouse)
  for (let count = 0; count < 250; count++)
    for (const path of ['/plants', '/plants/nothing', '/plants/nothing'])
      await greenhouse.fetch(new Request(`http://greenhouse.test/~w${count}${path}`, toInit('GET')))
  const { requests, rules } = collector.end().card
  expect(requests).toBe(750)
  expect(rules.find(({ rule }) => rule === 'no-retry-of-4xx')).toMatchObject({
    failed: 250,
    passed: 0,
  })
})

const headers = { authorization: 'Bearer key_pro' }
const served = createGreenhouse()

async function cellsOf(operation: string, arrange: (world: World) => void = () => undefined) {
  const { call, greenhouse, world } = open()
  const [method, path, options] = await toSent(requests[operation]!, call, world)
  const collector = collectEvidence(greenhouse)
  arrange(world)
  const answered = call(method, path, options).catch(() => undefined)
  // Skips the delay of the scenario slow.
  await Promise.resolve().then(() => world.clock.advance('10s'))
  await answered
  return collector.end()
}

test('each test that is proposed adds exactly the cells that it promises', async () => {
  let evidence = mergeEvidence(
    await Promise.all(Object.keys(requests).map((operation) => cellsOf(operation))),
  )
  let coverage = coverageOf(evidence, served)
  expect(Object.keys(requests).length).toBeGreaterThan(40)
  expect(coverage.next).toHaveLength(3)
  for (let round = 0; coverage.next.length > 0 && round < times(1_000, 2); round++) {
    const promised = coverage.next.flatMap(({ adds }) => adds)
    const added = await Promise.all(
      coverage.next.map(({ operation, scenario }) =>
        cellsOf(operation, (world) => world.use(scenario as ScenarioName)),
      ),
    )
    evidence = mergeEvidence([evidence, ...added])
    const after = coverageOf(evidence, served)
    const isNew = (cell: string) => coverage.counts[cell] === 0 && after.counts[cell]! > 0
    expect(Object.keys(after.counts).filter(isNew).sort()).toEqual(promised.sort())
    expect(after.seen).toBe(coverage.seen + promised.length)
    coverage = after
  }
  expect(coverage.counts).toMatchObject({
    'plants.list/401': expect.any(Number),
    'apps.get/broken-body': expect.any(Number),
  })
})

test('faults of deliveries are cells of their events', async () => {
  using greenhouse = createGreenhouse()
  const world = greenhouse.world()
  const collector = collectEvidence(greenhouse)
  const counts = () => coverageOf(readEvidence([world]), served).counts
  expect(counts()).toMatchObject({
    'message.sent/lost': 0,
    'message.sent/late': 0,
    'scenario/webhook-lost': 0,
  })
  world.use('webhook-lost')
  await world.trigger('message.sent')
  expect(counts()).toMatchObject({
    'message.sent/lost': 1,
    'message.sent/late': 0,
    'scenario/webhook-lost': 1,
  })
  expect(collector.end().cells).toMatchObject({
    'message.sent/lost': 1,
    'scenario/webhook-lost': 1,
  })
})

test('cells can be left out, by name or glob, and a misspelt one is refused', async () => {
  using greenhouse = createGreenhouse()
  await greenhouse.fetch(new Request('http://greenhouse.test/plants', { headers }))
  const evidence = readEvidence([greenhouse.world()])
  const all = coverageOf(evidence, served)
  const plants = coverageOf(evidence, served, ['scenario/*', '*/broken-*', 'plants.list/429'])
  expect(plants).toMatchObject({ seen: 1, counts: { 'plants.list/200': 1 } })
  expect(plants.cells).toBeLessThan(all.cells)
  expect(
    Object.keys(plants.counts).filter((cell) => /^scenario|broken|plants.list.429/.test(cell)),
  ).toEqual([])
  expect(() => coverageOf(evidence, served, ['plants.lst/429'])).toThrow(
    'Did you mean "plants.list/429"?',
  )
})

test('without requests the coverage is 0, and the first tests are suggested', () => {
  const { seen, percent, next } = coverageOf(mergeEvidence([]), served)
  expect([seen, percent, next.length]).toEqual([0, 0, 3])
  expect(next[0]).toMatchObject({
    lines: { vitest: "world.use('expired-key')", http: 'X-Greenhouse-Scenario: expired-key' },
  })
  const ofScenarios = coverageOf(mergeEvidence([]), served, [], ['scenario/*'])
  expect(ofScenarios.next).toEqual([])
})

test('cells are the statuses under the assumptions in force', async () => {
  const seen = async (unknown: '404' | '204') => {
    using greenhouse = createGreenhouse({ assumptions: { 'plants.delete.unknown': unknown } })
    const collector = collectEvidence(greenhouse)
    await greenhouse.fetch(
      new Request('http://greenhouse.test/plants/424242', { method: 'DELETE', headers }),
    )
    const { counts } = coverageOf(collector.end(), greenhouse)
    expect(Object.keys(counts).filter((cell) => cell.endsWith('NaN'))).toEqual([])
    return Object.keys(counts).filter(
      (cell) => cell.startsWith('plants.delete/') && counts[cell] === 1,
    )
  }
  expect(await seen('404')).toEqual(['plants.delete/404', 'plants.delete/validation'])
  expect(await seen('204')).toEqual(['plants.delete/204'])
})
