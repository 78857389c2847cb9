import { createServer } from 'node:http'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { heapInUse } from '../memory/heap.ts'
import { findFreePort } from '../support/free-port.ts'
import { times } from '../support/soak.ts'
import { inFrontOf, standInFront } from './in-front.ts'

const megabyte = 2 ** 20
const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'

const targets: [what: string, target: () => Server, statuses: number[], full?: number][] = [
  ['answers', () => createServer((_, response) => response.end('[]')), [200], 100_000],
  [
    'answers at length',
    () => createServer((_, response) => response.end(Buffer.alloc(100_000, 'x'))),
    [200],
  ],
  ['closes', () => answer((socket) => socket.end()), [502]],
  ['resets', () => answer((socket) => socket.resetAndDestroy()), [502]],
  ['is slow', () => answer(() => undefined), [504]],
  [
    'lies about its length',
    () => answer((socket) => socket.end(`${head}Content-Length: 9\r\n\r\n[1]`)),
    [502],
  ],
  ['is endless', () => answer(pour), [200]],
  [
    'upgrades',
    () =>
      answer((socket) =>
        socket.end('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      ),
    [502],
  ],
]

/** Keeps nothing of what it gets, which would count as memory. */
function answer(reply: (socket: Socket) => void): Server {
  return createTcpServer((socket) =>
    socket.on('error', () => undefined).on('data', () => reply(socket)),
  )
}

/** What the client's own clean-up needs turns of the event loop for does not count. */
async function settledHeap(): Promise<number> {
  for (let round = 0; round < 5; round++) {
    // Each collection takes a tenth of a second where other tests ran before.
    heapInUse(1)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return heapInUse()
}

function pour(socket: Socket): void {
  const timer = setInterval(() => socket.write(`${'x'.repeat(1_000)}`), 1)
  socket.write(`${head}\r\n`)
  socket.on('close', () => clearInterval(timer))
}

/** Sends requests, 50 at a time. Those without an end are cancelled. */
async function ask(
  send: (path: string, init: RequestInit) => Promise<Response>,
  count: number,
): Promise<Set<number>> {
  const statuses = new Set<number>()
  const one = async () => {
    const control = new AbortController()
    const reply = await send('/plants', { signal: control.signal })
    statuses.add(reply.status)
    const reader = reply.body!.getReader()
    for (let read = 0; read < 150_000;) {
      const { done, value } = await reader.read()
      if (done) return
      read += value.length
      if (value.length < 16_384 && read > 5_000 && read < 100_000) break
    }
    control.abort()
    await reader.cancel().catch(() => undefined)
  }
  for (let sent = 0; sent < count; sent += 50) await Promise.all(Array.from({ length: 50 }, one))
  return statuses
}

test.each(targets)(
  'sockets and memory stay flat in front of a service that %s',
  { retry: 2, timeout: 400_000 },
  async (_, open, statuses, full = 10_000) => {
    const sockets = new Set<Socket>()
    const target = open()
    target.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    const { send } = await inFrontOf(target, statuses[0] === 504 ? { timeout: 50 } : {}, {
      journal: { entries: 100 },
    })
    await ask(send, times(1_000, 200))
    const before = await settledHeap()
    expect([...(await ask(send, times(full, 500)))]).toEqual(statuses)
    await expect.poll(() => sockets.size).toBeLessThanOrEqual(64)
    expect((await settledHeap()) - before).toBeLessThan(4 * megabyte)
  },
)

test(
  'sockets and memory stay flat in front of a service that is gone',
  { retry: 2, timeout: 120_000 },
  async () => {
    const { send } = await standInFront(
      { plants: `http://127.0.0.1:${await findFreePort()}` },
      { journal: { entries: 100 } },
    )
    await ask(send, times(1_000, 200))
    const before = await settledHeap()
    expect([...(await ask(send, times(10_000, 500)))]).toEqual([502])
    expect((await settledHeap()) - before).toBeLessThan(4 * megabyte)
  },
)
