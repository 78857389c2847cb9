import { IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type ServiceRequest, type SocketSender, splitTarget } from '../core/http/request.ts'
import type { LoggedRequest } from '../core/journal/log-events.ts'

const waiting = new WeakMap<Socket, Set<() => void>>()

export function whenClosed(socket: Socket, callback: () => void): () => void {
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
 * Calls back, once or twice, when the response is closed or its client is gone. Watches the socket too: with pipelining, a response
 * gets its `close` event only in its turn.
 */
export function whenGone(response: ServerResponse, callback: () => void): void {
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
  /** The beginning of a body that is too large, if the rest of it can be passed on. */
  declare unread?: readonly Buffer[]
  readonly #response: ServerResponse
  #signal: AbortSignal | undefined

  /** @param target from the service's root, or a whole URL as proxies get it. */
  constructor(request: IncomingMessage, response: ServerResponse, target: string) {
    const own = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/'
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

/** Returns what a log message has of a request that is refused. */
export function toLoggedRequest({ method, url, headers }: IncomingMessage): LoggedRequest {
  const [path, search] = splitTarget(url!)
  return { method: method!, path, search, headers }
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

export type ParsedHeaders = IncomingMessage['headers']

/** The most recent headers to share, and the most characters of those of one request. */
const maxRecent = 16
const longestShared = 4_096

let recent: { readonly raw: readonly string[]; readonly parsed: ParsedHeaders }[] = []

/**
 * The request of a server that shares headers, for the option `IncomingMessage` of `createServer`: requests with equal headers
 * share one object, which nobody may change. Clients repeat their headers, the journal keeps them, and to parse them takes 1 µs.
 */
export class RepeatedMessage extends IncomingMessage {
  shared: ParsedHeaders | undefined
}

// TypeScript allows no accessor in a class instead of an inherited property.
Object.defineProperty(RepeatedMessage.prototype, 'headers', {
  get(this: RepeatedMessage) {
    return (this.shared ??= share(this))
  },
  set(this: RepeatedMessage, headers: ParsedHeaders) {
    this.shared = headers
  },
})

function share(message: IncomingMessage): ParsedHeaders {
  const { rawHeaders: raw } = message
  const known = recent.find((one) => isEqual(one.raw, raw))
  if (known) return known.parsed
  const parsed = Reflect.get(IncomingMessage.prototype, 'headers', message) as ParsedHeaders
  if (raw.join('').length <= longestShared) recent = [{ raw, parsed }, ...recent.slice(0, maxRecent - 1)]
  return parsed
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false
  return true
}
