import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Greenhouse } from '../api/greenhouse.ts'
import { printFailure, toControlError } from '../core/contract/errors.ts'
import { type ServiceRequest, type SocketSender, splitTarget } from '../core/http/request.ts'
import {
  concatBytes,
  hasOwnLines,
  markSent,
  type Reply,
  toBytes,
  toHeaderLines,
  type Wire,
} from '../core/http/reply.ts'
import { monotonicNow } from '../core/time/clock.ts'
import { setImmediate } from '../core/time/system-time.ts'

export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void

export interface Arrived {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: string
  readonly body: Uint8Array | 'too-large' | null
  /** Adds what lets a page read a reply with the given headers. */
  readonly addCors: (headers: Record<string, string>) => void
}

/**
 * Gets a request and its body before Greenhouse does. Resolves to `true` if it answered, to `false`
 * if it did not, and to a message if it failed. Must not reject.
 */
export type BeforeHandler = (arrived: Arrived) => Promise<boolean | string>

export type HostCheck = (header: string | undefined) => boolean

interface AnswerOptions {
  readonly first?: BeforeHandler | undefined
  /** May answer a request for `/` instead of Greenhouse. Returns whether it did. */
  readonly lead?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  /** True if a Host names the server; without it, the host application checks. */
  readonly isOwnHost?: HostCheck | undefined
}

/**
 * Creates the function that answers requests of one host. A request whose client disconnects in
 * mid-body is never answered.
 */
export function createAnswer(
  greenhouse: Greenhouse,
  { first, lead, isOwnHost }: AnswerOptions = {},
): (request: IncomingMessage, response: ServerResponse, target?: string) => void {
  const send = createReplyBatcher()
  return (message, response, target = message.url!) => {
    try {
      const request = new NodeRequest(message, response, target)
      const sender = greenhouse.admit(request, isOwnHost?.(request.headers.host))
      // The body is not read; Node drops it.
      if (typeof sender === 'object') return send(response, sender)
      request.sender = sender
      if (first) void answerAfter(first, request, target)
      else if (hasBody(request)) answerWithBody(request, message, response)
      else answer(request, response)
    } catch (error) {
      fail(response, error)
    }
  }

  function answerWithBody(
    request: NodeRequest,
    message: IncomingMessage,
    response: ServerResponse,
  ): void {
    const isPassedOn = greenhouse.options.proxy !== undefined
    collectBody(message, greenhouse.bodyLimit, isPassedOn, (body) => {
      request.body = body
      // Node drops the rest of a body only if nobody has begun to read it.
      if (body === 'too-large')
        response.once('finish', () => message.listenerCount('data') > 0 || message.resume())
      answer(request, response)
    })
  }

  /**
   * Answers in the turn in which the request is complete, without a promise, unless a scenario
   * delays the reply.
   */
  function answer(request: NodeRequest, response: ServerResponse): void {
    // Its client is gone already: what it asked for is not done.
    if (response.req.socket.destroyed) return
    try {
      if (lead !== undefined && request.path === '/' && lead(response.req, response)) return
      const reply = greenhouse.handle(request)
      if (!(reply instanceof Promise)) return send(response, reply)
      const failLate = (error: unknown) => fail(response, error)
      void reply.then((late) => send(response, late)).catch(failLate)
    } catch (error) {
      fail(response, error)
    }
  }

  async function answerAfter(
    first: BeforeHandler,
    request: NodeRequest,
    target: string,
  ): Promise<void> {
    const { message, response } = request
    try {
      if (hasBody(request)) request.body = await readBody(message, greenhouse.bodyLimit)
      const startedAt = monotonicNow()
      const { body } = request
      const addCors = (headers: Record<string, string>) => greenhouse.addCors(request, headers)
      const answered = await first({ request: message, response, target, body, addCors })
      if (answered === false) return answer(request, response)
      greenhouse.log({
        event: 'handled',
        request,
        status: response.headersSent ? response.statusCode : 0,
        aborted: !response.writableEnded,
        reason: typeof answered === 'string' ? answered : undefined,
        ms: monotonicNow() - startedAt,
      })
    } catch (error) {
      fail(response, error)
    }
  }
}

function fail(response: ServerResponse, error: unknown): void {
  printFailure('Greenhouse failed to answer a request:', error)
  if (response.headersSent || response.destroyed) return void response.destroy()
  const text = JSON.stringify(
    toControlError('internal_error', 'Something went wrong in Greenhouse.'),
  )
  response
    .writeHead(500, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    })
    .end(text)
}

/**
 * Creates the function that sends replies. It sends those of one turn together, because waking a
 * client for each would cost more than the replies.
 */
function createReplyBatcher(): (response: ServerResponse, reply: Reply) => void {
  let waiting: { readonly response: ServerResponse; readonly reply: Reply }[] = []
  const flush = () => {
    const ready = waiting
    waiting = []
    const whole = ready.filter(({ response, reply }) => sendUnsent(response, reply))
    // The system has taken as much as it has room for by then.
    void turn.then(() => {
      for (const { response, reply } of whole) reportWhenSent(response, reply)
    })
  }
  return (response, reply) => {
    if (waiting.push({ response, reply }) === 1) setImmediate(flush)
  }
}

function sendUnsent(response: ServerResponse, reply: Reply): boolean {
  try {
    // The reply has its own Date, or none.
    response.sendDate = false
    if (response.req.socket.destroyed) markSent(reply, 0, true)
    if (isPlain(reply)) sendWhole(response, reply)
    else void sendInPieces(response, reply)
    return isPlain(reply)
  } catch (error) {
    failToSend(response, reply, error)
    return false
  }
}

/**
 * Sends a reply with one `write`: `end(body)` adds an empty chunk, so Node calls `writev`, which
 * takes 11 % longer.
 */
function sendWhole(response: ServerResponse, reply: Reply): void {
  const { body, length } = reply
  writeHead(response, reply)
  if (body !== null && body.length > 0) {
    response.cork()
    // If the length is the number of characters, the text is ASCII, which `latin1` copies without a
    // scan.
    if (typeof body === 'string') response.write(body, length === body.length ? 'latin1' : 'utf8')
    else response.write(body)
    response.uncork()
  }
  response.end()
}

const turn = Promise.resolve()

function isPlain({ body, wire }: Reply): boolean {
  return wire === undefined && (body === null || body.length <= maxAtOnce)
}

export function hasBody({ headers }: { readonly headers: ParsedHeaders }): boolean {
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}

/**
 * Reads a body to the end, even past the limit: a client that is still sending would not read the
 * reply.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
): Promise<Uint8Array | 'too-large'> {
  return new Promise((resolve) => collectBody(request, limit, false, resolve))
}

/**
 * Calls back with the complete body; never, if the client disconnects. @param isPassedOn leaves all
 * of one that is too large unread
 */
function collectBody(
  request: IncomingMessage,
  limit: number,
  isPassedOn: boolean,
  done: (body: Uint8Array | 'too-large') => void,
): void {
  let chunks: Buffer[] = []
  let length = 0
  const end = () => {
    if (length > limit) return done('too-large')
    // Node has copied each chunk.
    return done(chunks.length === 1 ? chunks[0]! : concatBytes(chunks))
  }
  const collect = (chunk: Buffer) => {
    length += chunk.length
    if (length <= limit || isPassedOn) chunks.push(chunk)
    else chunks = []
    if (length <= limit || !isPassedOn) return
    request.off('data', collect).off('end', end).pause().unshift(concatBytes(chunks))
    done('too-large')
  }
  request.on('data', collect).on('end', end)
}

/**
 * The most bytes of a body to write at a time. The journal records what a lost client received to
 * this precision.
 */
const maxAtOnce = 2 ** 18

/** Sends a reply that is long, or that a scenario breaks on its way. Never rejects. */
async function sendInPieces(response: ServerResponse, reply: Reply): Promise<void> {
  try {
    if (!response.socket && !response.destroyed) await untilItsTurn(response)
    const { socket } = response
    const { body, wire = {} } = reply
    if (!socket || socket.destroyed) return markSent(reply, 0, true)
    if (wire.instead) return breakOff(socket, reply, wire)
    writeHead(response, reply)
    if (body !== null) return await sendBody(socket, response, reply, toBytes(body))
    response.end()
    reportWhenSent(response, reply)
  } catch (error) {
    failToSend(response, reply, error)
  }
}

function writeHead(response: ServerResponse, reply: Reply): void {
  const { status, headers, received } = reply
  if (hasOwnLines(reply)) response.writeHead(status, received?.phrase, toHeaderLines(reply).flat())
  else response.writeHead(status, headers)
}

function untilItsTurn(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const forget = whenClosed(response.req.socket, resolve)
    response.once('socket', () => {
      forget()
      resolve()
    })
  })
}

function breakOff(socket: Socket, reply: Reply, { instead, garbage }: Wire): void {
  if (instead === 'timeout') return void whenClosed(socket, () => markSent(reply, 0, true))
  markSent(reply, 0, true)
  if (instead === 'reset') return reset(socket)
  if (instead === 'network-error') return void socket.destroy()
  if (instead === 'garbage') socket.write(garbage!)
  socket.destroySoon()
}

/** Resets a TCP connection; others, such as TLS, have no reset and are cut. */
function reset(socket: Socket): void {
  try {
    socket.resetAndDestroy()
  } catch {
    socket.destroy()
  }
}

/** Never rejects. */
async function sendBody(
  socket: Socket,
  response: ServerResponse,
  reply: Reply,
  body: Uint8Array,
): Promise<void> {
  const { pieces = inLargePieces, cutAt = Infinity } = reply.wire ?? {}
  const closed = new AbortController()
  const forget = whenClosed(socket, () => closed.abort('The connection closed.'))
  let sent = 0
  try {
    response.flushHeaders()
    for await (const piece of pieces(body, closed.signal)) {
      if (socket.destroyed) break
      const chunk = piece.subarray(0, cutAt - sent)
      if (chunk.length > 0 && (await writePiece(socket, response, chunk))) sent += chunk.length
      if (sent < cutAt) continue
      markSent(reply, sent, true)
      return socket.destroySoon()
    }
    if (!socket.destroyed) response.end()
    reportWhenSent(response, reply, sent)
  } catch {
    markSent(reply, sent, true)
    socket.destroy()
  } finally {
    forget()
  }
}

function writePiece(socket: Socket, response: ServerResponse, chunk: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    const close = () => resolve(false)
    socket.once('close', close)
    response.write(chunk, (error) => {
      socket.off('close', close)
      resolve(!error)
    })
  })
}

async function* inLargePieces(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += maxAtOnce) yield body.subarray(at, at + maxAtOnce)
}

function failToSend(response: ServerResponse, reply: Reply, error: unknown): void {
  printFailure('Greenhouse failed to send a reply:', error)
  response.destroy()
  markSent(reply, 0, true)
}

/**
 * Reports to the journal when the system has taken the whole reply, or when the connection is gone.
 * Call it after `response.end`. @param sent the known number of sent bytes of the body, in the
 * second case.
 */
function reportWhenSent(response: ServerResponse, reply: Reply, sent = 0): void {
  if (response.req.socket.destroyed) return markSent(reply, sent, true)
  if (response.writableFinished) return markSent(reply)
  // After `finish`, only the first of these marks counts.
  whenGone(response, () => markSent(reply, sent, true))
  response.once('finish', () => markSent(reply))
}

export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    if (response.destroyed || response.socket?.destroyed) done()
    else response.on('drain', done).on('close', done)
  })
}

/**
 * Disconnects a client that reads nothing of this reply for so many milliseconds. The next reply
 * may take its time.
 */
export function limitPauses(response: ServerResponse, longest: number): void {
  const { socket } = response.req
  socket.setTimeout(longest)
  response.once('finish', () => socket.setTimeout(0))
}

export type ParsedHeaders = IncomingMessage['headers']

const waiting = new WeakMap<Socket, Set<() => void>>()

function whenClosed(socket: Socket, callback: () => void): () => void {
  if (socket.destroyed) {
    callback()
    return () => undefined
  }
  // One listener for all callbacks: a connection can have hundreds of requests at a time.
  const known = waiting.get(socket)
  const all = (known ?? new Set<() => void>()).add(callback)
  if (!known) {
    waiting.set(socket, all)
    socket.once('close', () => all.forEach((one) => one()))
  }
  return () => void all.delete(callback)
}

/**
 * Calls back, once or twice, when the response is closed or its client is gone. Watches the socket
 * too: with pipelining, a response gets its `close` event only in its turn.
 */
function whenGone(response: ServerResponse, callback: () => void): void {
  const forget = whenClosed(response.req.socket, callback)
  response.once('close', () => {
    forget()
    callback()
  })
}

export class NodeRequest implements ServiceRequest {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly headers: ParsedHeaders
  body: ServiceRequest['body'] = null
  sender: SocketSender | undefined = undefined
  readonly #response: ServerResponse
  #signal: AbortSignal | undefined

  /** @param target from the service's root, or a whole URL as proxies get it. */
  constructor(request: IncomingMessage, response: ServerResponse, target: string) {
    const own = target.startsWith('/')
      ? target
      : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/'
    const [path, search] = splitTarget(own)
    this.method = request.method!
    this.path = path
    this.search = search
    this.headers = request.headers
    this.#response = response
  }

  get response(): ServerResponse {
    return this.#response
  }

  get message(): IncomingMessage {
    return this.#response.req
  }

  get signal(): AbortSignal {
    return (this.#signal ??= abortedWhenClosed(this.#response))
  }
}

/** A shared reason: otherwise each abort creates an error with a stack. */
const gone = 'The client no longer waits.'

function abortedWhenClosed(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(gone)
  if (response.destroyed) abort()
  else whenGone(response, abort)
  return controller.signal
}
