import type { IncomingMessage, ServerResponse } from 'node:http'
import { toJson } from '../../core/http/json.ts'
import { drained, limitPauses } from '../../node-http/watch-connection.ts'
import { type Answer, jsonHeaders, undoHeader } from '../answer.ts'
import { conflict, ControlError, toFailure } from '../call.ts'

/**
 * Lets a page of an origin read a reply. @param origins all allowed origins: a cached reply for one
 * is not for another.
 */
export function letIn(
  response: ServerResponse,
  origin: string | undefined,
  origins: ReadonlySet<string>,
): void {
  if (origins.size > 0) response.setHeader('Vary', 'Origin')
  if (origin === undefined) return
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Access-Control-Allow-Credentials', 'true')
  response.setHeader('Access-Control-Expose-Headers', undoHeader)
}

const allowedHeaders =
  'Content-Type, Authorization, X-Greenhouse-World, MCP-Protocol-Version, MCP-Method, MCP-Name'

export function sendPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
  response.setHeader('Access-Control-Allow-Headers', allowedHeaders)
  // Private Network Access: a page asks whether it may reach this machine.
  if (headers['access-control-request-private-network'] === 'true')
    response.setHeader('Access-Control-Allow-Private-Network', 'true')
  response.setHeader('Access-Control-Max-Age', '600')
  response.writeHead(204).end()
}

export async function sendAnswer(
  response: ServerResponse,
  { status, headers, body }: Answer,
): Promise<void> {
  if (response.destroyed) return
  response.setHeaders(new Map(Object.entries(headers)))
  if (body !== undefined && typeof body !== 'object')
    response.setHeader('Content-Length', Buffer.byteLength(body))
  if (typeof body !== 'object') return void response.writeHead(status).end(body)
  response.writeHead(status).flushHeaders()
  if (response.req.method !== 'HEAD')
    for await (const piece of body) {
      if (response.destroyed) return
      if (response.write(piece)) continue
      response.req.socket.setTimeout(longestPause)
      await drained(response)
      response.req.socket.setTimeout(0)
    }
  limitPauses(response, longestPause)
  response.end()
}

/** The longest pause of a reader, in milliseconds, before it is disconnected. */
const longestPause = 10_000

/**
 * Sends an error, without the secrets that its message may quote. Cuts the connection if a reply
 * has begun.
 */
export function sendFailure(
  response: ServerResponse,
  error: unknown,
  redact: (text: string) => string,
): void {
  const { status, body } = toFailure(error, redact)
  if (response.headersSent) response.destroy()
  else
    void sendAnswer(response, {
      status,
      headers: jsonHeaders,
      body: toJson(body),
    })
}

const panelPath = '/__greenhouse/'

export function isPanelRequest(request: IncomingMessage): boolean {
  const { method } = request
  if (method !== 'GET' && method !== 'HEAD') return false
  const path = requestPath(request)
  if (path === '/__greenhouse') return wantsPage(request)
  return path === panelPath || path.startsWith(`${panelPath}panel/`)
}

export function requestPath({ url = '' }: IncomingMessage): string {
  return url.replace(/[?#].*/s, '')
}

export function leadToPanel(request: IncomingMessage, response: ServerResponse): boolean {
  const { method } = request
  if ((method !== 'GET' && method !== 'HEAD') || !wantsPage(request)) return false
  redirectToPanel(response)
  return true
}

/** Redirects a browser to the panel. The reply varies, so caches must not reuse it. */
export function redirectToPanel(response: ServerResponse): void {
  response
    .writeHead(303, {
      Location: panelPath,
      Vary: 'Accept',
      'Cache-Control': 'no-store',
      'Content-Length': 0,
    })
    .end()
}

/**
 * Returns whether the client asks for HTML: programs, and `fetch` in a page, accept anything
 * without naming it.
 */
function wantsPage({ headers: { accept = '' } }: IncomingMessage): boolean {
  return accept.split(',').some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return type === 'text/html' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}

const maxStreams = 100

/** The open streams, which end with the server. */
export class Streams {
  readonly #open = new Set<() => void>()
  #closed = false

  /** @throws ControlError for one too many, or one of a server that is closing */
  add(response: ServerResponse, end: () => void): void {
    if (response.destroyed || response.req.method === 'HEAD') return
    if (this.#closed)
      throw new ControlError(503, 'unavailable', 'The server is closing: it opens no more streams.')
    if (this.#open.size >= maxStreams)
      throw conflict(
        'too_many_streams',
        `There are ${maxStreams} streams already: close one, or read GET …/journal.`,
      )
    this.#open.add(end)
    response.on('close', () => this.#open.delete(end))
  }

  close(): void {
    this.#closed = true
    for (const end of this.#open) end()
  }
}
