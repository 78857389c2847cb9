import { expect as playwrightExpect } from '@playwright/test'
import { describe, expect, test } from 'vitest'
import type { GreenhouseOptions } from 'greenhouse-mock'
import { greenhouseMatchers } from 'greenhouse-mock/matchers'
import { open } from '../support/test-api.ts'
import { expect as withMatchers } from 'greenhouse-mock/playwright'

expect.extend(greenhouseMatchers)

function start(options: GreenhouseOptions = {}) {
  const { call, ...client } = open(options)
  const send = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => call(method, path, { body, headers })
  return { ...client, call: send }
}

const playwright = playwrightExpect.extend(greenhouseMatchers)

/** The same matchers with both `expect`s. */
const expects: [name: string, extended: (world: unknown) => any][] = [
  ['Vitest', (world) => expect(world)],
  ['Playwright', (world) => playwright(world)],
]

describe.each(expects)('expect of %s', (_, extended) => {
  test('requests match by operation, method and path, body, headers, query and status', async () => {
    const { world, call } = start()
    await call('POST', '/plants', '{"id":9007199254740995,"name":"Fern","tag":"x"}', {
      'X-Trace': 'a',
    })
    await call('GET', '/v1/apps?limit=3')
    await call('GET', '/v1/apps/app_1')
    extended(world).toHaveReceived('plants.create')
    extended(world.journal).toHaveReceived('plants.create')
    extended(world).toHaveReceived('plants.create', {
      body: { id: 9007199254740995n },
      headers: { 'x-trace': 'a' },
    })
    extended(world).toHaveReceived('plants.create', {
      times: 1,
      status: 200,
      body: { name: expect.any(String) },
    })
    extended(world).toHaveReceived({ operation: 'apps.list', query: { limit: 3 }, key: 'key_pro' })
    extended(world).toHaveReceived('apps.list', { account: 'acct_pro' })
    extended(world).not.toHaveReceived('apps.list', { account: 'acct_free' })
    expect(() => extended(world).toHaveReceived('apps.list', { account: 'acct_free' })).toThrow(
      'account: expected acct_free, got acct_pro',
    )
    expect(() => extended(world).toHaveReceived('apps.list', { account: 'acct_fre' })).toThrow(
      'there is no account "acct_fre". Did you mean "acct_free"?',
    )
    for (const key of ['key_fre', 'key_fre@default'])
      expect(() => extended(world).not.toHaveReceived('apps.list', { key })).toThrow(
        'Failed to call toHaveReceived(): the world "default" has no such key. Did you mean "key_free"? It has key_free,',
      )
    extended(world).not.toHaveReceived({ key: 'key_free' })
    await call('GET', '/plants', undefined, { authorization: 'Bearer key_fre' })
    extended(world).toHaveReceived('plants.list', { key: 'key_fre' })
    extended(world).toHaveReceived({ method: 'GET', path: '/v1/apps/*' })
    extended(world).toHaveReceived({ path: '/v1/**', times: 2 })
    extended(world).toHaveReceived({ path: '/v1/**', times: { min: 1, max: 2 } })
    extended(world).toHaveReceived({ path: '/v1/**', times: { max: 2 } })
    extended(world).toHaveReceived('apps.delete', { times: 0 })
    extended(world).not.toHaveReceived('apps.delete')
    extended(world).not.toHaveReceived('plants.create', { times: 2 })
    extended(world).not.toHaveReceived('plants.create', { times: { min: 2 } })
    extended(world).not.toHaveReceived('plants.create', { body: { id: 9007199254740996n } })
    for (const query of ['limit=3', 'limit=4&limit=5']) await call('GET', `/v1/apps?${query}`)
    expect(() => extended(world).toHaveReceived({ query: { order: 'asc', limit: 3 } })).toThrow(
      'query order: expected "asc", got none',
    )
    expect(() => extended(world).toHaveReceived({ query: { limit: 9 } })).toThrow(
      /query limit: expected 9, got \["4","5"\][^]*query limit: expected 9, got "3"/,
    )
  })

  test('requests in an order, with others between them', async () => {
    const { world, call } = start()
    await call('GET', '/v1/apps')
    await call('GET', '/plants')
    await call('POST', '/v1/apps', { name: 'Shop' })
    await call('GET', '/v1/apps')
    extended(world).toHaveReceivedInOrder(['apps.list', 'apps.create', 'apps.list'])
    extended(world).toHaveReceivedInOrder(['apps.list', { method: 'POST', body: { name: 'Shop' } }])
    extended(world).not.toHaveReceivedInOrder(['apps.create', 'plants.list'])
    extended(world).not.toHaveReceivedInOrder(['apps.list', 'apps.list', 'apps.list'])
    expect(() =>
      extended(world).toHaveReceivedInOrder(['apps.list', 'apps.create', 'plants.list']),
    ).toThrow(
      [
        'Expected the world to receive these requests in this order:',
        '',
        '  1. apps.list  #1',
        '  2. apps.create  #3',
        '  3. plants.list',
        '',
        'Request 3, plants.list, did not arrive after #3.',
        'It came only earlier: #2.',
      ].join('\n'),
    )
    expect(() => extended(world).not.toHaveReceivedInOrder(['apps.list', 'plants.list'])).toThrow(
      'Expected the world not to receive these requests in this order, but it did:\n\n  1. apps.list  #1\n  2. plants.list  #2',
    )
  })

  test('nothing at all was received', async () => {
    const { world, call } = start()
    extended(world).toHaveReceivedNothing()
    expect(() => extended(world).not.toHaveReceivedNothing()).toThrow(
      'Expected the world to receive a request, but it received none.',
    )
    await call('GET', '/plants?limit=1')
    extended(world).not.toHaveReceivedNothing()
    expect(() => extended(world).toHaveReceivedNothing()).toThrow(
      'Expected the world to receive nothing, but it received a request:\n\n  #1 GET /plants?limit=1  plants.list → 200',
    )
  })

  test('a filter of what follows from a request shows what the nearest one has', async () => {
    const { world, call } = start()
    await call('GET', '/plants?limit=1')
    expect(() => extended(world).toHaveReceived({ errors: true })).toThrow(
      'errors: expected true, got false',
    )
    expect(() => extended(world).toHaveReceived({ violations: true })).toThrow(
      'violations: expected true, got false',
    )
    expect(() => extended(world).toHaveReceived({ search: 'fern' })).toThrow(
      'search: expected "fern", got "get /plants?limit=1 200 plants.list"',
    )
  })

  test('a failure shows names, statuses and paths without quotes', async () => {
    const { world, call } = start()
    await call('GET', '/plants')
    for (const [query, difference] of [
      [{ operation: 'apps.list' }, 'operation: expected apps.list, got plants.list'],
      [{ operation: false }, 'operation: expected none, got plants.list'],
      [{ method: 'PUT' }, 'method: expected PUT, got GET'],
      [{ path: '/v1/apps' }, 'path: expected /v1/apps, got /plants'],
      [{ status: '5xx' }, 'status: expected 5xx, got 200'],
      [{ account: 'acct_free' }, 'account: expected acct_free, got acct_pro'],
    ] as const)
      expect(() => extended(world).toHaveReceived(query)).toThrow(`    ${difference}`)
  })

  test('a failure shows the three requests that come nearest, the newest first', async () => {
    const { world, call } = start()
    for (const target of ['DELETE /plants/1', 'GET /v1/apps', 'POST /plants', 'GET /plants'])
      await call(...(target.split(' ') as [string, string]))
    for (const path of ['/plants?limit=1', '/plants?limit=2']) await call('GET', path)
    let message = ''
    try {
      extended(world).toHaveReceived('plants.list', { query: { limit: 9 } })
    } catch (error) {
      message = (error as Error).message
    }
    expect(message).toContain('The nearest of 6 other requests:')
    expect([...message.matchAll(/^ {2}#(\d)/gm)].map(([, id]) => id)).toEqual(['6', '5', '4'])
    extended(world).toHaveReceived('plants.list', { times: 3 })
    expect(() => extended(world).toHaveReceived('apps.list', { query: { limit: 9 } })).toThrow(
      /The nearest of 6 other requests:\n {2}#2 GET \/v1\/apps/,
    )
  })

  test('a failure names at most eight differences of a request, or only those that decide', async () => {
    const { world, call } = start()
    const names = ['a/b', 'c~d', ...'efghijk']
    await call('POST', '/plants', Object.fromEntries(names.map((name) => [name, 1])))
    const told = (query: object) => {
      try {
        extended(world).toHaveReceived(query)
      } catch (error) {
        const lines = (error as Error).message.split('\n')
        return lines.flatMap(
          (line) =>
            / {4}((?:body|method|status|query|operation|path|and) ?.*)/.exec(line)?.[1] ?? [],
        )
      }
      return []
    }
    const wanted = (count: number) => ({
      body: Object.fromEntries(names.slice(0, count).map((name) => [name, 2])),
    })
    const differences = ['a~1b', 'c~0d', ...'efghijk'].map(
      (name) => `body/${name}: expected 2, got 1`,
    )
    expect(told(wanted(8))).toEqual(differences.slice(0, 8))
    expect(told(wanted(9))).toEqual([...differences.slice(0, 8), 'and 1 more'])
    expect(told({ ...wanted(9), method: 'PUT' })).toEqual(['method: expected PUT, got POST'])
    expect(told({ ...wanted(1), status: 500, query: { a: 1 } })).toEqual([
      'status: expected 500, got 400',
      'query a: expected 1, got none',
      differences[0],
    ])
    expect(told({ ...wanted(1), path: '/v1', operation: 'apps.list' })).toEqual([
      'operation: expected apps.list, got plants.create',
      'path: expected /v1, got /plants',
    ])
  })

  test('a failure says that a request without a key has no account', async () => {
    const { world, call } = open({})
    await call('GET', '/plants', { key: null })
    expect(() => extended(world).toHaveReceived({ account: 'acct_free' })).toThrow(
      '    account: expected acct_free, got none',
    )
  })

  test('a failure says that an empty body is none', async () => {
    const { world, call } = start()
    await call('POST', '/plants', '')
    expect(() => extended(world).toHaveReceived({ body: 'a' })).toThrow(
      '    body: expected "a", got nothing',
    )
  })

  test('an asymmetric matcher of another library is shown by its name', async () => {
    const { world, call } = start()
    await call('GET', '/plants')
    const even = {
      asymmetricMatch: (value: unknown) => Number(value) % 2 === 0,
      toString: () => 'Even',
    }
    expect(() => extended(world).toHaveReceived('plants.list', { query: { limit: even } })).toThrow(
      '"limit":Even',
    )
    const nameless = {
      asymmetricMatch: () => false,
      toString() {
        throw new Error('no name')
      },
    }
    const starting = { ...even, toString: () => 'Starting', sample: 'a' }
    const typed = { ...even, toString: () => 'Typed', sample: Number }
    expect(() =>
      extended(world).toHaveReceived('plants.list', {
        query: { limit: nameless, order: starting, tag: typed },
      }),
    ).toThrow('{"limit":an asymmetric matcher,"order":Starting "a","tag":Typed}')
  })

  test('a failure says whether a value was expected or none', async () => {
    const { world, call } = start()
    await call('GET', '/plants', undefined, { 'X-Trace': 'a' })
    expect(() =>
      extended(world).toHaveReceived('plants.list', { headers: { 'X-Trace': false, 'X-B': true } }),
    ).toThrow(/header X-Trace: expected none, got "a"\s+header X-B: expected any, got none/)
  })

  test('a failure shows what was expected, how often it came, and how the nearest requests differ', async () => {
    const { world, call } = start()
    await call('GET', '/v1/nothing')
    await call('POST', '/plants', { id: 1007, name: 'Ferm', tag: 'fern' }, { 'X-Trace': 'b' })
    await call('POST', '/plants', { id: 1008, name: 'Moss', tag: 'moss' })
    expect(() =>
      extended(world).toHaveReceived('plants.create', {
        times: 1,
        status: 201,
        headers: { 'X-Trace': 'a' },
        body: { name: 'Fern', tag: 'fern', sizes: [1], none: null, made: expect.any(Number) },
      }),
    ).toThrow(
      [
        'Expected the world to receive plants.create with {"status":201,"headers":{"X-Trace":"a"},"body":{"name":"Fern","tag":"fern","sizes":[1],"none":null,"made":Any<Number>}} exactly once, but it did not.',
        '',
        'The other requests:',
        '  #2 POST /plants  plants.create → 200',
        '    status: expected 201, got 200',
        '    header X-Trace: expected "a", got "b"',
        '    body/name: expected "Fern", got "Ferm"',
        '    body/sizes: expected [1], got nothing',
        '    body/none: expected null, got nothing',
        '    body/made: expected Any<Number>, got nothing',
        '  #3 POST /plants  plants.create → 200',
        '    status: expected 201, got 200',
        '    header X-Trace: expected "a", got none',
        '    body/name: expected "Fern", got "Moss"',
        '    body/tag: expected "fern", got "moss"',
        '    body/sizes: expected [1], got nothing',
        '    body/none: expected null, got nothing',
        '    body/made: expected Any<Number>, got nothing',
        '  #1 GET /v1/nothing  (no operation) → 404',
        '    operation: expected plants.create, got no operation',
      ].join('\n'),
    )
  })

  test('unexpected requests are shown', async () => {
    const { world, call } = start()
    for (let count = 0; count < 5; count++) await call('GET', `/plants?limit=${count}`)
    const shown = [0, 1, 2]
      .map((id) => `  #${id + 1} GET /plants?limit=${id}  plants.list → 200`)
      .join('\n')
    expect(() => extended(world).toHaveReceived('plants.list', { times: { max: 2 } })).toThrow(
      `Expected the world to receive plants.list at most 2 times, but it did so 5 times.\n\n${shown}\n  … and 2 more`,
    )
    expect(() => extended(world).not.toHaveReceived({ path: '/plants' })).toThrow(
      `Expected the world not to receive a request with {"path":"/plants"}, but it did so 5 times.\n\n${shown}`,
    )
    expect(() =>
      extended(world).toHaveReceived('plants.list', { times: { min: 6, max: 9 } }),
    ).toThrow('Expected the world to receive plants.list 6 to 9 times, but it did so 5 times.')
  })

  test('a failed match of no requests says so', () => {
    const { world } = start()
    expect(() => extended(world).toHaveReceived('plants.create')).toThrow(
      'Expected the world to receive plants.create at least once, but it did not.\nThe world received no requests.',
    )
  })

  test('it waits for a request with poll', async () => {
    const { world, call } = start()
    const poll = _ === 'Vitest' ? expect.poll : playwright.poll
    setTimeout(() => void call('GET', '/plants'), 30)
    await (poll(() => world) as any).toHaveReceived('plants.list', { times: 1 })
    await (poll(() => world) as any).not.toHaveReceived('plants.create')
    await expect(
      (poll(() => world, { timeout: 60 }) as any).toHaveReceived('plants.create'),
    ).rejects.toThrow('plants.create at least once')
  })
})

test("Playwright's toPass waits for a request too", async () => {
  const { world, call } = start()
  setTimeout(() => void call('GET', '/plants'), 30)
  await playwright(async () => playwright(world).toHaveReceived('plants.list')).toPass({
    timeout: 10_000,
  })
})

test('a matcher without a world is a clear error, with .not too', () => {
  const { greenhouse } = start()
  for (const [wrong, told] of [
    [undefined, 'undefined was given'],
    ['default', '"default" was given'],
    [{}, '{} was given'],
    [greenhouse, 'a Greenhouse, which has many worlds, was given'],
    [Promise.resolve(), 'a promise was given'],
    [{ journal: {} }, '{"journal":{}} was given'],
    [new Map(), 'an object of the class "Map" was given'],
  ] as const)
    for (const act of [
      () => expect(wrong).toHaveReceived('plants.list'),
      () => expect(wrong).not.toHaveReceived('plants.list'),
      () => expect(wrong).toHaveReceivedNothing(),
      () => expect(wrong).toHaveNoViolations(),
      () => expect(wrong).not.toHaveNoViolations(),
      () => expect(wrong).not.toHaveReceivedInOrder(['plants.list']),
    ])
      expect(act).toThrow(
        new RegExp(
          `^Failed to call toHave(?:Received|NoViolations)\\w*\\(\\): expect\\(\\) takes a world or its journal, .*${told.replace(/[{}]/g, '\\$&')}`,
        ),
      )
})

test('a slip is an error, with .not too', () => {
  const { world } = start()
  const wrong: [given: unknown[], message: string][] = [
    [
      ['plants.craete'],
      'Failed to call toHaveReceived(): there is no operation "plants.craete". Did you mean "plants.create"?',
    ],
    [
      ['plants.create', { tims: 1 }],
      'tims: there is no such option; expected one of times, operation, status, errors, violations, scenario, search, method, path, headers, query, body, key, account. Did you mean "times"?',
    ],
    [['plants.create', { limit: 1 }], 'limit: there is no such option. Did you mean "times"?'],
    [
      ['plants.create', { times: -1 }],
      'times: expected a whole number, 0 or more, or { min, max }, received -1.',
    ],
    [['plants.create', { times: { least: 1 } }], 'times: expected'],
    [['plants.create', { times: { min: 3, max: 2 } }], 'times: expected'],
    [['plants.create', { times: {} }], 'times: expected'],
    [['plants.create', 1], 'the second argument: expected an object'],
    [['plants.create', { operation: 'plants.list' }], 'the operation is named twice'],
    [[{ path: '/plants' }, { times: 1 }], 'an object as the first argument allows no second one'],
    [[], 'the first argument is missing: expected the id of an operation'],
    [[{ path: 'plants' }], 'Did you mean "/plants"?'],
    [[{ body: { name: /x/ } }], 'expected JSON, or a matcher'],
  ]
  for (const [given, message] of wrong) {
    const matchers = (isNot: boolean) => (isNot ? expect(world).not : expect(world)) as any
    for (const isNot of [false, true])
      expect(() => matchers(isNot).toHaveReceived(...given), JSON.stringify(given)).toThrow(message)
  }
  const inOrder = (given: unknown) => () => expect(world).toHaveReceivedInOrder(given as never)
  expect(inOrder([])).toThrow('expected a list of 1 to 100 requests')
  expect(inOrder('apps.list')).toThrow('expected a list of 1 to 100 requests')
  expect(inOrder([{ operation: 'apps.list', times: 2 }])).toThrow('times: there is no such option')
  expect(inOrder(['aps.list'])).toThrow('Did you mean "apps.list"?')
})

test('a match is not denied after entries were dropped', async () => {
  const { world, call } = start({ journal: { entries: 2 } })
  for (let count = 0; count < 4; count++) await call('GET', '/plants')
  const told = "The journal can't tell whether this was ever called"
  expect(world).toHaveReceived('plants.list')
  expect(world).toHaveReceived('plants.list', { times: { min: 2 } })
  expect(world).not.toHaveReceived('apps.list')
  expect(() => expect(world).toHaveReceived('plants.list', { times: 2 })).toThrow(told)
  expect(() => expect(world).toHaveReceived('plants.list', { times: 4 })).toThrow(told)
  expect(() => expect(world).not.toHaveReceived({ path: '/v1/apps' })).toThrow(told)
  expect(() =>
    expect(world).toHaveReceivedInOrder(['plants.list', 'plants.list', 'plants.list']),
  ).toThrow(told)
  expect(world).not.toHaveReceivedNothing()
  expect(() => expect(world).toHaveReceived('plants.list', { times: { max: 1 } })).toThrow(
    'it did so 2 times',
  )
})

test('a match on a body too large to keep is an error', async () => {
  const { world, call } = start()
  await call('POST', '/plants', { name: 'x'.repeat(70_000) })
  expect(world).toHaveReceived('plants.create', { times: 1 })
  expect(() => expect(world).toHaveReceived('plants.create', { body: { tag: 'x' } })).toThrow(
    'the request 1 was too large to be kept in full',
  )
  expect(() => expect(world).not.toHaveReceived('plants.create', { body: { tag: 'x' } })).toThrow(
    'too large to be kept in full',
  )
})

test('a message shows no secret and stays short, whatever was sent and expected', async () => {
  const { world, call } = start()
  const secret = 'sk_live_abcdefghijklmnopqrstuvwx'
  await call(
    'POST',
    '/plants',
    { name: 'x'.repeat(5_000), token: secret },
    { 'X-Api-Key': secret, authorization: `Bearer ${secret}` },
  )
  const { secret: key } = await world.createKey({ account: 'acct_pro' })
  const message = catching(() =>
    expect(world).toHaveReceived('plants.create', {
      headers: { 'X-Api-Key': `${secret}2`, authorization: `Bearer ${secret}3` },
      body: {
        name: 'y'.repeat(5_000),
        token: `${secret}4`,
        list: Array.from({ length: 500 }, (__, place) => place),
      },
      key,
    }),
  )
  for (const hidden of [secret, key]) expect(message).not.toContain(hidden)
  expect(message).toMatch(/header X-Api-Key: expected "fp_\w+", got "fp_\w+"/)
  expect(message.length).toBeLessThan(3_000)
  const many = catching(() =>
    expect(world).toHaveReceived('plants.create', {
      body: Object.fromEntries(Array.from({ length: 100 }, (__, n) => [`f${n}`, n])),
    }),
  )
  expect(many).toMatch(/and 12 more$/)
})

function catching(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('Nothing was thrown.')
}

expect.extend(greenhouseMatchers)

async function ask(path: string, { call, world } = open()) {
  await call('GET', path)
  return world
}

test('its message shows what a request hides in the direction of text', async () => {
  const world = await ask('/v1/apps?a%E2%80%AEb=1')
  expect(() => expect(world).toHaveNoViolations()).toThrow(/^(?=[^]*unknown-query)[^\u202e]*$/)
})

test('it fails where one does, and names the request, the rule and what may have been meant', async () => {
  const world = await ask('/v1/apps?limt=3&api_key=key_free')
  expect(world).not.toHaveNoViolations()
  expect(() => expect(world).toHaveNoViolations()).toThrow(
    /^Expected no request to break the contract:\n\n {2}GET \/v1\/apps\?limt=3&api_key=fp_\w+ {2}apps\.list\n {4}key-in-url: .*\n.*\n {4}unknown-query: "limt" is not a query parameter of this operation\. Did you mean "limit"\?$/,
  )
})

test('the first 20 of many violations are shown', async () => {
  const client = open()
  for (let limit = 0; limit < 30; limit++) await ask(`/plants?limt=${limit}`, client)
  expect(() => expect(client.world).toHaveNoViolations()).toThrow(/… and 10 more$/)
})

test('a failure names each part in which the nearest request differs, and what was asked for', async () => {
  const { call, world } = open()
  await call('PATCH', '/v1/apps/app_1', { body: { settings: { colour: 'red' } } })
  const message = (expected: object) => {
    try {
      expect(world).toHaveReceived({ path: '/v1/apps/app_1', ...expected } as never)
    } catch (error) {
      return String(error)
    }
    return ''
  }
  expect(message({ method: 'POST' })).toMatch(/^ {4}method: expected POST, got PATCH$/m)
  const byMethod = message({ method: 'POST', status: 200 })
  expect(byMethod, 'nothing else of a request with another method').not.toMatch(/^ {4}status/m)
  expect(message({ status: 200 })).toMatch(/^ {4}status: expected 200, got 4\d\d$/m)
  expect(message({ account: 'acct_free' })).toMatch(
    /^ {4}account: expected acct_free, got acct_pro$/m,
  )
  expect(message({ key: 'key_free' })).toMatch(/^ {4}key: expected "fp_\w+", got "fp_\w+"$/m)
  expect(message({ body: { settings: { colour: 'blue' } } })).toMatch(
    /^ {4}body\/settings\/colour: expected "blue", got "red"$/m,
  )
  expect(message({ body: { settings: { colour: 'token=blue' } } })).toMatch(
    /^ {4}body\/settings\/colour: expected "token=blue", got "red"$/m,
  )
})

test.each<[whose: string, extended: (world: unknown) => any]>([
  ["Vitest's expect", expect],
  ['the expect of greenhouse-mock/playwright', withMatchers],
  [
    "Playwright's expect, extended with greenhouseMatchers,",
    playwrightExpect.extend(greenhouseMatchers),
  ],
])('%s has toHaveNoViolations', async (_, extended) => {
  const clean = await ask('/v1/apps?limit=3')
  const broken = await ask('/v1/apps?limt=3::4')
  for (const received of [clean, clean.journal]) extended(received).toHaveNoViolations()
  extended(broken).not.toHaveNoViolations()
  extended(broken).toHaveNoViolations({ ignore: ['unknown-query'] })
  extended(broken).toHaveNoViolations({ operation: 'apps.create' })
  extended(broken).not.toHaveNoViolations({ ignore: ['missing-key'] })
  expect(() => extended(broken).toHaveNoViolations()).toThrow(
    'Expected no request to break the contract:\n\n  GET /v1/apps?limt=3::4  apps.list\n    unknown-query: "limt" is not a query parameter of this operation. Did you mean "limit"?',
  )
  expect(() => extended(clean).not.toHaveNoViolations()).toThrow(
    'Expected a request to break the contract, but none does.',
  )
})
