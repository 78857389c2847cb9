import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { stateOf, testControl, expectControlError } from '../support/control.ts'
import { ask, exchangeWith } from '../support/socket.ts'
import { version } from '../../package.json'

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const params = { name: 'reset_world', arguments: {}, _meta: meta }
const resetByMcp = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
const ofMcp = [
  'Accept: application/json, text/event-stream',
  'MCP-Protocol-Version: 2026-07-28',
  'MCP-Method: tools/call',
  'MCP-Name: reset_world',
]

const planted = 'title: T\ndescription: D\ncovers: C\nrespond: [{ status: 500 }]'

/** Calls that change something, if they are allowed. */
const changes = [
  ['PUT', '/worlds/default', '{"seed":7,"scenarios":["expired-key"],"records":{"plants":[]}}'],
  ['PUT', '/worlds/stranger', '{}'],
  ['POST', '/worlds/default/reset', ''],
  ['DELETE', '/worlds/kept', ''],
  ['PUT', '/worlds/default/scenarios', '{"active":["expired-key"]}'],
  ['PATCH', '/worlds/default/clock', '{"frozen":true}'],
  ['POST', '/worlds/default/keys', '{"account":"acct_pro"}'],
  ['PUT', '/scenarios/planted', JSON.stringify({ text: planted })],
  ['POST', '/scenarios/check', JSON.stringify({ text: planted })],
  ['GET', '/worlds', ''],
  ['GET', '/health', ''],
  ['POST', '/mcp', resetByMcp],
] as const

type Headers = (port: number) => string[]
type Opened = Awaited<ReturnType<typeof open>>
interface Options {
  method?: string
  token?: string
  host?: string
}

/** Starts a server in whose worlds any change is seen. */
async function open({ token, host }: Options = {}) {
  const greenhouse = createGreenhouse({ now: '2026-03-01T12:00:30.000Z' })
  greenhouse.world('kept').snapshot('before')
  greenhouse.world('default').use('rate-limited-plan')
  await greenhouse.fetch(new Request('http://localhost/plants'))
  const saved: string[] = []
  const save = (name: string) => {
    saved.push(name)
    greenhouse.reload({
      scenarios: {
        [name]: { title: 'T', description: 'D', covers: 'C', respond: [{ status: 500 }] },
      },
    })
  }
  greenhouse.setFilesState({ scenarios: { path: 'scenarios', find: () => undefined, save } })
  return { greenhouse, saved, server: await serve(greenhouse, { token, host }) }
}

/**
 * Sends every change with these headers over a separate socket, and gives the statuses of the
 * replies.
 */
async function attempt(
  headers: Headers,
  { method, host }: Options,
  { greenhouse, saved, server }: Opened,
) {
  const before = stateOf(greenhouse)
  const statuses = new Set<number>()
  for (const [usual, path, body] of changes) {
    const lines = [
      `${method ?? usual} /__greenhouse${path} HTTP/1.1`,
      'Connection: close',
      ...headers(server.port),
    ]
    if (body !== '') lines.push(`Content-Length: ${body.length}`)
    if (path === '/mcp') lines.push(...ofMcp)
    const [reply, ...more] = await exchangeWith(
      server.port,
      [...lines, '', body].join('\r\n'),
      host,
    )
    expect(more).toEqual([])
    expect(Object.keys(reply!.headers).filter((name) => name.startsWith('access-control'))).toEqual(
      [],
    )
    if (reply!.status >= 400)
      expect(JSON.parse(reply!.text)).toEqual({
        error: { code: expect.stringMatching(/^[a-z_]+$/), message: expect.stringMatching(/./) },
      })
    statuses.add(reply!.status)
  }
  const changed = !isDeepStrictEqual(stateOf(greenhouse), before)
  expect(saved).toEqual(changed ? ['planted'] : [])
  return { statuses: [...statuses], changed }
}

const json = 'Content-Type: application/json'
const token = 'secret'
const withToken = ['Authorization: Bearer secret']
const attacker = 'Origin: https://attacker.example'
const local = (port: number) => `Host: 127.0.0.1:${port}`
const only =
  (...lines: string[]): Headers =>
  (port) => [local(port), ...lines]
/** The usual headers with these. */
const and = (...lines: string[]) => only(json, ...lines)

const foreignHosts = [
  [
    'attacker.example',
    'localhost.evil',
    '127.0.0.1.nip.io',
    'localhost.',
    '127.0.0.1.',
    '0.0.0.0',
    '127.0.0.256',
  ],
  [
    '127.1',
    '2130706433',
    '[::2]',
    '[::ffff:192.168.1.5]',
    '192.168.1.5',
    'xlocalhost',
    '127.0.0.1x',
  ],
].flat()
const named = (name: string, values: string[]) => values.map((value) => `${name}: ${value}`)
const foreignOrigins = named(
  'Origin',
  [
    [
      'https://attacker.example',
      'null',
      'http://localhost:5173',
      'http://127.0.0.1:5173',
      'http://127.0.0.1',
      '',
    ],
    ['file://', 'http://127.0.0.1.nip.io'],
  ].flat(),
)
const otherTypes = [
  ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'],
  ['text/plain; application/json', 'application/jsonx', 'application/json; charset=latin1', ''],
].flat()

type Row = readonly [title: string, statuses: number[], headers: Headers, options?: Options]
const withLine = (statuses: number[], lines: string[]) =>
  lines.map((line): Row => [line, statuses, and(line)])
const preflight = { method: 'OPTIONS' }
const methodOf = 'Access-Control-Request-Method: PUT'
const wantsType = 'Access-Control-Request-Headers: content-type'
const crossSite = 'Sec-Fetch-Site: cross-site'

const rejected: readonly Row[] = [
  ...foreignHosts.map((host): Row => [
    `Host: ${host}`,
    [403],
    (port) => [`Host: ${host}:${port}`, json],
  ]),
  ['a foreign Host without a port', [403], () => ['Host: attacker.example', json]],
  ['an empty Host', [403], () => ['Host:', json]],
  ['a Host that is only a port', [403], (port) => [`Host: :${port}`, json]],
  [
    'a Host with user information',
    [400],
    (port) => [`Host: 127.0.0.1@attacker.example:${port}`, json],
  ],
  ['no Host', [400], () => [json]],
  ['two Hosts', [400], and('Host: attacker.example')],
  ['the same Host twice', [400], (port) => and(local(port))(port)],
  ...withLine([403], foreignOrigins),
  [
    'this port by another name as Origin',
    [403],
    (port) => and(`Origin: http://localhost:${port}`)(port),
  ],
  [
    'this server over https as Origin',
    [403],
    (port) => and(`Origin: https://127.0.0.1:${port}`)(port),
  ],
  ['two Origins', [403], (port) => and(`Origin: http://127.0.0.1:${port}`, attacker)(port)],
  ...withLine([403], named('Sec-Fetch-Site', ['cross-site', 'same-site', 'nonsense', ''])),
  [
    'an image of another site',
    [403],
    and(crossSite, 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: image'),
  ],
  [
    'a form of another site',
    [403],
    only(attacker, 'Content-Type: application/x-www-form-urlencoded'),
  ],
  ...otherTypes.map((type): Row => [
    `a body of type "${type}"`,
    [415, 200],
    only(`Content-Type: ${type}`),
  ]),
  ...withLine([415, 200], named('Content-Encoding', ['gzip', 'br', 'gzip, gzip'])),
  ['a preflight of another site', [403], only(attacker, methodOf), preflight],
  [
    'a preflight of this machine',
    [403],
    only('Origin: http://localhost:5173', methodOf, wantsType),
    preflight,
  ],
  ['a preflight of nobody', [403], only(), preflight],
  [
    'a change without the token, but answers that the server is up,',
    [401, 200, 403],
    and(),
    { token },
  ],
  ['a wrong token', [401, 403], and('Authorization: Bearer wrong'), { token }],
  ['a part of the token', [401, 403], and('Authorization: Bearer secre'), { token }],
  ['an empty token', [401, 403], and('Authorization: Bearer '), { token }],
  ['another scheme', [401, 403], and('Authorization: Basic secret'), { token }],
  [
    'the token after a wrong one',
    [401, 403],
    and('Authorization: Bearer wrong', 'Authorization: Bearer secret'),
    { token },
  ],
]

const opened: Opened[] = []
beforeAll(async () => void opened.push(await open(), await open({ token })))
afterAll(() => Promise.all(opened.map(({ server }) => server.close())))

for (const [title, statuses, headers, options = {}] of rejected)
  test(`rejects ${title} and changes nothing`, async () => {
    expect(await attempt(headers, options, opened[options.token ? 1 : 0]!)).toEqual({
      statuses,
      changed: false,
    })
  })

test.each<[title: string, headers: Headers, options?: Options]>([
  ['127.0.0.1', and()],
  ['another address of this machine alone', () => ['Host: 127.8.9.10', json]],
  ['localhost', (port) => [`Host: localhost:${port}`, json]],
  ['LOCALHOST', (port) => [`Host: LOCALHOST:${port}`, json]],
  ['[::1]', (port) => [`Host: [::1]:${port}`, json]],
  ['a forwarded port', () => ['Host: localhost:8080', json]],
  [
    'its own page',
    (port) => and(`Origin: http://127.0.0.1:${port}`, 'Sec-Fetch-Site: same-origin')(port),
  ],
  ['the address bar', and('Sec-Fetch-Site: none')],
  ['the token', and('Authorization: Bearer secret'), { token }],
  [
    'the host that it listens on',
    () => ['Host: 0.0.0.0', json, ...withToken],
    { token, host: '0.0.0.0' },
  ],
])('lets in %s', async (_title, headers, options = {}) => {
  const own = await open(options)
  onTestFinished(() => own.server.close())
  const { statuses, changed } = await attempt(headers, options, own)
  expect({ statuses: statuses.sort(), changed }).toEqual({
    statuses: [200, 201, 204],
    changed: true,
  })
})

test('a request that names a whole URL is rejected', async () => {
  await using server = await serve(createGreenhouse())
  for (const authority of ['attacker.example', `127.0.0.1:${server.port}`]) {
    const line = `DELETE http://${authority}/__greenhouse/worlds/default/scenarios`
    expect(await ask(server.port, line)).toMatchObject({ status: 400 })
  }
})

test('no reply may be run, sniffed or kept', async () => {
  await using server = await serve(createGreenhouse())
  for (const [path, headers] of [
    ['/health', {}],
    ['/nope', {}],
    ['/health', { origin: 'null' }],
  ] as const) {
    const reply = await fetch(`${server.url}/__greenhouse${path}`, { headers })
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'no-store',
    })
    expect(reply.headers.get('x-powered-by')).toBeNull()
  }
})

/** Asks a server that is also known as greenhouse and as each name below example.com. */
async function askAs(
  line: string,
  headers: readonly string[] = [],
  { host = 'greenhouse', hasToken = true } = {},
) {
  const options = { allowHosts: ['greenhouse', '.example.com'], ...(hasToken && { token }) }
  await using server = await serve(createGreenhouse(), options)
  const { status, text } = await ask(server.port, line, [
    `Host: ${host}:${server.port}`,
    ...headers,
  ])
  return [status, text] as const
}

const health = '/__greenhouse/health'
const worlds = 'GET /__greenhouse/worlds'

test('without the token, the probe says that a server is up, and nothing else', async () => {
  const { url } = opened[1]!.server
  expect((await fetch(`${url}/__greenhouse/start`)).headers.get('www-authenticate')).toMatch(
    /^Bearer /,
  )
  expect(await askAs(`GET ${health}`)).toEqual([200, '{"status":"ok"}'])
  expect(await askAs(`HEAD ${health}`)).toEqual([200, ''])
  expect(await askAs(`GET ${health}`, [], { host: '127.0.0.1' })).toEqual([200, '{"status":"ok"}'])
  for (const accept of ['*/*', 'application/json, text/plain, */*', 'text/html'])
    expect(await askAs(`HEAD ${health}`, [`Accept: ${accept}`])).toEqual([200, ''])
  const [status, text] = await askAs(`GET ${health}`, withToken)
  expect([status, JSON.parse(text)]).toEqual([200, { status: 'ok', version, worlds: 1 }])
})

test.each<[title: string, line: string, headers: string[], code: string, host?: string]>([
  ['a wrong token', `GET ${health}`, ['Authorization: Bearer wrong'], 'unauthorized'],
  ['an empty token', `GET ${health}`, ['Authorization:'], 'unauthorized'],
  ['another method', `POST ${health}`, [], 'unauthorized'],
  ['a query', `GET ${health}?x=1`, [], 'unauthorized'],
  ['another route', worlds, [], 'unauthorized'],
  ['a route below it', `GET ${health}/worlds`, [], 'unauthorized'],
  ['a client of MCP', 'POST /__greenhouse/mcp', [json], 'forbidden'],
  ['a foreign host', `GET ${health}`, [], 'forbidden', 'attacker.example'],
  ['a page of another site', `GET ${health}`, [attacker], 'forbidden'],
  ['an image of another site', `GET ${health}`, [crossSite], 'forbidden'],
])('%s gets nothing without the token', async (_title, line, headers, code, host) => {
  const [status, text] = await askAs(line, headers, { ...(host && { host }) })
  expect([status, JSON.parse(text).error.code]).toEqual([code === 'unauthorized' ? 401 : 403, code])
})

const allowed = ['greenhouse', 'GREENHOUSE', 'a.example.com', 'app.localhost', '192.168.1.5']

test.each<[title: string, headers: string[], status: number, hasToken?: boolean, hosts?: string[]]>(
  [
    ['with the token, an allowed name reaches the control API', withToken, 200],
    ['with a wrong token, an allowed name is 401', ['Authorization: Bearer wrong'], 401],
    ['without the token, an allowed name is 401', [], 401],
    [
      'on a server without a token, an allowed name is 403: anyone could make it lead there',
      [],
      403,
      false,
    ],
    [
      'other names never reach it',
      withToken,
      403,
      true,
      ['attacker.example', 'greenhouse.evil', 'localhost.'],
    ],
  ],
)('%s', async (_title, headers, expected, hasToken = true, hosts = allowed) => {
  for (const host of hosts) {
    const [status, text] = await askAs(worlds, headers, { host, hasToken })
    expect(status, host).toBe(expected)
    if (!hasToken) expect(JSON.parse(text).error.message).toContain('--token')
  }
})

const deliveries: Record<string, Record<string, string>> = {
  'its id': { 'webhook-id': 'evt_1' },
  'an empty id': { 'webhook-id': '' },
  'its user agent': { 'user-agent': 'Greenhouse-Webhooks/1' },
  'the user agent of another version': { 'user-agent': 'greenhouse-webhooks/27 (x)' },
  'both, and what else a delivery has': {
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1772366430',
    'webhook-signature': 'v1,x',
    'user-agent': 'Greenhouse-Webhooks/1',
  },
}

for (const [mark, headers] of Object.entries(deliveries))
  testControl(
    `what is a delivery of a webhook by ${mark} is rejected`,
    async ({ greenhouse, world, control }) => {
      world.use('expired-key')
      const before = stateOf(greenhouse)
      for (const [method, path, body] of [
        ['POST', '/worlds/default/reset'],
        ['POST', '/worlds/default/events', { type: 'app.created' }],
        ['PUT', '/worlds/other', {}],
        ['GET', '/health'],
      ] as const)
        expectControlError(await control(method, path, body, headers), 403, 'forbidden', /webhooks/)
      expect(stateOf(greenhouse)).toEqual(before)
    },
  )
