import type { ReportRequest } from '../api/door.ts'
import { codedError } from '../core/text/error-codes.ts'
import {
  createServer,
  maxHeaderSize,
  METHODS,
  STATUS_CODES,
  IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { isHostAllowed } from 'host-validation-middleware'
import { afterIfAlive } from '../core/time/clock.ts'
import { toControlError } from '../core/contract/errors.ts'
import { splitTarget } from '../core/http/request.ts'
import { isHostName } from '../core/http/urls.ts'
import type { LoggedRequest } from '../core/journal/log-events.ts'
import type { HostCheck, NodeListener } from './listener.ts'
import type { ParsedHeaders } from './node-request.ts'

/**
 * Timeouts for clients, in milliseconds: to send the headers, to send the whole request, and to
 * close after a refusal.
 */
const defaultTimeouts = {
  headers: 10_000,
  request: 30_000,
  rejected: 1_000,
}

interface HttpServerOptions {
  readonly timeouts?: typeof defaultTimeouts
  /** True if requests share their headers: only if the listener changes no request. */
  readonly sharesHeaders?: boolean
  /** Logs a refusal, and returns headers to add to its reply. */
  readonly report?: ReportRequest
  readonly create?: (options: ServerOptions, listener: NodeListener) => Server
}

/**
 * Creates an HTTP server that answers with JSON even when Node refuses a request before `listener`,
 * and that no client can crash.
 */
export function createHttpServer(
  listener: NodeListener,
  {
    timeouts = defaultTimeouts,
    sharesHeaders = true,
    report = unreported,
    create = createServer,
  }: HttpServerOptions = {},
): Server {
  const { headers, request, rejected } = timeouts
  const options: ServerOptions = {
    headersTimeout: headers,
    requestTimeout: request,
    // `Connections` closes idle ones. Node would start and stop a timer for each request.
    keepAliveTimeout: 0,
    connectionsCheckingInterval: Math.min(1_000, headers, request),
    requireHostHeader: false,
  }
  if (sharesHeaders) options.IncomingMessage = RepeatedMessage
  const refuser = new Refuser(report, rejected)
  const listen: NodeListener = (message, response) => {
    const rejection = findRejection(message)
    if (rejection === undefined) listener(message, response)
    else refuser.refuse(message, response, rejection)
  }
  return create(options, listen)
    .on('checkExpectation', listen)
    .on('clientError', (error: ParseError, socket: Socket) => refuser.refuseClient(socket, error))
    .on('connect', (message, socket: Socket) => {
      // Node no longer listens to this socket: an unhandled error would end the process.
      socket.on('error', () => socket.destroy())
      const why = [400, 'invalid_http', 'The method CONNECT is not supported.'] as const
      refuser.refuseSocket(socket, toLoggedRequest(message), why)
    })
}

/** Answers requests that no listener gets. */
class Refuser {
  readonly #report: ReportRequest
  readonly #patience: number

  /** @param patience how long a refused client may take to close, in milliseconds */
  constructor(report: ReportRequest, patience: number) {
    this.#report = report
    this.#patience = patience
  }

  refuse(message: IncomingMessage, response: ServerResponse, rejection: RequestRejection): void {
    const { status, headers, body } = toRejectedReply(
      toLoggedRequest(message),
      rejection,
      this.#report,
    )
    response.writeHead(status, headers).end(body)
  }

  refuseClient(socket: Socket, error: ParseError): void {
    const request = readRejectedHead(error)
    if (error.code?.startsWith('ERR_SSL_') && error.code !== 'ERR_SSL_HTTP_REQUEST') {
      const reason = `The TLS handshake failed: ${error.reason}. A client has to trust the certificate, and to speak TLS 1.2 or 1.3.`
      this.#report({
        status: 0,
        code: 'tls',
        reason,
        request,
      })
      socket.destroy()
      return
    }
    // A browser opens connections on which it then sends nothing.
    const report = socket.bytesRead === 0 ? unreported : this.#report
    this.refuseSocket(socket, request, explainParseError(error, request.method), report)
  }

  refuseSocket(
    socket: Socket,
    request: LoggedRequest,
    rejection: RequestRejection,
    report = this.#report,
  ): void {
    if (!socket.writable) return
    // The socket's own timeout would restart with every byte.
    const stopWaiting = afterIfAlive(this.#patience, () => socket.destroy())
    socket.once('close', stopWaiting)
    const { status, headers, body } = toRejectedReply(request, rejection, report)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  }
}

function toRejectedReply(
  request: LoggedRequest,
  [status, code, reason]: RequestRejection,
  report: ReportRequest,
) {
  const body = JSON.stringify(toControlError('invalid_request', reason))
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    Connection: 'close',
    ...report({
      status,
      code,
      reason,
      request,
    }),
  }
  return {
    status,
    headers,
    body,
  }
}

const unreported: ReportRequest = () => ({})

/**
 * Why a request is refused before the core gets it. Its area, and so its error shape, is unknown.
 */
type RequestRejection = readonly [status: number, code: string, reason: string]

function findRejection(request: IncomingMessage): RequestRejection | undefined {
  // Node's parser also accepts `HTTP/0.9` and `HTTP/2.0`.
  if (request.httpVersion !== '1.1' && request.httpVersion !== '1.0')
    return [505, 'invalid_http', 'The request must be HTTP/1.1 or HTTP/1.0.']
  if (request.method === 'TRACE') return [400, 'invalid_http', 'The method TRACE is not supported.']
  if (!hasSoundHost(request))
    return [400, 'invalid_http', 'The request must have one valid Host header.']
  return undefined
}

interface ParseError extends NodeJS.ErrnoException {
  readonly reason?: string
  /** The last bytes that arrived, and how many of them the parser accepted. */
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/**
 * Reads what it can of a rejected request: its line and its origin, if they were in the last bytes
 * that arrived.
 */
function readRejectedHead({ code, rawPacket, bytesParsed = 0 }: ParseError): LoggedRequest {
  const text = rawPacket?.toString('latin1') ?? ''
  // The parser stops within a method, where no known one continues like that.
  const before = text.slice(Math.max(0, bytesParsed - 20), bytesParsed)
  const [begun = ''] = /[A-Z-]{0,20}$/.exec(before) ?? []
  const start = code === 'HPE_INVALID_METHOD' ? bytesParsed - begun.length : 0
  const [head] = text.slice(start).split('\r\n\r\n', 1) as [string]
  // The request before it was accepted.
  if (start + head.length + 4 <= bytesParsed)
    return {
      method: '',
      path: '',
      headers: {},
    }
  const [, method = '', target = ''] = /^([A-Za-z-]{1,20}) (?:(\/[!-~]{0,4000}) )?/.exec(head) ?? []
  const [, origin] = /\r\norigin:[ \t]*([!-~]+)/i.exec(head) ?? []
  const [path, search] = splitTarget(target)
  return {
    method: METHODS.includes(method.toUpperCase()) ? method : '',
    path,
    search,
    headers: { origin },
  }
}

function explainParseError(
  { code, reason, rawPacket }: ParseError,
  method: string,
): RequestRejection {
  if (code === 'HPE_HEADER_OVERFLOW')
    return [
      431,
      'headers_too_large',
      `The headers are larger than ${maxHeaderSize} bytes. Send less, or start Node with --max-http-header-size.`,
    ]
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT' || code === 'ERR_TLS_HANDSHAKE_TIMEOUT')
    return [408, 'request_timeout', 'The request took too long to arrive.']
  if (code === 'HPE_INVALID_METHOD' && rawPacket?.[0] === 0x16)
    return [
      400,
      'tls',
      'The client speaks TLS, and this port does not. Use http:// instead of https://.',
    ]
  if (code === 'ERR_SSL_HTTP_REQUEST')
    return [400, 'tls', 'This port speaks TLS. Use https:// instead of http://.']
  if (code === 'HPE_PAUSED_H2_UPGRADE')
    return [400, 'invalid_http', 'The client speaks HTTP/2. Use HTTP/1.1.']
  const known = method.toUpperCase()
  if (method !== known)
    return [
      400,
      'lower_case_method',
      `The method "${method}" is not written in capitals. Send ${known}.`,
    ]
  return [
    400,
    'invalid_http',
    `The request is not valid HTTP${reason === undefined ? '' : `: ${reason}`}.`,
  ]
}

let soundHost: string | undefined

/**
 * Returns whether a request has exactly one Host, or is HTTP/1.0, which had none (RFC 9112, 3.2).
 */
function hasSoundHost({
  headers: { host },
  rawHeaders,
  httpVersionMinor,
}: IncomingMessage): boolean {
  if (host === undefined) return httpVersionMinor === 0
  if (host !== soundHost) {
    if (!/^([\w.~!$&'()*+,;=%-]*|\[[\d.:a-f]+\])(:\d*)?$/i.test(host)) return false
    soundHost = host
  }
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts === 1
}

/** The origin that a request was sent to. */
export function originOf({ headers, socket }: IncomingMessage): string {
  return `http${'encrypted' in socket ? 's' : ''}://${headers.host ?? `localhost:${socket.localPort}`}`
}

export function toLoggedRequest({
  method = '',
  url = '',
  headers,
}: IncomingMessage): LoggedRequest {
  const [path, search] = splitTarget(url)
  return {
    method,
    path,
    search,
    headers,
  }
}

/** The most recent headers to share, and the most characters of those of one request. */
const maxRecent = 16
const longestShared = 4_096

const recent: {
  readonly raw: readonly string[]
  readonly parsed: ParsedHeaders
}[] = []
let next = 0

/**
 * The request of a server that shares headers, for the option `IncomingMessage` of `createServer`:
 * requests with equal headers share one object, which nobody may change. Clients repeat their
 * headers, the journal keeps them, and to parse them takes 1 µs.
 */
class RepeatedMessage extends IncomingMessage {
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
  if (raw.join('').length <= longestShared) recent[next++ % maxRecent] = { raw, parsed }
  return parsed
}

/** From the end, since requests begin alike. */
function isEqual(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  for (let index = one.length - 1; index >= 0; index--)
    if (one[index] !== other[index]) return false
  return true
}

/**
 * Creates the check against DNS rebinding, where a foreign name resolves to this machine. Accepted
 * are `localhost`, names below it, all IP addresses, the server's host, and the names of `allow`:
 * `api`, or with a leading dot a domain and all its subdomains, `.example.com`. A request without
 * the header passes: browsers always send it. @throws RangeError for an invalid name.
 */
export function createHostCheck(host: string, allow: readonly string[] = []): HostCheck {
  const wrong = allow.find((name) => !isHostName(name))
  if (wrong !== undefined)
    throw codedError(
      'GREENHOUSE_INVALID_VALUE',
      `Failed to allow the host ${JSON.stringify(wrong)}: --allow-host and allowHosts take host names without a scheme or a port, such as api or .example.com.`,
    )
  const names = [host, ...allow].filter((name) => name !== '').map((name) => name.toLowerCase())
  let latest: string | undefined
  return (header) => {
    // Fast path: clients repeat the same host.
    if (header === latest) return true
    if (!isHostAllowed(header?.toLowerCase(), names)) return false
    latest = header
    return true
  }
}
