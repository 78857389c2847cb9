import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { open, testApi } from '../support/test-api.ts'
import type { AsymmetricMatcher } from '../../src/core/contract/expected.ts'
import { showExpected } from '../../src/core/journal/request-query.ts'
import { readTypedQuery } from '../../src/core/journal/typed-query.ts'

const ids = (entries: readonly { id: number }[]) => entries.map(({ id }) => id)

testApi(
  'entries are found by operation, by status, by both, and by limit',
  async ({ world, call }) => {
    await call('GET', '/plants')
    await call('DELETE', '/plants/101')
    await call('DELETE', '/plants/101')
    await call('GET', '/plants')
    await call('GET', '/v1/nothing')
    const { journal } = world
    expect(ids(journal.calls())).toEqual([1, 2, 3, 4, 5])
    expect(ids(journal.calls({ operation: 'apps.list' }))).toEqual([])
    expect(ids(journal.calls({ operation: 'plants.list', status: 500 }))).toEqual([])
    expect(ids(journal.calls({ operation: 'plants.list' }))).toEqual([1, 4])
    expect(ids(journal.calls({ operation: 'plants.delete' }))).toEqual([2, 3])
    expect(ids(journal.calls({ status: 404 }))).toEqual([3, 5])
    expect(ids(journal.calls({ operation: 'plants.delete', status: 404 }))).toEqual([3])
    expect(ids(journal.calls({ limit: 2 }))).toEqual([4, 5])
    expect(ids(journal.calls({ operation: 'plants.list', limit: 1 }))).toEqual([4])
    expect(ids(journal.calls({ limit: 0 }))).toEqual([])
    expect(ids(journal.calls({ limit: 100 }))).toEqual([1, 2, 3, 4, 5])
  },
)

/** Questions in code that people type elsewhere: `status=4xx`, `key=*`, `scenario=null`. */
const asTyped: [query: object, found: number[]][] = [
  [{ status: '2xx' }, [1, 3]],
  [{ status: '4XX', errors: true }, [2, 4]],
  [{ errors: false }, [1, 3]],
  [{ scenario: 'slow' }, [3]],
  [{ scenario: true }, [3]],
  [{ scenario: false }, [1, 2, 4]],
  [{ operation: true }, [1, 3, 4]],
  [{ operation: false }, [2]],
  [{ key: true }, [1, 2, 3]],
  [{ key: false }, [4]],
  [{ account: false }, [4]],
  [{ account: true, search: ' PLANTS  200' }, [1, 3]],
  [{ search: 'plants 404' }, []],
]

testApi('code asks what people type', async ({ world, call }) => {
  await call('GET', '/plants')
  await call('GET', '/v1/appz')
  await call('GET', '/plants', { headers: { 'x-greenhouse-scenario': 'slow:ms=1' } })
  await call('GET', '/plants', { key: null })
  for (const [query, found] of asTyped)
    expect([query, ids(world.journal.calls(query))]).toEqual([query, found])
})

testApi('errors begin at 400, and a request without a reply is one', async ({ world, call }) => {
  for (const status of [399, 400]) {
    world.useOnly([{ respond: [{ on: 'plants.list', status }] }])
    await call('GET', '/plants')
  }
  world.useOnly(['network-error'])
  await call('GET', '/plants').catch(() => undefined)
  expect(ids(world.journal.calls({ errors: true }))).toEqual([2, 3])
  expect(ids(world.journal.calls({ status: '3xx' }))).toEqual([1])
  expect(ids(world.journal.calls({ status: 0 }))).toEqual([3])
})

test('a line that a person types becomes a query', () => {
  const asked: [typed: Record<string, string>, query: object][] = [
    [{}, {}],
    [
      { status: '404', errors: 'true' },
      { status: 404, errors: true },
    ],
    [
      { status: '4xx', errors: 'false' },
      { status: '4xx', errors: false },
    ],
    [
      { status: 'x4', search: '5', key: '*' },
      { status: 'x4', search: '5', key: true },
    ],
    [
      { 'header.x-a': 'b', 'header.x-b': '*', headers: 'c' },
      { headers: { 'x-a': 'b', 'x-b': true } },
    ],
    [{ 'query.limit': 'null', 'a.query.': 'b' }, { query: { limit: false } }],
  ]
  for (const [typed, query] of asked) expect(readTypedQuery(typed)).toEqual(query)
  const { body } = readTypedQuery({ 'body.owner.name': 'Ada' }) as { body: AsymmetricMatcher }
  const owners = [{ owner: { name: 'Ada' } }, { owner: { name: 'Bob' } }, 'Ada']
  expect(owners.map((one) => body.asymmetricMatch(one))).toEqual([true, false, false])
})

testApi('a status that is asked for is 0 or begins at 100', async ({ world, call }) => {
  await call('GET', '/plants')
  expect(world.journal.calls({ status: 0 })).toEqual([])
  expect(world.journal.calls({ status: 100 })).toEqual([])
  for (const status of [1, 99])
    expect(() => world.journal.calls({ status })).toThrow(
      `from 100 to 599, or 0 for a request that got no reply, received ${status}.`,
    )
})

testApi(
  'entries are asked for by method, path, header, query parameter, body and key',
  async ({ world, call }) => {
    await call('GET', '/plants?limit=3&tag=a&tag=b')
    await call('POST', '/plants', { body: '{"id":9007199254740995,"name":"Fern","tag":"fern"}' })
    await call('GET', '/v1/apps', { headers: { 'X-Request-Name': 'first' } })
    await call('GET', '/v1/apps/app_1', { key: 'key_free' })
    await call('POST', '/v1/apps/app_1/deployments', {
      body: { domains: ['a.test', 'b.test'], site: { name: 'S', n: 1 } },
    })
    await call('GET', '/plants', { key: null })
    const asked = (query: Parameters<typeof world.journal.calls>[0]) =>
      ids(world.journal.calls(query))
    expect(asked({ method: 'post' })).toEqual([2, 5])
    expect(asked({ method: 'propfind' })).toEqual([])
    expect(asked({ path: '/plants' })).toEqual([1, 2, 6])
    expect(asked({ path: '/v1/apps/*' })).toEqual([4])
    expect(asked({ path: '/v1/apps/{app_id}' })).toEqual([4])
    expect(asked({ path: '/v1/apps/:id/deployments' })).toEqual([5])
    expect(asked({ path: '/v1/apps/app_*' })).toEqual([4])
    expect(asked({ path: '/v1/**' })).toEqual([3, 4, 5])
    expect(asked({ path: '/v1/apps/**' })).toEqual([3, 4, 5])
    expect(asked({ path: '/**/deployments' })).toEqual([5])
    expect(asked({ path: '/v1/apps/app' })).toEqual([])
    expect(asked({ path: '/**/plants' })).toEqual([1, 2, 6])
    expect(asked({ path: '/v1/x{app_id}' })).toEqual([])
    expect(asked({ path: '/v1/x:app_id' })).toEqual([])
    expect(
      asked({ headers: { 'x-request-name': 'first', 'x-other': undefined as never } }),
    ).toEqual([3])
    expect(asked({ path: '/**'.repeat(20) })).toHaveLength(6)
    expect(asked({ path: '/x'.repeat(21) })).toEqual([])
    expect(asked({ path: `/${'x'.repeat(999)}` })).toEqual([])
    expect(asked({ headers: { 'x-request-name': 'first' } })).toEqual([3])
    expect(asked({ headers: { 'X-REQUEST-NAME': true } })).toEqual([3])
    expect(asked({ headers: { 'X-Request-Name': expect.stringContaining('ir') } })).toEqual([3])
    expect(asked({ headers: { Authorization: false } })).toEqual([6])
    expect(asked({ headers: { Authorization: 'Bearer key_free' } })).toEqual([4])
    expect(asked({ query: { limit: 3 } })).toEqual([1])
    expect(asked({ query: { limit: '3', tag: 'b' } })).toEqual([1])
    expect(asked({ query: { limit: true, tag: 'c' } })).toEqual([])
    expect(asked({ query: { limit: false }, path: '/plants' })).toEqual([2, 6])
    expect(asked({ body: { name: 'Fern' } })).toEqual([2])
    expect(asked({ body: { id: 9007199254740995n } })).toEqual([2])
    expect(asked({ body: { id: 9007199254740996n } })).toEqual([])
    expect(asked({ body: { site: { n: 1n } } })).toEqual([5])
    expect(asked({ body: { domains: ['a.test', expect.any(String)] } })).toEqual([5])
    expect(asked({ body: { domains: ['a.test'] } })).toEqual([])
    expect(asked({ body: expect.objectContaining({ tag: 'fern' }) })).toEqual([2])
    expect(asked({ body: { site: { name: 'S' }, tag: undefined } })).toEqual([5])
    expect(asked({ body: { tag: undefined, name: 'Fern' } })).toEqual([])
    expect(asked({ body: {} })).toEqual([2, 5])
    expect(asked({ key: 'key_free' })).toEqual([4])
    expect(asked({ operation: 'plants.create', status: 200, method: 'POST', limit: 1 })).toEqual([
      2,
    ])
  },
)

testApi('a path is found as it was sent, and without its escapes', async ({ world, call }) => {
  await call('GET', '/v1/apps/%41/%7Bb%7D')
  for (const path of ['/v1/apps/%41/%7Bb%7D', '/v1/apps/A/{b}', '/v1/apps/%41/*'])
    expect(ids(world.journal.calls({ path })), path).toEqual([1])
  expect(world.journal.calls({ path: '/v1/apps/a/**' })).toEqual([])
})

testApi(
  'the world in the path or in the key is no part of either',
  {},
  async ({ greenhouse, call }) => {
    await call('GET', '/~checkout/v1/apps')
    await call('GET', '/plants', { key: 'key_pro@checkout' })
    const { journal } = greenhouse.world('checkout')
    expect(ids(journal.calls({ path: '/v1/apps' }))).toEqual([1])
    expect(ids(journal.calls({ key: 'key_pro' }))).toEqual([1, 2])
    expect(ids(journal.calls({ key: 'key_pro@checkout' }))).toEqual([1, 2])
  },
)

test('a key that is no plain word is found by itself and by its fingerprint', async () => {
  const { world, call } = open()
  const { secret } = await world.createKey({ account: 'acct_pro' })
  await call('GET', '/v1/apps', { key: secret })
  const [entry] = world.journal.calls({ key: secret })
  const fingerprint = entry!.request.headers['authorization']!.replace('Bearer ', '')
  expect(fingerprint).toMatch(/^fp_/)
  expect(world.journal.calls({ key: fingerprint })).toEqual([entry])
  expect(world.journal.calls({ key: 'key_pro' })).toEqual([])
})

test('a body without JSON is compared as text, an absent one as nothing', async () => {
  const { send, world } = open()
  for (const body of ['{"name":', 'null', null]) await send('/plants', { method: 'POST', body })
  const { journal } = world
  expect(ids(journal.calls({ body: '{"name":' }))).toEqual([1])
  expect(ids(journal.calls({ body: null }))).toEqual([2])
  expect(ids(journal.calls({ body: expect.stringContaining('name') }))).toEqual([1])
})

testApi(
  'entries are asked for by the account of their key, whatever was answered',
  async ({ world, call }) => {
    await call('GET', '/plants')
    await call('GET', '/v1/apps', { key: 'key_free' })
    await call('GET', '/plants', { key: 'key_expired' })
    await call('GET', '/v1/nowhere')
    world.use({ respond: [{ on: 'plants.list', status: 500 }] })
    await call('GET', '/plants', { key: `key_readonly@${world.name}` })
    await call('GET', '/plants', { key: null })
    await call('GET', '/plants', { key: 'key_nobody' })
    const asked = (query: Parameters<typeof world.journal.calls>[0]) =>
      ids(world.journal.calls(query))
    expect(asked({ account: 'acct_pro' })).toEqual([1, 3, 4, 5])
    expect(asked({ account: 'acct_free', method: 'GET' })).toEqual([2])
    expect(asked({ account: 'acct_lite' })).toEqual([])
    const [pro, free] = ['acct_pro', 'acct_free']
    const accounts = world.journal.calls().map(({ account }) => account)
    expect(accounts).toEqual([pro, free, pro, pro, pro, undefined, undefined])
  },
)

test('a header with several values is found by each of them, and by all together', async () => {
  const { greenhouse, world } = open()
  const headers = { 'set-cookie': ['a=1', 'b=2'], authorization: 'Bearer key_pro' }
  await greenhouse.handle({ method: 'GET', path: '/plants', search: '', headers, body: null })
  const found = (value: string) => ids(world.journal.calls({ headers: { 'Set-Cookie': value } }))
  expect(['a=1', 'b=2', 'a=1, b=2', 'a=1b=2'].map(found)).toEqual([[1], [1], [1], []])
})

test('a failure shows a query as a person would write it', () => {
  const matcher = { asymmetricMatch: () => true }
  const named = { ...matcher, toString: () => 'Own' }
  const written: [expected: unknown, text: string][] = [
    [undefined, 'nothing'],
    ['a"', '"a\\""'],
    [5n, '5'],
    [null, 'null'],
    [/x/, '/x/'],
    [() => 1, '() => 1'],
    [[1, { a: [/x/], b: undefined }], '[1,{"a":[/x/],"b":undefined}]'],
    [expect.stringContaining('a'), 'StringContaining "a"'],
    [expect.any(String), 'Any<String>'],
    [{ a: expect.anything() }, '{"a":Anything}'],
    [named, 'Own'],
    [{ ...named, sample: { a: 1 } }, 'Own {"a":1}'],
    [{ ...named, sample: String }, 'Own'],
    [{ ...matcher, toString: () => expect.fail('no') }, 'an asymmetric matcher'],
    [`${'x '.repeat(149)}`, `"${'x '.repeat(149)}"`],
    [`${'x '.repeat(150)}`, `"${'x '.repeat(149)}… (302 characters)`],
  ]
  for (const [expected, text] of written) expect(showExpected(expected)).toBe(text)
  expect(showExpected({ a: 'key' }, (text) => text.replace('key', '…'))).toBe('{"a":"…"}')
  expect(showExpected('key', (text) => text.replace('key', '…'))).toBe('"…"')
})

test('a slip in the question throws with what was probably meant', async () => {
  const { journal } = createGreenhouse().world()
  const wrong: Record<string, object> = {
    'paht: there is no such option; expected one of operation, status, errors, violations, scenario, search, method, path, headers, query, body, key, account, limit. Did you mean "path"?':
      { paht: '/plants' },
    'expected a path from the root of the service, such as "/v1/apps" or "/v1/apps/*", received "v1/apps". Did you mean "/v1/apps"?':
      { path: 'v1/apps' },
    'Did you mean "/v1/apps"? Put what follows the "?" into "query".': {
      path: 'http://127.0.0.1:4010/v1/apps?limit=3',
    },
    'Did you mean "/plants"? Put what follows the "?" into "query".': { path: '/plants?limit=3' },
    'received "http://127.0.0.1:4010/~shop/plants?a=1". Did you mean "/plants"? Put what follows': {
      path: 'http://127.0.0.1:4010/~shop/plants?a=1',
    },
    'received "see http://a.test/plants". Did you mean "/see http://a.test/plants"?': {
      path: 'see http://a.test/plants',
    },
    'received "plants/~a". Did you mean "/plants/~a"?': { path: 'plants/~a' },
    'path: expected a path': { path: 5 },
    'path: expected at most 1,000 characters.': { path: `/${'x'.repeat(1_000)}` },
    'expected a pattern of at most 20 segments': { path: '/**'.repeat(21) },
    'there is no method "GTE". Did you mean "GET"?': { method: 'GTE' },
    'there is no method "PTCH". Did you mean "PATCH"?': { method: 'PTCH' },
    'method: expected an HTTP method': { method: 'a b' },
    'headers: expected an object of headers by name': { headers: ['x'] },
    'headers.X-A: expected a string, a number, true (any), false (none), or a matcher': {
      headers: { 'X-A': /x/ },
    },
    'query.limit: expected a string': { query: { limit: [3] } },
    'body.name: expected JSON, or a matcher such as expect.any(String), received /x/.': {
      body: { name: /x/ },
    },
    'body.at: expected JSON': { body: { at: new Date(0) } },
    'body: expected JSON': { body: () => 1 },
    'key: expected a key, such as "key_pro", or its fingerprint, received something else.': {
      key: 5,
    },
    'Failed to call journal.calls(): there is no account "acct_por". Did you mean "acct_pro"?': {
      account: 'acct_por',
    },
    'journal.calls(): the world "default" has no such key. Did you mean "key_pro"? It has key_free,':
      {
        key: 'key_por',
      },
    'the world "default" has no such key. It has ': { key: 'fp_000000000000' },
    'account: expected the id of an account': { account: 5 },
    'Failed to find requests of the scenario "slwo": there is no such scenario. Did you mean "slow"?':
      { scenario: 'slwo' },
    'Failed to call journal.calls(): status: expected a status: a class such as "4xx"': {
      status: '6xx',
    },
    'journal.calls(): status: expected a status: a class such as "4xx"': { status: '14xx' },
    'status: expected a status: a class such as "4xx"': { status: '4xxx' },
    'received "0xx".': { status: '0xx' },
    'received 600.': { status: 600 },
    'received 200.5.': { status: 200.5 },
    'there is no operation "zzz". "npx greenhouse-mock routes" lists them.': { operation: 'zzz' },
    'operation: expected the id of an operation, such as "plants.create", received "".': {
      operation: '',
    },
    'method: expected an HTTP method, such as "POST"': { method: 'x'.repeat(41) },
    'body.a.0: expected JSON': { body: { a: [new Map()] } },
    'body.n: expected JSON, or a matcher such as expect.any(String), received NaN.': {
      body: { n: NaN },
    },
    'body.s: expected JSON, or a matcher such as expect.any(String), received Symbol(s).': {
      body: { s: Symbol('s') },
    },
    'body.later: expected JSON': { body: { first: 1, later: NaN } },
    'errors: expected true or false': { errors: 'yes' },
    'search: expected at most 1,000 characters.': { search: 'x'.repeat(1_001) },
    'operation: expected the id of an operation, such as "plants.create", received 5.': {
      operation: 5,
    },
  }
  for (const [message, query] of Object.entries(wrong))
    expect(() => journal.calls(query as never), JSON.stringify(query)).toThrow(message)
  expect(journal.calls({ body: Object.create(null), method: 'x'.repeat(40), status: 599 })).toEqual(
    [],
  )
  expect(() => journal.violations({ ignore: ['missing-kye'] as never })).toThrow(
    'there is no rule "missing-kye". Did you mean "missing-key"?',
  )
  expect(() => journal.calls({ path: '~checkout' })).toThrow(/received "~checkout"\.$/)
  expect(() => journal.calls({ path: '/~shop/plants#top' })).toThrow(/Did you mean "\/plants"\?$/)
  let nested: unknown = 1
  for (let level = 0; level < 100; level++) nested = [nested]
  expect(journal.calls({ body: nested })).toEqual([])
  expect(() => journal.calls({ body: [nested] })).toThrow('nested deeper than 100 levels')
  const itself: Record<string, unknown> = {}
  itself['again'] = itself
  expect(() => journal.calls({ body: itself })).toThrow('nested deeper than 100 levels')
})

testApi(
  'a query that evicted entries could meet throws',
  { journal: { entries: 2 } },
  async ({ world, call }) => {
    for (let count = 0; count < 4; count++) await call('GET', '/plants')
    const { journal } = world
    for (const query of [
      { path: '/v1/apps' },
      { method: 'POST' },
      { body: { a: 1 } },
      { headers: { 'x-a': true } },
      { path: '/v1/apps', errors: false },
      { path: '/v1/apps', status: '2xx' },
    ] as const)
      expect(() => journal.calls(query)).toThrow(
        "The journal can't tell whether this was ever called",
      )
    expect(journal.calls({ path: '/v1/apps', operation: 'apps.list' })).toEqual([])
    expect(journal.calls({ path: '/plants', status: 404 })).toEqual([])
    expect(journal.calls({ path: '/v1/apps', errors: true })).toEqual([])
    expect(journal.calls({ path: '/v1/apps', status: '4xx' })).toEqual([])
    expect(ids(journal.calls({ path: '/plants' }))).toEqual([3, 4])
  },
)

const patterns: [what: string, sent: string[], found: Record<string, number[]>][] = [
  [
    'an encoded path is found as it was sent and as it is meant',
    ['/v1/apps/a%2Fb', '/v1/app%73/c'],
    { '/v1/apps/*': [1, 2], '/v1/*/c': [2], '/v1/apps/*/b': [1], '/v1/apps/a%2F*': [1] },
  ],
  [
    'what only begins as a step of any text is meant as it stands',
    ['/plants/1', '/plants/:id.json', '/plants/{id}s'],
    { '/plants/:id.json': [2], '/plants/{id}s': [3], '/plants/:id': [1, 2, 3] },
  ],
  [
    'what is between two stars must be in the path',
    ['/v1/apps'],
    { '/v1/a*p*s': [1], '/v1/a*z*s': [] },
  ],
]

for (const [what, sent, found] of patterns)
  testApi(what, async ({ world, call }) => {
    for (const path of sent) await call('GET', path)
    for (const [path, expected] of Object.entries(found))
      expect(ids(world.journal.calls({ path }))).toEqual(expected)
  })

testApi(
  'a matcher that takes nothing finds requests without the header or the parameter',
  async ({ world, call }) => {
    await call('GET', '/plants', { headers: { 'X-Request-Name': 'first' } })
    await call('GET', '/plants?limit=3')
    const none = expect.not.stringMatching(/./)
    expect(ids(world.journal.calls({ headers: { 'X-Request-Name': none } }))).toEqual([2])
    expect(ids(world.journal.calls({ query: { limit: none } }))).toEqual([1])
  },
)

testApi('the requests of an account that is gone are still found', async ({ world, call }) => {
  const { accounts, keys } = world.records
  const { journal } = world
  accounts.create({ id: 'acct_gone', name: 'Gone', email: 'gone@example.com', plan: 'pro' })
  keys.create({ secret: 'key_gone', account: 'acct_gone' })
  await call('GET', '/plants', { key: 'key_gone' })
  keys.delete('key_gone')
  accounts.delete('acct_gone')
  expect(ids(journal.calls({ account: 'acct_gone' }))).toEqual([1])
  expect(() => journal.calls({ account: 'acct_gine' })).toThrow('there is no account "acct_gine"')
})
