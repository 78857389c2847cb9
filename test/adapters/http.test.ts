import { once } from 'node:events'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  drain,
  expectAppsError,
  expectPlantsError,
  expectRejection,
  key,
  openSocket,
  served,
  toReplies,
} from '../support/socket.ts'
import type { LogEvent } from '../../src/core/journal/log-events.ts'
import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'

const json = 'Content-Type: application/json'
const head = [
  'POST /plants HTTP/1.1',
  'Host: greenhouse.localhost',
  'Connection: close',
  key,
  json,
].join('\r\n')
const chunked = `${head}\r\nTransfer-Encoding: chunked\r\n\r\n`
const ficus = '{"id":5000,"name":"Ficus"}'

for (const method of ['OPTIONS', 'PUT', 'PATCH', 'PROPFIND', 'M-SEARCH'])
  served(`${method} is answered in the area's error shape`, async ({ request }) => {
    expectPlantsError(await request(`${method} /plants`), 404)
    expectAppsError(await request(`${method} /v1/apps`), 404, 'not_found')
  })

served('HEAD gets the headers of GET and no body', async ({ request }) => {
  const head = await request('HEAD /plants?limit=2')
  const get = await request('GET /plants?limit=2')
  expect(head).toMatchObject({ status: 200, text: '' })
  expect(head.headers['content-length']).toBe(get.headers['content-length'])
})

served('a target that names the whole URL is answered by its path', async ({ request }) => {
  const { status, text } = await request('GET http://elsewhere.example:8080/plants?limit=1')
  expect(status).toBe(200)
  expect(JSON.parse(text)).toHaveLength(1)
})

const targets: [what: string, target: string, status: number, code?: string][] = [
  ['what names no path', 'OPTIONS *', 404],
  ['a URL without a path', 'GET http://elsewhere.example', 404],
  ['two slashes', 'GET //plants', 404],
  ['percent-encoding that is none', 'DELETE /plants/%zz', 400],
  ['percent-encoding that is none in the query', 'GET /plants?limit=%zz', 400],
  ['an encoded NUL, which is data', 'DELETE /plants/%00', 400],
  ['a path that climbs', 'GET /x/../plants', 404],
  ['a path that climbs out', 'GET /../../etc/passwd', 404],
  ['an encoded path that climbs', 'DELETE /plants/..%2f..%2fetc', 400],
  ['two slashes in Area B', 'GET /v1//apps', 404, 'not_found'],
  ['percent-encoding that is none in Area B', 'GET /v1/apps/%', 400, 'invalid_request'],
  ['an encoded NUL in Area B', 'GET /v1/apps/%00', 404, 'not_found'],
]

for (const [what, target, status, code] of targets)
  served(`${target} is a ${status}: ${what}`, async ({ request }) => {
    if (code === undefined) expectPlantsError(await request(target), status)
    else expectAppsError(await request(target), status, code)
  })

served('thousands of query parameters are read', async ({ request }) => {
  const { status, text } = await request(`GET /plants?${'a&'.repeat(7_000)}limit=1`)
  expect(status).toBe(200)
  expect(JSON.parse(text)).toHaveLength(1)
})

served('a body in chunks is put together', async ({ exchange, greenhouse }) => {
  const [reply] = await exchange(
    `${chunked}5\r\n{"id"\r\n3;name=value\r\n:77\r\n10\r\n,"name":"Ficus"}\r\n0\r\nTrailer-Field: x\r\n\r\n`,
  )
  expect(reply).toMatchObject({ status: 200, text: '{"name":"Ficus"}' })
  expect(greenhouse.world().records.plants.get(77)).toMatchObject({
    name: 'Ficus',
    account: 'acct_pro',
  })
})

served('a body in no chunks is a body that is missing', async ({ exchange }) => {
  const [reply] = await exchange(`${chunked}0\r\n\r\n`)
  expectPlantsError(reply!, 400)
})

served(
  'Transfer-Encoding with Content-Length smuggles nothing',
  async ({ exchange, greenhouse }) => {
    const smuggled = `DELETE /plants/101 HTTP/1.1\r\nHost: greenhouse.localhost\r\n${key}\r\n\r\n`
    const both = `${head}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`
    const replies = await exchange(both + smuggled)
    expect(replies).toHaveLength(1)
    expectRejection(replies[0])
    expect(greenhouse.world().records.plants.get(101)).toBeDefined()
  },
)

for (const header of ['Upgrade: websocket', 'Expect: the-spanish-inquisition'])
  served(`${header} is passed over`, async ({ request }) => {
    expect(await request('GET /plants?limit=1', [header])).toMatchObject({ status: 200 })
  })

served('Expect: 100-continue is answered before the body is sent', async ({ open }) => {
  const socket = await open()
  socket.write(`${head}\r\nContent-Length: ${ficus.length}\r\nExpect: 100-continue\r\n\r\n`)
  const [first] = await once(socket, 'data')
  expect(String(first)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  socket.write(ficus)
  expect(toReplies(await drain(socket))).toMatchObject([{ status: 200, text: '{"name":"Ficus"}' }])
})

const limit = 2 ** 20
const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }

const plantOf = (length: number) =>
  `{"id":5000,"name":"${'x'.repeat(length - '{"id":5000,"name":""}'.length)}"}`

served(
  'a body of exactly the limit is read, one byte more is a 413',
  async ({ request, greenhouse }) => {
    expectPlantsError(await request('POST /plants', [json], plantOf(limit + 1)), 413)
    expect(greenhouse.world().records.plants.get(5000)).toBeUndefined()
    expect(await request('POST /plants', [json], plantOf(limit))).toMatchObject({ status: 200 })
  },
)

served('a body that is too long in chunks is a 413', async ({ exchange, greenhouse }) => {
  const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`
  const [reply] = await exchange(`${chunked}${chunk.repeat(17)}0\r\n\r\n`)
  expectPlantsError(reply!, 413)
  expect(greenhouse.world().records.plants.get(5000)).toBeUndefined()
})

served('a client that sends 5 MiB with fetch reads the 413', async ({ server }) => {
  const response = await fetch(`${server.url}/plants`, {
    method: 'POST',
    headers,
    body: plantOf(5 * limit),
  })
  expect([response.status, await response.json()]).toEqual([
    413,
    { error: 413, message: expect.any(String) },
  ])
})

served('a client that streams 5 MiB with fetch reads the error of Area B', async ({ server }) => {
  let left = 80
  const body = new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(new Uint8Array(64 * 1024).fill(120))
      else controller.close()
    },
  })
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
  const response = await fetch(`${server.url}/v1/apps`, init)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { code: 'invalid_request' } })
})

served('a gzip of 10 MB is rejected without being unpacked', async ({ server }) => {
  const init = {
    method: 'POST',
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: gzipSync(plantOf(10_000_000)),
  }
  const response = await fetch(`${server.url}/plants`, init)
  expect([response.status, await response.json()]).toEqual([
    415,
    { error: 415, message: expect.any(String) },
  ])
})

served('several encodings, and ones that are none, are rejected', async ({ request }) => {
  for (const encoding of ['gzip, gzip', 'br', 'deflate', 'identity, gzip', 'x'])
    expectPlantsError(
      await request('POST /plants', [json, `Content-Encoding: ${encoding}`], ficus),
      415,
    )
  const ofApps = await request('POST /v1/apps', [json, 'Content-Encoding: br'], '{"name":"x"}')
  expectAppsError(ofApps, 400, 'invalid_request')
})

served('a body where none is expected is passed over, however long', async ({ request }) => {
  expect(await request('GET /plants?limit=1', [], 'x'.repeat(limit + 1))).toMatchObject({
    status: 200,
  })
  expect(await request('DELETE /plants/101', [], 'x'.repeat(limit + 1))).toMatchObject({
    status: 204,
  })
})

served('400 clients that are slow do not keep others waiting', async ({ server, request }) => {
  const slow: Socket[] = []
  for (let count = 0; count < 400; count++) {
    const socket = await openSocket(server.port)
    if (count % 2 === 0)
      socket.write('POST /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nContent-Le')
    slow.push(socket)
  }
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => request('GET /plants?limit=1')),
  )
  expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(200))
  expect(slow.filter((socket) => socket.readyState !== 'open')).toEqual([])
  for (const socket of slow) socket.destroy()
})

served(
  'a client that goes away in the middle of its body changes nothing',
  async ({ server, greenhouse }) => {
    for (const framing of ['Content-Length: 100', 'Transfer-Encoding: chunked'])
      for (const leave of ['destroy', 'resetAndDestroy', 'end'] as const) {
        const socket = await openSocket(server.port)
        socket.resume()
        await new Promise((resolve) =>
          socket.write(`${head}\r\n${framing}\r\n\r\n1a\r\n${ficus}`, resolve),
        )
        socket[leave]()
        if (leave === 'end') await new Promise((resolve) => socket.on('close', resolve))
      }
    expect(greenhouse.world().records.plants.get(5000)).toBeUndefined()
  },
)

served(
  'clients that go away before the reply do not disturb the others',
  async ({ server, request }) => {
    for (let count = 0; count < 20; count++) {
      const socket = await openSocket(server.port)
      const text = `GET /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\n${key}\r\n\r\n`
      socket.write(text, () => socket.resetAndDestroy())
    }
    expect(await request('GET /plants?limit=1')).toMatchObject({ status: 200 })
  },
)

const toRequest = (...headers: string[]) =>
  ['POST /plants HTTP/1.1', ...headers, '', ''].join('\r\n')

const hosts = ['a b', 'a/b', 'user@host', '[::1', 'host:port', '<script>', 'h\u00f6st']

const nonsense: Record<string, string | Uint8Array> = {
  'a TLS greeting': new Uint8Array([
    0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03,
  ]),
  'random bytes': new Uint8Array(2_000).map((_, index) => (index * 167 + 13) & 0xff),
  'a line of text': 'hello there\r\n\r\n',
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a NUL in the path': 'GET /pla\0nts HTTP/1.1\r\nHost: greenhouse.localhost\r\n\r\n',
  'a space in the path': 'GET /pla nts HTTP/1.1\r\nHost: greenhouse.localhost\r\n\r\n',
  'a header without a colon':
    'GET /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nnonsense\r\n\r\n',
  'a header with a NUL': 'GET /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nX-A: \0\r\n\r\n',
  'bare line feeds': 'GET /plants HTTP/1.1\nHost: greenhouse.localhost\n\n',
  'a negative Content-Length':
    'POST /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nContent-Length: -1\r\n\r\n',
  'two Content-Lengths':
    'POST /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
  'no Host': toRequest(),
  'two Hosts': toRequest('Host: one.test', 'Host: two.test'),
  'two equal Hosts': toRequest('Host: one.test', 'host: one.test'),
  ...Object.fromEntries(hosts.map((host) => [`the Host ${host}`, toRequest(`Host: ${host}`)])),
  TRACE: 'TRACE /v1/apps HTTP/1.1\r\nHost: greenhouse.localhost\r\n\r\n',
  CONNECT: 'CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example:443\r\n\r\n',
  'TRACE to the control API':
    'TRACE /__greenhouse/health HTTP/1.1\r\nHost: greenhouse.localhost\r\n\r\n',
  'HTTP/0.9': 'GET /plants HTTP/0.9\r\nHost: greenhouse.localhost\r\n\r\n',
  'HTTP/2.0': 'GET /__greenhouse/health HTTP/2.0\r\nHost: greenhouse.localhost\r\n\r\n',
  'a method that HTTP does not have': 'BREW /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\n\r\n',
  'a chunk whose length is none':
    toRequest('Host: localhost', 'Transfer-Encoding: chunked') + 'zz\r\n{}\r\n0\r\n\r\n',
  'a Transfer-Encoding other than chunked': toRequest('Host: localhost', 'Transfer-Encoding: gzip'),
}

for (const [what, bytes] of Object.entries(nonsense))
  served(`${what} is rejected as JSON, and reaches no world`, async ({ exchange, greenhouse }) => {
    const [reply, ...more] = await exchange(bytes)
    expectRejection(reply, what.startsWith('HTTP/') ? 505 : 400)
    expect([...more, ...greenhouse.world().journal.calls()]).toEqual([])
  })

served(
  'a client that resets its connection in the middle of nonsense does not end the process',
  async ({ server }) => {
    for (const bytes of Object.values(nonsense)) {
      const socket = await openSocket(server.port)
      await new Promise((resolve) => socket.write(bytes, resolve))
      socket.resetAndDestroy()
    }
  },
)

const page = 'Origin: http://localhost:5173'
const stranger = 'Origin: https://shop.example'
const ask = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Connection: close', ...headers, '', ''].join('\r\n')
const before = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}'
const preflight = ask(
  'OPTIONS /plants',
  stranger,
  'Host: localhost',
  'Access-Control-Request-Method: PUT',
)
const statuses: Record<string, number> = {
  headers_too_large: 431,
  foreign_host: 403,
  foreign_page: 403,
}

test.each<[line: string, bytes: string | Uint8Array, code: string, why: RegExp]>([
  [
    'patch /plants?a=1',
    ask('patch /plants?a=1', page),
    'lower_case_method',
    /"patch" is not written in capitals. Send PATCH/,
  ],
  ['Get /v1', before + ask('Get /v1', page), 'lower_case_method', /Send GET/],
  ['patch /plants', ask('patch /plants', stranger), 'lower_case_method', /capitals/],
  [
    'GET /plants',
    ask('GET /plants', page, `X-A: ${'a'.repeat(20_000)}`),
    'headers_too_large',
    /larger than \d+ bytes/,
  ],
  ['GET ', ask(`GET /${'a'.repeat(20_000)}`, page), 'headers_too_large', /--max-http-header-size/],
  [' ', nonsense['a TLS greeting']!, 'tls', /Use http:/],
  ['GET ', ask('GET /pla\0nts', page), 'invalid_http', /not valid HTTP: Invalid char in url path/],
  ['GET /plants', ask('GET /plants', page, 'Host: a b'), 'invalid_http', /one valid Host/],
  [
    'GET /plants',
    ask('GET /plants', page, 'Host: a.example'),
    'foreign_host',
    /--allow-host a\.example/,
  ],
  ['OPTIONS /plants', preflight, 'foreign_page', /--cors/],
])(
  'body, log and count say why "%s" is rejected, also to a page that may know',
  async (line, bytes, code, why) => {
    const greenhouse = createGreenhouse()
    await using server = await serve(greenhouse)
    const logged: unknown[] = []
    const log = (notice: LogEvent) => {
      if (notice.event !== 'refused') return
      const { request, status, reason } = notice
      logged.push([`${request.method} ${greenhouse.showUrl(request)}`, status, reason])
    }
    greenhouse.requests.observe(() => undefined, log)
    const socket = await openSocket(server.port)
    socket.write(bytes)
    const reply = toReplies(await drain(socket)).at(-1)!
    const { message, error } = JSON.parse(reply.text)
    const reason = message ?? error.message
    expect([reply.status, reason]).toEqual([statuses[code] ?? 400, expect.stringMatching(why)])
    expect(logged).toEqual([[line, reply.status, reason]])
    expect(reply.headers['access-control-allow-origin']).toBe(
      String(bytes).includes(page) ? page.slice(8) : undefined,
    )
    const journal = await (
      await fetch(`${server.url}/__greenhouse/worlds/default/journal?before=1`)
    ).json()
    expect(journal).toMatchObject({ data: [], unrecorded: { [code]: 1 } })
  },
)
