import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { expectAppsError, expectPlantsError, key, served } from '../support/socket.ts'

const limit = 2 ** 20
const post = ['Host: greenhouse.localhost', 'Connection: close', key, 'Content-Type: application/json']
const json = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }

/** A plant in exactly so many bytes of JSON. */
function plantOf(length: number): string {
  const rest = '{"id":5000,"name":""}'.length
  return `{"id":5000,"name":"${'x'.repeat(length - rest)}"}`
}

served('a body of exactly the limit is read, one byte more is a 413', async ({ request, greenhouse }) => {
  expectPlantsError(await request('POST /plants', post.slice(3), plantOf(limit + 1)), 413)
  expect(greenhouse.world().records.plants.get(5000)).toBeUndefined()
  expect(await request('POST /plants', post.slice(3), plantOf(limit))).toMatchObject({ status: 200 })
})

served('a body that is too long in chunks is a 413', async ({ exchange, greenhouse }) => {
  const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`
  const [reply] = await exchange(
    ['POST /plants HTTP/1.1', ...post, 'Transfer-Encoding: chunked', '', chunk.repeat(17) + '0\r\n\r\n'].join('\r\n'),
  )
  expectPlantsError(reply!, 413)
  expect(greenhouse.world().records.plants.get(5000)).toBeUndefined()
})

served('a client that sends 5 MiB with fetch reads the 413', async ({ server }) => {
  const response = await fetch(`${server.url}/plants`, { method: 'POST', headers: json, body: plantOf(5 * limit) })
  expect(response.status).toBe(413)
  expect(await response.json()).toEqual({ error: 413, message: expect.any(String) })
})

served('a client that streams 5 MiB with fetch reads the error of Area B', async ({ server }) => {
  let left = 80
  const body = new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(new Uint8Array(64 * 1024).fill(120))
      else controller.close()
    },
  })
  const response = await fetch(`${server.url}/v1/apps`, {
    method: 'POST',
    headers: json,
    body,
    duplex: 'half',
  } as RequestInit)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { code: 'invalid_request' } })
})

served('a gzip of 10 MB is refused without being unpacked', async ({ server }) => {
  const body = gzipSync(plantOf(10_000_000))
  const headers = { ...json, 'content-encoding': 'gzip' }
  const response = await fetch(`${server.url}/plants`, { method: 'POST', headers, body })
  expect(response.status).toBe(415)
  expect(await response.json()).toEqual({ error: 415, message: expect.any(String) })
})

served('several encodings, and ones that are none, are refused', async ({ request }) => {
  for (const encoding of ['gzip, gzip', 'br', 'deflate', 'identity, gzip', 'x'])
    expectPlantsError(
      await request(
        'POST /plants',
        ['Content-Type: application/json', `Content-Encoding: ${encoding}`],
        '{"id":5000,"name":"x"}',
      ),
      415,
    )
  expectAppsError(
    await request('POST /v1/apps', ['Content-Type: application/json', 'Content-Encoding: br'], '{"name":"x"}'),
    400,
    'invalid_request',
  )
})

served('a body where none is expected is passed over, however long', async ({ request }) => {
  expect(await request('GET /plants?limit=1', [], 'x'.repeat(limit + 1))).toMatchObject({ status: 200 })
  expect(await request('DELETE /plants/101', [], 'x'.repeat(limit + 1))).toMatchObject({ status: 204 })
})
