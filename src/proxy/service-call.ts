import type { ClientRequest, IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { bodiless, concatBytes, toPairs } from '../core/http/reply.ts'
import { after, afterIfAlive } from '../core/time/clock.ts'
import {
  endedEarly,
  type Forwarded,
  passedOn,
  TargetFailure,
  tooLarge,
  tooLate,
  toOwnLocation,
  toTargetHeaders,
  toTargetPath,
} from './message.ts'
import { longestPause, type ForwardedRequest, type ServiceRoute } from './node-route.ts'

function toForwardedHeaders(
  { message, body }: ForwardedRequest,
  route: ServiceRoute,
  isWhole: boolean,
): string[] {
  const { host, proxyHeaders, pseudonym } = route
  const { rawHeaders, headers, httpVersion, method } = message
  const sent = toTargetHeaders(rawHeaders, headers, host, isWhole)
  if (headers.host === undefined) sent.unshift('Host', host)
  sent.push('Via', `${httpVersion} ${pseudonym}`)
  if (headers.te !== undefined) sent.push('Connection', 'keep-alive, TE')
  const hasNone = headers['content-length'] === undefined && !body?.length
  if (headers['transfer-encoding'] !== undefined) sent.push('Transfer-Encoding', 'chunked')
  // Node would announce a body in chunks.
  else if (hasNone && !['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(String(method)))
    sent.push('Content-Length', '0')
  return [...sent, ...proxyHeaders]
}

const repeatable = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])

/**
 * Sends once more what may be repeated if the target closed an idle connection in the moment in
 * which it was used. @param isWhole whether a part of the reply, or none, would not do
 */
export async function forward(
  request: ForwardedRequest,
  route: ServiceRoute,
  isWhole: boolean,
): Promise<Forwarded> {
  const { message, body, method } = request
  if (String(message.headers.via ?? '').includes(route.pseudonym))
    throw new TargetFailure(508, 'leads back to this server')
  const isUnread = body === 'too-large'
  if (isUnread && message.readableEnded) throw tooLarge()
  const callService = () =>
    new Promise<Forwarded>((resolve, reject) => {
      new ServiceCall(request, route, isWhole, { resolve, reject }).start()
    })
  try {
    return await callService()
  } catch (error) {
    if (!(error instanceof Stale) || isUnread || !repeatable.has(method)) throw error
    return callService()
  }
}

class Stale extends TargetFailure {}

interface Settling {
  resolve(forwarded: Forwarded): void
  reject(failure: TargetFailure): void
}

/** One request to the service, until its reply can be passed on. */
class ServiceCall {
  readonly #request: ForwardedRequest
  readonly #route: ServiceRoute
  readonly #target: ReturnType<typeof toTargetPath>
  readonly #asked: ClientRequest
  readonly #settling: Settling
  #stopWaiting: () => void = () => {}
  #interim = 0

  constructor(
    request: ForwardedRequest,
    route: ServiceRoute,
    isWhole: boolean,
    settling: Settling,
  ) {
    this.#request = request
    this.#route = route
    this.#settling = settling
    this.#target = toTargetPath(route, request.path)
    const { url = '' } = request.message
    const mark = url.indexOf('?')
    const query = mark < 0 ? '' : url.slice(mark)
    this.#asked = route.request({
      ...route.options,
      method: request.method,
      path: `${route.prefix}${this.#target.path}${query}`,
      headers: toForwardedHeaders(request, route, isWhole) as never,
    })
  }

  start(): void {
    this.#wait()
    this.#followClient()
    this.#listen()
    this.#asked.once('socket', outliveWrites)
    const { body, message } = this.#request
    if (body === 'too-large') return this.#pipeBody()
    passTrailers(message, this.#asked)
    this.#asked.end(body ?? undefined)
  }

  /** Waits for the beginning of the reply, from now on. */
  #wait() {
    const { timeout } = this.#route
    this.#stopWaiting()
    const giveUp = () => this.#fail(504, tooLate(timeout), this.#asked.socket?.connecting ?? true)
    this.#stopWaiting = afterIfAlive(timeout, giveUp)
  }

  #fail(...failure: ConstructorParameters<typeof TargetFailure>) {
    this.#failWith(new TargetFailure(...failure))
  }

  #failWith(failure: TargetFailure) {
    this.#stopWaiting()
    this.#settling.reject(failure)
    this.#asked.destroy()
  }

  /** The end of the client's request ends the one to the service. */
  #followClient() {
    const { response } = this.#request
    const abort = () => {
      if (!this.#asked.destroyed) this.#asked.destroy(new Error('client gone'))
    }
    if (response.destroyed) abort()
    else response.once('close', abort)
  }

  #listen() {
    const failUnanswered = (error: Error) => this.#failWith(toServiceFailure(error, this.#asked))
    this.#asked
      .on('timeout', endPause)
      .on('error', failUnanswered)
      .on('upgrade', (_, socket) => {
        socket.destroy()
        this.#fail(502, 'switched protocols, which nobody asked for')
      })
      .on('information', (came) => this.#takeInterim(came.statusCode, came.headers.link))
      .on('response', (came) => {
        this.#stopWaiting()
        // The reply's own error says how it broke off, and its request is not sent again.
        this.#asked.off('error', failUnanswered).on('error', () => undefined)
        this.#takeReply(came)
      })
  }

  #takeInterim(status: number, link: unknown) {
    if (++this.#interim > maxInterim)
      this.#fail(502, `sent more than ${maxInterim} replies with a status below 200`)
    else if (status === 103 && link !== undefined) passHints(String(link), this.#request.response)
  }

  #takeReply(came: IncomingMessage) {
    const { statusCode: status = 0, statusMessage = '', headers } = came
    if (status < 200) return this.#fail(502, `sent the status ${status}, which HTTP does not have`)
    const length = headers['content-length']
    const size = length === undefined ? undefined : Number(length)
    const isBodiless = this.#request.method === 'HEAD' || bodiless.has(status)
    const raw = this.#rawHeaders(came, status, isBodiless)
    const found = (body: Forwarded['body']) => {
      const cancel = body === came ? () => void came.destroy() : undefined
      this.#settling.resolve({
        status,
        phrase: toPhrase(statusMessage),
        raw,
        body,
        size,
        cancel,
      })
    }
    if (isBodiless || size === 0) {
      came.resume().on('error', () => undefined)
      found(null)
    } else if (size !== undefined && size <= this.#route.maxWhole)
      this.#readShort(came, size, found)
    else found(came.once('end', () => passTrailers(came, this.#request.response)))
  }

  #rawHeaders({ rawHeaders, headers }: IncomingMessage, status: number, isBodiless: boolean) {
    const { message } = this.#request
    return passedOn(rawHeaders, headers, (name, value) => {
      if (name === 'location') return this.#toOwnLocation(value)
      // Node refuses to announce trailers where no chunks are sent.
      if (name === 'trailer' && (isBodiless || message.httpVersion === '1.0')) return undefined
      // It has no content (RFC 9110, 15.3.6), and the client would wait for that.
      if (name === 'content-length' && status === 205) return '0'
      return value
    })
  }

  #toOwnLocation(value: string): string {
    const { socket, headers } = this.#request.message
    const scheme = 'encrypted' in socket ? 'https' : 'http'
    return toOwnLocation(value, {
      ...this.#target,
      bases: this.#route.bases,
      base: this.#route,
      origin: `${scheme}://${headers.host ?? 'localhost'}`,
    })
  }

  /** Waits for the end of a short body. One that pauses comes in pieces. */
  #readShort(came: IncomingMessage, size: number, found: (body: Forwarded['body']) => void) {
    const pieces: Buffer[] = []
    let length = 0
    const collect = (piece: Buffer) => {
      length += piece.length
      pieces.push(piece)
    }
    const end = () => {
      stopWaiting()
      // Most come in one piece, which need not be copied.
      const [first, ...more] = pieces
      found(first && more.length === 0 ? first : concatBytes(pieces))
    }
    const stopWaiting = after(Math.min(this.#route.timeout, longestShort), () => {
      came.off('data', collect).off('end', end).pause().unshift(concatBytes(pieces))
      found(came)
    })
    came.on('data', collect).on('end', end)
    came.on('error', () => {
      stopWaiting()
      this.#fail(502, endedEarly(length, size))
    })
  }

  /**
   * Passes on a body that is too large to read. The service begins its reply when it has such a
   * body, and that takes its time.
   */
  #pipeBody() {
    const { message } = this.#request
    const asked = this.#asked
    const waitAgain = () => this.#wait()
    const waitNoLonger = () => {
      message.off('data', waitAgain)
      this.#stopWaiting()
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
  }
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
function outliveWrites(socket: Socket) {
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

function endPause(this: ClientRequest) {
  this.destroy(new Error(`sent nothing for ${longestPause} ms`))
}

/** How long to wait for the end of a short reply, in milliseconds. */
const longestShort = 1_000

/** Before the end of the message is sent; Node drops them if that is not in chunks. */
function passTrailers({ rawTrailers }: IncomingMessage, to: OutgoingMessage) {
  if (rawTrailers.length > 0 && !to.writableEnded) to.addTrailers(toPairs(rawTrailers))
}

/** Each link on its own, as Node wants them. */
function passHints(links: string, response: ServerResponse) {
  try {
    response.writeEarlyHints({ link: links.replaceAll(/,\s*</g, '\n<').split('\n') })
  } catch {
    // Node refuses some links. The client can do without hints.
  }
}

function toServiceFailure(
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
