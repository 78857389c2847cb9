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
  const all = waiting.get(socket) ?? waitFor(socket)
  all.add(callback)
  return () => void all.delete(callback)
}

/** One listener for all callbacks: a connection can have hundreds of requests at a time. */
function waitFor(socket: Socket): Set<() => void> {
  const all = new Set<() => void>()
  waiting.set(socket, all)
  socket.once('close', () => {
    for (const callback of all) callback()
  })
  return all
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
  constructor(request: IncomingMessage, response: ServerResponse, target: string, headers: ParsedHeaders) {
    const own = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/'
    const [path, search] = splitTarget(own)
    this.method = request.method!
    this.path = path
    this.search = search
    this.headers = headers
    this.#response = response
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

/**
 * Returns a signal that aborts when the client is gone. Watches the socket too: with pipelining, a response gets its
 * `close` event only in its turn.
 */
function abortedWhenClosed(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  if (response.destroyed) controller.abort(gone)
  else {
    const forget = whenClosed(response.req.socket, () => controller.abort(gone))
    response.once('close', () => {
      forget()
      controller.abort(gone)
    })
  }
  return controller.signal
}

export type ParsedHeaders = IncomingMessage['headers']

/** Headers that requests repeat, but for the value of Authorization: clients may alternate between keys. */
interface Repeated {
  readonly raw: readonly string[]
  /** The index of Authorization's value in `raw`; -1 without one. */
  readonly keyAt: number
  readonly byKey: Map<string, ParsedHeaders>
}

/** The most lists of headers to keep, and the most characters of shared headers: of one request, and in all. */
const maxLists = 4
const maxOfOne = 4_096
const maxOfAll = 2 ** 21

let lists: Repeated[] = []
let size = 0

/**
 * Returns the parsed headers of a request. Requests with equal headers share one object, which nobody may change; those that
 * differ only in their key share all other values. Clients repeat their headers, and the journal keeps them.
 */
export function readHeaders(message: IncomingMessage): ParsedHeaders {
  return message instanceof RepeatedMessage ? message.headers : share(message)
}

/**
 * The request of a server that shares headers, for the option `IncomingMessage` of `createServer`. Node itself reads `headers` of
 * every request; to parse them each time takes 1 µs.
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
  let list = lists.find((known) => isRepeated(known, raw))
  const known = list?.byKey.get(keyOf(list, raw))
  if (known !== undefined) return known
  const length = lengthOf(raw)
  if (length > maxOfOne) return parse(message)
  size += length
  if (size > maxOfAll) {
    lists = []
    list = undefined
    size = length
  }
  if (list === undefined) {
    list = { raw, keyAt: indexOfKey(raw), byKey: new Map() }
    lists = [list, ...lists.slice(0, maxLists - 1)]
  }
  const key = keyOf(list, raw)
  const [other] = list.byKey.values()
  const parsed = other === undefined ? parse(message) : { ...other, authorization: key }
  list.byKey.set(key, parsed)
  return parsed
}

function parse(message: IncomingMessage): ParsedHeaders {
  return Reflect.get(IncomingMessage.prototype, 'headers', message) as ParsedHeaders
}

function indexOfKey(raw: readonly string[]): number {
  for (let index = 0; index < raw.length; index += 2)
    if (raw[index]!.length === 13 && raw[index]!.toLowerCase() === 'authorization') return index + 1
  return -1
}

function keyOf({ keyAt }: Repeated, raw: readonly string[]): string {
  return keyAt < 0 ? '' : raw[keyAt]!
}

function isRepeated({ raw, keyAt }: Repeated, other: readonly string[]): boolean {
  if (raw.length !== other.length) return false
  for (let index = 0; index < raw.length; index++) if (index !== keyAt && raw[index] !== other[index]) return false
  return true
}

function lengthOf(raw: readonly string[]): number {
  let length = 0
  for (const text of raw) length += text.length
  return length
}
