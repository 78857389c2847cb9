import { isLoopbackHost } from '../../core/http/loopback.ts'
import type { IncomingMessage } from 'node:http'
import { hasBody } from '../../node-http/listener.ts'
import { toSecret } from '../../core/accounts/bearer.ts'
import { isJsonInUtf8 } from '../../core/http/content-type.ts'
import type { HostCheck } from '../../node-http/hosts.ts'
import { ControlError } from '../errors.ts'

/** Who may use the control API. */
export interface GuardOptions {
  /** The host that the server listens on. */
  readonly host: string
  /** Whether a Host header names this server. */
  readonly isOwnHost: HostCheck
  /** The secret that every call must carry. */
  readonly token?: string
}

/**
 * Allows calls of the owner of this machine, and refuses calls of pages of other sites. Every check looks at headers that a
 * page can't set.
 * @throws ControlError before anything has happened.
 */
export function guard(request: IncomingMessage, { host, isOwnHost, token }: GuardOptions): void {
  if (isDelivery(request)) throw forbidden('The control API does not accept webhooks.')
  if (!request.url!.startsWith('/'))
    throw new ControlError(400, 'invalid_request', 'The request must name a path, not a whole URL.')
  const hosts = request.headersDistinct['host'] ?? []
  if (hosts.length !== 1) throw new ControlError(400, 'invalid_request', 'The request must have one Host header.')
  // With a token a name that was allowed is enough: a page that is brought here by it does not know the token.
  if (!isThisMachine(request, hosts[0]!, host) && (token === undefined || !isOwnHost(hosts[0])))
    throw forbidden(
      `The Host ${JSON.stringify(hosts[0])} is not this machine: use 127.0.0.1, localhost or the host that the server was started with. Names of --allow-host reach the control API when the server has a --token.`,
    )
  const { origin, authorization } = request.headers
  if (request.method === 'OPTIONS')
    throw forbidden('The control API does not answer preflights: pages of other origins may not use it.')
  if (origin !== undefined && origin !== `http://${request.headers.host!.toLowerCase()}`)
    throw forbidden(`The origin ${JSON.stringify(origin)} is not this server's own.`)
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw forbidden('The request comes from a page of another site.')
  if (token !== undefined && !isToken(authorization, token))
    throw forbidden('The token is missing or wrong: send "Authorization: Bearer <TOKEN>", with the value of --token.')
  assertJson(request)
}

/** Whether a request is a webhook delivery, of this Greenhouse or another. Its headers say so, whatever its URL. */
function isDelivery({ headers }: IncomingMessage): boolean {
  return headers['webhook-id'] !== undefined || /^greenhouse-webhooks\//i.test(headers['user-agent'] ?? '')
}

function isThisMachine(request: IncomingMessage, header: string, configured: string): boolean {
  const name = /^(\[[^\]]+\]|[^:]+)(:\d*)?$/
    .exec(header)?.[1]
    ?.toLowerCase()
    .replace(/^\[|\]$/g, '')
  return (
    name !== undefined &&
    (isLoopbackHost(name) ||
      name === configured.toLowerCase() ||
      name === request.socket.localAddress?.replace(/^::ffff:/, ''))
  )
}

/** Compares digests, so that the time it takes says nothing about the token. Loaded when asked: it takes a twentieth of the start. */
function isToken(authorization: string | undefined, token: string): boolean {
  const given = toSecret(authorization) ?? ''
  const { createHash, timingSafeEqual } = process.getBuiltinModule('node:crypto')
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return given !== '' && timingSafeEqual(digest(given), digest(token))
}

/** A form can't send JSON, so every other type is refused. */
function assertJson(request: IncomingMessage): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = request.headers
  if (encoding.toLowerCase() !== 'identity')
    throw new ControlError(
      415,
      'unsupported_encoding',
      'The Content-Encoding is not supported: send the body as it is.',
    )
  if (type === undefined && !hasBody(request)) return
  if (!isJsonInUtf8(type ?? ''))
    throw new ControlError(415, 'unsupported_media_type', 'The Content-Type must be application/json.')
}

function forbidden(message: string): ControlError {
  return new ControlError(403, 'forbidden', message)
}
