import type { ServerResponse } from 'node:http'
import { toJson } from '../../core/http/json.ts'
import { toFailure } from '../errors.ts'

/** The headers of every reply: no page may run, cache or sniff it. */
export function protect(response: ServerResponse): void {
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Content-Security-Policy', "default-src 'none'")
  response.setHeader('Cache-Control', 'no-store')
}

/** Sends JSON text, or a reply without a body. */
export function sendJson(response: ServerResponse, status: number, text?: string): void {
  if (text === undefined) response.writeHead(status).end()
  else
    response
      .writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
      .end(text)
}

/** Sends an error, without the secrets that its message may quote. */
export function sendFailure(response: ServerResponse, error: unknown, redact: (text: string) => string): void {
  const { status, body } = toFailure(error, redact)
  if (response.headersSent) response.destroy()
  else sendJson(response, status, toJson(body))
}
