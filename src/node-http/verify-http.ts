import { isUtf8 } from 'node:buffer'
import {
  Agent as HttpAgent,
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Receive, ReceivedDelivery, Receiver } from '../contract/verify/session.ts'
import type { RawReply, ProbeRequest, Send } from '../contract/verify/wire.ts'
import { mapFields } from '../core/text/values.ts'
import { after, monotonicNow } from '../core/time/clock.ts'

interface ReceiverOptions {
  now(): number
  readonly port?: number
  readonly url?: string
}

const host = '127.0.0.1'

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Returns a function that starts webhook receivers: all on one server, each at its own path. The
 * server ends with the last one.
 */
export function createReceive({ now, port = 0, url }: ReceiverOptions): Receive {
  const listeners = new Map<string, RequestHandler>()
  let server: Promise<Server> | undefined
  let count = 0
  const close = async (path: string) => {
    listeners.delete(path)
    if (listeners.size > 0 || !server) return
    const ending = await server
    // One that started meanwhile receives at it.
    if (listeners.size > 0 || !server) return
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

function listen(port: number, listener: RequestHandler): Promise<Server> {
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
  const listener: RequestHandler = (request, response) => {
    const startedAt = monotonicNow()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      received.push({
        headers: joinHeaders(request),
        text: Buffer.concat(chunks).toString('utf8'),
        at: now(),
      })
      if (receiver.answer !== 'nothing') response.writeHead(receiver.answer).end()
    })
    response.on('close', () => {
      if (response.writableFinished) return
      gaveUp.push(monotonicNow() - startedAt)
      const [first] = gaveUp
      if (first !== undefined) for (const callback of waiting) callback(first)
    })
  }
  return { receiver, listener }
}

const maxBytes = 64 * 2 ** 20

export function createHttpClient({ insecure = false } = {}): {
  send: Send
  close(): void
} {
  const agents = {
    'http:': new HttpAgent({ keepAlive: true }),
    'https:': new HttpsAgent({
      keepAlive: true,
      rejectUnauthorized: !insecure,
    }),
  }
  return {
    send: (asked, signal) => sendOnce(asked, signal, agents),
    close: () => Object.values(agents).forEach((agent) => agent.destroy()),
  }
}

function joinHeaders({ headers }: IncomingMessage): Record<string, string> {
  return mapFields(headers, (value) => [value].flat().join(', '))
}

function sendOnce(
  { method, url, headers, body }: ProbeRequest,
  signal: AbortSignal,
  agents: {
    readonly 'http:': HttpAgent
    readonly 'https:': HttpsAgent
  },
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const target = new URL(url)
    const isSecure = target.protocol === 'https:'
    const request = (isSecure ? requestHttps : requestHttp)(target, {
      method,
      signal,
      agent: isSecure ? agents['https:'] : agents['http:'],
      headers: {
        ...headers,
        ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
      },
    })
    let isAnswered = false
    request.on('response', (response) => {
      isAnswered = true
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes <= maxBytes) return
        // Rejects before it cuts the connection, whose error would be reported instead.
        reject(new Error(`the reply is larger than ${maxBytes / 2 ** 20} MiB.`))
        request.destroy()
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: joinHeaders(response),
          ...decodeBytes(Buffer.concat(chunks), response.headers['content-type']),
        }),
      )
    })
    // A server may answer and close before it has read the body: its answer counts.
    request.on('error', (error) => {
      if (!isAnswered) reject(error)
    })
    request.end(body)
  })
}

/** Decodes a body. If it is not UTF-8, uses the declared charset, so that the rest can be read. */
function decodeBytes(bytes: Buffer, type = ''): Pick<RawReply, 'text' | 'encodingMistake'> {
  if (isUtf8(bytes)) return { text: bytes.toString('utf8') }
  const [, charset] = /;\s*charset="?([\w.:-]+)/i.exec(type) ?? []
  const encodingMistake = `the body is not in UTF-8${charset === undefined ? '' : `, and is declared as ${charset}`}`
  try {
    return {
      text: new TextDecoder(charset ?? 'latin1').decode(bytes),
      encodingMistake,
    }
  } catch {
    return {
      text: bytes.toString('latin1'),
      encodingMistake,
    }
  }
}
