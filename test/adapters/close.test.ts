import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { expect, test, onTestFinished } from 'vitest'
import { findFreePort } from '../support/free-port.ts'
import { drain, key, openAll, openSocket, toGet as get, toReplies } from '../support/socket.ts'

const head = [
  'POST /plants HTTP/1.1',
  'Host: greenhouse.localhost',
  key,
  'Content-Type: application/json',
].join('\r\n')

test('the server closes while a client does not read its reply', async () => {
  const greenhouse = createGreenhouse()
  const { plants } = greenhouse.world().records
  for (let id = 5_000; id < 5_020; id++)
    await plants.create({ id, name: 'x'.repeat(500_000), account: 'acct_pro' })
  const server = await serve(greenhouse)
  const socket = await openSocket(server.port)
  socket.write(get('/plants'))
  await once(socket, 'readable')
  await server.close()
  socket.destroy()
})

test('a closing server answers the request under way, and one more with Connection: close', async () => {
  const greenhouse = createGreenhouse()
  // The first record loads what keeps records, which may take longer than a close does.
  await greenhouse.world().records.plants.create({ id: 4_999, name: 'Fern', account: 'acct_pro' })
  const server = await serve(greenhouse)
  const body = '{"id":5000,"name":"Ficus"}'
  const socket = await openSocket(server.port)
  socket.write(`${head}\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`)
  await once(socket, 'data')
  const closed = server.close()
  socket.write(body + get('/plants'))
  const first = { status: 200, text: '{"name":"Ficus"}' }
  const replies = toReplies(await drain(socket))
  expect(replies).toMatchObject([first, { status: 200, headers: { connection: 'close' } }])
  await closed
})

test('the next fetch of a process reaches the server that follows on the same port', async () => {
  const greenhouse = createGreenhouse()
  const port = await findFreePort()
  for (let count = 0; count < 4; count++) {
    const server = await serve(greenhouse, { port })
    const statuses = [1, 2, 3].map(async () => (await fetch(`${server.url}/plants`)).status)
    expect(await Promise.all(statuses)).toEqual([401, 401, 401])
    await server.close()
  }
})

test('a server that goes out of scope closes', async () => {
  let port: number
  {
    await using server = await serve(createGreenhouse())
    port = server.port
    expect((await fetch(`${server.url}/plants`)).status).toBe(401)
  }
  await expect(openSocket(port)).rejects.toThrow('ECONNREFUSED')
})

/** Held back for ten minutes: a close that waited for it would not end in time. */
const slow = get('/plants', 'X-Greenhouse-Scenario: very-slow:ms=600000')

const websocket = [
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
]
const upgrade = ['Connection: Upgrade', ...websocket]

/** Connections as the server closes: how many, what they have sent, and what becomes of each. */
const loads: Record<
  string,
  readonly [count: number, bytes: string, then?: (socket: Socket) => void]
> = {
  'replies are held back': [4, slow],
  'replies to requests that were sent without waiting are held back': [2, slow + slow + slow],
  'clients of such replies have gone': [2, slow + slow, (socket) => socket.destroy()],
  'clients of such replies have closed their half': [2, slow + slow, (socket) => socket.end()],
  'replies drip': [3, get('/plants', 'X-Greenhouse-Scenario: drip:bytes-per-second=1')],
  'no reply ever comes': [3, get('/plants', 'X-Greenhouse-Scenario: timeout')],
  'journals are streamed': [3, get('/__greenhouse/worlds/default/journal/stream')],
  'clients have asked for a tunnel': [100, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
  'clients have asked for a WebSocket': [3, get('/plants', ...upgrade)],
  'clients that were rejected go on sending': [20, 'nonsense\r\n\r\n', sendOn],
  'many clients say nothing': [300, ''],
  'clients are idle': [1, get('/plants')],
  'clients have begun their headers': [1, 'GET /plants HTTP/1.1\r\nHo'],
  'clients have begun their body': [1, `${head}\r\nContent-Length: 100\r\n\r\n{`],
}

function sendOn(socket: Socket): void {
  const timer = setInterval(() => socket.writable && socket.write('x'), 20)
  onTestFinished(() => clearInterval(timer))
}

for (const [when, [count, bytes, then]] of Object.entries(loads))
  test(`the server closes while ${when}, and every connection with it`, async () => {
    const server = await serve(createGreenhouse())
    const opened = await openAll(server.port, count, bytes)
    for (const socket of opened) then?.(socket)
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

test('in a drain, a connection that was idle may send one more request', async () => {
  const server = await serve(createGreenhouse())
  const socket = await openSocket(server.port)
  socket.write(get('/plants'))
  await once(socket, 'data')
  const drained = server.drain()
  // It takes a turn or two until the server no longer listens; without a pause, the connection is
  // closed by then.
  for (let count = 0; count < 5; count++) await openSocket(server.port).catch(() => undefined)
  socket.write(get('/plants'))
  expect(toReplies(await drain(socket))).toMatchObject([
    { status: 200, headers: { connection: 'close' } },
  ])
  await drained
})

test('pipelined requests are all answered, and the last reply has Connection: close', async () => {
  const greenhouse = createGreenhouse()
  const server = await serve(greenhouse)
  const socket = await openSocket(server.port)
  const asked = new Promise<void>((resolve) =>
    greenhouse.subscribe(({ request: { url } }) => url.includes('limit=3') && resolve()),
  )
  const late = 'X-Greenhouse-Scenario: slow:ms=50'
  socket.write(
    get('/plants?limit=1', late) + get('/plants?limit=2', late) + get('/plants?limit=3', late),
  )
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
  expect(toReplies(await drain(socket))).toMatchObject([
    { status: 200, headers: { connection: 'close' } },
  ])
  await closed
})

/** A client that sends requests on one connection until a reply says that the connection closes. */
function askUntilTold(port: number): { warm: Promise<void>; end: Promise<string> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { authorization: 'Bearer key_pro' }
  const options = { port, host: '127.0.0.1', path: '/plants?limit=3', agent, headers }
  let isWarm = () => {}
  const warm = new Promise<void>((resolve) => (isWarm = resolve))
  let asked = 0
  const end = new Promise<string>((resolve) => {
    const ask = () => {
      if (++asked === 20) isWarm()
      const again = (response: IncomingMessage) =>
        response
          .resume()
          .on('end', () => (response.headers.connection === 'close' ? resolve('told') : ask()))
      request(options, again)
        .on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)))
        .end()
    }
    ask()
  })
  return { warm, end: end.finally(() => agent.destroy()) }
}
