import { once } from 'node:events'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
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

const json = 'Content-Type: application/json'
const head = ['POST /plants HTTP/1.1', 'Host: greenhouse.localhost', 'Connection: close', key, json].join('\r\n')
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
  expect(greenhouse.world().records.plants.get(77)).toMatchObject({ name: 'Ficus', account: 'acct_pro' })
})

served('a body in no chunks is a body that is missing', async ({ exchange }) => {
  const [reply] = await exchange(`${chunked}0\r\n\r\n`)
  expectPlantsError(reply!, 400)
})

served('Transfer-Encoding with Content-Length smuggles nothing', async ({ exchange, greenhouse }) => {
  const smuggled = `DELETE /plants/101 HTTP/1.1\r\nHost: greenhouse.localhost\r\n${key}\r\n\r\n`
  const both = `${head}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`
  const replies = await exchange(both + smuggled)
  expect(replies).toHaveLength(1)
  expectRejection(replies[0])
  expect(greenhouse.world().records.plants.get(101)).toBeDefined()
})

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

const plantOf = (length: number) => `{"id":5000,"name":"${'x'.repeat(length - '{"id":5000,"name":""}'.length)}"}`

served('a body of exactly the limit is read, one byte more is a 413', async ({ request, greenhouse }) => {
  expectPlantsError(await request('POST /plants', [json], plantOf(limit + 1)), 413)
  expect(greenhouse.world().records.plants.get(5000)).toBeUndefined()
  expect(await request('POST /plants', [json], plantOf(limit))).toMatchObject({ status: 200 })
})

served('a body that is too long in chunks is a 413', async ({ exchange, greenhouse }) => {
  const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`
  const [reply] = await exchange(`${chunked}${chunk.repeat(17)}0\r\n\r\n`)
  expectPlantsError(reply!, 413)
  expect(greenhouse.world().records.plants.get(5000)).toBeUndefined()
})

served('a client that sends 5 MiB with fetch reads the 413', async ({ server }) => {
  const response = await fetch(`${server.url}/plants`, { method: 'POST', headers, body: plantOf(5 * limit) })
  expect([response.status, await response.json()]).toEqual([413, { error: 413, message: expect.any(String) }])
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
  expect([response.status, await response.json()]).toEqual([415, { error: 415, message: expect.any(String) }])
})

served('several encodings, and ones that are none, are rejected', async ({ request }) => {
  for (const encoding of ['gzip, gzip', 'br', 'deflate', 'identity, gzip', 'x'])
    expectPlantsError(await request('POST /plants', [json, `Content-Encoding: ${encoding}`], ficus), 415)
  const ofApps = await request('POST /v1/apps', [json, 'Content-Encoding: br'], '{"name":"x"}')
  expectAppsError(ofApps, 400, 'invalid_request')
})

served('a body where none is expected is passed over, however long', async ({ request }) => {
  expect(await request('GET /plants?limit=1', [], 'x'.repeat(limit + 1))).toMatchObject({ status: 200 })
  expect(await request('DELETE /plants/101', [], 'x'.repeat(limit + 1))).toMatchObject({ status: 204 })
})

served('400 clients that are slow do not keep others waiting', async ({ server, request }) => {
  const slow: Socket[] = []
  for (let count = 0; count < 400; count++) {
    const socket = await openSocket(server.port)
    if (count % 2 === 0) socket.write('POST /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nContent-Le')
    slow.push(socket)
  }
  const replies = await Promise.all(Array.from({ length: 50 }, () => request('GET /plants?limit=1')))
  expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(200))
  expect(slow.filter((socket) => socket.readyState !== 'open')).toEqual([])
  for (const socket of slow) socket.destroy()
})

served('a client that goes away in the middle of its body changes nothing', async ({ server, greenhouse }) => {
  for (const framing of ['Content-Length: 100', 'Transfer-Encoding: chunked'])
    for (const leave of ['destroy', 'resetAndDestroy', 'end'] as const) {
      const socket = await openSocket(server.port)
      socket.resume()
      await new Promise((resolve) => socket.write(`${head}\r\n${framing}\r\n\r\n1a\r\n${ficus}`, resolve))
      socket[leave]()
      if (leave === 'end') await new Promise((resolve) => socket.on('close', resolve))
    }
  expect(greenhouse.world().records.plants.get(5000)).toBeUndefined()
})

served('clients that go away before the reply do not disturb the others', async ({ server, request }) => {
  for (let count = 0; count < 20; count++) {
    const socket = await openSocket(server.port)
    const text = `GET /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\n${key}\r\n\r\n`
    socket.write(text, () => socket.resetAndDestroy())
  }
  expect(await request('GET /plants?limit=1')).toMatchObject({ status: 200 })
})
