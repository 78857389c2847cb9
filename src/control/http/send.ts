import type { IncomingMessage, ServerResponse } from 'node:http'
import { toJson } from '../../core/http/json.ts'
import { toFailure } from '../errors.ts'

export function protect(response: ServerResponse): void {
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Content-Security-Policy', "default-src 'none'")
  response.setHeader('Cache-Control', 'no-store')
}

/** Lets a page of an origin read a reply. @param origins all allowed origins: a cached reply for one is not for another. */
export function letIn(response: ServerResponse, origin: string | undefined, origins: ReadonlySet<string>): void {
  if (origins.size > 0) response.setHeader('Vary', 'Origin')
  if (origin === undefined) return
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Access-Control-Allow-Credentials', 'true')
}

export function sendPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
  response.setHeader('Access-Control-Allow-Headers', 'Content-Type, Authorization, Last-Event-ID')
  // Private Network Access: a page asks whether it may reach this machine.
  if (headers['access-control-request-private-network'] === 'true')
    response.setHeader('Access-Control-Allow-Private-Network', 'true')
  response.setHeader('Access-Control-Max-Age', '600')
  response.writeHead(204).end()
}

export function sendJson(response: ServerResponse, status: number, text?: string): void {
  if (text === undefined) response.writeHead(status).end()
  else
    response
      .writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
      .end(text)
}

/** Sends an error, without the secrets that its message may quote. Cuts the connection if a reply has begun. */
export function sendFailure(response: ServerResponse, error: unknown, redact: (text: string) => string): void {
  const { status, body } = toFailure(error, redact)
  if (response.headersSent) response.destroy()
  else sendJson(response, status, toJson(body))
}
