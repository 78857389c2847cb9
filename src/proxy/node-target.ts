import {
  Agent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http'
import { Agent as SecureAgent, type AgentOptions, request as requestHttps } from 'node:https'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect, type ConnectionOptions } from 'node:tls'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { getProxyForUrl } from 'proxy-from-env'
import { bodiless } from '../core/http/reply.ts'
import type { ServiceRequest } from '../core/http/request.ts'
import { isLoopbackHost } from '../core/http/urls.ts'
import { after } from '../core/time/clock.ts'
import { setImmediate } from '../core/time/system-time.ts'
import type { ProxyOptions } from './attach.ts'
import { concat, type Forwarded, TargetFailure } from './front.ts'

type NodeTargetOptions = Pick<ProxyOptions, 'plants' | 'apps' | 'ca' | 'insecure' | 'timeout'>

/** A request of a Node server. */
interface NodeRequest extends ServiceRequest {
  readonly message: IncomingMessage
  readonly response: ServerResponse
  readonly unread?: readonly Buffer[]
}

interface Base {
  readonly url: URL
  /** The path of the area on this server, such as `/v1`. */
  readonly mount: string
  readonly path: string
  readonly request: typeof requestHttp
  readonly options: RequestOptions
  /** What begins the target of each request to a proxy of the environment. */
  readonly prefix: string
  readonly proxyHeaders: readonly string[]
}

/** The name in Via by which a request is recognized that comes back to this process. */
const pseudonym = `greenhouse-${randomBytes(6).toString('hex')}`

/** The largest reply to wait for as a whole, in bytes. */
const maxWhole = 65_536

/** How long a reply that has begun may pause, in milliseconds. */
const longestPause = 300_000

const limits = { keepAlive: true, maxSockets: 256, maxFreeSockets: 64, timeout: longestPause }

export function createNodeTarget(given: NodeTargetOptions) {
  const { timeout = 30_000 } = given
  const bases = new Map<string, Base>()
  if (given.plants !== undefined) bases.set('plants', toBase(given.plants, '', given))
  if (given.apps !== undefined) bases.set('apps', toBase(given.apps, '/v1', given))
  return {
    origins: Object.fromEntries([...bases].map(([name, { url }]) => [name, url.origin])),
    decode: decodeBody,
    send: (request: ServiceRequest, area: string) =>
      forward(request as NodeRequest, bases.get(area)!, [...bases.values()], timeout),
    close: () => {
      for (const { options } of bases.values()) (options.agent as Agent).destroy()
    },
  }
}

function toBase(given: string, mount: string, { ca, insecure }: NodeTargetOptions): Base {
  const url = new URL(given)
  const path = url.pathname.replace(/\/$/, '')
  const isSecure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const tls = {
    ...(ca !== undefined && { ca: readFileSync(ca) }),
    rejectUnauthorized: !insecure,
    servername: isIP(host) ? '' : host,
  }
  // Never for this machine, whatever the environment says.
  const proxy = isLoopbackHost(host) ? '' : getProxyForUrl(url.href)
  const base = { url, mount, path, request: isSecure ? requestHttps : requestHttp, prefix: '', proxyHeaders: [] }
  const to = { host, port: url.port || (isSecure ? 443 : 80) }
  if (proxy === '')
    return { ...base, options: { ...to, agent: isSecure ? new SecureAgent({ ...limits, ...tls }) : new Agent(limits) } }
  const through = new URL(proxy)
  if (isSecure) {
    return { ...base, options: { ...to, agent: new TunnelAgent({ ...limits, ...tls }, through) } }
  }
  return {
    ...base,
    prefix: url.origin,
    proxyHeaders: credentialsOf(through),
    options: { host: through.hostname, port: through.port || 80, agent: new Agent(limits) },
  }
}

function credentialsOf({ username, password }: URL): string[] {
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return username === '' ? [] : ['Proxy-Authorization', `Basic ${Buffer.from(text).toString('base64')}`]
}

/** Opens TLS connections through a proxy of the environment. Node has such an agent from 22.21 on. */
class TunnelAgent extends SecureAgent {
  readonly #proxy: URL

  constructor(options: AgentOptions, proxy: URL) {
    super(options)
    this.#proxy = proxy
  }

  override createConnection(
    options: ConnectionOptions,
    done: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const { hostname: host, port } = this.#proxy
    const to = `${options.host!.includes(':') ? `[${options.host}]` : options.host}:${options.port}`
    const headers = ['Host', to, ...credentialsOf(this.#proxy)]
    requestHttp({ host, port: port || 80, method: 'CONNECT', path: to, headers, agent: false })
      .on('connect', ({ statusCode }, socket) => {
        if (statusCode === 200) return done(null, connect({ ...options, socket }))
        socket.destroy()
        return done(new Error(`the proxy ${host} answered ${statusCode} to CONNECT`), socket)
      })
      .on('error', (error) => done(error, undefined as never))
      .end()
  }
}

/** Headers of one connection, which end here (RFC 9110, 7.6.1), apart from those that `Connection` names. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
])

/** Headers for this server only. */
const ofOurs = /^x-greenhouse/

function passedOn(
  raw: readonly string[],
  connection: string | undefined,
  change: (name: string, value: string) => string | undefined,
): string[] {
  // `TE` always stands there, and trailers are passed on.
  const named = connection === undefined || /^(?:keep-alive|close)$/i.test(connection) ? [] : namesOf(connection)
  const passed: string[] = []
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]!.toLowerCase()
    if (ofConnection.has(name) || named.includes(name)) continue
    const value = change(name, raw[index + 1]!)
    if (value !== undefined) passed.push(raw[index]!, value)
  }
  return passed
}

function namesOf(connection: string): string[] {
  const names = connection.toLowerCase().split(',')
  return names.map((name) => name.trim()).filter((name) => name !== 'te')
}

function toSentHeaders({ message, body, unread }: NodeRequest, { url, proxyHeaders }: Base): string[] {
  const { rawHeaders, headers, httpVersion } = message
  const sent = passedOn(rawHeaders, headers.connection, (name, value) => {
    if (name === 'host') return url.host
    if (name === 'authorization') return value.replace(/@[\w.-]{1,64}$/, '')
    return ofOurs.test(name) || name === 'proxy-authorization' ? undefined : value
  })
  if (headers.host === undefined) sent.unshift('Host', url.host)
  sent.push('Via', `${httpVersion} ${pseudonym}`)
  if (headers.te !== undefined) sent.push('Connection', 'keep-alive, TE')
  if (headers['transfer-encoding'] !== undefined) sent.push('Transfer-Encoding', 'chunked')
  // Node would announce a body in chunks.
  else if (headers['content-length'] === undefined && !body?.length && !unread)
    sent.push(...lengthOfNone(message.method!))
  return [...sent, ...proxyHeaders]
}

function lengthOfNone(method: string): string[] {
  return ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method) ? [] : ['Content-Length', '0']
}

/** The path and the query as they were sent, without the world's prefix and the area's mount. */
function toPath({ message, area }: { message: IncomingMessage; area: Base }): { world: string; path: string } {
  const target = message.url!.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/'
  const world = /^\/(?:~|%7e)[^/?]*/i.exec(target)?.[0] ?? ''
  const own = target.slice(world.length)
  const mount = own.startsWith(area.mount) ? area.mount.length : (/^\/[^/?]*/.exec(own)?.[0].length ?? 0)
  const rest = area.mount === '' ? own : own.slice(mount)
  return { world, path: `${area.prefix}${area.path}${rest.startsWith('/') || area.path !== '' ? rest : `/${rest}`}` }
}

const repeatable = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])

async function forward(request: NodeRequest, base: Base, bases: readonly Base[], timeout: number): Promise<Forwarded> {
  const { message, unread } = request
  if (String(message.headers.via ?? '').includes(pseudonym)) throw new TargetFailure(508, 'leads back to this server')
  if (request.body === 'too-large' && !unread)
    throw new TargetFailure(502, 'did not get the body of the request, which is too large')
  for (let attempt = 0; ; attempt++) {
    try {
      return await send(request, base, bases, timeout)
    } catch (error) {
      // The target closed an idle connection in the moment in which it was used.
      if (!(error instanceof Stale) || attempt > 0 || unread || !repeatable.has(request.method)) throw error
    }
  }
}

class Stale extends TargetFailure {}

function send(request: NodeRequest, base: Base, bases: readonly Base[], timeout: number): Promise<Forwarded> {
  const { message, response, body, unread } = request
  const { world, path } = toPath({ message, area: base })
  return new Promise((resolve, reject) => {
    const asked = base.request({
      ...base.options,
      method: message.method,
      path,
      headers: toSentHeaders(request, base) as never,
    })
    const abort = () => asked.destroy(new Error('client gone'))
    const fail = (failure: TargetFailure) => {
      stopWaiting()
      response.off('close', abort)
      reject(failure)
      asked.destroy()
    }
    const stopWaiting = after(
      timeout,
      () =>
        fail(new TargetFailure(504, `did not begin its reply within ${timeout} ms`, asked.socket?.connecting ?? true)),
      false,
    )
    if (response.destroyed) abort()
    else response.once('close', abort)
    asked.on('timeout', () => asked.destroy(new Error(`sent nothing for ${longestPause} ms`)))
    asked.on('error', (error) => fail(toFailure(error, asked)))
    asked.on('upgrade', (_, socket) => {
      socket.destroy()
      fail(new TargetFailure(502, 'switched protocols, which nobody asked for'))
    })
    asked.on('information', ({ statusCode, headers }) => {
      const { link } = headers
      if (statusCode === 103 && link !== undefined) response.writeEarlyHints({ link } as never)
    })
    asked.on('response', (came) => {
      stopWaiting()
      came.once('end', () => passTrailers(came, response))
      readReply(
        came,
        message.method!,
        (reply) => {
          const raw = passedOn(came.rawHeaders, came.headers.connection, (name, value) =>
            name === 'location' ? toOwnLocation(value, { base, bases, message, world, path }) : value,
          )
          resolve({ status: came.statusCode!, phrase: came.statusMessage ?? '', raw, body: reply })
        },
        fail,
        () => response.off('close', abort),
      )
    })
    if (unread) {
      for (const chunk of unread) asked.write(chunk)
      message.pipe(asked)
    } else asked.end(body === null || body === 'too-large' ? undefined : body)
  })
}

/** Before the end of the reply is sent; Node drops them if that is not in chunks. */
function passTrailers({ rawTrailers }: IncomingMessage, response: ServerResponse): void {
  if (rawTrailers.length > 0 && !response.writableEnded)
    response.addTrailers(
      rawTrailers.flatMap((name, at) => (at % 2 === 0 ? [[name, rawTrailers[at + 1]!]] : [])) as never,
    )
}

function readReply(
  came: IncomingMessage,
  method: string,
  done: (body: Forwarded['body']) => void,
  fail: (failure: TargetFailure) => void,
  settle: () => void,
): void {
  const length = came.headers['content-length']
  came.once('close', settle)
  if (method === 'HEAD' || bodiless.has(came.statusCode!) || length === '0') {
    came.resume().on('error', () => undefined)
    return done(null)
  }
  const readAll = () => {
    const chunks: Buffer[] = []
    let size = 0
    came.on('data', (chunk: Buffer) => (size += chunks.push(chunk) && chunk.length))
    came.on('end', () => done(chunks.length === 1 ? chunks[0]! : concat(chunks, size)))
    came.on('error', () => fail(new TargetFailure(502, `ended its reply after ${size} of ${length ?? 'some'} bytes`)))
  }
  if (length !== undefined && Number(length) <= maxWhole) return readAll()
  // A short reply without a length is often here as a whole.
  setImmediate(() => (came.complete && came.readableLength <= maxWhole ? readAll() : done(inPieces(came))))
}

async function* inPieces(came: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of came as AsyncIterable<Buffer>) yield piece
  } catch (error) {
    throw new TargetFailure(502, `broke off: ${(error as Error).message}`)
  }
}

function toFailure(error: NodeJS.ErrnoException, asked: ClientRequest): TargetFailure {
  const { code = '', message } = error
  if (code === 'ECONNRESET' && asked.reusedSocket) return new Stale(502, 'closed the connection without a reply')
  if (code === 'ECONNRESET' || code === 'EPIPE') return new TargetFailure(502, 'closed the connection without a reply')
  if (code.startsWith('HPE_')) return new TargetFailure(502, `sent what is not valid HTTP (${code})`)
  const isUnreachable = asked.socket?.readyState !== 'open'
  return new TargetFailure(
    code === 'ETIMEDOUT' ? 504 : 502,
    isUnreachable ? `is unreachable: ${code || message}` : message,
    isUnreachable,
  )
}

/** Returns a Location on the target's origin as one on this server; others stay. */
function toOwnLocation(
  value: string,
  {
    base,
    bases,
    message,
    world,
    path,
  }: { base: Base; bases: readonly Base[]; message: IncomingMessage; world: string; path: string },
): string {
  const { origin } = base.url
  if (!URL.canParse(value, origin + path)) return value
  const to = new URL(value, origin + path)
  const at = [base, ...bases].find(
    ({ url, path: own }) => url.origin === to.origin && (to.pathname === own || to.pathname.startsWith(`${own}/`)),
  )
  if (!at) return value
  const written = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(value)
  const below = (
    written ? value.slice(written[0].length) : value.startsWith('/') ? value : to.pathname + to.search + to.hash
  ).slice(at.path.length)
  const own = `${world}${at.mount}${below}`
  const scheme = 'encrypted' in message.socket ? 'https' : 'http'
  return written ? `${scheme}://${message.headers.host ?? 'localhost'}${own}` : own
}

const decoders: Readonly<Record<string, ((body: Uint8Array, options: object) => Promise<Buffer>) | undefined>> = {
  gzip: promisify(zlib.gunzip),
  'x-gzip': promisify(zlib.gunzip),
  deflate: async (body, options) => promisify((body[0]! & 0x0f) === 8 ? zlib.inflate : zlib.inflateRaw)(body, options),
  br: promisify(zlib.brotliDecompress),
  // Node 20 lacks it.
  zstd: 'zstdDecompress' in zlib ? promisify(zlib.zstdDecompress as typeof zlib.gunzip) : undefined,
  identity: async (body) => Buffer.from(body),
}

/** The most bytes of a decompressed body. */
const maxDecoded = 16 * 2 ** 20

async function decodeBody(body: Uint8Array, encoding: string): Promise<Uint8Array> {
  let decoded = body
  for (const name of encoding.toLowerCase().split(',').reverse()) {
    const decode = decoders[name.trim()]
    if (!decode) throw new Error(`unknown coding ${name}`)
    decoded = await decode(decoded, { maxOutputLength: maxDecoded })
  }
  return decoded
}
