import { expect, test } from 'vitest'
import { createGreenhouse } from '../../src/index.ts'
import { serve } from '../../src/server.ts'
import { drain, expectRefusal, openSocket, served, toReplies } from '../support/socket.ts'

const nonsense: Record<string, string | Uint8Array> = {
  'a TLS greeting': new Uint8Array([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
  'random bytes': new Uint8Array(2_000).map((_, index) => (index * 167 + 13) & 0xff),
  'a line of text': 'hello there\r\n\r\n',
  "HTTP/2's preface": 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a NUL in the path': 'GET /pla\0nts HTTP/1.1\r\nHost: greenhouse.localhost\r\n\r\n',
  'a space in the path': 'GET /pla nts HTTP/1.1\r\nHost: greenhouse.localhost\r\n\r\n',
  'a header without a colon': 'GET /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nnonsense\r\n\r\n',
  'a header with a NUL': 'GET /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nX-A: \0\r\n\r\n',
  'bare line feeds': 'GET /plants HTTP/1.1\nHost: greenhouse.localhost\n\n',
  'a negative Content-Length': 'POST /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nContent-Length: -1\r\n\r\n',
  'two Content-Lengths':
    'POST /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
}

for (const [what, bytes] of Object.entries(nonsense))
  served(`${what} is refused as JSON`, async ({ exchange }) => {
    const [reply] = await exchange(bytes)
    expectRefusal(reply)
  })

served('a client that resets its connection in the middle of nonsense does not end the process', async ({ server }) => {
  for (const bytes of Object.values(nonsense)) {
    const socket = await openSocket(server.port)
    socket.on('error', () => undefined)
    await new Promise((resolve) => socket.write(bytes, resolve))
    socket.resetAndDestroy()
  }
})

const page = 'Origin: http://localhost:5173'
const stranger = 'Origin: https://shop.example'
const ask = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Connection: close', ...headers, '', ''].join('\r\n')
const long = 'a'.repeat(20_000)

test.each<[line: string, bytes: string | Uint8Array, status: number, code: string, why: RegExp]>([
  [
    'patch /plants?a=1',
    ask('patch /plants?a=1', page),
    400,
    'lower_case_method',
    /"patch" is not written in capitals. Send PATCH/,
  ],
  [
    'Get /v1',
    `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}${ask('Get /v1', page)}`,
    400,
    'lower_case_method',
    /Send GET/,
  ],
  ['patch /plants', ask('patch /plants', stranger), 400, 'lower_case_method', /capitals/],
  ['GET /plants', ask('GET /plants', page, `X-A: ${long}`), 431, 'headers_too_large', /larger than \d+ bytes/],
  ['GET ', ask(`GET /${long}`, page), 431, 'headers_too_large', /--max-http-header-size/],
  [' ', nonsense['a TLS greeting']!, 400, 'tls', /Use http:/],
  ['GET ', ask('GET /pla\0nts', page), 400, 'invalid_http', /not valid HTTP: Invalid char in url path/],
  ['GET /plants', ask('GET /plants', page, 'Host: a b'), 400, 'invalid_http', /one valid Host/],
  ['GET /plants', ask('GET /plants', page, 'Host: a.example'), 403, 'foreign_host', /--allow-host a\.example/],
  [
    'OPTIONS /plants',
    ask('OPTIONS /plants', stranger, 'Host: localhost', 'Access-Control-Request-Method: PUT'),
    403,
    'foreign_page',
    /--cors/,
  ],
])(
  'body, log and count say why "%s" is rejected, also to a page that may know',
  async (line, bytes, status, code, why) => {
    const greenhouse = createGreenhouse()
    await using server = await serve(greenhouse)
    const logged: unknown[] = []
    greenhouse.observe(
      () => undefined,
      (notice) =>
        notice.event === 'refused' &&
        logged.push([`${notice.request.method} ${greenhouse.showUrl(notice.request)}`, notice.status, notice.reason]),
    )
    const socket = await openSocket(server.port)
    socket.write(bytes)
    const reply = toReplies(await drain(socket)).at(-1)!
    const { message, error } = JSON.parse(reply.text)
    expect([reply.status, message ?? error.message]).toEqual([status, expect.stringMatching(why)])
    expect(logged).toEqual([[line, status, message ?? error.message]])
    expect(reply.headers['access-control-allow-origin']).toBe(String(bytes).includes(page) ? page.slice(8) : undefined)
    const journal = await (await fetch(`${server.url}/__greenhouse/worlds/default/journal?before=1`)).json()
    expect(journal).toMatchObject({ data: [], unrecorded: { [code]: 1 } })
  },
)
