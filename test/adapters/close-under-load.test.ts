import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { drain, key, openSocket, toReplies } from '../support/socket.ts'

const get = (path: string, ...headers: string[]) =>
  ['GET ' + path + ' HTTP/1.1', 'Host: 127.0.0.1', key, ...headers, '', ''].join('\r\n')

/** Held back for ten minutes: a close that waited for it would not end in time. */
const slow = get('/plants', 'X-Greenhouse-Scenario: very-slow:ms=600000')

/** What connections do while the server closes. */
const loads: Record<string, (port: number) => Promise<unknown>> = {
  'replies are held back': (port) => openAll(port, 4, slow),
  'replies to requests that were sent without waiting are held back': (port) => openAll(port, 2, slow + slow + slow),
  'clients of such replies have gone': async (port) => {
    for (const socket of await openAll(port, 2, slow + slow)) socket.destroy()
  },
  'clients of such replies have closed their half': async (port) => {
    for (const socket of await openAll(port, 2, slow + slow)) socket.end()
  },
  'replies drip': (port) => openAll(port, 3, get('/plants', 'X-Greenhouse-Scenario: drip:bytes-per-second=1')),
  'no reply ever comes': (port) => openAll(port, 3, get('/plants', 'X-Greenhouse-Scenario: timeout')),
  'journals are streamed': (port) => openAll(port, 3, get('/__greenhouse/worlds/default/journal/stream')),
  'clients have asked for a tunnel': (port) => openAll(port, 100, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'),
  'clients have asked for a WebSocket': (port) =>
    openAll(
      port,
      3,
      get(
        '/plants',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Version: 13',
      ),
    ),
  'clients that were refused go on sending': async (port) => {
    const sockets = await openAll(port, 20, 'nonsense\r\n\r\n')
    const timer = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write('x')), 20)
    onTestFinished(() => clearInterval(timer))
  },
  'many clients say nothing': (port) => openAll(port, 2_000, ''),
}

for (const [when, load] of Object.entries(loads))
  test(`the server closes while ${when}, and every connection with it`, async () => {
    const server = await serve(createGreenhouse())
    await load(server.port)
    await fetch(`${server.url}/plants`)
    await server.close()
    await expect(openSocket(server.port)).rejects.toThrow('ECONNREFUSED')
    await Promise.all(opened.map((socket) => socket.closed || once(socket, 'close')))
  })

test('clients that keep asking in a drain are answered, the last time with Connection: close', async () => {
  const server = await serve(createGreenhouse({ assumptions: { 'plants.rate-limits': 'off' } }))
  const clients = Array.from({ length: 20 }, () => askUntilTold(server.port))
  await Promise.all(clients.map(({ warm }) => warm))
  await server.drain()
  expect(await Promise.all(clients.map(({ end }) => end))).toEqual(Array(20).fill('told'))
})

test('pipelined requests are all answered, and the last reply has Connection: close', async () => {
  const greenhouse = createGreenhouse()
  const server = await serve(greenhouse)
  const socket = await openSocket(server.port)
  const asked = new Promise<void>((resolve) =>
    greenhouse.subscribe(({ request: { url } }) => url.includes('limit=3') && resolve()),
  )
  const late = 'X-Greenhouse-Scenario: slow:ms=50'
  socket.write(get('/plants?limit=1', late) + get('/plants?limit=2', late) + get('/plants?limit=3', late))
  await asked
  const closed = server.close()
  const replies = toReplies(await drain(socket))
  expect(replies.map(({ status, headers }) => [status, headers['connection']])).toEqual([
    [200, 'keep-alive'],
    [200, 'keep-alive'],
    [200, 'close'],
  ])
  await closed
})

test('a reply that is under way as the server closes arrives whole', async () => {
  const server = await serve(createGreenhouse())
  const socket = await openSocket(server.port)
  socket.write(get('/plants?limit=3', 'X-Greenhouse-Scenario: drip:bytes-per-second=2000'))
  const [first] = await once(socket, 'data')
  const closed = server.close()
  const [reply] = toReplies(first + (await drain(socket)))
  expect(JSON.parse(reply!.text)).toHaveLength(3)
  await closed
})

test('a request whose headers have only begun to arrive as the server closes is answered', async () => {
  const server = await serve(createGreenhouse())
  const socket = await openSocket(server.port)
  socket.write(get('/plants?limit=1'))
  await once(socket, 'data')
  const half = get('/plants?limit=2')
  socket.write(half.slice(0, 20))
  await fetch(`${server.url}/plants`)
  const closed = server.close()
  await new Promise((resolve) => setTimeout(resolve, 100))
  socket.write(half.slice(20))
  expect(toReplies(await drain(socket))).toMatchObject([{ status: 200, headers: { connection: 'close' } }])
  await closed
})

let opened: Socket[] = []

async function openAll(port: number, count: number, bytes: string): Promise<Socket[]> {
  opened = []
  onTestFinished(() => {
    for (const socket of opened) socket.destroy()
  })
  while (opened.length < count) {
    const some = Array.from({ length: Math.min(200, count - opened.length) }, () =>
      connect({ port, host: '127.0.0.1' })
        .on('error', () => undefined)
        .resume(),
    )
    await Promise.all(some.map((socket) => once(socket, 'connect')))
    for (const socket of some) if (bytes !== '') socket.write(bytes)
    opened.push(...some)
  }
  return opened
}

/** A client that sends requests on one connection until a reply says that the connection closes. */
function askUntilTold(port: number): { warm: Promise<void>; end: Promise<string> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let isWarm = () => {}
  const warm = new Promise<void>((resolve) => (isWarm = resolve))
  let asked = 0
  const end = new Promise<string>((resolve) => {
    const ask = () => {
      if (++asked === 20) isWarm()
      request(
        { port, host: '127.0.0.1', path: '/plants?limit=3', agent, headers: { authorization: 'Bearer key_pro' } },
        (response) => {
          response.resume().on('end', () => (response.headers.connection === 'close' ? resolve('told') : ask()))
        },
      )
        .on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)))
        .end()
    }
    ask()
  })
  return { warm, end: end.finally(() => agent.destroy()) }
}
