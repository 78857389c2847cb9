import { expect, test } from 'vitest'
import type { LogEvent } from '../../src/core/journal/log-events.ts'
import { createGreenhouse } from '../../src/index.ts'
import { serve } from '../../src/server.ts'
import { exchangeWith, expectRejection, openSocket, served } from '../support/socket.ts'

const toRequest = (...headers: string[]) => ['POST /plants HTTP/1.1', ...headers, '', ''].join('\r\n')

const hosts = ['a b', 'a/b', 'user@host', '[::1', 'host:port', '<script>', 'h\u00f6st']

const nonsense: Record<string, string | Uint8Array> = {
  'a TLS greeting': new Uint8Array([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
  'random bytes': new Uint8Array(2_000).map((_, index) => (index * 167 + 13) & 0xff),
  'a line of text': 'hello there\r\n\r\n',
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a NUL in the path': 'GET /pla\0nts HTTP/1.1\r\nHost: greenhouse.localhost\r\n\r\n',
  'a space in the path': 'GET /pla nts HTTP/1.1\r\nHost: greenhouse.localhost\r\n\r\n',
  'a header without a colon': 'GET /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nnonsense\r\n\r\n',
  'a header with a NUL': 'GET /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nX-A: \0\r\n\r\n',
  'bare line feeds': 'GET /plants HTTP/1.1\nHost: greenhouse.localhost\n\n',
  'a negative Content-Length': 'POST /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nContent-Length: -1\r\n\r\n',
  'two Content-Lengths':
    'POST /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
  'no Host': toRequest(),
  'two Hosts': toRequest('Host: one.test', 'Host: two.test'),
  'two equal Hosts': toRequest('Host: one.test', 'host: one.test'),
  ...Object.fromEntries(hosts.map((host) => [`the Host ${host}`, toRequest(`Host: ${host}`)])),
  TRACE: 'TRACE /v1/apps HTTP/1.1\r\nHost: greenhouse.localhost\r\n\r\n',
  CONNECT: 'CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example:443\r\n\r\n',
  'TRACE to the control API': 'TRACE /__greenhouse/health HTTP/1.1\r\nHost: greenhouse.localhost\r\n\r\n',
  'HTTP/0.9': 'GET /plants HTTP/0.9\r\nHost: greenhouse.localhost\r\n\r\n',
  'HTTP/2.0': 'GET /__greenhouse/health HTTP/2.0\r\nHost: greenhouse.localhost\r\n\r\n',
  'a method that HTTP does not have': 'BREW /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\n\r\n',
  'a chunk whose length is none': toRequest('Host: localhost', 'Transfer-Encoding: chunked') + 'zz\r\n{}\r\n0\r\n\r\n',
  'a Transfer-Encoding other than chunked': toRequest('Host: localhost', 'Transfer-Encoding: gzip'),
}

for (const [what, bytes] of Object.entries(nonsense))
  served(`${what} is rejected as JSON, and reaches no world`, async ({ exchange, greenhouse }) => {
    const [reply, ...more] = await exchange(bytes)
    expectRejection(reply, what.startsWith('HTTP/') ? 505 : 400)
    expect([...more, ...greenhouse.world().journal.calls()]).toEqual([])
  })

served('a client that resets its connection in the middle of nonsense does not end the process', async ({ server }) => {
  for (const bytes of Object.values(nonsense)) {
    const socket = await openSocket(server.port)
    await new Promise((resolve) => socket.write(bytes, resolve))
    socket.resetAndDestroy()
  }
})

const page = 'Origin: http://localhost:5173'
const stranger = 'Origin: https://shop.example'
const ask = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Connection: close', ...headers, '', ''].join('\r\n')
const before = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}'
const preflight = ask('OPTIONS /plants', stranger, 'Host: localhost', 'Access-Control-Request-Method: PUT')
const statuses: Record<string, number> = { headers_too_large: 431, foreign_host: 403, foreign_page: 403 }

test.each<[line: string, bytes: string | Uint8Array, code: string, why: RegExp]>([
  [
    'patch /plants?a=1',
    ask('patch /plants?a=1', page),
    'lower_case_method',
    /"patch" is not written in capitals. Send PATCH/,
  ],
  ['Get /v1', before + ask('Get /v1', page), 'lower_case_method', /Send GET/],
  ['patch /plants', ask('patch /plants', stranger), 'lower_case_method', /capitals/],
  ['GET /plants', ask('GET /plants', page, `X-A: ${'a'.repeat(20_000)}`), 'headers_too_large', /larger than \d+ bytes/],
  ['GET ', ask(`GET /${'a'.repeat(20_000)}`, page), 'headers_too_large', /--max-http-header-size/],
  [' ', nonsense['a TLS greeting']!, 'tls', /Use http:/],
  ['GET ', ask('GET /pla\0nts', page), 'invalid_http', /not valid HTTP: Invalid char in url path/],
  ['GET /plants', ask('GET /plants', page, 'Host: a b'), 'invalid_http', /one valid Host/],
  ['GET /plants', ask('GET /plants', page, 'Host: a.example'), 'foreign_host', /--allow-host a\.example/],
  ['OPTIONS /plants', preflight, 'foreign_page', /--cors/],
])('body, log and count say why "%s" is rejected, also to a page that may know', async (line, bytes, code, why) => {
  const greenhouse = createGreenhouse()
  await using server = await serve(greenhouse)
  const logged: unknown[] = []
  const log = (notice: LogEvent) => {
    if (notice.event !== 'refused') return
    const { request, status, reason } = notice
    logged.push([`${request.method} ${greenhouse.showUrl(request)}`, status, reason])
  }
  greenhouse.observe(() => undefined, log)
  const reply = (await exchangeWith(server.port, bytes)).at(-1)!
  const { message, error } = JSON.parse(reply.text)
  const reason = message ?? error.message
  expect([reply.status, reason]).toEqual([statuses[code] ?? 400, expect.stringMatching(why)])
  expect(logged).toEqual([[line, reply.status, reason]])
  expect(reply.headers['access-control-allow-origin']).toBe(String(bytes).includes(page) ? page.slice(8) : undefined)
  const journal = await (await fetch(`${server.url}/__greenhouse/worlds/default/journal?before=1`)).json()
  expect(journal).toMatchObject({ data: [], unrecorded: { [code]: 1 } })
})
