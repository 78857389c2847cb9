import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { expect, test } from 'vitest'
import { createGreenhouse } from '../../src/index.ts'
import { Connections } from '../../src/node-http/connections.ts'
import { createHttpServer } from '../../src/node-http/http-server.ts'
import { createAnswer } from '../../src/node-http/listener.ts'
import { listen } from '../support/listen.ts'
import {
  ask,
  drain,
  exchangeWith,
  expectRejection,
  openSocket,
  toReplies,
  key,
  type RawReply,
} from '../support/socket.ts'

const beginnings: Record<string, string> = {
  'a client that says nothing': '',
  'a client that stops in the request line': 'GET /pla',
  'a client that stops in its headers':
    'GET /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nX-Half:',
  'a client that stops in its body':
    'POST /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nContent-Length: 100\r\n\r\n{"id":',
  'a client that stops in a chunk':
    'POST /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n{"id":',
}

for (const [who, beginning] of Object.entries(beginnings))
  impatient(`${who} is answered 408 and closed`, async (port) => {
    const [reply, ...more] = await exchangeWith(port, beginning)
    expectRejection(reply, 408)
    expect(more).toEqual([])
  })

for (const sends of [false, true])
  impatient(
    `a rejected client that ${sends ? 'goes on sending' : 'never closes'} is closed`,
    async (port, connections) => {
      const socket = await openSocket(port)
      socket.write('nonsense\r\n\r\n')
      socket.resume()
      const timer = setInterval(() => sends && socket.write('x'), 20)
      await gone(connections[0]!)
      clearInterval(timer)
      socket.destroy()
    },
  )

/** Runs a test against a server whose patience is short, and whose connections it hands over. */
function impatient(
  title: string,
  run: (port: number, connections: Socket[]) => Promise<void>,
): void {
  test(title, async () => {
    const connections: Socket[] = []
    const timeouts = { headers: 200, request: 400, rejected: 200 }
    const server = createHttpServer(createAnswer(createGreenhouse()), { timeouts })
    const { port, close } = await listen(
      server.on('connection', (socket: Socket) => connections.push(socket)),
    )
    try {
      await run(port, connections)
      let reply = await ask(port, 'GET /plants', [key])
      // A machine that stands still for so long makes a slow client of any.
      while (reply.status === 408) reply = await ask(port, 'GET /plants', [key])
      expect(reply).toMatchObject({ status: 200 })
    } finally {
      await close()
    }
  })
}

async function gone(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close')
}

async function start(idle?: { max: number; interval: number }) {
  const greenhouse = createGreenhouse()
  const answer = createAnswer(greenhouse)
  const server = createHttpServer((request, response) => {
    connections.track(request, response)
    answer(request, response)
  })
  const connections = new Connections(server, idle)
  const { port } = await listen(server)
  return { greenhouse, connections, port }
}

const toList = (...headers: string[]) =>
  ['GET /plants HTTP/1.1', 'Host: localhost', key, ...headers, '', ''].join('\r\n')

test('replies that a slow client has not read as the server closes arrive whole', async () => {
  const { greenhouse, connections, port } = await start()
  await greenhouse
    .world()
    .records.plants.create({ id: 5_000, name: 'x'.repeat(250_000), account: 'acct_pro' })
  const socket = await openSocket(port)
  socket.write(toList().repeat(30))
  // They came in one piece: when the first is answered, all are there.
  await expect.poll(() => greenhouse.world().journal.size).toBeGreaterThan(0)
  const closed = connections.end(60_000)
  const isWhole = ({ headers, text }: RawReply) =>
    Buffer.byteLength(text) === Number(headers['content-length'])
  expect(toReplies(await drain(socket)).filter(isWhole)).toHaveLength(30)
  await closed
})

/**
 * Returns whether the connections that await a reply, or are in use, were closed as an idle one was;
 * nothing if the process stood still meanwhile, which leaves every connection idle.
 */
async function idleBesideOthers(): Promise<boolean[] | undefined> {
  const max = 1_000
  const { connections, port } = await start({ max, interval: 50 })
  const open = (text: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.resume().write(text)
    return socket
  }
  const waiting = open(toList('X-Greenhouse-Scenario: timeout'))
  const busy = open(toList())
  let usedAt = performance.now()
  let stoodStill = false
  const use = () => {
    stoodStill ||= performance.now() - usedAt > max / 2
    usedAt = performance.now()
    busy.write(toList())
  }
  const timer = setInterval(use, 50)
  const idle = open(toList())
  await once(idle, 'close')
  use()
  const closed = [waiting.closed, busy.closed]
  clearInterval(timer)
  await gone(busy)
  closed.push(waiting.closed)
  waiting.destroy()
  await connections.end(0)
  return stoodStill ? undefined : closed
}

test('a connection is closed when idle too long, not while in use or awaiting its reply', async () => {
  let closed: boolean[] | undefined
  while (closed === undefined) closed = await idleBesideOthers()
  expect(closed).toEqual([false, false, false])
})
