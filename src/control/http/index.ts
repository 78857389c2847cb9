import type { IncomingMessage, ServerResponse } from 'node:http'
import { toSecret } from '../../core/http/request.ts'
import { printFailure } from '../../core/contract/errors.ts'
import { isJsonInUtf8 } from '../../core/http/json-type.ts'
import { isLoopbackHost, isOrigin } from '../../core/http/urls.ts'
import type { Greenhouse } from '../../api/greenhouse.ts'
import { hasBody } from '../../node-http/body.ts'
import type { HostCheck, NodeListener } from '../../node-http/listener.ts'
import { originOf, toLoggedRequest } from '../../node-http/http-server.ts'
import { jsonHeaders } from '../answer.ts'
import { ControlError, invalid } from '../call.ts'
import type { SendPanel } from './answer-request.ts'
import {
  isPanelRequest,
  letIn,
  requestPath,
  sendAnswer,
  sendFailure,
  sendPreflight,
  Streams,
} from './send.ts'

export interface Control {
  answer: NodeListener
  load(): Promise<unknown>
  close(): void
}

const up = '{"status":"ok"}'

export function createControl(greenhouse: Greenhouse, options: GuardOptions): Control {
  const streams = new Streams()
  const load = () => import('./answer-request.ts')
  let answerMcp: NodeListener | undefined
  let sendPanel: SendPanel | undefined
  return {
    load,
    close: () => streams.close(),
    async answer(request, response) {
      response.setHeader('X-Content-Type-Options', 'nosniff')
      response.setHeader('Content-Security-Policy', "default-src 'none'")
      response.setHeader('Cache-Control', 'no-store')
      let isAdmitted = false
      try {
        const kind = guard(request, response, options)
        isAdmitted = true
        if (kind === 'panel') {
          sendPanel ??= (await load().catch(rejectToLoad)).createPanelFiles()
          return await sendPanel(request, response)
        }
        if (kind === 'preflight') return sendPreflight(request, response)
        if (kind === 'probe')
          return await sendAnswer(response, {
            status: 200,
            headers: jsonHeaders,
            body: up,
          })
        if (isMcp(request)) {
          // Loads the SDK of MCP, which takes longer than a whole start.
          answerMcp ??= (await import('../mcp/http.ts').catch(rejectToLoad)).createMcpListener(
            greenhouse,
          )
          return await answerMcp(request, response)
        }
        const { answerRequest } = await load().catch(rejectToLoad)
        await answerRequest(greenhouse, streams, request, response)
      } catch (error) {
        if (!isAdmitted && error instanceof ControlError) {
          const { code, status, message: reason } = error
          greenhouse.requests.log({
            event: 'refused',
            code,
            request: toLoggedRequest(request),
            status,
            reason,
          })
        }
        sendFailure(response, error, greenhouse.service.redact)
      }
    },
  }
}

function rejectToLoad(error: unknown): never {
  printFailure('Greenhouse failed to load its control API:', error)
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? 'see the log'
  throw new ControlError(
    503,
    'unavailable',
    `The control API could not be loaded (${code}). Close connections, or let the process open more files, and try again; if that does not help, restart.`,
  )
}

interface GuardOptions {
  readonly host: string
  readonly isOwnHost: HostCheck
  readonly token?: string
  readonly origins: ReadonlySet<string>
}

/**
 * Allows calls of programs on this machine and of allowed pages, which may also read why a call is
 * refused, and refuses those of all other pages. It recognizes pages by headers that they cannot
 * set. @throws ControlError before anything has happened.
 */
function guard(
  request: IncomingMessage,
  response: ServerResponse,
  options: GuardOptions,
): 'panel' | 'preflight' | 'probe' | 'call' {
  assertAddressed(request, options)
  if (isPanelRequest(request)) {
    assertPanelReader(request)
    return 'panel'
  }
  const { origin } = request.headers
  const allowedOrigin = origin !== undefined && options.origins.has(origin) ? origin : undefined
  letIn(response, allowedOrigin, options.origins)
  if (request.method === 'OPTIONS') {
    // A preflight changes nothing, and browsers send no token with it.
    if (
      allowedOrigin !== undefined &&
      request.headers['access-control-request-method'] !== undefined
    )
      return 'preflight'
    throw forbidden(
      `The control API does not answer preflights: pages of other origins may not use it.${describeNeededFlag(origin)}`,
    )
  }
  if (allowedOrigin === undefined) assertOwnPage(request)
  const { token } = options
  if (token !== undefined && isProbe(request)) return 'probe'
  if (token !== undefined && !isToken(request.headers.authorization, token)) {
    const message =
      'The token is missing or wrong: send "Authorization: Bearer <TOKEN>", with the value of --token.'
    // On a 401, clients of MCP look for a page to sign in, with requests to the plant store, and do
    // not show the message.
    if (isMcp(request)) throw forbidden(message)
    response.setHeader('WWW-Authenticate', 'Bearer realm="greenhouse"')
    throw new ControlError(401, 'unauthorized', message)
  }
  assertJson(request)
  return 'call'
}

/**
 * Allows requests for the panel's files, which contain no data: from a page of this server, or
 * opened in a browser. They need no token: the page asks for it. @throws ControlError
 */
function assertPanelReader(request: IncomingMessage) {
  const { origin } = request.headers
  // A link on another page may open it, but no other page can read it or put it into a frame.
  const isOpened =
    origin === undefined &&
    request.headers['sec-fetch-mode'] === 'navigate' &&
    request.headers['sec-fetch-dest'] === 'document'
  if (!isOpened) assertOwnPage(request)
}

/**
 * @throws ControlError when a request is a webhook delivery, or is not addressed to this machine.
 */
function assertAddressed(request: IncomingMessage, { host, isOwnHost, token }: GuardOptions) {
  const { 'webhook-id': id, 'user-agent': agent = '' } = request.headers
  // Calls of another Greenhouse count, too, whatever their URL.
  if (id !== undefined || /^greenhouse-webhooks\//i.test(agent))
    throw forbidden('The control API does not accept webhooks.')
  if (!request.url?.startsWith('/')) throw invalid('The request must name a path, not a whole URL.')
  const [name, ...more] = request.headersDistinct['host'] ?? []
  if (name === undefined || more.length > 0) throw invalid('The request must have one Host header.')
  // With a token, an allowed name is enough: a page that reaches us through DNS rebinding does not
  // know the token.
  if (!isThisMachine(request, name, host) && (token === undefined || !isOwnHost(name)))
    throw forbidden(
      `The Host ${JSON.stringify(name)} is not a name of this machine: use 127.0.0.1, localhost or the host that the server was started with. Names of --allow-host reach the control API only if the server has a --token.`,
    )
}

function assertOwnPage(request: IncomingMessage) {
  const { headers } = request
  const { origin } = headers
  if (origin !== undefined && origin !== originOf(request).toLowerCase())
    throw forbidden(
      origin === 'null'
        ? 'The page has no origin: the browser sent "Origin: null", as it does for a file (file://) and for a sandboxed frame. Serve the page over http, and let its origin in with --control-origin.'
        : `The origin ${JSON.stringify(origin)} is not this server's own.${describeNeededFlag(origin)}`,
    )
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw forbidden('The request comes from a page of another site.')
}

function isMcp(request: IncomingMessage): boolean {
  return requestPath(request) === '/__greenhouse/mcp'
}

function isProbe({ method, url, headers }: IncomingMessage): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && url === '/__greenhouse/health' && headers.authorization === undefined
}

function describeNeededFlag(origin: string | undefined): string {
  if (origin !== undefined && origin.length <= 100 && isOrigin(origin))
    return ` Let its pages in with --control-origin ${origin}, or serve(greenhouse, { controlOrigins: ['${origin}'] }).`
  return ''
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

/**
 * Compares digests, so that the time says nothing about the token. The module is loaded on demand:
 * crypto takes a twentieth of the start.
 */
function isToken(authorization: string | undefined, token: string): boolean {
  const given = toSecret(authorization) ?? ''
  const { createHash, timingSafeEqual } = process.getBuiltinModule('node:crypto')
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return given !== '' && timingSafeEqual(digest(given), digest(token))
}

/** Requires JSON, which a form cannot send. */
function assertJson(request: IncomingMessage) {
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
    throw new ControlError(
      415,
      'unsupported_media_type',
      'The Content-Type must be application/json.',
    )
}

function forbidden(message: string): ControlError {
  return new ControlError(403, 'forbidden', message)
}
