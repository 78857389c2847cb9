import { codedError } from '../core/text/error-codes.ts'
import {
  hasOwnLines,
  markSent,
  type Reply,
  replyHeader,
  toBytes,
  toPairs,
  toRawHeaders,
} from '../core/http/reply.ts'
import type { ServiceRequest } from '../core/http/request.ts'
import { after } from '../core/time/clock.ts'

/** The origin of a path that is fetched: none is used. */
const origin = 'http://greenhouse.test'

/** Returns the request that `fetch` was called with, which may be a path. */
export function toRequest(input: Request | URL | string, init?: RequestInit): Request {
  if (typeof input === 'object' && !(input instanceof URL) && init === undefined) return input
  // Two slashes begin a host, in a page.
  const isPath = typeof input === 'string' && /^\/(?!\/)/.test(input)
  return new Request(isPath ? origin + input : input, init)
}

/**
 * @param path percent-encoded, from the service's root. @param bodyLimit the largest body, in
 * bytes: a larger one becomes `too-large`.
 */
export async function toServiceRequest(
  request: Request,
  path: string,
  search: string,
  bodyLimit: number,
): Promise<ServiceRequest> {
  // All of it, even past the limit: the host can send the next request only after that.
  const bytes = request.body && new Uint8Array(await request.arrayBuffer())
  return {
    method: request.method,
    path,
    search,
    // happy-dom, for example, keeps the case of header names.
    headers: Object.fromEntries(
      Array.from(request.headers, ([name, value]) => [name.toLowerCase(), value]),
    ),
    body: bytes && bytes.length > bodyLimit ? 'too-large' : bytes,
    signal: request.signal,
  }
}

/**
 * If a scenario holds the reply back, waits until the client gives up on `request`. @throws Error
 * for a fault that needs a connection, because there is none here; TypeError, as `fetch` does, for
 * a network error.
 */
export function toFetchResponse(
  reply: Reply,
  request: FetchClient,
  waiting: Waiting,
): Response | Promise<Response> {
  const response = toResponse(reply, request, waiting)
  if (request.signal.aborted) markSent(reply, 0, true)
  // A complete reply counts as sent now. A stream, or a reply that never arrives, calls `markSent`
  // later.
  else if (!(response instanceof Promise) && !reply.wire?.pieces) markSent(reply)
  return response
}

function toResponse(
  reply: Reply,
  request: FetchClient,
  waiting: Waiting,
): Response | Promise<Response> {
  const { status, headers, body, wire } = reply
  const sent = new Headers(hasOwnLines(reply) ? toPairs(toRawHeaders(reply)) : headers)
  if (wire === undefined)
    return new Response(toBodyInit(body, headers), {
      status,
      headers: sent,
    })
  if (wire.instead === 'timeout') return waitForAbort(reply, request, waiting)
  if (wire.instead === 'network-error') {
    markSent(reply, 0, true)
    throw new TypeError('Failed to fetch')
  }
  const impossible =
    wire.instead ?? (wire.cutAt === undefined ? undefined : 'truncate with a lying Content-Length')
  if (impossible !== undefined) {
    markSent(reply, 0, true)
    throw codedError(
      'GREENHOUSE_UNSUPPORTED_FAULT',
      `Failed to produce the fault "${impossible}": it needs a connection of its own, and there is none here. Use serve().`,
    )
  }
  return new Response(
    body !== null && wire.pieces
      ? toByteStream(reply, wire.pieces(toBytes(body), request.signal), request, waiting)
      : toBodyInit(body, headers),
    {
      status,
      headers: sent,
    },
  )
}

function toBodyInit(body: Reply['body'], headers: Reply['headers']): BodyInit | null {
  const isTyped = body === null || replyHeader(headers, 'Content-Type') !== undefined
  return (isTyped ? body : toBytes(body)) as BodyInit | null
}

/** A request, or what stands for it: its signal aborts when the client gives up. */
export interface FetchClient {
  readonly signal: AbortSignal
}

/**
 * Functions that end the requests that wait for a reply, or for more of it, as a cut connection
 * does: the oldest one first.
 */
export type Waiting = Set<() => void>

/** The most requests that wait; beyond it, the oldest one is cut. */
const maxWaiting = 10_000

/** How long a client waits, in milliseconds: Node's own `fetch` then gives up. */
const patience = 300_000

/** Keeps the process alive, as a socket does, until the returned function is called, or `cut`. */
function wait(waiting: Waiting, cut: () => void): () => void {
  const [oldest] = waiting
  if (waiting.size >= maxWaiting) oldest?.()
  waiting.add(cut)
  const stopTimer = after(patience, cut)
  return () => {
    waiting.delete(cut)
    stopTimer()
  }
}

/**
 * References the request: in Node, a Request gets its client's abort only while something does, and
 * the client may not.
 */
function waitForAbort(reply: Reply, request: FetchClient, waiting: Waiting): Promise<never> {
  return new Promise((_, reject) => {
    const giveUp = () => {
      stopWaiting()
      markSent(reply, 0, true)
      reject(abortReasonOf(request))
    }
    const stopWaiting = wait(waiting, giveUp)
    if (request.signal.aborted) return giveUp()
    request.signal.addEventListener('abort', giveUp, { once: true })
  })
}

function abortReasonOf({ signal }: FetchClient): unknown {
  if (signal.aborted) return signal.reason
  return new TypeError('Failed to fetch')
}

/**
 * Creates a body that ends when the client aborts, as with a real `fetch`. References the request,
 * to keep its signal alive.
 */
function toByteStream(
  reply: Reply,
  pieces: AsyncIterable<Uint8Array>,
  request: FetchClient,
  waiting: Waiting,
): ReadableStream<Uint8Array> {
  const source = pieces[Symbol.asyncIterator]()
  let isOpen = true
  let sent = 0
  let stopWaiting = () => {}
  let cut = () => {}
  const abort = () => {
    isOpen = false
    stopWaiting()
    markSent(reply, sent, true)
    // Nobody awaits this: the source may be in a long wait.
    void source.return?.()
  }
  const body: UnderlyingDefaultSource<Uint8Array> & { readonly request: FetchClient } = {
    request,
    start(controller) {
      cut = () => {
        if (!isOpen) return
        abort()
        controller.error(abortReasonOf(request))
      }
      request.signal.addEventListener('abort', cut, { once: true })
    },
    async pull(controller) {
      stopWaiting = wait(waiting, cut)
      const { done, value } = await source.next().finally(stopWaiting)
      if (!isOpen) return
      if (!done) {
        sent += value.length
        return controller.enqueue(value)
      }
      isOpen = false
      controller.close()
      markSent(reply, sent)
    },
    cancel: abort,
  }
  // With 0, nothing is produced before the client reads it, so `sent` counts only what the client
  // read.
  return new ReadableStream(body, { highWaterMark: 0 })
}
