import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { version } from '../../../package.json'
import { testControl } from '../../support/control.ts'
import { connectOverHttp } from '../../support/mcp.ts'
import { startReceiver } from '../../webhooks/receiver.ts'

const auto = { versionNegotiation: { mode: 'auto' } } as const
const accept = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const message = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

testControl('clients of both revisions of MCP are served', async ({ server }) => {
  for (const [options, revision] of [
    [{}, '2025-11-25'],
    [auto, '2026-07-28'],
  ] as const) {
    const { client, use } = await connectOverHttp(server.url, undefined, options)
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    expect(client.getServerVersion()).toMatchObject({
      name: 'greenhouse-mock',
      title: 'Greenhouse',
      version,
    })
    expect(client.getInstructions()).toMatch(/status/)
    expect(await use('status')).toMatchObject({
      plants_url: server.url,
      apps_url: `${server.url}/v1`,
    })
  }
})

testControl(
  'an unknown tool, resource and prompt are errors of the protocol',
  async ({ server }) => {
    const { client } = await connectOverHttp(server.url)
    for (const [ask, sentence] of [
      [
        () => client.callTool({ name: 'use_scenaro', arguments: {} }),
        'There is no tool "use_scenaro". Did you mean "use_scenario"?',
      ],
      [() => client.getPrompt({ name: 'reproduce' }), 'There is no prompt "reproduce".'],
      [() => client.getPrompt({ name: 'reproduce_bug' }), 'report: is missing: expected a string'],
      [
        () => client.readResource({ uri: 'greenhouse://nope' }),
        'Resource not found: greenhouse://nope',
      ],
    ] as const)
      await expect(ask()).rejects.toMatchObject({
        code: -32_602,
        message: expect.stringContaining(sentence),
      })
  },
)

testControl(
  'resources are documents of the mock, and the prompt leads from a report to a test',
  async ({ server }) => {
    const { client } = await connectOverHttp(server.url)
    const { resources } = await client.listResources()
    const texts: Record<string, string> = {}
    for (const { uri } of resources)
      texts[uri] = ((await client.readResource({ uri })).contents[0] as { text: string }).text
    expect(JSON.parse(texts['greenhouse://openapi/plants']!).paths).toHaveProperty('/plants')
    expect(JSON.parse(texts['greenhouse://openapi/apps']!).paths).toHaveProperty('/apps')
    expect(JSON.parse(texts['greenhouse://openapi/control']!).paths).toHaveProperty(
      '/worlds/{world}/clock',
    )
    expect(JSON.parse(texts['greenhouse://scenarios']!).data.length).toBeGreaterThan(50)
    expect(texts['greenhouse://by-symptom']).toMatch(/^# Scenarios by symptom/)
    const given = { report: 'The page is empty', world: 'bug-7' }
    const { messages } = await client.getPrompt({ name: 'reproduce_bug', arguments: given })
    const { text } = messages[0]!.content as { text: string }
    expect(text).toContain('The page is empty')
    expect(text).toContain('"bug-7"')
    const { tools } = await client.listTools()
    const named = tools.filter(({ name }) => text.includes(name)).map(({ name }) => name)
    expect(named).toEqual(
      expect.arrayContaining([
        'status',
        'list_scenarios',
        'requests',
        'save_case',
        'clear_scenarios',
      ]),
    )
  },
)

testControl(
  'whatever was requested, an answer has at most 8 kB, and next leads to the rest',
  async ({ greenhouse, server, world }) => {
    const { use } = await connectOverHttp(server.url)
    const headers = {
      authorization: 'Bearer key_pro',
      'content-type': 'application/json',
      'x-long': 'é'.repeat(2_000),
    }
    const long = `/plants?tag=${'x'.repeat(3_000)}`
    for (let index = 0; index < 60; index++) {
      const path = index % 3 === 0 ? long : '/plants'
      await greenhouse
        .fetch(new Request(`http://greenhouse.test${path}`, { headers }))
        .then((reply) => reply.text())
    }
    const name = '🌱"\\'.repeat(1_000)
    const body = JSON.stringify({ name, description: name })
    await (await fetch(`${server.url}/v1/apps`, { method: 'POST', headers, body })).text()
    world.use({
      title: 'x'.repeat(100),
      respond: [
        { on: 'plants.list', status: 200, body: Array(1_000).fill({ a: name.slice(0, 30) }) },
      ],
    })
    await (await fetch(`${server.url}/plants`, { headers })).text()
    const follow = async (tool: string, given: object, count: (answer: any) => number) => {
      let all = 0
      let next: object | undefined = {}
      for (let calls = 0; next && calls < 60; calls++) {
        const answer: any = await use(tool, { ...given, ...next })
        expect(Buffer.byteLength(JSON.stringify(answer)), tool).toBeLessThanOrEqual(8_000)
        all += count(answer)
        next = answer.next
      }
      expect(next).toBeUndefined()
      return all
    }
    const items = ({ data }: { data: unknown[] }) => data.length
    expect(await follow('requests', {}, items)).toBe(62)
    expect(await follow('requests', { limit: 100 }, items)).toBe(62)
    expect(await follow('records', { collection: 'messages', limit: 100 }, items)).toBe(
      world.records.messages.all().length,
    )
    expect(await follow('list_scenarios', {}, items)).toBe(greenhouse.scenarios().length)
    expect(await follow('assumptions', {}, items)).toBe(greenhouse.assumptions().length)
    expect(await follow('records', { collection: 'keys' }, items)).toBe(7)
    expect(await follow('explain_request', { id: 1 }, () => 1)).toBeGreaterThan(0)
    for (const [tool, given] of [
      ['status', {}],
      ['save_case', {}],
      ['save_case', { offset: 50_000 }],
      ['explain_request', {}],
      ['explain_request', { id: 61 }],
      ['assert_requests', {}],
      ['clock', {}],
      ['use_scenario', { scenario: 'slow' }],
      ['records', { collection: 'apps', sort: '-created_at' }],
    ] as const)
      expect(Buffer.byteLength(JSON.stringify(await use(tool, given))), tool).toBeLessThanOrEqual(
        8_000,
      )
  },
)

type Use = (tool: string, given: Record<string, unknown>) => Promise<any>

async function readToEnd(use: Use, tool: string, given = {}) {
  let read = ''
  for (let next: object | undefined = {}; next;) {
    const answer = await use(tool, { ...next, ...given })
    read += answer.text
    next = answer.next
  }
  return read
}

testControl('a long body, and a case, can be read to their end', async ({ server, world }) => {
  const { use } = await connectOverHttp(server.url)
  const body = '🌱 € "quoted" \\'.repeat(800)
  world.use({ respond: [{ on: 'plants.list', status: 200, text: body }] })
  await (await fetch(`${server.url}/plants`)).text()
  expect(await readToEnd(use, 'explain_request', { id: 1, body_of: 'response' })).toBe(body)
  const headers = { authorization: 'Bearer key_pro', 'x-long': 'é"'.repeat(1_000) }
  for (let index = 0; index < 3; index++)
    await (await fetch(`${server.url}/plants`, { headers })).text()
  const read = await readToEnd(use, 'save_case')
  expect(JSON.parse(read).steps).toEqual(JSON.parse(JSON.stringify(world.toCase().steps)))
})

testControl('ids beyond the numbers of JSON are strings', async ({ server, world }) => {
  const { use } = await connectOverHttp(server.url)
  const id = '9007199254740993'
  expect(world.records.plants.get(BigInt(id))).toBeDefined()
  expect(await use('records', { collection: 'plants', id })).toMatchObject({ data: [{ id }] })
  const update = { id, fields: { name: 'Fern' } }
  expect(await use('change_records', { collection: 'plants', update })).toMatchObject({
    data: [{ id, name: 'Fern' }],
  })
})

test.each<[tool: string, args: string, message: string]>([
  [
    'change_records',
    '"create":{"id":9007199254740995,"name":"F"}',
    'create: expected JSON as a text',
  ],
  ['change_records', '"replace":[{"id":9007199254740995}]', 'replace: expected JSON as a text'],
  [
    'change_records',
    '"update":{"id":9007199254740995,"fields":{}}',
    'update: expected JSON as a text',
  ],
  ['change_records', '"delete":9007199254740995', 'delete: expected at most 9007199254740991'],
  ['records', '"id":9007199254740995', 'id: expected at most 9007199254740991'],
])('%s refuses %s, which a client would round', async (name, args, refusal) => {
  await using server = await serve(createGreenhouse())
  const body = message('tools/call', { name, arguments: { collection: 'plants' } }).replace(
    '"collection"',
    `${args},"collection"`,
  )
  const init = { method: 'POST', headers: accept, body }
  const reply = await fetch(`${server.url}/__greenhouse/mcp`, init)
  expect(await reply.text()).toContain(refusal)
})

/** A call that stubs an operation with a body, which is JSON of any kind. */
const stubWith = (body: string) =>
  message('tools/call', {
    name: 'respond',
    arguments: { operation: 'plants.list', status: 200, body: 0 },
  }).replace('"body":0', `"body":${body}`)

test.each<[title: string, status: number, init: RequestInit]>([
  ['GET', 405, { method: 'GET' }],
  ['DELETE', 405, { method: 'DELETE' }],
  ['PUT', 404, { method: 'PUT', body: '{}' }],
  ['no body', 400, { method: 'POST' }],
  ['broken JSON', 400, { method: 'POST', body: '{"jsonrpc"' }],
  ['a depth of 101', 400, { method: 'POST', body: stubWith('['.repeat(98) + ']'.repeat(98)) }],
  [
    'a depth of 50,000',
    400,
    { method: 'POST', body: stubWith('['.repeat(50_000) + ']'.repeat(50_000)) },
  ],
  ['100,000 values', 400, { method: 'POST', body: stubWith(`[${'1,'.repeat(100_000)}1]`) }],
  ['__proto__', 400, { method: 'POST', body: stubWith('{"__proto__":{"polluted":1}}') }],
  ['more than 1 MiB', 413, { method: 'POST', body: ' '.repeat(2 ** 20 + 1) }],
  [
    'no Accept',
    406,
    { method: 'POST', body: message('tools/list'), headers: { accept: 'text/html' } },
  ],
  ['a batch of 101', 400, { method: 'POST', body: `[${Array(101).fill(message('ping')).join()}]` }],
])('%s is answered with %i, and nothing else happens', async (_title, status, init) => {
  const greenhouse = createGreenhouse()
  await using server = await serve(greenhouse)
  const reply = await fetch(`${server.url}/__greenhouse/mcp`, {
    ...init,
    headers: { ...accept, ...init.headers },
  })
  expect(reply.status).toBe(status)
  // Where the transport has no such method, or the body was not read, it is the control API that
  // answers.
  const isOfMcp = status !== 404 && status !== 413
  expect(await reply.json()).toMatchObject({
    error: {},
    ...(isOfMcp && { jsonrpc: '2.0', id: null }),
  })
  expect(greenhouse.world().scenarios).toEqual([])
  expect({}).not.toHaveProperty('polluted')
  expect((await fetch(`${server.url}/__greenhouse/health`)).status).toBe(200)
})

testControl('arguments of any shape are tool errors, and pollute nothing', async ({ server }) => {
  const { fail, use } = await connectOverHttp(server.url)
  const { tools } = await (await connectOverHttp(server.url)).client.listTools()
  for (const { name } of tools)
    expect(await fail(name, { constructor: 1 })).toMatch(/constructor: there is no such field/)
  for (const world of [
    7,
    null,
    '',
    '.',
    '..',
    'a b',
    '../x',
    'x'.repeat(65),
    '%2e',
    'sk_live_51QxGreenhouse0aBcDeF',
  ])
    expect(await fail('clock', { world }), String(world)).toMatch(
      /^world: |^Failed to find the world |^There is no world /,
    )
  expect(await fail('use_scenario', { scenario: 'slow', options: { constructor: 1 } })).toMatch(
    /constructor/,
  )
  for (const [tool, given] of [
    ['clear_scenarios', { scenario: '..' }],
    ['records', { collection: '..' }],
    ['records', { collection: 'plants', id: '' }],
    ['change_records', { collection: 'plants', delete: '..' }],
  ] as const)
    expect(await fail(tool, given)).toMatch(/^There is no (scenario|collection|id) "(\.\.)?"\.$/)
  expect(await use('clock')).toMatchObject({ frozen: false })
})

test('a call that is being answered when the server drains is answered, and no stream stays open', async () => {
  const greenhouse = createGreenhouse()
  const server = await serve(greenhouse)
  const url = `${server.url}/__greenhouse/mcp`
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const send = (method: string, params: object, name = '') =>
    fetch(url, {
      method: 'POST',
      headers: {
        ...accept,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': name,
      },
      body: message(method, { ...params, _meta: meta }),
    })
  // Nothing that a client can listen for ever changes, so its stream ends at once.
  const stream = await send('subscriptions/listen', { notifications: { toolsListChanged: true } })
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  expect(await stream.text()).toMatch(/acknowledged.*"resultType":"complete"/s)
  // The call waits for the delivery, which ends with the server.
  const receiver = await startReceiver(() => 'never')
  const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }
  const post = (path: string, body: object) =>
    fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  await post('/v1/webhooks', { url: receiver.url, events: ['app.created'] })
  await post('/v1/apps', { name: 'helper' })
  const { clock } = greenhouse.world()
  const before = clock.now()
  const call = send('tools/call', { name: 'clock', arguments: { advance: '1h' } }, 'clock')
  await expect.poll(() => clock.now() - before).toBeGreaterThan(3_000_000)
  const closing = server.drain()
  expect(await (await call).text()).toContain('due')
  await closing
  greenhouse.close()
})
