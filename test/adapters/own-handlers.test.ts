import { request } from 'node:http'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { serve } from '../../src/adapters/server.ts'
import { loadHandlers } from '../../src/adapters/own-handlers.ts'
import { createGreenhouse } from '../../src/index.ts'
import { writeFolder } from '../support/folder.ts'
import { drain, openSocket } from '../support/socket.ts'

const msw = pathToFileURL(resolve('node_modules/msw/lib/core/index.mjs')).href

/**
 * Serves a Greenhouse behind handlers, and gives what sends to it: unlike fetch, also a body with
 * GET and HEAD.
 */
async function open(handlers: string) {
  const folder = writeFolder({
    'own.mjs': `import { http, ws, HttpResponse } from '${msw}'\n${handlers}`,
  })
  const told: string[] = []
  const first = await loadHandlers(join(folder, 'own.mjs'), (text) => void told.push(text))
  const server = await serve(createGreenhouse(), { first })
  const send = (method: string, path: string, body?: string | Uint8Array) =>
    new Promise<{ status: number; mine: unknown; text: string }>((done, fail) => {
      const headers = {
        authorization: 'Bearer key_pro',
        'content-length': Buffer.byteLength(body ?? ''),
      }
      const sent = request(server.url + path, { method, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('error', fail).on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          done({ status: response.statusCode!, mine: response.headers['x-mine'], text })
        })
      })
      sent.on('error', fail).end(body)
    })
  return { send, told, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const echo = `export const handlers = [
  http.all('/plants', async ({ request }) => HttpResponse.text('got ' + await request.text(), { headers: { 'x-mine': 'yes' } })),
  http.delete('/plants/1', () => new HttpResponse(null, { status: 204, headers: { 'x-mine': 'yes' } })),
]`

test('own handlers get the body of a request, and answer GET and HEAD that have one too', async () => {
  await using own = await open(echo)
  expect(await own.send('POST', '/plants', 'words')).toEqual({
    status: 200,
    mine: 'yes',
    text: 'got words',
  })
  expect(await own.send('PUT', '/plants', '')).toEqual({ status: 200, mine: 'yes', text: 'got ' })
  expect(await own.send('GET', '/plants', 'words')).toEqual({
    status: 200,
    mine: 'yes',
    text: 'got ',
  })
  expect(await own.send('HEAD', '/plants', 'words')).toEqual({ status: 200, mine: 'yes', text: '' })
  expect(await own.send('HEAD', '/plants')).toEqual({ status: 200, mine: 'yes', text: '' })
  expect(await own.send('DELETE', '/plants/1')).toEqual({ status: 204, mine: 'yes', text: '' })
  const socket = await openSocket(own.server.port)
  socket.write('GET /plants HTTP/1.0\r\n\r\n')
  expect(await drain(socket), 'without a Host').toMatch(/\r\n\r\ngot $/)
})

test('a body is read no faster than its client reads it', async () => {
  await using own = await open(`let pulled = 0
    const pull = (controller) => ++pulled > 300 ? controller.close() : controller.enqueue(new Uint8Array(100_000))
    export const handlers = [
      http.get('/plants/1', () => new HttpResponse(new ReadableStream({ pull }))),
      http.get('/plants/2', () => HttpResponse.text(String(pulled))),
    ]`)
  const reply = await fetch(own.server.url + '/plants/1')
  expect(Number((await own.send('GET', '/plants/2')).text)).toBeLessThan(300)
  expect((await reply.arrayBuffer()).byteLength).toBe(30_000_000)
})

test('a body beyond the limit never reaches own handlers', async () => {
  await using own = await open(echo)
  expect(await own.send('POST', '/plants', new Uint8Array(11_000_000))).toMatchObject({
    status: 413,
    mine: undefined,
  })
})

test('a handler may throw the Response of another library', async () => {
  await using own = await open(`
    const other = { [Symbol.toStringTag]: 'Response', status: 202, statusText: '', headers: new Map([['x-mine', 'yes']]), body: null }
    export const handlers = [http.get('/plants', () => { throw other })]`)
  const { status, headers } = await fetch(own.server.url + '/plants')
  expect([status, headers.get('x-mine'), headers.get('set-cookie')]).toEqual([202, 'yes', null])
  expect(own.told).toEqual([])
})

test('a Response of another library has a status from 200 to 999', async () => {
  await using own = await open(`
    const of = (status) => ({ [Symbol.toStringTag]: 'Response', status, headers: new Headers(), body: null })
    export const handlers = [199, 200, 999, 1000, 200.5].map((status) => http.get('/plants/' + status, () => { throw of(status) }))`)
  const statuses = [199, 200, 999, 1000, 200.5].map(
    async (status) => (await own.send('GET', `/plants/${status}`)).status,
  )
  expect(await Promise.all(statuses)).toEqual([500, 200, 999, 500, 500])
  expect(own.told.toSorted()[0]).toMatch(
    /RangeError: It returned a Response with the status 1000: expected 200 to 999\./,
  )
})

test('a handler may throw a revoked proxy, which is a failure of the handler', async () => {
  await using own = await open(`
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    export const handlers = [{ kind: 'own', run() { throw proxy } }]`)
  const reply = await own.send('GET', '/plants')
  expect([reply.status, JSON.parse(reply.text).error]).toEqual([
    500,
    { code: 'handler_failed', message: expect.stringMatching(/a value that cannot be converted/) },
  ])
  expect(own.told[0]).toMatch(/own\.mjs failed to answer GET \/plants: /)
})

test('a file of handlers that throws says so, with what it threw', async () => {
  const failure = await open("throw new RangeError('no luck')").catch((error: unknown) => error)
  expect(failure).toMatchObject({
    code: 'GREENHOUSE_INVALID_FILE',
    message: expect.stringMatching(/^Failed to load the handlers of .*own\.mjs: no luck$/),
    cause: expect.any(RangeError),
  })
})

test('a handler of sockets may stand among own handlers', async () => {
  await using own = await open(`export const handlers = [
    ws.link('ws://localhost/plants').addEventListener('connection', () => {}),
    ws.link('*').addEventListener('connection', () => {}),
    http.get('/plants', () => HttpResponse.text('mine')),
    http.get('/v1/apps', () => {}),
    { kind: 'own', run: () => ({ response: null }) },
  ]`)
  expect((await own.send('GET', '/plants')).text).toBe('mine')
  expect((await own.send('GET', '/v1/apps')).status, 'what a handler leaves without a reply').toBe(
    200,
  )
  expect((await own.send('GET', '/v1/plans')).status, 'what no handler matches').toBe(200)
  expect(own.told).toEqual([])
})

test('a page may read answers of handlers; their CORS headers win, and lists are merged', async () => {
  await using own = await open(`export const handlers = [
    http.all('/plants/1', () => HttpResponse.text('', { headers: { 'X-Mine': 'yes' } })),
    http.get('/plants/2', () => HttpResponse.text('', { headers: { VARY: 'Accept', 'access-control-ALLOW-origin': '*' } })),
    http.get('/plants/3', () => ({})),
  ]`)
  const names = ['allow-origin', 'allow-credentials', 'expose-headers', 'allow-headers']
  const cors = names.map((name) => `access-control-${name}`)
  const page = 'http://localhost:5173'
  const read = async (method: string, path: string, origin = page) => {
    const asks = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'x-a' }
    const { status, headers } = await fetch(own.server.url + path, {
      method,
      headers: { origin, ...asks },
    })
    return [status, headers.get('vary'), ...cors.map((name) => headers.get(name))]
  }
  expect(await read('GET', '/plants/1')).toEqual([200, 'Origin', page, 'true', 'x-mine', null])
  expect(await read('GET', '/plants/2')).toEqual([200, 'Accept, Origin', '*', 'true', '', null])
  expect(await read('GET', '/plants/3')).toEqual([500, 'Origin', page, 'true', '', null])
  expect(await read('OPTIONS', '/plants/1')).toEqual([200, 'Origin', page, 'true', null, 'x-a'])
  expect(await read('OPTIONS', '/plants/2')).toEqual([204, 'Origin', page, 'true', null, 'x-a'])
  expect(await read('GET', '/plants/1', 'https://other.example')).toEqual([
    403,
    'Origin',
    null,
    null,
    null,
    null,
  ])
})

test('a handler gets the whole path, and the world that it begins with as a header', async () => {
  await using own = await open(`export const handlers = [http.all('*', ({ request }) =>
    HttpResponse.text(new URL(request.url).pathname + ' ' + request.headers.get('x-greenhouse-world')))]`)
  expect((await own.send('GET', '/~shop/plants')).text).toBe('/plants shop')
  expect((await own.send('GET', '/files/~home')).text).toBe('/files/~home null')
})

test('a file without a list of handlers has the code of a wrong file', async () => {
  for (const handlers of ['none', [{}]])
    await expect(loadHandlers('own.mjs', () => undefined, handlers as never)).rejects.toMatchObject(
      {
        code: 'GREENHOUSE_INVALID_FILE',
      },
    )
})
