import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { after } from '../core/time/clock.ts'
import { toControlError } from '../core/definitions/errors.ts'
import type { NodeListener } from './listener.ts'
import { RepeatedMessage } from './shared-headers.ts'

/** Timeouts for clients, in milliseconds: to send the headers, to send the whole request, and to close after a refusal. */
interface Timeouts {
  headers: number
  request: number
  refused: number
}

const defaultTimeouts: Timeouts = { headers: 10_000, request: 30_000, refused: 1_000 }

/**
 * Creates an HTTP server that answers with JSON even when Node refuses a request before `listener`, and that no client can crash.
 * @param sharesHeaders whether requests share their headers: only if `listener` changes no request.
 */
export function createHttpServer(
  listener: NodeListener,
  { headers, request, refused }: Timeouts = defaultTimeouts,
  sharesHeaders = true,
): Server {
  const options: ServerOptions = {
    headersTimeout: headers,
    requestTimeout: request,
    // `Connections` closes idle ones. Node would start and stop a timer for each request.
    keepAliveTimeout: 0,
    ...(sharesHeaders && { IncomingMessage: RepeatedMessage }),
    connectionsCheckingInterval: Math.min(1_000, headers, request),
    requireHostHeader: false,
  }
  const listen: NodeListener = (request, response) => {
    if (!hasKnownVersion(request)) refuseRequest(response, 505, 'The request must be HTTP/1.1 or HTTP/1.0.')
    else if (request.method === 'TRACE') refuseRequest(response, 400, 'The method TRACE is not supported.')
    else if (!hasSoundHost(request)) refuseRequest(response, 400, 'The request must have one valid Host header.')
    else listener(request, response)
  }
  return createServer(options, listen)
    .on('checkExpectation', listen)
    .on('clientError', (error, socket) => refuse(error, socket as Socket, refused))
    .on('connect', (_request, socket) => {
      // Node no longer listens to this socket: an unhandled error would end the process.
      socket.on('error', () => socket.destroy())
      refuse(undefined, socket as Socket, refused)
    })
}

/** Refuses a request that the core could not read. Its area, and so its error shape, is unknown. */
function refuse(error: NodeJS.ErrnoException | undefined, socket: Socket, timeout: number): void {
  if (!socket.writable) return
  const [status, message] = reasons[error?.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP.']
  const body = toErrorBody(message)
  // Not the socket's own timeout, which restarts with every byte.
  socket.once(
    'close',
    after(timeout, () => socket.destroy(), false),
  )
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}

function refuseRequest(response: ServerResponse, status: number, message: string): void {
  const body = toErrorBody(message)
  response
    .writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': body.length, Connection: 'close' })
    .end(body)
}

function toErrorBody(message: string): string {
  return JSON.stringify(toControlError('invalid_request', message))
}

const reasons: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
}

/** Whether the HTTP version is supported: Node's parser also accepts `HTTP/0.9` and `HTTP/2.0`. */
function hasKnownVersion({ httpVersion }: IncomingMessage): boolean {
  return httpVersion === '1.1' || httpVersion === '1.0'
}

/** The last valid Host: clients repeat it. */
let soundHost: string | undefined

/** Whether a request has exactly one Host, or is HTTP/1.0, which had none (RFC 9112, 3.2). */
function hasSoundHost({ headers: { host }, rawHeaders, httpVersionMinor }: IncomingMessage): boolean {
  if (host === undefined) return httpVersionMinor === 0
  if (host !== soundHost) {
    if (!/^([\w.~!$&'()*+,;=%-]*|\[[\d.:a-f]+\])(:\d*)?$/i.test(host)) return false
    soundHost = host
  }
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.length === 4 && rawHeaders[index]!.toLowerCase() === 'host') hosts++
  return hosts === 1
}
