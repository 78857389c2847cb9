import { createServer, type RequestListener } from 'node:http'
import { connect } from 'node:net'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { createMiddleware } from 'greenhouse-mock/express'
import { serve } from 'greenhouse-mock/server'
import { Client, type Asked } from '../builds/client.ts'
import { listen } from '../support/listen.ts'
import { start } from '../support/test-api.ts'

const key = ['Authorization', 'Bearer key_pro'] as const
const json = ['Content-Type', 'application/json'] as const
const withScenario = (name: string) => [key, ['X-Greenhouse-Scenario', name] as const]

const under = (target: string, scenario: string): Asked => ({
  method: 'GET',
  target,
  headers: withScenario(scenario),
})

/**
 * Requests that `fetch` would correct or hide: written to the socket as they are; the lines of the
 * replies are compared.
 */
const requests: readonly Asked[] = [
  { method: 'GET', target: '/v1/apps?limit=1', headers: [key] },
  { method: 'HEAD', target: '/plants', headers: [key] },
  { method: 'DELETE', target: '/plants/101', headers: [key] },
  { method: 'GET', target: '/plants/../plants', headers: [key] },
  { method: 'GET', target: '/v1/./apps', headers: [key] },
  { method: 'GET', target: '/plants?a=%c3%A4&b="<>', headers: [key] },
  { method: 'GET', target: '/plants', headers: [key, key] },
  {
    method: 'GET',
    target: '/plants',
    headers: [key, ['X-Odd', 'one'], ['x-odd', 'two'], ['Cookie', 'a=b'], ['Cookie', 'c=d']],
  },
  { method: 'GET', target: '/plants', headers: [key, ['Origin', 'https://elsewhere.example']] },
  ...['https://elsewhere.example', 'http://localhost:5173'].map((origin): Asked => {
    const headers = [['Origin', origin] as const, ['Access-Control-Request-Method', 'PUT'] as const]
    return { method: 'OPTIONS', target: '/v1/apps', headers }
  }),
  {
    method: 'GET',
    target: '/v1/apps',
    headers: [key, ['Sec-Fetch-Site', 'cross-site'], ['Sec-Fetch-Mode', 'no-cors']],
  },
  under('/v1/apps', 'duplicated-headers:header=X-RateLimit-Limit'),
  under('/v1/apps', 'maintenance'),
  under('/v1/apps', 'rate-limited-plan'),
  under('/plants', 'invalid-utf8'),
  under('/plants', 'missing-content-type'),
  under('/plants', 'truncated-body:bytes=7'),
  under('/plants', 'truncated-json:bytes=7'),
  under('/plants', 'garbage'),
  under('/plants', 'empty-reply'),
  under('/plants', 'connection-reset'),
  under('/plants', 'huge-store:count=5000'),
  {
    method: 'POST',
    target: '/plants',
    headers: [key, json],
    body: '{"id":5000,"name":"\u{1f331}"}',
  },
  {
    method: 'POST',
    target: '/plants',
    headers: [key, json],
    body: Uint8Array.of(34, 0xc3, 0x28, 34),
  },
  { method: 'POST', target: '/plants', headers: [key, json], body: `"${'x'.repeat(2 ** 20)}"` },
  { method: 'PURGE', target: '/plants', headers: [key] },
]

test('the server and Express write the same lines and bytes to the socket', async () => {
  const options = { now: start, frozen: true, cors: ['https://elsewhere.example'] }
  await using server = await serve(createGreenhouse(options))
  const app = express()
    .disable('x-powered-by')
    .use(createMiddleware(createGreenhouse(options)))
  const clients = [new Client(server.port), new Client(await portOf(app))] as const
  for (const asked of requests) {
    const [own, ofExpress] = await Promise.all(clients.map((client) => client.send(asked)))
    expect(ofExpress, `${asked.method} ${asked.target} ${asked.headers?.join('; ')}`).toEqual(own)
  }
  for (const client of clients) client.close()
})

test('a header that comes twice comes in two lines', async () => {
  await using server = await serve(createGreenhouse())
  const client = new Client(server.port)
  const headers = withScenario('duplicated-headers:header=X-RateLimit-Limit')
  const { head } = await client.send({ method: 'GET', target: '/v1/apps', headers })
  client.close()
  expect(head.match(/^x-ratelimit-limit: \d+\r$/gim)).toHaveLength(2)
})

test('a reset is one, and an empty reply is a connection that ends', async () => {
  const app = express().use(createMiddleware(createGreenhouse()))
  await using server = await serve(createGreenhouse())
  for (const port of [server.port, await portOf(app)])
    expect([await endOf(port, 'connection-reset'), await endOf(port, 'empty-reply')]).toEqual([
      'ECONNRESET',
      'end',
    ])
})

test('a request that waits for another one when the client leaves is not answered', async () => {
  const options = { now: start, frozen: true }
  const [own, ofExpress] = [createGreenhouse(options), createGreenhouse(options)]
  const app = express().use(createMiddleware(ofExpress))
  await using server = await serve(own)
  for (const [greenhouse, port] of [
    [own, server.port] as const,
    [ofExpress, await portOf(app)] as const,
  ]) {
    const { journal } = greenhouse.world()
    const socket = connect(port, '127.0.0.1')
    socket.write(
      lines('/plants?limit=1', withScenario('slow:ms=60000')) + lines('/v1/plans', [key]),
    )
    await expect.poll(() => journal.calls().length).toBe(1)
    socket.destroy()
    await expect.poll(() => journal.calls().some(({ pending }) => pending)).toBe(false)
    expect(journal.calls()).toMatchObject([{ operation: 'plants.list', aborted: true, bytes: 0 }])
  }
})

test("a reply queued behind the host application's when the client leaves is kept as aborted", async () => {
  const greenhouse = createGreenhouse({ now: start, frozen: true })
  const app = express()
    .get('/never', () => undefined)
    .use(createMiddleware(greenhouse))
  const { journal } = greenhouse.world()
  const socket = connect(await portOf(app), '127.0.0.1')
  socket.write(
    lines('/never', []) + lines('/plants', [key]) + lines('/plants', withScenario('drip')),
  )
  await expect.poll(() => journal.calls().length).toBe(1)
  socket.destroy()
  await expect.poll(() => journal.calls().some(({ pending }) => pending)).toBe(false)
  expect(journal.calls()).toMatchObject([{ operation: 'plants.list', aborted: true, bytes: 0 }])
})

function lines(target: string, headers: readonly (readonly [string, string])[]): string {
  return [
    `GET ${target} HTTP/1.1`,
    'Host: localhost',
    ...headers.map((header) => header.join(': ')),
    '',
    '',
  ].join('\r\n')
}

/** Returns how a connection ends under a scenario. */
function endOf(port: number, scenario: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      .on('end', () => resolve('end'))
    socket.resume()
    socket.write(lines('/plants', withScenario(scenario)))
  })
}

/**
 * Serves an app until the test ends. As ours, without a timeout, which each reply would announce in
 * a header.
 */
async function portOf(app: RequestListener): Promise<number> {
  const { port, close } = await listen(createServer({ keepAliveTimeout: 0 }, app))
  onTestFinished(close)
  return port
}
