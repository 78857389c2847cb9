import { expect } from 'vitest'
import { liveOf } from '../../src/api/assembly/live.ts'
import { heapInUse } from '../memory/heap.ts'
import { adapters } from '../support/adapters.ts'
import { testApi } from '../support/test-api.ts'

const using = (scenario: string) => ({ headers: { 'x-greenhouse-scenario': scenario } })

testApi('the header switches a scenario on for one request', async ({ world, call }) => {
  expect((await call('GET', '/v1/apps', using('expired-key'))).status).toBe(401)
  expect((await call('GET', '/v1/apps', using('rate-limited-plan'))).status).toBe(429)
  expect((await call('GET', '/v1/apps', using('server-error'))).status).toBe(500)
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  expect(world.scenarios).toEqual([])
})

testApi('the header carries options', async ({ call }) => {
  expect((await call('GET', '/plants', using('malformed-plant:field=tag;kind=null'))).body[0]).toEqual({
    name: 'Lavandula angustifolia',
    tag: null,
  })
  expect((await call('GET', '/plants', using(' malformed-plant : item = 1 ; kind = missing ; '))).body[1]).toEqual({
    tag: 'herb',
  })
  expect((await call('GET', '/v1/apps', using('rate-limited-plan:plan=free'))).status).toBe(200)
})

testApi('several scenarios are composed with commas, the last one on top', async ({ call }) => {
  const { body } = await call(
    'GET',
    '/plants',
    using('malformed-plant:field=tag,kind=null, malformed-plant:item=1, kind=missing'),
  )
  expect(body.slice(0, 2)).toEqual([{ name: 'Lavandula angustifolia', tag: null }, { tag: 'herb' }])
  expect((await call('GET', '/plants', using('malformed-plant, server-error:on=apps.*'))).body[0].name).toBe(42)
  expect((await call('GET', '/v1/apps', using('malformed-plant, server-error:on=apps.*'))).status).toBe(500)
  expect((await call('GET', '/v1/apps', using(' , ,'))).status).toBe(200)
})

testApi("the header's scenarios are laid over the world's", async ({ world, call }) => {
  world.use('malformed-plant', { field: 'tag', kind: 'null' })
  const { body } = await call('GET', '/plants', using('malformed-plant:item=1'))
  expect(body.slice(0, 2)).toEqual([
    { name: 'Lavandula angustifolia', tag: null },
    { name: 42, tag: 'herb' },
  ])
})

testApi('a scenario that does not exist is a 400 with a suggestion, and nothing happens', async ({ world, call }) => {
  const { status, body } = await call('DELETE', '/plants/101', using('expird-key'))
  expect(status).toBe(400)
  expect(body).toEqual({
    error: {
      code: 'unknown_scenario',
      message: 'Failed to use the scenario "expird-key": there is no such scenario. Did you mean "expired-key"?',
    },
  })
  expect(world.records.plants.get(101)).toBeDefined()
  expect(world.journal.calls()).toEqual([])
})

testApi('a scenario given whole, or its file, is a 400 that says where it goes', async ({ call }) => {
  const whole =
    /there is no such scenario\. Only names are accepted here\. Pass an inline scenario to world\.use\(\) or, as JSON, to PUT .*scenarios; or save it as a file, and name its folder with --scenarios\.$/
  const advice: [given: string, message: RegExp][] = [
    ['{"respond":[{"on":"plants.list","status":500}]}', whole],
    ['[{"name":"slow"}]', whole],
    ['respond: [{ on: plants.list }]', whole],
    [
      './mine/my-outage.yml',
      /Name the folder of the file with --scenarios, .* the scenario's name is then "my-outage"\.$/,
    ],
    ['my-outage.json', /the scenario's name is then "my-outage"\.$/],
    ['./mine/my-outage', /the scenario's name is then "my-outage"\.$/],
    [':ms=5', /^Failed to use the scenario "": there is no such scenario/],
    ['./slow.yaml', /Did you mean "slow"\?$/],
  ]
  for (const [given, message] of advice)
    expect(await call('GET', '/plants', using(given)), given).toMatchObject({
      status: 400,
      body: { error: { code: 'unknown_scenario', message: expect.stringMatching(message) } },
    })
})

testApi('names of prototypes are no scenarios and no options', async ({ call }) => {
  for (const scenario of [
    'constructor',
    '__proto__',
    'toString',
    'server-error:__proto__=x',
    'server-error:constructor=x',
  ])
    expect(await call('GET', '/plants', using(scenario)), scenario).toMatchObject({
      status: 400,
      body: { error: { code: 'unknown_scenario' } },
    })
  expect(({} as Record<string, unknown>)['x']).toBeUndefined()
})

const mistakes: [scenario: string, message: string][] = [
  [
    'malformed-plant:feild=tag',
    'Failed to use "malformed-plant": it has no option "feild", only item, field, kind. Did you mean "field"?',
  ],
  [
    'malformed-plant:kind=wrong',
    'Failed to use "malformed-plant": the option "kind" takes one of "wrong-type", "null", "missing", "empty", "huge", "extra"; "wrong" was given.',
  ],
  ['malformed-plant:item=first', 'the option "item" takes a whole number, 0 or more; "first" was given.'],
  ['malformed-plant:item=1.5', 'the option "item" takes a whole number, 0 or more; "1.5" was given.'],
  ['malformed-plant:item=%20', 'the option "item" takes a whole number, 0 or more; " " was given.'],
  ['malformed-plant:item', 'the option "item" takes a whole number, 0 or more; "true" was given.'],
  [
    'rate-limited-plan:remaining=-1',
    'Failed to use "rate-limited-plan": the option "remaining" takes a whole number of requests, 0 or more; "-1" was given.',
  ],
  [
    'expired-key:after=soon',
    'Failed to use "expired-key": the option "after" takes a duration, such as "90s", "5m" or "1h"; "soon" was given.',
  ],
  [
    'slow:ms=1.5s',
    'Failed to use "slow": the option "ms" takes a whole number of milliseconds, 0 or more; "1.5s" was given.',
  ],
  [
    'flaky:failures=-1',
    'Failed to use "flaky": the option "failures" takes a whole number of requests, 1 or more; "-1" was given.',
  ],
  ['random-failures:probability=2', 'the option "probability" takes a number from 0 to 1; "2" was given.'],
  [
    'clock-skew:by=soon',
    'Failed to use "clock-skew": the option "by" can\'t be "soon": expected a duration, such as "1h" or "-90s"',
  ],
  ['flaky:error=not-found', 'Failed to use "flaky": the option "error" can\'t be "not-found": expected one of'],
  [
    'purchase-declined:account=acct_por',
    'Failed to use "purchase-declined": the option "account" can\'t be "acct_por": there is no account "acct_por". Did you mean "acct_pro"?',
  ],
  [
    'jittery:min-ms=9;max-ms=5',
    'Failed to use "jittery": the options "min-ms" and "max-ms" can\'t be 9 and 5: expected max to be at least min',
  ],
]

for (const [scenario, message] of mistakes)
  testApi(`${scenario} is a 400 that says what is wrong`, async ({ call }) => {
    const { status, body } = await call('GET', '/plants', using(scenario))
    expect(status).toBe(400)
    expect(body.error.message).toContain(message)
  })

testApi('a pattern of many stars in an option is answered', async ({ call }) => {
  expect((await call('GET', '/plants', using(`server-error:on=${'*'.repeat(2_000)}list`))).status).toBe(500)
  expect((await call('GET', '/plants', using(`server-error:on=${'*'.repeat(2_000)}x`))).status).toBe(400)
})

testApi('an option that names no operation is a 400 with a suggestion, for it would never act', async ({ call }) => {
  expect((await call('GET', '/plants', using('server-error:on=plants.lst'))).body.error.message).toBe(
    'Failed to use "server-error": the option "on" can\'t be "plants.lst": no operation is called "plants.lst". Did you mean "plants.list"?',
  )
})

const head = { title: 'T', description: 'D', covers: 'C' }
const answers = (status: number) => ({ own: { ...head, respond: [{ on: 'plants.list', status }] } })

testApi('the same header means the scenario as it is now, after a reload too', {}, async ({ greenhouse, call }) => {
  greenhouse.reload({ scenarios: answers(501) })
  expect((await call('GET', '/plants', using('own'))).status).toBe(501)
  expect((await call('GET', '/plants', using('own'))).status).toBe(501)
  greenhouse.reload({ scenarios: answers(502) })
  expect((await call('GET', '/plants', using('own'))).status).toBe(502)
})

testApi('a header lies over the scenarios and assumptions that the world has now', async ({ world, call }) => {
  const first = async () => (await call('GET', '/plants', using('malformed-plant'))).body[0]
  expect(await first()).toEqual({ name: 42, tag: 'herb' })
  world.use('malformed-plant', { field: 'tag', kind: 'null' })
  expect(await first()).toEqual({ name: 42, tag: null })
  world.clear()
  expect(await first()).toEqual({ name: 42, tag: 'herb' })
  world.assume('plants.list.order', 'newest')
  const newest = (await call('GET', '/plants')).body[0]
  expect(await first()).toEqual({ ...newest, name: 42 })
})

testApi('the count of a header scenario goes on across requests, until a reset', async ({ world, call }) => {
  const fails = async () => (await call('GET', '/v1/apps', using('flaky:failures=2'))).status >= 500
  expect([await fails(), await fails(), await fails()]).toEqual([true, true, false])
  world.snapshot('done')
  world.reset()
  expect([await fails(), await fails(), await fails()]).toEqual([true, true, false])
})

testApi('what a scenario of a header counts goes back with a snapshot', async ({ world, call }) => {
  const fails = async () => (await call('GET', '/v1/apps', using('flaky:failures=2'))).status >= 500
  expect(await fails()).toBe(true)
  world.snapshot('one')
  expect([await fails(), await fails()]).toEqual([true, false])
  world.restore('one')
  expect([await fails(), await fails()]).toEqual([true, false])
})

testApi('a key that a header lets expire expires so long after each request', async ({ world, call }) => {
  world.clock.freeze()
  const status = async () => (await call('GET', '/v1/apps', using('expired-key:after=5m'))).status
  expect(await status()).toBe(200)
  world.clock.advance('10m')
  expect(await status()).toBe(200)
})

testApi(
  'a header that names a wire fault is rejected once a host has no wire',
  {},
  async ({ greenhouse, world }) => {
    const ask = () =>
      greenhouse.fetch(
        new Request('http://any/v1/apps', {
          headers: { authorization: 'Bearer key_pro', ...using('connection-reset:on=plants.list').headers },
        }),
      )
    expect((await ask()).status).toBe(200)
    greenhouse.declareHostWithoutConnections('MSW')
    const refused = await ask()
    expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([
      400,
      'unsupported_fault',
    ])
    expect(world.active).toEqual([])
  },
  adapters.slice(0, 1),
)

testApi('more headers than are kept mean what they say, in as much memory', async ({ world, call }) => {
  const used: number[] = []
  for (let round = 0; round < 3; round++) {
    for (let item = 0; item < 20; item++) {
      const { body } = await call('GET', '/plants?limit=1', using(`malformed-plant:item=${item}`))
      expect(body[0].name === 42).toBe(item === 0)
    }
    world.clear()
    used.push(liveOf(world).memory.used)
  }
  expect(used[2]).toBe(used[1])
})

testApi('a scenario of the world and the same one of a header have two verdicts', async ({ world, call }) => {
  world.use('malformed-plant', { field: 'tag', item: 100_000 })
  await call('GET', '/plants', using('malformed-plant'))
  expect(
    world.journal
      .calls()
      .at(-1)!
      .verdicts!.map(({ fired }) => fired),
  ).toEqual([false, true])
})

const name = (count: number) => Array.from({ length: count }, (_, index) => `slow:ms=${index}`).join(', ')

testApi('a header names at most 32 scenarios: one more is 400, and nothing is done', async ({ call, world }) => {
  const taken = await call('GET', '/v1/apps', {
    headers: { 'X-Greenhouse-Scenario': Array(32).fill('legacy-rate-limit-headers').join(',') },
  })
  expect(taken.status).toBe(200)
  const before = world.records.apps.count()
  const refused = await call('POST', '/v1/apps', {
    body: { name: 'x' },
    headers: { 'X-Greenhouse-Scenario': name(33) },
  })
  expect(refused.status).toBe(400)
  expect(refused.body).toEqual({
    error: { code: 'too_many_scenarios', message: 'Failed to use 33 scenarios: a request can name at most 32.' },
  })
  expect(world.records.apps.count()).toBe(before)
})

testApi(
  '64 header scenarios are remembered; the least recently named one starts over',
  {},
  async ({ call }) => {
    const fails = async (failures: number) =>
      (await call('GET', '/v1/apps', { headers: { 'X-Greenhouse-Scenario': `flaky:failures=${failures}` } })).status >=
      500
    expect(await fails(1)).toBe(true)
    expect(await fails(1)).toBe(false)
    for (let failures = 2; failures < 65; failures++) expect(await fails(failures)).toBe(true)
    expect(await fails(1), 'named between').toBe(false)
    for (let failures = 65; failures < 130; failures++) expect(await fails(failures)).toBe(true)
    expect(await fails(1), 'forgotten').toBe(true)
  },
  adapters.slice(0, 1),
)

testApi(
  'the bound holds when few headers name many scenarios each',
  {},
  async ({ call }) => {
    const status = async (scenarios: string) =>
      (await call('GET', '/v1/apps', { headers: { 'X-Greenhouse-Scenario': scenarios } })).status
    const flaky = 'flaky:failures=1'
    expect([await status(flaky), await status(flaky)]).toEqual([500, 200])
    const many = Array.from({ length: 64 }, (_, index) => `flaky:failures=${index + 2}`)
    for (const named of [many.slice(32), many.slice(0, 32)]) await status(named.join(`,${' '.repeat(20)}`))
    expect([await status(flaky), await status(flaky)]).toEqual([500, 200])
  },
  adapters.slice(0, 1),
)

const own = {
  title: 'Own',
  description: 'It fails once with a text of your own.',
  covers: 'Texts.',
  options: { text: { default: '' } },
  respond: [{ on: 'plants.list', status: 503, body: { text: '${text}' }, times: 1 }],
}

testApi(
  'what headers make a world remember is small, however long they are',
  { scenarios: { own } },
  async ({ call, greenhouse }) => {
    const long = (number: number) =>
      Array.from({ length: 20 }, (_, index) => `own:text=${String(number).padStart(500, 'x')}${index}`).join(',')
    const ask = (number: number) => call('GET', '/plants', { headers: { 'X-Greenhouse-Scenario': long(number) } })
    for (let number = 0; number < 100; number++) expect((await ask(number)).status).toBe(503)
    expect((await ask(99)).status, 'the text is remembered').toBe(200)
    greenhouse.world().journal.clear()
    const before = heapInUse()
    for (let number = 100; number < 400; number++) await ask(number)
    greenhouse.world().journal.clear()
    expect(heapInUse() - before).toBeLessThan(2 ** 20)
  },
  adapters.slice(0, 1),
)
