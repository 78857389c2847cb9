import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { after } from '../core/time/clock.ts'
import { toControlError } from '../core/definitions/errors.ts'
import type { NodeListener } from './listener.ts'

/** How long a client may take, in milliseconds: to send its headers, its whole request, and to close after it was refused. */
export interface Timeouts {
  headers: number
  request: number
  refused: number
}

const usual: Timeouts = { headers: 10_000, request: 30_000, refused: 1_000 }

/** Makes an HTTP server that answers with JSON also what Node refuses before `listener` sees it, and that no client can end. */
export function createHttpServer(listener: NodeListener, { headers, request, refused }: Timeouts = usual): Server {
  const options: ServerOptions = {
    headersTimeout: headers,
    requestTimeout: request,
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
      // Node has let go of this socket: an error that nobody listens to would end the process.
      socket.on('error', () => socket.destroy())
      refuse(undefined, socket as Socket, refused)
    })
}

/** Answers what is no request that the core could read: no area is known whose shape the error could have. */
function refuse(error: NodeJS.ErrnoException | undefined, socket: Socket, timeout: number): void {
  if (!socket.writable) return
  const [status, message] = reasons[error?.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP.']
  const body = toErrorBody(message)
  // Not the socket's own timeout, which begins anew with every byte that comes.
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

/** Whether a request is of a version that is spoken here: Node's parser takes `HTTP/0.9` and `HTTP/2.0` for names of the same. */
function hasKnownVersion({ httpVersion }: IncomingMessage): boolean {
  return httpVersion === '1.1' || httpVersion === '1.0'
}

/** The Host that was found sound last: clients name the same one again and again. */
let soundHost: string | undefined

/** Whether a request has exactly one Host, or comes from before there was that header (RFC 9112, 3.2). */
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
