import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { stateOf, testControl, expectControlError } from '../support/control.ts'
import { drain, openSocket, toReplies } from '../support/socket.ts'
import { version } from '../../package.json'

/** Calls that change something, if they are allowed. */
const changes = [
  ['PUT', '/worlds/default', '{"seed":7,"scenarios":["expired-key"],"records":{"plants":[]}}'],
  ['PUT', '/worlds/stranger', '{}'],
  ['POST', '/worlds/default/reset', ''],
  ['DELETE', '/worlds/kept', ''],
  ['PUT', '/worlds/default/scenarios', '{"active":["expired-key"]}'],
  ['PATCH', '/worlds/default/clock', '{"frozen":true}'],
  ['POST', '/worlds/default/keys', '{"account":"acct_pro"}'],
  ['GET', '/worlds', ''],
  ['GET', '/health', ''],
] as const

const json = 'Content-Type: application/json'

/** Sends every change with these headers over a separate socket, and gives the statuses of the replies. */
async function attempt(
  headers: (port: number) => string[],
  { method, token, host }: { method?: string; token?: string; host?: string } = {},
) {
  const greenhouse = createGreenhouse({ now: '2026-03-01T12:00:30.000Z' })
  greenhouse.world('kept').snapshot('before')
  greenhouse.world('default').use('rate-limited-plan')
  await greenhouse.fetch(new Request('http://localhost/plants'))
  const before = stateOf(greenhouse)
  await using server = await serve(greenhouse, { token, host })
  const statuses = new Set<number>()
  for (const [usual, path, body] of changes) {
    const socket = await openSocket(server.port, host)
    const lines = [`${method ?? usual} /__greenhouse${path} HTTP/1.1`, 'Connection: close', ...headers(server.port)]
    if (body !== '') lines.push(`Content-Length: ${body.length}`)
    socket.write([...lines, '', body].join('\r\n'))
    const [reply, ...more] = toReplies(await drain(socket))
    expect(more).toEqual([])
    expect(Object.keys(reply!.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    if (reply!.status >= 400)
      expect(JSON.parse(reply!.text)).toEqual({
        error: { code: expect.stringMatching(/^[a-z_]+$/), message: expect.stringMatching(/./) },
      })
    statuses.add(reply!.status)
  }
  return { statuses: [...statuses], changed: !isDeepStrictEqual(stateOf(greenhouse), before) }
}

const local = (port: number) => `Host: 127.0.0.1:${port}`

const refused: readonly (readonly [title: string, status: number, headers: (port: number) => string[]])[] = [
  ...[
    'attacker.example',
    'localhost.evil',
    '127.0.0.1.nip.io',
    'localhost.',
    '127.0.0.1.',
    '0.0.0.0',
    '127.0.0.256',
    '127.1',
    '2130706433',
    '[::2]',
    '[::ffff:192.168.1.5]',
    '192.168.1.5',
    'xlocalhost',
    '127.0.0.1x',
  ].map((host) => [`Host: ${host}`, 403, (port: number) => [`Host: ${host}:${port}`, json]] as const),
  ['Host of a stranger without a port', 403, () => ['Host: attacker.example', json]],
  ['an empty Host', 403, () => ['Host:', json]],
  ['a Host that is only a port', 403, (port) => [`Host: :${port}`, json]],
  ['a Host with user information', 400, (port) => [`Host: 127.0.0.1@attacker.example:${port}`, json]],
  ['no Host', 400, () => [json]],
  ['two Hosts', 400, (port) => [local(port), 'Host: attacker.example', json]],
  ['the same Host twice', 400, (port) => [local(port), local(port), json]],
  ...[
    'https://attacker.example',
    'null',
    'http://localhost:5173',
    'http://127.0.0.1:5173',
    'http://127.0.0.1',
    '',
    'file://',
    'http://127.0.0.1.nip.io',
  ].map((origin) => [`Origin: ${origin}`, 403, (port: number) => [local(port), `Origin: ${origin}`, json]] as const),
  ['this port by another name as Origin', 403, (port) => [local(port), `Origin: http://localhost:${port}`, json]],
  ['this server over https as Origin', 403, (port) => [local(port), `Origin: https://127.0.0.1:${port}`, json]],
  [
    'two Origins',
    403,
    (port) => [local(port), `Origin: http://127.0.0.1:${port}`, 'Origin: https://attacker.example', json],
  ],
  ...['cross-site', 'same-site', 'nonsense', ''].map(
    (site) =>
      [`Sec-Fetch-Site: ${site}`, 403, (port: number) => [local(port), `Sec-Fetch-Site: ${site}`, json]] as const,
  ),
  [
    'an image of another site',
    403,
    (port) => [local(port), 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: image', json],
  ],
  [
    'a form of another site',
    403,
    (port) => [local(port), 'Origin: https://attacker.example', 'Content-Type: application/x-www-form-urlencoded'],
  ],
]

test.each(refused)('turns away %s with %i, and nothing happens', async (_title, status, headers) => {
  expect(await attempt(headers)).toEqual({ statuses: [status], changed: false })
})

test.each([
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  'text/plain; application/json',
  'application/jsonx',
  'application/json; charset=latin1',
  '',
])('turns away a body of type "%s" with 415, and nothing happens', async (type) => {
  const { statuses, changed } = await attempt((port) => [local(port), `Content-Type: ${type}`])
  expect({ statuses, changed }).toEqual({ statuses: [415, 200], changed: false })
})

test.each(['gzip', 'br', 'gzip, gzip'])('turns away the encoding %s with 415, and does nothing', async (encoding) => {
  expect(await attempt((port) => [local(port), json, `Content-Encoding: ${encoding}`])).toEqual({
    statuses: [415, 200],
    changed: false,
  })
})

test.each([
  ['a page of another site', ['Origin: https://attacker.example', 'Access-Control-Request-Method: PUT']],
  [
    'a page of this machine',
    [
      'Origin: http://localhost:5173',
      'Access-Control-Request-Method: PUT',
      'Access-Control-Request-Headers: content-type',
    ],
  ],
  ['nobody', []],
])('answers no preflight of %s', async (_title, headers) => {
  expect(await attempt((port) => [local(port), ...headers], { method: 'OPTIONS' })).toEqual({
    statuses: [403],
    changed: false,
  })
})

test('turns away a request that names a whole URL', async () => {
  const greenhouse = createGreenhouse()
  await using server = await serve(greenhouse)
  for (const authority of ['attacker.example', `127.0.0.1:${server.port}`]) {
    const socket = await openSocket(server.port)
    socket.write(
      `DELETE http://${authority}/__greenhouse/worlds/default/scenarios HTTP/1.1\r\n${local(server.port)}\r\nConnection: close\r\n\r\n`,
    )
    expect(toReplies(await drain(socket))).toMatchObject([{ status: 400 }])
  }
})

test('refuses changes without the token, but answers that the server is up', async () => {
  expect(await attempt((port) => [local(port), json], { token: 'secret' })).toEqual({
    statuses: [403, 200],
    changed: false,
  })
})

test.each([
  ['a wrong token', ['Authorization: Bearer wrong']],
  ['a part of the token', ['Authorization: Bearer secre']],
  ['an empty token', ['Authorization: Bearer ']],
  ['another scheme', ['Authorization: Basic secret']],
  ['the token after a wrong one', ['Authorization: Bearer wrong', 'Authorization: Bearer secret']],
])('asks for the token and turns away %s', async (_title, headers) => {
  expect(await attempt((port) => [local(port), json, ...headers], { token: 'secret' })).toEqual({
    statuses: [403],
    changed: false,
  })
})

test('lets the token in', async () => {
  const { statuses, changed } = await attempt((port) => [local(port), json, 'Authorization: Bearer secret'], {
    token: 'secret',
  })
  expect({ statuses: statuses.sort(), changed }).toEqual({ statuses: [200, 201, 204], changed: true })
})

const allowed: readonly (readonly [title: string, headers: (port: number) => string[]])[] = [
  ['127.0.0.1', (port) => [local(port)]],
  ['another address of this machine alone', () => ['Host: 127.8.9.10']],
  ['localhost', (port) => [`Host: localhost:${port}`]],
  ['LOCALHOST', (port) => [`Host: LOCALHOST:${port}`]],
  ['[::1]', (port) => [`Host: [::1]:${port}`]],
  ['a forwarded port', () => ['Host: localhost:8080']],
  ['its own page', (port) => [local(port), `Origin: http://127.0.0.1:${port}`, 'Sec-Fetch-Site: same-origin']],
  ['the address bar', (port) => [local(port), 'Sec-Fetch-Site: none']],
]

test.each(allowed)('lets in %s', async (_title, headers) => {
  const { statuses, changed } = await attempt((port) => [...headers(port), json])
  expect({ statuses: statuses.sort(), changed }).toEqual({ statuses: [200, 201, 204], changed: true })
})

test('lets in the host that it was configured to listen on', async () => {
  const { statuses } = await attempt(() => ['Host: 0.0.0.0', json, 'Authorization: Bearer secret'], {
    host: '0.0.0.0',
    token: 'secret',
  })
  expect(statuses.sort()).toEqual([200, 201, 204])
})

test('lets nothing be run, sniffed or kept', async () => {
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

/** Asks a server with a token, which is also known as greenhouse. */
async function ask(line: string, headers: readonly string[], host = 'greenhouse') {
  await using server = await serve(createGreenhouse(), { allowHosts: ['greenhouse'], token: 'secret' })
  const socket = await openSocket(server.port)
  socket.write(
    [`${line} HTTP/1.1`, `Host: ${host}:${server.port}`, 'Connection: close', ...headers, '', ''].join('\r\n'),
  )
  const [reply] = toReplies(await drain(socket))
  return [reply!.status, reply!.text]
}

const health = '/__greenhouse/health'

test('without the token, the probe says that a server is up, and nothing else', async () => {
  expect(await ask(`GET ${health}`, [])).toEqual([200, '{"status":"ok"}'])
  expect(await ask(`HEAD ${health}`, [])).toEqual([200, ''])
  expect(await ask(`GET ${health}`, [], '127.0.0.1')).toEqual([200, '{"status":"ok"}'])
  const [status, text] = await ask(`GET ${health}`, ['Authorization: Bearer secret'])
  expect([status, JSON.parse(text as string)]).toEqual([200, { status: 'ok', version, worlds: 1 }])
})

test.each([
  ['a wrong token', `GET ${health}`, ['Authorization: Bearer wrong'], 'greenhouse'],
  ['an empty token', `GET ${health}`, ['Authorization:'], 'greenhouse'],
  ['another method', `POST ${health}`, [], 'greenhouse'],
  ['a query', `GET ${health}?x=1`, [], 'greenhouse'],
  ['another route', 'GET /__greenhouse/worlds', [], 'greenhouse'],
  ['a route below it', `GET ${health}/worlds`, [], 'greenhouse'],
  ['a host of a stranger', `GET ${health}`, [], 'attacker.example'],
  ['a page of another site', `GET ${health}`, ['Origin: https://attacker.example'], 'greenhouse'],
  ['an image of another site', `GET ${health}`, ['Sec-Fetch-Site: cross-site'], 'greenhouse'],
])('%s gets nothing without the token', async (_title, line, headers, host) => {
  const [status, text] = await ask(line, headers, host)
  expect([status, JSON.parse(text as string).error.code]).toEqual([403, 'forbidden'])
})

async function askAllowedHosts(
  host: string,
  { token, shown }: { token?: string; shown?: string },
): Promise<{ status: number; text: string }> {
  await using server = await serve(createGreenhouse(), { allowHosts: ['greenhouse', '.example.com'], token })
  const socket = await openSocket(server.port)
  socket.write(
    [
      'GET /__greenhouse/worlds HTTP/1.1',
      `Host: ${host}:${server.port}`,
      ...(shown === undefined ? [] : [`Authorization: Bearer ${shown}`]),
      'Connection: close',
      '',
      '',
    ].join('\r\n'),
  )
  return toReplies(await drain(socket))[0]!
}

test('a name that was allowed reaches the control API of a server with a token, with the token', async () => {
  for (const host of ['greenhouse', 'GREENHOUSE', 'a.example.com', 'app.localhost', '192.168.1.5']) {
    expect((await askAllowedHosts(host, { token: 'secret', shown: 'secret' })).status, host).toBe(200)
    expect((await askAllowedHosts(host, { token: 'secret', shown: 'wrong' })).status, host).toBe(403)
    expect((await askAllowedHosts(host, { token: 'secret' })).status, host).toBe(403)
  }
})

test('without a token an allowed name is 403, since anyone could make it lead to the server', async () => {
  for (const host of ['greenhouse', 'a.example.com', 'app.localhost', '192.168.1.5']) {
    const { status, text } = await askAllowedHosts(host, {})
    expect(status, host).toBe(403)
    expect(JSON.parse(text).error.message).toContain('--token')
  }
})

test('other names never reach the control API', async () => {
  for (const host of ['attacker.example', 'greenhouse.evil', 'localhost.'])
    expect((await askAllowedHosts(host, { token: 'secret', shown: 'secret' })).status, host).toBe(403)
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
  testControl(`what is a delivery of a webhook by ${mark} is rejected`, async ({ greenhouse, control, world }) => {
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
  })
