import { expect } from 'vitest'
import { statusesOf, testApi, type Client } from '../support/test-api.ts'
import { own, throughCore } from './helpers.ts'

const using = (scenario: string) => ({ headers: { 'x-greenhouse-scenario': scenario } })

testApi('the header switches a scenario on for one request', async ({ world, call }) => {
  const names = ['expired-key', 'rate-limited-plan', 'server-error']
  const asked = names.map((name) => ['GET /v1/apps', using(name)] as const)
  expect(await statusesOf(call, ...asked, 'GET /v1/apps')).toEqual([401, 429, 500, 200])
  expect(world.scenarios).toEqual([])
})

const lavender = { name: 'Lavandula angustifolia', tag: 'herb' }
const plantsWith = async ({ call }: Client, scenarios: string) =>
  (await call('GET', '/plants', using(scenarios))).body

testApi('the header carries options', async (client) => {
  const [plant] = await plantsWith(client, 'malformed-plant:field=tag;kind=null')
  expect(plant).toEqual({ ...lavender, tag: null })
  const [, second] = await plantsWith(client, ' malformed-plant : item = 1 ; kind = missing ; ')
  expect(second).toEqual({ tag: 'herb' })
  expect((await client.call('GET', '/v1/apps', using('rate-limited-plan:plan=free'))).status).toBe(
    200,
  )
})

testApi('several scenarios are composed with commas, the last one on top', async (client) => {
  const { call } = client
  const plants = await plantsWith(
    client,
    'malformed-plant:field=tag,kind=null, malformed-plant:item=1, kind=missing',
  )
  expect(plants.slice(0, 2)).toEqual([{ ...lavender, tag: null }, { tag: 'herb' }])
  const [plant] = await plantsWith(client, 'malformed-plant, server-error:on=apps.*')
  expect(plant.name).toBe(42)
  expect(
    (await call('GET', '/v1/apps', using('malformed-plant, server-error:on=apps.*'))).status,
  ).toBe(500)
  expect((await call('GET', '/v1/apps', using(' , ,'))).status).toBe(200)
})

const unknown = (message: unknown = expect.any(String)) => ({
  status: 400,
  body: { error: { code: 'unknown_scenario', message } },
})

testApi(
  'a scenario that does not exist is a 400 with a suggestion, and nothing happens',
  async ({ world, call }) => {
    expect(await call('DELETE', '/plants/101', using('expird-key'))).toMatchObject(
      unknown(
        'Failed to use the scenario "expird-key": there is no such scenario. Did you mean "expired-key"?',
      ),
    )
    expect(world.records.plants.get(101)).toBeDefined()
    expect(world.journal.calls()).toEqual([])
  },
)

testApi(
  'a scenario given whole, or its file, is a 400 that says where it goes',
  async ({ call }) => {
    const whole =
      /there is no such scenario\. Only names are accepted here\. Name the folder of a file with --scenarios, .*\. Pass an inline scenario to world\.use\(\) or, as JSON, to PUT .*scenarios\.$/
    const advice: [given: string, message: RegExp][] = [
      ['{"respond":[{"on":"plants.list","status":500}]}', whole],
      ['[{"name":"slow"}]', whole],
      ['respond: [{ on: plants.list }]', whole],
      ['./mine/my-outage.yml', whole],
      ['my-outage.json', whole],
      ['./mine/my-outage', whole],
      [':ms=5', /^Failed to use the scenario "": there is no such scenario/],
      ['./slow.yaml', /Did you mean "slow"\?$/],
    ]
    for (const [given, message] of advice)
      expect(await call('GET', '/plants', using(given))).toMatchObject(
        unknown(expect.stringMatching(message)),
      )
  },
)

testApi('names of prototypes are no scenarios and no options', async ({ call }) => {
  for (const name of [
    'constructor',
    '__proto__',
    'toString',
    'server-error:__proto__=x',
    'server-error:constructor=x',
  ])
    expect(await call('GET', '/plants', using(name)), name).toMatchObject(unknown())
  expect(({} as Record<string, unknown>)['x']).toBeUndefined()
})

/** What a value of an option is rejected with, after `Failed to use "…": `. */
const mistakes: [scenario: string, message: string][] = [
  [
    'malformed-plant:feild=tag',
    'feild: there is no such option; expected one of item, field, kind, on, account, key, plan, times. Did you mean "field"?',
  ],
  [
    'malformed-plant:kind=wrong',
    'kind: expected one of "wrong-type", …, "extra", received "wrong". Did …',
  ],
  ['malformed-plant:item=first', 'item: expected a whole number, 0 or more, received "first".'],
  ['malformed-plant:item=1.5', 'item: expected a whole number, 0 or more, received "1.5".'],
  ['malformed-plant:item=%20', 'item: expected a whole number, 0 or more, received " ".'],
  ['malformed-plant:item', 'item: expected a whole number, 0 or more, received "true".'],
  [
    'rate-limited-plan:remaining=-1',
    'remaining: expected a whole number of requests, 0 or more, …',
  ],
  [
    'expired-key:after=soon',
    'after: expected a duration, such as "90s", "5m" or "1h", received "soon".',
  ],
  ['slow:ms=1.5s', 'ms: expected a whole number of milliseconds, 0 or more, received "1.5s".'],
  ['flaky:failures=-1', 'failures: expected a whole number of requests, 1 or more, received "-1".'],
  ['random-failures:probability=2', 'probability: expected a number from 0 to 1, received "2".'],
  ['clock-skew:by=soon', 'by: can\'t be "soon": expected a duration, such as "1h" or "-90s"…'],
  ['flaky:error=not-found', 'error: can\'t be "not-found": expected one of …'],
  [
    'purchase-declined:account=acct_por',
    'account: can\'t be "acct_por": …. Did you mean "acct_pro"?',
  ],
  [
    'jittery:min-ms=9;max-ms=5',
    "min-ms and max-ms: can't be 9 and 5: expected max to be at least min",
  ],
  ['server-error:on=plants.lst', 'on: can\'t be "plants.lst": …. Did you mean "plants.list"?'],
]

for (const [scenario, message] of mistakes)
  testApi(`${scenario} is a 400 with the reason`, async ({ call }) => {
    const { status, body } = await call('GET', '/plants', using(scenario))
    const words = `Failed to use "${scenario.split(':')[0]}": ${message}`.split('…')
    const pattern = words.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')
    expect([status, body.error.message]).toEqual([
      400,
      expect.stringMatching(new RegExp(`^${pattern}$`)),
    ])
  })

testApi('a pattern of many stars in an option is answered', async ({ call }) => {
  expect(
    (await call('GET', '/plants', using(`server-error:on=${'*'.repeat(2_000)}list`))).status,
  ).toBe(500)
  expect(
    (await call('GET', '/plants', using(`server-error:on=${'*'.repeat(2_000)}x`))).status,
  ).toBe(400)
})

const answers = (status: number) => own({ respond: [{ on: 'plants.list', status }] })

testApi(
  'the same header means the scenario as it is now, after a reload too',
  {},
  async ({ greenhouse, call }) => {
    greenhouse.reload({ scenarios: answers(501) })
    expect((await call('GET', '/plants', using('own'))).status).toBe(501)
    expect((await call('GET', '/plants', using('own'))).status).toBe(501)
    greenhouse.reload({ scenarios: answers(502) })
    expect((await call('GET', '/plants', using('own'))).status).toBe(502)
  },
)

testApi(
  'a header lies over the scenarios and assumptions that the world has now',
  async ({ world, call }) => {
    const first = async () => (await call('GET', '/plants', using('malformed-plant'))).body[0]
    expect(await first()).toEqual({ name: 42, tag: 'herb' })
    world.use('malformed-plant', { field: 'tag', kind: 'null' })
    expect(await first()).toEqual({ name: 42, tag: null })
    world.clear()
    expect(await first()).toEqual({ name: 42, tag: 'herb' })
    world.assume('plants.list.order', 'newest')
    const newest = (await call('GET', '/plants')).body[0]
    expect(await first()).toEqual({ ...newest, name: 42 })
  },
)

testApi(
  'a header scenario counts on across requests, in snapshots too, until a reset',
  async ({ world, call }) => {
    const fails = async () =>
      (await call('GET', '/v1/apps', using('flaky:failures=2'))).status >= 500
    world.snapshot('none')
    expect(await fails()).toBe(true)
    world.snapshot('one')
    for (let round = 0; round < 2; round++) {
      expect([await fails(), await fails()]).toEqual([true, false])
      world.restore('one')
    }
    for (const startOver of [() => world.restore('none'), () => world.reset()]) {
      startOver()
      expect([await fails(), await fails(), await fails()]).toEqual([true, true, false])
    }
  },
)

testApi(
  'a key that a header lets expire expires so long after each request',
  async ({ world, call }) => {
    world.clock.freeze()
    const status = async () => (await call('GET', '/v1/apps', using('expired-key:after=5m'))).status
    expect(await status()).toBe(200)
    world.clock.advance('10m')
    expect(await status()).toBe(200)
  },
)

throughCore(
  'a header that names a wire fault is rejected once a host has no wire',
  async (client) => {
    const { greenhouse, world, call } = client
    const ask = () => call('GET', '/v1/apps', using('connection-reset:on=plants.list'))
    expect((await ask()).status).toBe(200)
    greenhouse.declareHostWithoutConnections('MSW')
    expect(await ask()).toMatchObject({
      status: 400,
      body: { error: { code: 'unsupported_fault' } },
    })
    expect(world.active).toEqual([])
  },
)

testApi(
  'more headers than are kept mean what they say, in as much memory',
  async ({ world, call }) => {
    const used: number[] = []
    for (let round = 0; round < 3; round++) {
      for (let item = 0; item < 20; item++) {
        const { body } = await call('GET', '/plants?limit=1', using(`malformed-plant:item=${item}`))
        expect(body[0].name === 42).toBe(item === 0)
      }
      world.clear()
      used.push(world.core.memory.used - world.journal.bytes)
    }
    // The world remembers that it was cleared.
    expect(used[2]).toBeLessThan(used[1]! + 300)
  },
)

testApi(
  'a scenario of the world and the same one of a header have two verdicts',
  async ({ world, call }) => {
    world.use('malformed-plant', { field: 'tag', item: 100_000 })
    await call('GET', '/plants', using('malformed-plant'))
    expect(world.journal.calls()[0]!.verdicts).toMatchObject([{ fired: false }, { fired: true }])
  },
)

testApi(
  'a header names at most 32 scenarios: one more is 400, and nothing is done',
  async ({ call, world }) => {
    const many = using(Array(32).fill('legacy-rate-limit-headers').join(','))
    expect((await call('GET', '/v1/apps', many)).status).toBe(200)
    const before = world.records.apps.count()
    const tooMany = using(Array.from({ length: 33 }, (_, index) => `slow:ms=${index}`).join(', '))
    const { status, body } = await call('POST', '/v1/apps', { body: { name: 'x' }, ...tooMany })
    const message = 'Failed to use 33 scenarios: a request can name at most 32.'
    expect([status, body.error]).toEqual([400, { code: 'too_many_scenarios', message }])
    expect(world.records.apps.count()).toBe(before)
  },
)

throughCore(
  '64 header scenarios are remembered; the least recently named one starts over',
  async ({ call }) => {
    const fails = async (failures: number) =>
      (await call('GET', '/v1/apps', using(`flaky:failures=${failures}`))).status >= 500
    expect([await fails(1), await fails(1)]).toEqual([true, false])
    for (let failures = 2; failures < 65; failures++) expect(await fails(failures)).toBe(true)
    expect(await fails(1), 'named between').toBe(false)
    for (let failures = 65; failures < 130; failures++) expect(await fails(failures)).toBe(true)
    expect(await fails(1), 'forgotten').toBe(true)
  },
)

throughCore('the bound holds when few headers name many scenarios each', async ({ call }) => {
  const flaky = ['GET /v1/apps', using('flaky:failures=1')] as const
  expect(await statusesOf(call, flaky, flaky)).toEqual([500, 200])
  const many = Array.from({ length: 64 }, (_, index) => `flaky:failures=${index + 2}`)
  for (const named of [many.slice(32), many.slice(0, 32)])
    await call('GET', '/v1/apps', using(named.join(`,${' '.repeat(20)}`)))
  expect(await statusesOf(call, flaky, flaky)).toEqual([500, 200])
})
