import { expect, test } from 'vitest'
import { testControl } from '../support/control.ts'
import { key, served, toRequest } from '../support/socket.ts'
import { open, testApi } from '../support/test-api.ts'

testApi(
  'journal.violations() gives the entry, operation and URL of each violation',
  async ({ call, world }) => {
    await call('GET', '/v1/apps')
    await call('GET', '/v1/apps?limt=3&ordr=asc')
    await call('GET', '/v1/acount')
    expect(world.journal.violations()).toEqual([
      {
        entry: 2,
        operation: 'apps.list',
        method: 'GET',
        url: expect.stringMatching(/\/v1\/apps\?limt=3&ordr=asc$/),
        rule: 'unknown-query',
        message: '"limt" is not a query parameter of this operation. Did you mean "limit"?',
      },
      expect.objectContaining({ entry: 2, rule: 'unknown-query' }),
      expect.objectContaining({
        entry: 3,
        operation: undefined,
        method: 'GET',
        rule: 'unknown-path',
      }),
    ])
  },
)

testApi('they can be asked for by operation and without some rules', async ({ call, world }) => {
  await call('GET', '/v1/apps?limt=3')
  await call('GET', '/v1/plans?limt=3', { key: null })
  const rules = (query: Parameters<typeof world.journal.violations>[0]) =>
    world.journal.violations(query).map(({ rule }) => rule)
  expect(rules({ operation: 'plans.list' })).toEqual(['missing-key', 'unknown-query'])
  expect(rules({ ignore: ['unknown-query'] })).toEqual(['missing-key'])
  expect(rules({ operation: 'apps.list', ignore: ['unknown-query'] })).toEqual([])
})

testApi('requests that differ only in their method are judged apart', async ({ call, world }) => {
  for (const method of ['PUT', 'PATCH']) await call(method, '/plants')
  expect(world.journal.violations().map(({ message }) => / (\w+), /.exec(message)?.[1])).toEqual([
    'PUT',
    'PATCH',
  ])
})

testApi('the error names the first twenty violations of a request', async ({ call, world }) => {
  await call('GET', `/v1/apps?${Array.from({ length: 30 }, (_, index) => `x${index}=1`).join('&')}`)
  expect(world.journal.violations()).toHaveLength(20)
})

test('a misspelt query for violations is an error', () => {
  const { journal } = open().world
  expect(() => journal.violations({ operation: 'apps.lst' as never })).toThrow(
    'Failed to call journal.violations(): there is no operation "apps.lst". Did you mean "apps.list"?',
  )
  expect(() => journal.violations({ ignore: ['unknown-qery' as never] })).toThrow(
    'Failed to call journal.violations(): there is no rule "unknown-qery". Did you mean "unknown-query"?',
  )
  expect(() => journal.violations({ ignore: 'accept' as never })).toThrow(
    /^Failed to call journal\.violations\(\): ignore\.?0?: expected/,
  )
})

test('absence of violations is not claimed after entries were dropped', async () => {
  const { call, world } = open({ journal: { entries: 2 } })
  const { journal } = world
  await call('GET', '/v1/apps?limt=3')
  await call('GET', '/v1/apps')
  expect(journal.violations()).toHaveLength(1)
  await call('GET', '/v1/apps')
  expect(() => journal.violations()).toThrow(/can't tell whether any request broke the contract/)
  journal.clear()
  await call('GET', '/v1/apps')
  expect(journal.violations()).toEqual([])
})

test('at most twenty violations of a request are listed', async () => {
  const { call, world } = open()
  const query = Array.from({ length: 30 }, (_, at) => `x${at}=1`)
  for (const count of [19, 30]) await call('GET', `/plants?${query.slice(0, count).join('&')}`)
  expect(world.journal.calls().map(({ violations }) => violations?.length)).toEqual([19, 20])
})

test('a request is judged by the assumptions of its time', async () => {
  const { call, world } = open({ assumptions: { 'plants.list.limit-name': 'max' } })
  const ask = (name: string) => call('GET', `/plants?${name}=1`)
  await ask('max')
  world.assume('plants.list.limit-name', 'limit')
  await ask('limit')
  expect(world.journal.violations()).toEqual([])
  await ask('x=1&max')
  world.assume('plants.list.limit-name', 'max')
  await ask('x=1&max')
  expect(world.journal.violations().map(({ entry, rule }) => `${entry} ${rule}`)).toEqual([
    '3 unknown-query',
    '3 unknown-query',
    '4 unknown-query',
  ])
})

test('a cut body is judged only by its presence', async () => {
  const { call, world } = open()
  const long = JSON.stringify({ id: 1, name: 'x'.repeat(70_000), colour: 'green' })
  await call('POST', '/plants', { body: long })
  expect(world.journal.violations()).toEqual([])
  await call('POST', '/plants', { body: long, headers: { 'content-type': 'text/plain' } })
  await call('DELETE', '/plants/1', { body: long })
  expect(world.journal.violations().map(({ rule }) => rule)).toEqual([
    'content-type',
    'unexpected-body',
  ])
})

served('a body of GET is told, even an empty object', async ({ greenhouse, exchange }) => {
  await exchange(toRequest('GET /plants', [key, 'Content-Type: application/json'], '{}'))
  expect(greenhouse.world().journal.violations()[0]!.message).toBe(
    'A GET request takes no body: the body is ignored.',
  )
})

test('a body that is too large is reported as such, and not as missing', async () => {
  const { call, world } = open({ bodyLimit: 10 })
  await call('POST', '/plants', { body: { id: 1, name: 'Ficus' } })
  expect(world.journal.violations()).toMatchObject([
    { rule: 'invalid-body', message: 'The body is too large.' },
  ])
})

testControl(
  'the control API has them in entries and in the HAR, and a filter',
  async ({ control, call }) => {
    await call('/v1/apps?limt=3')
    await call('/v1/apps')
    const { data } = (await control('GET', '/worlds/default/journal?violations=true')).body
    const violations = [
      {
        rule: 'unknown-query',
        message: '"limt" is not a query parameter of this operation. Did you mean "limit"?',
      },
    ]
    expect(data).toEqual([expect.objectContaining({ violations })])
    const clean = (await control('GET', '/worlds/default/journal?violations=false')).body.data
    expect(clean).toHaveLength(1)
    expect(clean[0]).not.toHaveProperty('violations')
    const { entries } = (await control('GET', '/worlds/default/journal.har')).body.log
    expect(entries.map(({ _violations }: { _violations: unknown }) => _violations)).toEqual([
      violations,
      undefined,
    ])
    expect(entries[0]._greenhouse).toMatchObject({ operation: 'apps.list', account: 'acct_pro' })
    expect((await control('GET', '/worlds/default/journal?violations=yes')).status).toBe(400)
  },
)

testApi('no violation repeats a key or another secret', async ({ call, world }) => {
  await call('GET', '/v1/apps?api_key=s3cret-of-mine&user=key_pro_plus')
  await call('GET', '/v1/apps/key_pro')
  await call('GET', '/v1/apps?limit=key_pro')
  await call('POST', '/v1/webhooks', {
    body: { url: 'http://127.0.0.1:9/', app_id: 'wh_key_pro', key_pro: 1 },
  })
  const told = JSON.stringify(world.journal.violations())
  expect(told).not.toMatch(/s3cret-of-mine|key_pro/)
  expect(world.journal.violations().map(({ rule, entry }) => `${entry} ${rule}`)).toEqual([
    '1 key-in-url',
    '1 key-in-url',
    '2 key-in-url',
    '3 key-in-url',
    '3 invalid-query',
    '4 wrong-id',
    '4 unknown-field',
  ])
})

test('a path segment counts as a key only in a world that knows the key', async () => {
  const { call, greenhouse, world } = open()
  const other = greenhouse.world('other')
  await other.records.keys.create({ secret: 'abcd1234', account: 'acct_pro' })
  for (const prefix of ['', '/~other']) await call('GET', `${prefix}/v1/apps?cursor=abcd1234`)
  expect(world.journal.violations()).toEqual([])
  expect(other.journal.violations().map(({ rule }) => rule)).toEqual(['key-in-url'])
})
