import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { stateOf } from '../support/control.ts'
import { ask } from '../support/socket.ts'

const page = 'http://localhost:5173'

async function send(
  line: string,
  headers: string[],
  { body = '', token }: { body?: string; token?: string } = {},
) {
  const greenhouse = createGreenhouse({ now: '2026-03-01T12:00:30.000Z' })
  const before = stateOf(greenhouse)
  await using server = await serve(greenhouse, {
    token,
    controlOrigins: [page, 'https://app.example.com'],
  })
  const reply = await ask(server.port, line, headers, body)
  const { status, text } = reply
  const cors = Object.fromEntries(
    Object.entries(reply.headers).filter(
      ([name]) => name.startsWith('access-control') || name === 'vary',
    ),
  )
  return { status, cors, text, changed: !isDeepStrictEqual(stateOf(greenhouse), before) }
}

const use = 'PUT /__greenhouse/worlds/default/scenarios'
const json = 'Content-Type: application/json'
const body = '{"active":["expired-key"]}'
const readable = {
  'access-control-allow-origin': page,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'X-Greenhouse-Undo',
  vary: 'Origin',
}

test.each(['same-site', 'cross-site', 'same-origin', undefined])(
  'a page of an origin that was let in may call, and read the answer (Sec-Fetch-Site: %s)',
  async (site) => {
    const marks = site === undefined ? [] : [`Sec-Fetch-Site: ${site}`]
    const call = await send(use, [`Origin: ${page}`, json, ...marks], { body })
    expect(call).toMatchObject({ status: 200, cors: readable, changed: true })
    const read = await send('GET /__greenhouse/health', [`Origin: ${page}`, ...marks])
    expect(read).toMatchObject({ status: 200, cors: readable })
  },
)

test('its preflight allows that origin, its methods and headers, and private network access', async () => {
  const preflight = [
    `Origin: ${page}`,
    'Access-Control-Request-Method: PUT',
    'Access-Control-Request-Headers: x-evil',
  ]
  const may = {
    ...readable,
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers':
      'Content-Type, Authorization, X-Greenhouse-World, MCP-Protocol-Version, MCP-Method, MCP-Name',
    'access-control-max-age': '600',
  }
  const line = 'OPTIONS /__greenhouse/worlds/default/scenarios'
  expect(await send(line, preflight, { token: 'secret' })).toEqual({
    status: 204,
    cors: may,
    text: '',
    changed: false,
  })
  expect(
    (await send(line, [...preflight, 'Access-Control-Request-Private-Network: true'])).cors,
  ).toEqual({
    ...may,
    'access-control-allow-private-network': 'true',
  })
  expect(await send('OPTIONS /__greenhouse/health', [`Origin: ${page}`])).toMatchObject({
    status: 403,
  })
})

test('it reads errors too, and needs the token where there is one', async () => {
  const wrong = await send(use, [`Origin: ${page}`, json], { body: '{"active":["slwo"]}' })
  expect(wrong).toMatchObject({ status: 400, cors: readable, changed: false })
  const untyped = await send(use, [`Origin: ${page}`, 'Content-Type: text/plain'], { body })
  expect(untyped).toMatchObject({ status: 415, cors: readable, changed: false })
  const without = await send(use, [`Origin: ${page}`, json], { body, token: 'secret' })
  expect(without).toMatchObject({ status: 401, cors: readable, changed: false })
  const authorized = [`Origin: ${page}`, json, 'Authorization: Bearer secret']
  const withToken = await send(use, authorized, { body, token: 'secret' })
  expect(withToken).toMatchObject({ status: 200, cors: readable, changed: true })
})

const foreign: [title: string, headers: string[]][] = [
  ['another site', ['Origin: https://attacker.example']],
  ['another port', ['Origin: http://localhost:5174']],
  ['another name of the same machine', ['Origin: http://127.0.0.1:5173']],
  ['another scheme', ['Origin: https://localhost:5173']],
  ['upper case', ['Origin: HTTP://LOCALHOST:5173']],
  ['a path', [`Origin: ${page}/`]],
  ['a longer name', [`Origin: ${page}.attacker.example`]],
  ['a name below', ['Origin: http://app.localhost:5173']],
  ['null', ['Origin: null']],
  ['nothing', ['Origin:']],
  ['two origins', [`Origin: ${page}`, 'Origin: https://attacker.example']],
  ['both in one', [`Origin: ${page}, ${page}`]],
  ['no origin, from another site', ['Sec-Fetch-Site: cross-site']],
  ['no origin, from another port', ['Sec-Fetch-Site: same-site', 'Sec-Fetch-Mode: no-cors']],
  ['a name that leads here by chance', ['Host: attacker.example', `Origin: ${page}`]],
  ['a delivery', [`Origin: ${page}`, 'webhook-id: 1']],
]

test.each(foreign)('%s is rejected as ever, and nothing happens', async (_title, headers) => {
  for (const line of [
    use,
    'OPTIONS /__greenhouse/worlds/default/scenarios',
    'GET /__greenhouse/events',
  ]) {
    const asks = line.startsWith('OPTIONS') ? ['Access-Control-Request-Method: PUT'] : [json]
    const { status, cors, changed } = await send(line, [...headers, ...asks], {
      body: line === use ? body : '',
    })
    expect([line, status, changed]).toEqual([line, 403, false])
    expect(cors).not.toHaveProperty('access-control-allow-origin')
  }
})

test('its origin is of no use for the API itself, and --cors of none here', async () => {
  const greenhouse = createGreenhouse({ cors: ['https://shop.example'] })
  await using server = await serve(greenhouse, { controlOrigins: ['https://app.example.com'] })
  const fetchFrom = (path: string, origin: string) =>
    fetch(server.url + path, {
      headers: { origin, authorization: 'Bearer key_pro', 'sec-fetch-site': 'cross-site' },
    })
  expect((await fetchFrom('/plants', 'https://shop.example')).status).toBe(200)
  expect((await fetchFrom('/plants', 'https://app.example.com')).status).toBe(403)
  expect((await fetchFrom('/__greenhouse/health', 'https://app.example.com')).status).toBe(200)
  expect((await fetchFrom('/__greenhouse/health', 'https://shop.example')).status).toBe(403)
})

test('an origin that is not exact is rejected by serve', async () => {
  const inexact =
    '*|null|http://localhost:5173/|http://localhost:5173/app|HTTP://localhost:5173|http://Localhost:5173|' +
    'http://localhost:80|localhost:5173|http://*.example.com:1||http://user@localhost:5173| http://localhost:5173'
  for (const origin of inexact.split('|'))
    await expect(serve(createGreenhouse(), { controlOrigins: [origin] }), origin).rejects.toThrow(
      /controlOrigins\.0: expected one exact origin: scheme, host and port as browsers send them, without a path and without \*/,
    )
})

test('a page with the origin null is rejected with an explanation', async () => {
  await using server = await serve(createGreenhouse())
  const rejected = await fetch(`${server.url}/__greenhouse/worlds`, { headers: { origin: 'null' } })
  expect(rejected.status).toBe(403)
  expect(await rejected.json()).toMatchObject({
    error: { message: expect.stringMatching(/^The page has no origin: .*file:\/\//) },
  })
})

const html = 'Accept: text/html,application/xhtml+xml,*/*;q=0.8'

async function open(line: string, headers: string[], options: Parameters<typeof serve>[1] = {}) {
  const greenhouse = createGreenhouse()
  await using server = await serve(greenhouse, options)
  const reply = await ask(server.port, line, headers)
  return [reply.status, reply.headers['location']]
}

const panel = [303, '/__greenhouse/']

test('a browser that opens / or /__greenhouse is sent to the panel', async () => {
  for (const line of ['GET /', 'HEAD /', 'GET /__greenhouse', 'GET /__greenhouse?x=1'])
    expect([line, await open(line, [html])]).toEqual([line, panel])
  expect(await open('GET /__greenhouse', [html], { token: 'secret' })).toEqual(panel)
  expect(await open('GET /', [html], { token: 'secret' })).toEqual(panel)
})

test('a path that has /__greenhouse further behind is not the control API', async () => {
  expect((await open('GET /__greenhouse/health', ['Accept: */*']))[0]).toBe(200)
  expect((await open('GET /_x/__greenhouse/health', ['Accept: */*']))[0]).toBe(404)
})

test('anything else gets there what it always got', async () => {
  const others = [
    'Accept: */*',
    'Accept: application/json',
    'Accept: text/html;q=0',
    'Accept: text/*',
    'X-None: 1',
  ]
  for (const accept of others)
    for (const line of [
      'GET /',
      'HEAD /',
      'GET /__greenhouse',
      'POST /__greenhouse',
      'GET /__greenhouse/nope',
    ])
      expect([line, accept, await open(line, [accept])]).toEqual([line, accept, [404, undefined]])
  expect(await open('POST /', [html])).toEqual([404, undefined])
  expect(await open('GET /?x=1', [html, 'Sec-Fetch-Site: none'])).toEqual(panel)
  expect(await open('GET /plants', [html])).toEqual([401, undefined])
})

const files = ['GET /__greenhouse/', 'GET /__greenhouse/panel/panel.js', 'GET /__greenhouse']

test.each([
  ['a foreign host', ['Host: attacker.example']],
  ['a name that looks like this machine', ['Host: 127.0.0.1.nip.io']],
  ['another origin', ['Origin: https://attacker.example']],
  ['another port', ['Origin: http://localhost:5173']],
  ['null', ['Origin: null']],
  [
    'a script of another site',
    ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: script'],
  ],
  [
    'a frame of another site',
    ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe'],
  ],
  ['a delivery', ['webhook-id: 1']],
])('%s gets nothing of the panel', async (_title, headers) => {
  for (const line of files)
    expect([line, await open(line, [html, ...headers])]).toEqual([line, [403, undefined]])
  // Let in to the control API is not let in to the page.
  const origins = { controlOrigins: ['https://attacker.example', 'http://localhost:5173'] }
  for (const line of files)
    expect([line, await open(line, [html, ...headers], origins)]).toEqual([line, [403, undefined]])
})

test('a foreign host is not sent there from / either', async () => {
  expect(await open('GET /', [html, 'Host: attacker.example'])).toEqual([403, undefined])
})

test('a link on another page opens it', async () => {
  const opened = [
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Mode: navigate',
    'Sec-Fetch-Dest: document',
  ]
  expect(await open('GET /__greenhouse', [html, ...opened])).toEqual(panel)
  expect((await open('GET /__greenhouse/health', [html, ...opened]))[0]).toBe(403)
})
