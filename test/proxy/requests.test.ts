import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { inFrontOf } from './in-front.ts'
import { answerBytes, readMessage, sendBytes } from './bytes.ts'

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'
const chunked = 'a\r\n{"name":"a\r\n2\r\n"}\r\n0\r\n\r\n'
const zipped = gzipSync('{"name":"a"}').toString('latin1')

const requests: [what: string, line: string, headers: string[], body?: string][] = [
  ['the query as it is', 'GET /plants?a=%2F&b=+&c=&d&%zz=%', []],
  ['a bare question mark', 'GET /plants?', []],
  ['the path as it is', 'GET /plants/%41%2f..%2F', []],
  ['no header invented', 'GET /plants', []],
  ['Accept-Encoding', 'GET /plants', ['Accept-Encoding: br;q=1.0, identity']],
  ['names in any case and order', 'GET /plants', ['x-ZULU: 1', 'ACCEPT: */*', 'x-zulu: 2']],
  [
    'a body with its length',
    'POST /plants',
    ['Content-Type: application/json', 'Content-Length: 12'],
    '{"name":"a"}',
  ],
  [
    'a gzipped body',
    'POST /plants',
    ['Content-Encoding: gzip', `Content-Length: ${zipped.length}`],
    zipped,
  ],
  ['an empty body', 'POST /plants', ['Content-Length: 0']],
  ['cookies', 'GET /plants', ['Cookie: a=1; b=2']],
]

test.each(requests)(
  'the service gets a request as it was sent: %s',
  async (_, line, headers, body = '') => {
    const { got, server } = answerBytes(ok)
    const { port, target } = await inFrontOf(server)
    const head = [
      `${line} HTTP/1.1`,
      'Host: greenhouse.localhost',
      'Connection: close',
      ...headers,
      '',
      body,
    ]
    await sendBytes(port, head.join('\r\n'))
    const sent = readMessage(got.bytes)
    expect(sent).toMatchObject({ line: `${line} HTTP/1.1`, body })
    expect(sent.headers).toEqual([
      `Host: ${target.replace('http://', '')}`,
      ...headers,
      expect.stringMatching(/^Via: 1\.1 greenhouse-[0-9a-f]{12}$/),
    ])
  },
)

const head = 'POST /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\n'

test('a body in chunks is sent in chunks', async () => {
  const { got, server } = answerBytes(ok)
  const { port } = await inFrontOf(server)
  await sendBytes(port, `${head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`)
  expect(readMessage(got.bytes)).toMatchObject({ body: '{"name":"a"}', isChunked: true })
})

test('Trailer of a request without chunks ends here', async () => {
  const { got, server } = answerBytes(ok)
  const { port } = await inFrontOf(server)
  await sendBytes(port, `${head}Connection: close\r\nTrailer: X-Sum\r\nContent-Length: 2\r\n\r\n{}`)
  expect(got.bytes).toMatch(/^POST [^]*Via/)
  expect(got.bytes).not.toMatch(/trailer/i)
})

test.each([undefined, 4])('trailers of a request are passed on', async (bodyLimit) => {
  const { got, server } = answerBytes(ok)
  const { port } = await inFrontOf(server, {}, { bodyLimit })
  const sent = `Trailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n${chunked.slice(0, -2)}X-Sum: 7\r\n\r\n`
  await sendBytes(port, `${head}Connection: close\r\n${sent}`)
  expect(got.bytes).toMatch(/\r\nTrailer: X-Sum\r\n/)
  expect(got.bytes).toMatch(/\r\n0\r\nX-Sum: 7\r\n\r\n$/)
})

test.each([
  ['Expect: 100-continue', /\r\nExpect: 100-continue\r\n/],
  ['TE: trailers', /\r\nTE: trailers\r\n[^]*\r\nConnection: keep-alive, TE\r\n/],
])('%s is not eaten', async (header, expected) => {
  const { got, server } = answerBytes(ok)
  const { port } = await inFrontOf(server)
  const named = header.startsWith('TE') ? 'close, TE' : 'close'
  const come = await sendBytes(
    port,
    `${head}Connection: ${named}\r\n${header}\r\nContent-Length: 2\r\n\r\n{}`,
  )
  expect(got.bytes).toMatch(expected)
  expect(come.match(/100 Continue/g)?.length ?? 0).toBe(header.startsWith('Expect') ? 1 : 0)
})

test('headers of one connection and of this server end here; the world of a key does, too', async () => {
  const { got, server } = answerBytes(ok)
  const { port, greenhouse } = await inFrontOf(server)
  const mine = ['X-Hop: 1', 'Keep-Alive: timeout=9', 'Upgrade: h2c', 'Proxy-Authorization: Basic x']
  const ours = ['X-Greenhouse-Scenario: slow:ms=1', 'Authorization: Bearer secret_1@shop']
  const connection = 'Connection: close, X-Hop, Upgrade'
  await sendBytes(
    port,
    ['GET /plants HTTP/1.1', 'Host: x.localhost', connection, ...mine, ...ours, '', ''].join(
      '\r\n',
    ),
  )
  expect(readMessage(got.bytes).headers.slice(1)).toEqual([
    'Authorization: Bearer secret_1',
    expect.stringMatching(/^Via/),
  ])
  expect(greenhouse.world('shop').journal.calls()[0]!.scenarios).toEqual(['slow'])
})

test('no request hides in a body: its length and its host stay, whatever Connection names', async () => {
  const { got, server } = answerBytes(ok)
  const { port } = await inFrontOf(server)
  const hidden = 'GET /v1/apps HTTP/1.1\r\nHost: x\r\n'
  await sendBytes(
    port,
    `${head}Connection: close, Content-Length, host\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
  )
  expect(got.bytes).toMatch(/\r\nHost: [^]*\r\nContent-Length: 32\r\n/)
})

test('a body over the limit arrives as a whole', async () => {
  const sizes: number[] = []
  const { send } = await inFrontOf(
    (request, response) => {
      let size = 0
      request
        .on('data', (chunk: Buffer) => (size += chunk.length))
        .on('end', () => response.end(String(sizes.push(size))))
    },
    {},
    { bodyLimit: 1_000 },
  )
  await send('/plants', { method: 'POST', body: 'x'.repeat(3_000_000) })
  expect(sizes).toEqual([3_000_000])
})

test('a request that breaks the contract does not reach the service of a strict proxy', async () => {
  const { got, server } = answerBytes(ok)
  const { send } = await inFrontOf(server, {}, { strict: true })
  expect((await send('/plants?limit=x')).status).toBe(400)
  expect(got.bytes).toBe('')
})
