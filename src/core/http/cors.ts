import { isLoopbackOrigin } from './loopback.ts'
import { headerOf, type RequestHead, type SocketSender } from './request.ts'
import { emptyReply, type Reply } from './reply.ts'

const exposed =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id, Idempotent-Replayed, X-Greenhouse'

/** The pages that may call the service: those of loopback origins, and those of allowed origins. `'*'` allows all. */
export class Cors {
  readonly #origins: ReadonlySet<string>

  constructor(origins: readonly string[] = []) {
    this.#origins = new Set(origins)
  }

  /** Returns the reply to a preflight; `undefined` for other requests. */
  preflight(request: RequestHead): Reply | undefined {
    if (request.method !== 'OPTIONS' || headerOf(request, 'access-control-request-method') === undefined)
      return undefined
    const reply = emptyReply(204)
    this.addHeaders(request, reply.headers)
    if (!this.#isAllowed(headerOf(request, 'origin'))) return reply
    reply.headers['Access-Control-Allow-Methods'] = 'GET, HEAD, POST, PUT, PATCH, DELETE'
    const headers = headerOf(request, 'access-control-request-headers')
    if (headers !== undefined) reply.headers['Access-Control-Allow-Headers'] = headers
    // Private Network Access: a page asks whether it may reach this machine. Its successor asks the user instead.
    if (headerOf(request, 'access-control-request-private-network') === 'true')
      reply.headers['Access-Control-Allow-Private-Network'] = 'true'
    reply.headers['Access-Control-Max-Age'] = '600'
    return reply
  }

  /**
   * Returns the sender of a request, from headers that only browsers set; `stranger` for a page that is not allowed.
   * Programs send none of these headers. A request of another site without an `Origin` (an image, a link, `no-cors`)
   * has an unknown origin, so it is a stranger unless all origins are allowed. @param isOwnHost whether the Host header
   * certainly names this server: only then does an origin with that host count as its own.
   */
  senderOf(request: RequestHead, isOwnHost: boolean): SocketSender | 'stranger' {
    const origin = headerOf(request, 'origin')
    const site = headerOf(request, 'sec-fetch-site')
    if (origin === undefined) return site !== 'cross-site' ? 'own' : this.#origins.has('*') ? 'guest' : 'stranger'
    if (
      site === 'same-origin' ||
      isLoopbackOrigin(origin) ||
      (isOwnHost && isOfHost(origin, headerOf(request, 'host')))
    )
      return 'own'
    return this.#isAllowed(origin) ? 'guest' : 'stranger'
  }

  /** Adds the headers that let the page read the reply. */
  addHeaders(request: RequestHead, headers: Record<string, string>): void {
    const origin = headerOf(request, 'origin')
    if (origin === undefined) return
    headers['Vary'] = 'Origin'
    if (!this.#isAllowed(origin)) return
    headers['Access-Control-Allow-Origin'] = origin
    headers['Access-Control-Expose-Headers'] = exposed
  }

  #isAllowed(origin: string | undefined): boolean {
    if (origin === undefined) return false
    return isLoopbackOrigin(origin) || this.#origins.has(origin) || this.#origins.has('*')
  }
}

function isOfHost(origin: string, host: string | undefined): boolean {
  return host !== undefined && origin.toLowerCase().replace(/^https?:\/\//, '') === host.toLowerCase()
}
