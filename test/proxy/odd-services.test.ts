import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../support/listen.ts'
import { openSocket } from '../support/socket.ts'
import { inFrontOf, standInFront } from './in-front.ts'
import { answerBytes, readMessage, sendBytes } from './bytes.ts'

const json = 'Content-Type: application/json'
const plants = '[{"name":"Ficus"}]'
const reply = (headers: string[], body = plants) =>
  ['HTTP/1.1 200 OK', json, ...headers, `Content-Length: ${body.length}`, '', body].join('\r\n')
const ask = (line: string, ...headers: string[]) =>
  [
    `${line} HTTP/1.1`,
    'Host: x.localhost',
    'Authorization: Bearer real',
    'Connection: close',
    ...headers,
    '',
    '',
  ].join('\r\n')

const conditions = [
  'If-None-Match: "1"',
  'If-Modified-Since: x',
  'If-Match: "1"',
  'If-Range: "1"',
  'Range: bytes=0-1',
]

test.each([
  ['a body that a scenario may change is asked for as a whole', 'GET', 'malformed-plant', []],
  ['conditions go on where no scenario acts on the body', 'GET', 'slow:ms=1', conditions],
  ['conditions go on without a scenario', 'GET', undefined, conditions],
  ['what guards a change is not taken off', 'DELETE', 'malformed-plant', conditions],
])('%s', async (_, method, scenario, expected) => {
  const { got, server } = answerBytes(reply([]))
  const { port, world } = await inFrontOf(server)
  if (scenario) world.use(scenario as never)
  await sendBytes(port, ask(`${method} /plants${method === 'DELETE' ? '/1' : ''}`, ...conditions))
  expect(readMessage(got.bytes).headers.filter((one) => /^(?:if-|range)/i.test(one))).toEqual(
    expected,
  )
})

const validators = [
  'etag: "1"',
  'Last-Modified: x',
  'Content-MD5: x',
  'Digest: x',
  'Content-Digest: x',
  'Repr-Digest: x',
]

test.each([
  ['a changed body loses them', 'malformed-plant:field=name,kind=null', []],
  ['a body that is cut loses them', { fault: [{ kind: 'truncate', at: 5 }] }, []],
  ['a body that stays keeps them', 'slow:ms=1', validators],
  ['a body that a scenario leaves alone keeps them', 'wrong-content-type', validators],
])('what names the version of a body is of that body: %s', async (_, scenario, expected) => {
  const { port, world } = await inFrontOf(answerBytes(reply(validators)).server)
  world.use(scenario as never)
  const { headers } = readMessage(await sendBytes(port, ask('GET /plants')))
  expect(headers.filter((one) => /^(?:etag|last-|.*md5|.*digest)/i.test(one))).toEqual(expected)
})

const parts = `HTTP/1.1 200 OK\r\n${json}\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n`
const whole = `${parts}2\r\n[]\r\n0\r\nX-Sum: 7\r\n\r\n`

test.each([
  ['HEAD', ask('HEAD /plants'), parts, ''],
  ['HTTP/1.0', 'GET /plants HTTP/1.0\r\nHost: x.localhost\r\n\r\n', whole, '[]'],
])(
  'a reply in chunks with trailers arrives where there can be none: %s',
  async (_, request, sent, body) => {
    const { port } = await inFrontOf(answerBytes(sent).server)
    const come = await sendBytes(port, request)
    expect(come).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(come).not.toContain('Trailer')
    expect(readMessage(come).body).toBe(body)
  },
)

test('a 205 with content does not keep its client waiting', async () => {
  const { port } = await inFrontOf(
    answerBytes('HTTP/1.1 205 Reset Content\r\nContent-Length: 5\r\n\r\nhello').server,
  )
  expect(await sendBytes(port, ask('GET /plants'))).toMatch(
    /^HTTP\/1\.1 205 [^]*\r\nContent-Length: 0\r\n[^]*\r\n\r\n$/,
  )
})

test('a control character in the phrase is left out', async () => {
  const { port } = await inFrontOf(
    answerBytes(`HTTP/1.1 200 Fi\u0001ne\u007f\r\n${json}\r\nContent-Length: 2\r\n\r\n[]`).server,
  )
  expect(await sendBytes(port, ask('GET /plants'))).toMatch(/^HTTP\/1\.1 200 Fine\r\n/)
})

test('a service that sends endless early hints is an error', async () => {
  const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n'
  const write = (socket: Socket) => {
    while (!socket.destroyed && socket.write(hint.repeat(100)));
  }
  const { port } = await inFrontOf(
    answerBytes((socket) => write(socket.on('drain', () => write(socket)))).server,
  )
  const come = await sendBytes(port, ask('GET /plants'))
  expect(come.match(/103 Early Hints/g)!.length).toBeLessThanOrEqual(100)
  expect(come).toMatch(/HTTP\/1\.1 502 [^]*sent more than 100 replies with a status below 200/)
})

test.each(['end', 'destroy'] as const)(
  'a refusal of a large body arrives, though the service closes: %s',
  async (close) => {
    const refusal =
      'HTTP/1.1 413 Content Too Large\r\nContent-Length: 5\r\nConnection: close\r\n\r\nlarge'
    const { port } = await inFrontOf(
      createServer((socket) => {
        socket.on('error', () => undefined)
        socket.once('data', () => {
          socket.pause()
          socket.write(refusal, () => (close === 'end' ? socket.end() : socket.destroy()))
        })
      }),
    )
    for (let round = 0; round < 3; round++) {
      const socket = await openSocket(port)
      const length = 30_000_000
      socket.write(
        `POST /plants HTTP/1.1\r\nHost: x.localhost\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`,
      )
      socket.write('x'.repeat(length))
      const [come] = (await once(socket, 'data')) as [Buffer]
      expect(come.toString()).toMatch(/^HTTP\/1\.1 413 Content Too Large\r\n/)
      socket.destroy()
    }
  },
)

test.each([
  ['/api//evil.test/a', 'http://x.localhost//evil.test/a'],
  ['/api/\\evil.test', 'http://x.localhost//evil.test'],
  ['/api', '/'],
  ['/api?a=1', '/?a=1'],
  ['/api/plants/2', '/plants/2'],
])('a Location below the base path stays on this server: %s', async (location, expected) => {
  const { server } = answerBytes(
    `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`,
  )
  const { url, close } = await listen(server as never)
  onTestFinished(close)
  const { port } = await standInFront({ plants: `${url}/api` })
  expect(await sendBytes(port, ask('GET /plants'))).toContain(`\r\nLocation: ${expected}\r\n`)
})

test.each([
  ['websocket', 501],
  ['h2c', 200],
])('a request to switch to %s is not passed on as a plain one: %i', async (protocol, status) => {
  const { got, server } = answerBytes(reply([]))
  const { port, world } = await inFrontOf(server)
  const head = `GET /v1/apps HTTP/1.1\r\nHost: x.localhost\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`
  const socket = await openSocket(port)
  socket.write(head)
  const [come] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  expect(come.toString()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(got.bytes === '').toBe(status === 501)
  if (status === 501)
    expect(world.journal.calls()[0]!.reason).toContain('this proxy passes on no upgrades')
})

test('a page may read the headers of the service, and those that a scenario adds', async () => {
  const { server } = answerBytes(
    reply(['X-Total: 7', 'access-control-expose-headers: X-Old', 'ETag: "1"']),
  )
  const { send, world } = await inFrontOf(server)
  const origin = { origin: 'http://localhost:5173' }
  const exposed = async () =>
    (await send('/plants', { headers: origin })).headers.get('access-control-expose-headers')
  expect(await exposed()).toBe('X-Old, X-Total, ETag')
  world.use({ fault: [{ kind: 'headers', set: { 'X-Added': 'yes' } }] })
  expect(await exposed()).toBe('X-Old, X-Total, ETag, X-Added')
})

test.each([
  '[{"name":"a","size":1e400}]',
  `[{"name":"a","size":${2n ** 70n}}]`,
  '[{"name":"a","size":-1E-400}]',
])(
  'a number of any size is JSON, and stays as it is where a scenario changes the rest: %s',
  async (text) => {
    const { send, world } = await inFrontOf(answerBytes(reply([], text)).server)
    expect(await (await send('/plants')).text()).toBe(text)
    expect(world.journal.calls()[0]!.reply_violations ?? []).not.toContain('the body is not JSON')
    world.use('malformed-plant:field=name,kind=null')
    expect(await (await send('/plants')).text()).toBe(text.replace('"a"', 'null'))
  },
)
