import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Greenhouse } from '../greenhouse.ts'
import { createNodeListener } from './node.ts'

/** Where a server listens. */
export interface ServeOptions {
  /** 0, the default, takes any free port. */
  port?: number
  /** 127.0.0.1 by default. */
  host?: string
}

/** A running server. */
export interface RunningServer extends AsyncDisposable {
  /** Area A's base URL; Area B's is this with `/v1`. */
  readonly url: string
  readonly port: number
  /** Stops taking requests, lets those under way finish for a second, and ends. */
  close(): Promise<void>
}

/** How long replies under way may take once the server closes, in milliseconds. */
const grace = 1_000

/**
 * Serves both areas over HTTP: plants at `/plants`, apps at `/v1/apps`.
 * @throws Error that names the port when it is taken.
 */
export async function serve(greenhouse: Greenhouse, { port = 0, host = '127.0.0.1' }: ServeOptions = {}): Promise<RunningServer> {
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, connectionsCheckingInterval: 1_000 }, createNodeListener(greenhouse))
  server.on('clientError', refuse)
  server.on('connect', (_request, socket) => refuse(new Error('CONNECT'), socket as Socket))
  await listen(server, port, host)
  const address = server.address() as AddressInfo
  const shownHost = address.family === 'IPv6' ? `[${address.address}]` : address.address
  let closed: Promise<void> | undefined
  const close = () => (closed ??= shutDown(server))
  return { url: `http://${shownHost}:${address.port}`, port: address.port, close, [Symbol.asyncDispose]: close }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? `port ${port} is taken. Choose another with --port (0 for any free one)` : error.message
      reject(new Error(`Failed to listen on ${host}:${port}: ${reason}.`, { cause: error }))
    })
    server.listen(port, host, resolve)
  })
}

async function shutDown(server: Server): Promise<void> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()))
  server.on('request', (_request, response) => response.setHeader('Connection', 'close'))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), grace)
  await ended
  clearTimeout(timer)
}

/** Answers what Node could not read as a request: it never reaches the core, and has no area whose shape could be used. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) return
  const [status, message] = reasons[error.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP.']
  const body = JSON.stringify({ error: { code: 'invalid_request', message } })
  socket.end(`HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`)
}

const reasons: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
}
