import { expect, test } from 'vitest'
import { createGreenhouse, type World } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { stateOf } from '../../support/control.ts'
import { connectOverHttp } from '../../support/mcp.ts'
import { start } from '../../support/test-api.ts'

type Given = Record<string, unknown>

/**
 * The answers of tools, and how the world is afterwards. Each row has a Greenhouse, with one
 * request that failed.
 */
const answers: readonly [
  tool: string,
  given: Given,
  answer: object,
  check?: (world: World) => unknown,
][] = [
  [
    'status',
    {},
    {
      plants_url: expect.stringMatching(/^http:/),
      apps_url: expect.stringMatching(/\/v1$/),
      world: 'default',
      requests: 1,
    },
  ],
  ['status', { world: 'later' }, { plants_url: expect.stringMatching(/\/~later$/), scenarios: [] }],
  [
    'list_scenarios',
    { search: 'expired' },
    {
      data: expect.arrayContaining([
        expect.objectContaining({ name: 'expired-key', options: ['key', 'after'] }),
      ]),
    },
  ],
  // A search without a scenario that has all its words says so, and shows the nearest.
  [
    'list_scenarios',
    { search: 'the spinner zzz' },
    {
      data: expect.arrayContaining([expect.objectContaining({ name: 'slow' })]),
      hint: expect.stringMatching(/some/),
    },
  ],
  [
    'list_scenarios',
    { search: 'zzz' },
    { data: [], total: 0, hint: expect.stringMatching(/by-symptom/) },
  ],
  ['list_scenarios', { name: 'slow' }, { data: [{ name: 'slow', options: { ms: {} } }], total: 1 }],
  [
    'use_scenario',
    { scenario: 'expired-key', options: { after: '10m' } },
    { active: ['slow:ms=1,on=*', 'expired-key:key=any,after=10m'] },
    ({ scenarios }) => expect(scenarios).toEqual(['slow', 'expired-key']),
  ],
  ['use_scenario', { scenario: 'empty-store', only: true }, { active: ['empty-store'] }],
  ['use_scenario', { scenario: 'slow:ms=2', world: 'checkout' }, { active: ['slow:ms=2,on=*'] }],
  ['clear_scenarios', {}, { active: [] }, ({ scenarios }) => expect(scenarios).toEqual([])],
  ['clear_scenarios', { scenario: 'slow' }, { active: [] }],
  [
    'respond',
    {
      operation: 'plants.list',
      status: 503,
      times: 1,
      delay: '1ms',
      title: 'Down',
      where: { key: 'key_pro' },
    },
    { active: ['slow:ms=1,on=*', 'inline-down'] },
    ({ active }) =>
      expect(active[1]).toMatchObject({
        respond: [{ on: 'plants.list', status: 503, times: 1, where: { key: 'key_pro' } }],
        fault: [
          { kind: 'delay', on: 'plants.list', fixed: '1ms', times: 1, where: { key: 'key_pro' } },
        ],
      }),
  ],
  [
    'requests',
    { operation: 'plants.list', status: '4xx', query: { limit: 'x' } },
    {
      data: [
        {
          id: 1,
          method: 'GET',
          url: '/plants?limit=x',
          status: 400,
          reason: expect.stringMatching(/limit/),
        },
      ],
      size: 1,
    },
  ],
  [
    'explain_request',
    {},
    {
      id: 1,
      reason: expect.any(String),
      response: { status: 400 },
      violations: [{ rule: 'invalid-query' }],
    },
  ],
  [
    'explain_request',
    { id: 1, as: 'vitest' },
    { text: expect.stringMatching(/^import [^]*\ntest\('/) },
  ],
  [
    'explain_request',
    { id: 1, body_of: 'response', offset: 1 },
    { text: expect.stringMatching(/^"/) },
  ],
  [
    'assert_requests',
    { operation: 'plants.list', count: 2 },
    { holds: false, count: 1, message: '1 request matched; expected 2.', requests: [{ id: 1 }] },
  ],
  ['assert_requests', { operation: 'apps.create', at_most: 0 }, { holds: true, count: 0 }],
  ['assert_requests', { path: '/v1/apps' }, { holds: false, count: 0, requests: [{ id: 1 }] }],
  [
    'records',
    { collection: 'plants', where: { tag: 'climber' }, limit: 1 },
    { data: [{ id: 1, tag: 'climber' }], total: 3, next: { offset: 1 } },
  ],
  ['records', {}, { data: expect.arrayContaining([{ name: 'plants', size: 30 }]) }],
  // Clients that take only closed schemas give JSON as text.
  [
    'records',
    { collection: 'plants', where: '{"tag": "climber"}', limit: 1 },
    { data: [{ id: 1 }], total: 3 },
  ],
  ['change_records', { collection: 'plants', replace: '[]' }, { data: [], total: 0 }],
  ['records', { collection: 'plants', id: 1 }, { data: [{ id: 1 }], total: 1 }],
  [
    'change_records',
    { collection: 'plants', update: { id: 1, fields: { name: 'Fern' } } },
    { data: [{ id: 1, name: 'Fern' }] },
    ({ records }) => expect(records.plants.get(1)).toMatchObject({ name: 'Fern' }),
  ],
  [
    'change_records',
    { collection: 'plants', create: { id: 77, name: 'Fern', account: 'acct_pro' } },
    { data: [{ id: 77 }] },
  ],
  ['change_records', { collection: 'plants', delete: 1 }, { data: [], total: 0 }],
  ['change_records', { collection: 'plants', replace: [] }, { data: [], total: 0 }],
  [
    'clock',
    { advance: '2h', frozen: true },
    { now: '2026-03-01T14:00:30.000Z', frozen: true, due: expect.any(Array) },
    ({ clock }) => expect(clock.now()).toBe(Date.parse('2026-03-01T14:00:30.000Z')),
  ],
  ['clock', {}, { now: start, frozen: true, total: expect.any(Number) }],
  [
    'clock',
    { kind: 'renewal', limit: 1, offset: 1 },
    { due: [{ kind: 'renewal' }], total: expect.any(Number), next: { offset: 2 } },
  ],
  ['clock', { to_next: true }, { done: [{ kind: expect.any(String) }] }],
  [
    'change_records',
    {
      collection: 'keys',
      update: { id: 'key_pro', fields: { expires_at: '2026-02-28T12:00:00Z' } },
    },
    { data: [{ account: 'acct_pro', expires_at: '2026-02-28T12:00:00Z' }] },
    ({ records }) =>
      expect(records.keys.get('key_pro')).toMatchObject({ expires_at: '2026-02-28T12:00:00Z' }),
  ],
  [
    'control',
    { action: 'keys.create', input: '{"account": "acct_pro", "scopes": ["apps:read"]}' },
    { secret: expect.stringMatching(/^key_/), scopes: ['apps:read'] },
  ],
  [
    'control',
    {},
    {
      data: expect.arrayContaining([
        { action: 'accounts.refill', does: 'Refill a quota', takes: ['id', 'window'] },
      ]),
    },
  ],
  [
    'control',
    { action: 'accounts.refill', input: { id: 'acct_pro', window: 'minute' } },
    { data: [{ account: 'acct_pro', minute: { used: 0 } }] },
  ],
  [
    'control',
    { action: 'journal.code', input: { id: 1, as: 'curl' } },
    { text: expect.stringMatching(/^curl /) },
  ],
  [
    'control',
    { action: 'journal.list', input: { 'query.limit': 'x', limit: 1 } },
    { data: [{ id: 1 }], total: 1 },
  ],
  [
    'control',
    { action: 'records.change', input: '{"collection": "plants", "id": 1, "name": "Fern"}' },
    { id: 1, name: 'Fern' },
    ({ records }) => expect(records.plants.get(1)).toMatchObject({ name: 'Fern' }),
  ],
  ['control', { action: 'worlds.delete' }, {}, ({ scenarios }) => expect(scenarios).toEqual([])],
  ['records', { collection: 'keys' }, { total: 7 }],
  ['records', { collection: 'keys', id: 'key_pro' }, { data: [{ account: 'acct_pro' }], total: 1 }],
  [
    'reset_world',
    {},
    { name: 'default', scenarios: [], journal: { size: 0 } },
    ({ journal }) => expect(journal.size).toBe(0),
  ],
  [
    'assumptions',
    { set: { 'plants.delete.unknown': 204 } },
    {
      data: [{ id: 'plants.delete.unknown', value: '204', values: ['404', '400', '204'] }],
      total: 1,
    },
    ({ assumptions }) => expect(assumptions['plants.delete.unknown']).toBe('204'),
  ],
  [
    'assumptions',
    { search: 'DELETION OF AN ID' },
    { data: [{ id: 'plants.delete.unknown', value: '404' }] },
  ],
  [
    'save_case',
    { title: 'A bad limit' },
    {
      steps: 2,
      save_with: expect.stringMatching(
        /^npx greenhouse-mock case save bug\.case\.yaml --server http:.* --world default$/,
      ),
      text: expect.stringContaining('"title":"A bad limit"'),
    },
  ],
]

/** Arguments that are wrong, and what the tool says about them. */
const wrong: [tool: string, given: Given, sentence: string | RegExp][] = [
  [
    'status',
    { wrld: 'checkout' },
    'wrld: there is no such field; expected one of world. Did you mean "world"?',
  ],
  [
    'list_scenarios',
    { name: 'expird-key' },
    'There is no scenario "expird-key". Did you mean "expired-key"?',
  ],
  [
    'use_scenario',
    { scenario: 'expird-key' },
    'Failed to use the scenario "expird-key": there is no such scenario. Did you mean "expired-key"?',
  ],
  ['clear_scenarios', { scenario: 7 }, 'scenario: expected a string, received 7'],
  [
    'respond',
    { operation: 'plants.lst', status: 500 },
    'Failed to use an inline scenario: respond[0].on: no operation is called "plants.lst". Did you mean "plants.list"?',
  ],
  [
    'requests',
    { operation: 'plants.lst' },
    'There is no operation "plants.lst". Did you mean "plants.list"?',
  ],
  [
    'requests',
    { world: 'kep' },
    'There is no world "kep". Any request to /~kep/… creates it. Did you mean "kept"?',
  ],
  ['requests', { limit: 101 }, 'limit: expected a whole number from 1 to 100'],
  ['explain_request', { id: 9 }, 'The journal of the world "default" has no entry "9".'],
  [
    'explain_request',
    { world: 'kept' },
    'The journal of the world "kept" is empty: no request was sent to it.',
  ],
  [
    'assert_requests',
    { status: 'four' },
    'status: expected a status: a class such as "4xx", a whole number from 100 to 599, or 0 for a request that got no reply, received "four"',
  ],
  [
    'records',
    { collection: 'plant' },
    /^There is no collection "plant"; expected one of .* Did you mean "plants"\?$/,
  ],
  [
    'change_records',
    { collection: 'plants', update: { id: 1, fields: { nme: 'Fern' } } },
    '/nme: there is no such field; expected one of id, name, tag, account, extra. Did you mean "name"?',
  ],
  [
    'change_records',
    { collection: 'plants', create: { nme: 'Fern', id: 'x', account: 7 } },
    /(?=.*\/id: )(?=.*\/nme: )(?=.*\/name: )(?=.*\/account: )/,
  ],
  ['change_records', { collection: 'plants', create: '{bad' }, /^create: expected JSON: /],
  [
    'change_records',
    { collection: 'plants' },
    'expected exactly one of create, update, delete and replace',
  ],
  [
    'change_records',
    { collection: 'plants', delete: 1, replace: [] },
    'expected exactly one of create, update, delete and replace',
  ],
  [
    'change_records',
    { collection: 'plants', replace: [], cascade: true },
    'cascade: use it with "delete"',
  ],
  ['clock', { advance: 'soon' }, /expected .*such as/],
  ['clock', { to_next: true, advance: '1s' }, 'to_next: use it without other arguments'],
  [
    'change_records',
    { collection: 'keys', update: { id: 'sesame-open', fields: { revoked: true } } },
    /no record "sesame-open" in "keys"\.$/,
  ],
  [
    'use_scenario',
    { scenario: 'expired-key:key=sesame-open' },
    /can't be "sesame-open": the world "default" has no such key/,
  ],
  [
    'control',
    { action: 'keys.create', input: '{"account": "acct_prp"}' },
    /Did you mean "acct_pro"\?$/,
  ],
  [
    'control',
    { action: 'acounts.refill' },
    'There is no action "acounts.refill". Did you mean "accounts.refill"?',
  ],
  ['control', { action: 'accounts.refill' }, 'id: is missing: The id of one of the accounts.'],
  [
    'control',
    { action: 'accounts.refill', input: { id: 'acct_pro', windw: 'day' } },
    'windw: there is no such field; expected one of window. Did you mean "window"?',
  ],
  ['control', { action: 'server.events' }, /^There is no action "server\.events"/],
  [
    'records',
    { id: 1 },
    'expected no arguments; or collection, search, sort, limit, offset and where; or collection and id',
  ],
  ['reset_world', { world: '../x' }, /^Failed to find the world "\.\.\/x": a name is /],
  [
    'assumptions',
    { set: { 'plants.delete.unknwn': '204' } },
    /Did you mean "plants\.delete\.unknown"\?/,
  ],
  ['save_case', { until: 9 }, 'The journal of the world "default" has no entry 9.'],
]

async function open() {
  const greenhouse = createGreenhouse({ now: start, frozen: true })
  const server = await serve(greenhouse)
  const world = greenhouse.world()
  world.use('slow:ms=1')
  const headers = { authorization: 'Bearer key_pro' }
  await (await fetch(`${server.url}/plants?limit=x`, { headers })).text()
  return {
    greenhouse,
    server,
    world,
    agent: await connectOverHttp(server.url),
    [Symbol.asyncDispose]: server.close,
  }
}

test.each(answers)('%s answers %j', async (tool, given, answer, check) => {
  await using opened = await open()
  expect(await opened.agent.use(tool, given)).toMatchObject(answer)
  check?.(opened.world)
})

test.each(wrong)('%s with %j: %s', async (tool, given, sentence) => {
  await using opened = await open()
  await opened.agent.use('use_scenario', { scenario: 'slow', world: 'kept' })
  const before = stateOf(opened.greenhouse) as unknown[]
  const said = await opened.agent.fail(tool, given)
  expect(stateOf(opened.greenhouse)).toEqual(expect.arrayContaining(before))
  if (typeof sentence === 'string') expect(said).toBe(sentence)
  else expect(said).toMatch(sentence)
})

test('every tool has a row, a title, a description, schemas and hints', async () => {
  await using opened = await open()
  const { tools } = await opened.agent.client.listTools()
  const named = tools.map(({ name }) => name).sort()
  for (const rows of [answers, wrong])
    expect([...new Set(rows.map(([tool]) => tool))].sort()).toEqual(named)
  expect(tools.length).toBeLessThanOrEqual(15)
  for (const tool of tools) {
    expect(tool).toMatchObject({
      title: expect.stringMatching(/./),
      description: expect.stringMatching(/.{80}/s),
    })
    expect(tool.inputSchema.properties, tool.name).toHaveProperty('world')
    expect(tool.annotations).toEqual({
      readOnlyHint: expect.any(Boolean),
      destructiveHint: expect.any(Boolean),
      openWorldHint: false,
    })
  }
  const readOnly = tools
    .filter(({ annotations }) => annotations!.readOnlyHint)
    .map(({ name }) => name)
  const reading = 'status list_scenarios requests explain_request assert_requests records save_case'
  expect(readOnly.sort()).toEqual(reading.split(' ').sort())
})

/** What Gemini or clients with strict schemas refuse. */
const refused = [
  '$ref',
  '$defs',
  'anyOf',
  'oneOf',
  'allOf',
  'const',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'propertyNames',
  'patternProperties',
  'format',
]

function assertPortable(schema: any, place: string): void {
  expect(schema.type, place).toBeTypeOf('string')
  for (const word of refused) expect(schema, place).not.toHaveProperty(word)
  for (const value of schema.enum ?? []) expect(value, place).toBeTypeOf('string')
  if (schema.type === 'array') assertPortable(schema.items, `${place}[]`)
  if (schema.type !== 'object') return
  // An object whose fields nobody knows is given as JSON text.
  expect(Object.keys(schema.properties ?? {}).length, place).toBeGreaterThan(0)
  expect(schema.additionalProperties ?? false, place).toBe(false)
  for (const [name, field] of Object.entries(schema.properties))
    assertPortable(field, `${place}.${name}`)
}

test('the schemas of tools have nothing that a client refuses, and the list of tools is short', async () => {
  await using opened = await open()
  const { tools } = await opened.agent.client.listTools()
  for (const { name, inputSchema } of tools) assertPortable(inputSchema, name)
  expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(18_000)
})

test('tools that only read change nothing', async () => {
  await using opened = await open()
  const { agent, world } = opened
  const { tools } = await agent.client.listTools()
  const before = JSON.stringify(world.toCase())
  for (const { name, annotations } of tools) if (annotations!.readOnlyHint) await agent.use(name)
  expect(JSON.stringify(world.toCase()).replace(/"at":"[^"]*"/, '')).toBe(
    before.replace(/"at":"[^"]*"/, ''),
  )
})
