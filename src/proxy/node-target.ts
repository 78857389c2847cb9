import { codedError } from '../core/text/error-codes.ts'
import {
  Agent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingMessage,
  type ServerResponse,
} from 'node:http'
import { Agent as SecureAgent, request as requestHttps } from 'node:https'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type AddressInfo, isIP, type Socket } from 'node:net'
import { connect, type ConnectionOptions } from 'node:tls'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { getProxyForUrl } from 'proxy-from-env'
import { bodiless, concatBytes, toPairs } from '../core/http/reply.ts'
import type { ServiceRequest } from '../core/http/request.ts'
import { isLoopbackHost } from '../core/http/urls.ts'
import { after } from '../core/time/clock.ts'
import { attach, type Target, type Fronting } from './front.ts'
import {
  type Base,
  endedEarly,
  type Forwarded,
  isRead,
  passedOn,
  TargetFailure,
  toTargetBases,
  tooLarge,
  tooLate,
  toOwnLocation,
  toTargetHeaders,
  toTargetPath,
} from './message.ts'

/** A request of a Node server. */
interface NodeRequest extends ServiceRequest {
  readonly message: IncomingMessage
  readonly response: ServerResponse
}

type Route = ReturnType<typeof toRoute>

/** How long a reply that has begun may pause, in milliseconds. */
const longestPause = 300_000

const limits = { keepAlive: true, maxSockets: 256, maxFreeSockets: 64, timeout: longestPause }

/**
 * Lets a Greenhouse on a server answer from the real service of its option `proxy`. Returns a
 * function that ends this.
 * @throws Error for a target that is this very server
 */
export function standInFront(
  greenhouse: Fronting,
  own: AddressInfo,
  recorder: Target['recorder'],
): () => void {
  const bases = toTargetBases(greenhouse.options.proxy!)
  for (const { url } of bases) assertOther(url, own)
  const pseudonym = `greenhouse-${randomBytes(6).toString('hex')}`
  const ended = new AbortController()
  const routes = new Map(
    bases.map((base) => [base, toRoute(base, bases, greenhouse, pseudonym, ended.signal)]),
  )
  const stop = attach(greenhouse, bases, {
    decode: (body, encoding) => decode(body, encoding, greenhouse.bodyLimit),
    send: (request, base, isWhole, instead) =>
      forward(request as NodeRequest, routes.get(base)!, {
        isWhole: isWhole && isRead(request.method),
        instead,
      }),
    recorder,
  })
  return () => {
    stop()
    ended.abort()
    for (const { options } of routes.values()) options.agent.destroy()
  }
}

function assertOther(url: URL, { port, address }: AddressInfo): void {
  const host = toHost(url)
  const isHere = isLoopbackHost(host) || host === address
  if (isHere && toPort(url) === port)
    throw codedError(
      'GREENHOUSE_FAILED_FORWARDING',
      `Failed to forward to ${url.origin}: that is this server itself. Name the real service.`,
    )
}

const toHost = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')
const toPort = ({ port, protocol }: URL) => Number(port || (protocol === 'https:' ? 443 : 80))

function toRoute(
  base: Base,
  bases: readonly Base[],
  { options, bodyLimit }: Fronting,
  pseudonym: string,
  ended: AbortSignal,
) {
  const { ca, insecure, timeout = 30_000 } = options.proxy!
  const { url } = base
  const name = toHost(url)
  const isSecure = url.protocol === 'https:'
  const tls = {
    ...limits,
    ...(ca !== undefined && { ca: readCertificates(ca) }),
    rejectUnauthorized: !insecure,
    servername: isIP(name) ? '' : name,
  }
  // Never for this machine, whatever the environment says.
  const proxy = isLoopbackHost(name) ? '' : getProxyForUrl(url.href)
  // `https:` is what a proxy without a scheme gets here; both are spoken to without TLS.
  if (proxy !== '' && !(URL.canParse(proxy) && /^https?:/i.test(proxy)))
    throw codedError(
      'GREENHOUSE_FAILED_FORWARDING',
      `Failed to forward to ${url.origin}: the proxy of the environment is no http: URL.`,
    )
  const through = proxy === '' ? undefined : new URL(proxy)
  const to = through && !isSecure ? through : url
  const secure = isSecure && new SecureAgent(tls)
  const agent: Agent = !secure
    ? new Agent(limits)
    : through
      ? withTunnels(secure, through, timeout, ended)
      : secure
  return {
    ...base,
    bases,
    request: isSecure ? requestHttps : requestHttp,
    options: { host: toHost(to), port: toPort(to), servername: '', agent },
    /**
     * What begins the target of each request to a proxy of the environment, and what that proxy
     * wants to know.
     */
    prefix: to === url ? '' : url.origin,
    proxyHeaders: to === url ? [] : credentialsOf(to),
    /** What the service gets as the header Host. */
    host: url.host,
    /** The name in Via by which a request is recognized that comes back to this server. */
    pseudonym,
    timeout,
    /** The largest reply to wait for as a whole if no scenario reads it, in bytes. */
    maxWhole: Math.min(65_536, bodyLimit),
  }
}

/** TLS would trust nobody for a file that has none, and not say why. */
function readCertificates(file: string): string {
  const pem = readFileSync(file, 'utf8')
  if (/-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/.test(pem)) return pem
  throw codedError(
    'GREENHOUSE_FAILED_FORWARDING',
    `Failed to trust the authorities in ${file}: it has no certificate in PEM.`,
  )
}

function credentialsOf({ username, password }: URL): string[] {
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return username === ''
    ? []
    : ['Proxy-Authorization', `Basic ${Buffer.from(text).toString('base64')}`]
}

/**
 * Opens TLS connections through a proxy of the environment. Node has such an agent from 22.21 on.
 */
function withTunnels(agent: SecureAgent, proxy: URL, timeout: number, signal: AbortSignal): Agent {
  const { hostname: host, port } = proxy
  agent.createConnection = (options, done) => {
    const path = `${options.host!.includes(':') ? `[${options.host}]` : options.host}:${options.port}`
    const headers = ['Host', path, ...credentialsOf(proxy)]
    const how = { method: 'CONNECT', agent: false, timeout, signal } as const
    const asked = requestHttp({ host, port: port || 80, path, headers, ...how })
    asked
      .on('timeout', () => asked.destroy(new Error(`the proxy ${host} did not answer to CONNECT`)))
      .on('connect', ({ statusCode }, socket) => {
        if (statusCode === 200)
          return done!(null, connect({ ...(options as ConnectionOptions), socket }))
        socket.destroy()
        return done!(new Error(`the proxy ${host} answered ${statusCode} to CONNECT`), socket)
      })
      .on('error', (error) => done!(error, undefined as never))
      .end()
    return undefined
  }
  return agent
}

/** What is wanted of the service. */
interface Wish {
  readonly isWhole: boolean
  /** A request of our own on behalf of the client's. It has no body. */
  readonly instead?: ServiceRequest | undefined
}

function toHeaders(
  { message, body }: NodeRequest,
  route: Route,
  { isWhole, instead }: Wish,
): string[] {
  const { host, proxyHeaders, pseudonym } = route
  const { rawHeaders, headers, httpVersion, method } = message
  if (instead) {
    const raw = Object.entries(instead.headers).flatMap(([name, value]) => [name, String(value)])
    return [
      ...toTargetHeaders(raw, {}, host, true),
      'Via',
      `${httpVersion} ${pseudonym}`,
      ...proxyHeaders,
    ]
  }
  const sent = toTargetHeaders(rawHeaders, headers, host, isWhole)
  if (headers.host === undefined) sent.unshift('Host', host)
  sent.push('Via', `${httpVersion} ${pseudonym}`)
  if (headers.te !== undefined) sent.push('Connection', 'keep-alive, TE')
  const hasNone = headers['content-length'] === undefined && !body?.length
  if (headers['transfer-encoding'] !== undefined) sent.push('Transfer-Encoding', 'chunked')
  // Node would announce a body in chunks.
  else if (hasNone && !['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method!))
    sent.push('Content-Length', '0')
  return [...sent, ...proxyHeaders]
}

const repeatable = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])

/**
 * Sends once more what may be repeated if the target closed an idle connection in the moment in
 * which it was used.
 */
async function forward(request: NodeRequest, route: Route, wish: Wish): Promise<Forwarded> {
  const { message, body, method } = request
  if (String(message.headers.via ?? '').includes(route.pseudonym))
    throw new TargetFailure(508, 'leads back to this server')
  const isUnread = body === 'too-large'
  if (isUnread && message.readableEnded) throw tooLarge()
  try {
    return await send(request, route, wish)
  } catch (error) {
    if (!(error instanceof Stale) || isUnread || !repeatable.has(method)) throw error
    return send(request, route, wish)
  }
}

class Stale extends TargetFailure {}

function send(request: NodeRequest, route: Route, wish: Wish): Promise<Forwarded> {
  const { bases, timeout, maxWhole } = route
  const { message, response } = request
  const { instead } = wish
  const { method, path: own, body } = instead ?? request
  const mark = instead ? -1 : message.url!.indexOf('?')
  const { world, path } = toTargetPath(route, own)
  const origin = `http${'encrypted' in message.socket ? 's' : ''}://${message.headers.host ?? 'localhost'}`
  return new Promise((resolve, reject) => {
    const asked = route.request({
      ...route.options,
      method,
      path: `${route.prefix}${path}${mark < 0 ? '' : message.url!.slice(mark)}`,
      headers: toHeaders(request, route, wish) as never,
    })
    const abort = () => asked.destroy(new Error('client gone'))
    const fail = (failure: TargetFailure) => {
      stopWaiting()
      reject(failure)
      asked.destroy()
    }
    const giveUp = () =>
      fail(new TargetFailure(504, tooLate(timeout), asked.socket?.connecting ?? true))
    let stopWaiting = after(timeout, giveUp, false)
    if (response.destroyed) abort()
    else response.once('close', abort)
    asked.on('timeout', endPause)
    const failUnanswered = (error: Error) => fail(toFailure(error, asked))
    asked.on('error', failUnanswered)
    asked.on('close', () => response.off('close', abort))
    asked.on('upgrade', (_, socket) => {
      socket.destroy()
      fail(new TargetFailure(502, 'switched protocols, which nobody asked for'))
    })
    let interim = 0
    asked.on('information', ({ statusCode, headers: { link } }) => {
      if (++interim > maxInterim)
        fail(new TargetFailure(502, `sent more than ${maxInterim} replies with a status below 200`))
      else if (statusCode === 103 && link !== undefined && !instead)
        passHints(String(link), response)
    })
    asked.on('response', (came) => {
      stopWaiting()
      // Only the reply's own error says how it broke off, and its request is not sent again.
      asked.off('error', failUnanswered).on('error', () => undefined)
      const { statusCode, statusMessage = '', rawHeaders, headers } = came
      if (statusCode! < 200)
        return fail(
          new TargetFailure(502, `sent the status ${statusCode}, which HTTP does not have`),
        )
      const length = headers['content-length']
      const isBodiless = method === 'HEAD' || bodiless.has(statusCode!)
      const raw = passedOn(rawHeaders, headers, (name, value) => {
        if (name === 'location') return toOwnLocation(value, bases, route, path, origin, world)
        // Node refuses to announce trailers where no chunks are sent.
        if (name === 'trailer' && (isBodiless || message.httpVersion === '1.0')) return undefined
        // It has no content (RFC 9110, 15.3.6), and the client would wait for that.
        return name === 'content-length' && statusCode === 205 ? '0' : value
      })
      const size = length === undefined ? undefined : Number(length)
      const found = (body: Forwarded['body']) =>
        resolve({ status: statusCode!, phrase: toPhrase(statusMessage), raw, body, size })
      if (isBodiless || size === 0) {
        came.resume().on('error', () => undefined)
        found(null)
      } else if (size === undefined || size > maxWhole)
        found(came.once('end', () => instead ?? passTrailers(came, response)))
      else readShort(came, size, Math.min(timeout, longestShort), found, fail)
    })
    asked.once('socket', outliveWrites)
    if (body !== 'too-large') {
      if (!instead) passTrailers(message, asked)
      return void asked.end(body ?? undefined)
    }
    // The service begins its reply when it has such a body, and that takes its time.
    const waitAgain = () => {
      stopWaiting()
      stopWaiting = after(timeout, giveUp, false)
    }
    const waitNoLonger = () => {
      message.off('data', waitAgain)
      stopWaiting()
    }
    asked.on('response', waitNoLonger).on('close', () => {
      waitNoLonger()
      // Node drops the rest of a body only if nobody has begun to read it.
      message.unpipe(asked).resume()
    })
    message
      .on('data', waitAgain)
      .once('end', () => passTrailers(message, asked))
      .pipe(asked)
  })
}

/** How many replies with a status below 200 a service may send before the reply itself. */
const maxInterim = 100

/** Returns a phrase without characters that Node does not send. */
function toPhrase(phrase: string): string {
  return phrase.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')
}

const outliving = new WeakSet<Socket>()

/**
 * Keeps a connection whose other end takes no more of a request, until its reply is read: a service
 * may refuse a large body before it has all of it, and close. Node would close it at the first
 * failed write. The failure is then one of reading.
 */
function outliveWrites(socket: Socket): void {
  if (outliving.has(socket)) return
  outliving.add(socket)
  const { _write: write, _writev: writeAll } = socket
  const ignoreGone = (done: WriteDone) => (error?: NodeJS.ErrnoException | null) => {
    if (error?.code !== 'EPIPE' && error?.code !== 'ECONNRESET') done(error)
  }
  socket._write = (chunk, encoding, done) => write.call(socket, chunk, encoding, ignoreGone(done))
  if (writeAll) socket._writev = (chunks, done) => writeAll.call(socket, chunks, ignoreGone(done))
}

type WriteDone = (error?: Error | null) => void

function endPause(this: ClientRequest): void {
  this.destroy(new Error(`sent nothing for ${longestPause} ms`))
}

/** How long to wait for the end of a short reply, in milliseconds. */
const longestShort = 1_000

/** Waits for the end of a short body. One that pauses comes in pieces. */
function readShort(
  came: IncomingMessage,
  size: number,
  wait: number,
  found: (body: Forwarded['body']) => void,
  fail: (failure: TargetFailure) => void,
): void {
  const pieces: Buffer[] = []
  let length = 0
  const collect = (piece: Buffer) => void (length += pieces[pieces.push(piece) - 1]!.length)
  const end = () => {
    stopWaiting()
    // Most come in one piece, which need not be copied.
    found(pieces.length === 1 ? pieces[0]! : concatBytes(pieces))
  }
  const stopWaiting = after(wait, () => {
    came.off('data', collect).off('end', end).pause().unshift(concatBytes(pieces))
    found(came)
  })
  came.on('data', collect).on('end', end)
  came.on('error', () => {
    stopWaiting()
    fail(new TargetFailure(502, endedEarly(length, size)))
  })
}

/** Before the end of the message is sent; Node drops them if that is not in chunks. */
function passTrailers({ rawTrailers }: IncomingMessage, to: OutgoingMessage): void {
  if (rawTrailers.length > 0 && !to.writableEnded) to.addTrailers(toPairs(rawTrailers))
}

/** Each link on its own, as Node wants them. */
function passHints(links: string, response: ServerResponse): void {
  try {
    response.writeEarlyHints({ link: links.replaceAll(/,\s*</g, '\n<').split('\n') })
  } catch {
    // Node refuses some links. The client can do without hints.
  }
}

function toFailure(
  { code = '', message }: NodeJS.ErrnoException,
  asked: ClientRequest,
): TargetFailure {
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return new (asked.reusedSocket ? Stale : TargetFailure)(
      502,
      'closed the connection without a reply',
    )
  if (code.startsWith('HPE_'))
    return new TargetFailure(502, `sent what is not valid HTTP (${code})`)
  const isUnreachable = asked.socket?.readyState !== 'open'
  const reason = isUnreachable ? `is unreachable: ${code || message}` : message
  return new TargetFailure(code === 'ETIMEDOUT' ? 504 : 502, reason, isUnreachable)
}

const decoders: Readonly<
  Record<string, ((body: Uint8Array, options: object) => Promise<Uint8Array>) | undefined>
> = {
  gzip: promisify(zlib.gunzip),
  'x-gzip': promisify(zlib.gunzip),
  deflate: (body, options) =>
    promisify((body[0]! & 0x0f) === 8 ? zlib.inflate : zlib.inflateRaw)(body, options),
  br: promisify(zlib.brotliDecompress),
  // Node 20 lacks it.
  zstd: 'zstdDecompress' in zlib ? promisify(zlib.zstdDecompress as typeof zlib.gunzip) : undefined,
  identity: async (body) => body,
}

async function decode(
  body: Uint8Array,
  encoding: string,
  maxOutputLength: number,
): Promise<Uint8Array> {
  let decoded = body
  for (const name of encoding.toLowerCase().split(',').reverse()) {
    const decoder = decoders[name.trim()]
    if (!decoder) throw new Error(`unknown coding ${name}`)
    decoded = await decoder(decoded, { maxOutputLength })
  }
  return decoded
}
