import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, monotonicNow } from '../core/time/clock.ts'
import type { ReceivedDelivery, Receive, Receiver } from '../contract/verify/session.ts'

interface ReceiverOptions {
  /** The time in milliseconds since 1970. */
  now(): number
  /** The port; any free one by default. */
  readonly port?: number
  /** The URL for senders, if it is not the listening address. */
  readonly url?: string | undefined
}

const host = '127.0.0.1'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Returns a function that starts webhook receivers: all on one server, each at its own path. The server ends with the last one. */
export function createReceive({ now, port = 0, url }: ReceiverOptions): Receive {
  const listeners = new Map<string, Listener>()
  let server: Promise<Server> | undefined
  let count = 0
  const close = async (path: string) => {
    listeners.delete(path)
    if (listeners.size > 0 || !server) return
    const ending = await server
    server = undefined
    ending.closeAllConnections()
    await new Promise((resolve) => ending.close(resolve))
  }
  return async () => {
    const path = `/${++count}`
    const { receiver, listener } = createReceiver(now, () => close(path))
    listeners.set(path, listener)
    server ??= listen(port, (request, response) => {
      // A proxy may have added a prefix to the path.
      const known = listeners.get(`/${(request.url ?? '').split('/').at(-1)}`)
      if (known) known(request, response)
      else response.writeHead(404).end()
    })
    const base = url ?? `http://${host}:${((await server).address() as AddressInfo).port}`
    return Object.assign(receiver, { url: base + path })
  }
}

function listen(port: number, listener: Listener): Promise<Server> {
  const server = createServer(listener)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

function createReceiver(now: () => number, close: () => Promise<void>) {
  const received: ReceivedDelivery[] = []
  const gaveUp: number[] = []
  const waiting = new Set<(waited: number) => void>()
  const receiver: Omit<Receiver, 'url'> = {
    received,
    answer: 204,
    untilGivenUp: (longest) =>
      new Promise((resolve) => {
        if (gaveUp.length > 0) return resolve(gaveUp[0])
        const done = (waited: number | undefined) => {
          stopTimer()
          waiting.delete(done)
          resolve(waited)
        }
        const stopTimer = after(longest, () => done(undefined))
        waiting.add(done)
      }),
    close,
  }
  const listener: Listener = (request, response) => {
    const startedAt = monotonicNow()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      received.push({ headers, text: Buffer.concat(chunks).toString('utf8'), at: now() })
      if (receiver.answer !== 'nothing') response.writeHead(receiver.answer).end()
    })
    response.on('close', () => {
      if (response.writableFinished) return
      gaveUp.push(monotonicNow() - startedAt)
      for (const callback of waiting) callback(gaveUp[0]!)
    })
  }
  return { receiver, listener }
}
