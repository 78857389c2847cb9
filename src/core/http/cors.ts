import { isLoopbackOrigin } from './urls.ts'
import { headerOf, type RequestHead, type SocketSender } from './request.ts'
import { emptyReply, type Reply, replyHeader } from './reply.ts'

const exposeHeaders = 'Access-Control-Expose-Headers'

/**
 * Matches the names of headers that pages may always read, that none may read, and that are for the
 * browser itself.
 */
const unlisted =
  /^(?:cache-control|content-(?:language|length|type)|expires|last-modified|pragma|set-cookie|vary|access-control-.*)$/i

export class Cors {
  readonly #origins: ReadonlySet<string>

  constructor(origins: readonly string[] = []) {
    this.#origins = new Set(origins)
  }

  preflight(request: RequestHead): Reply | undefined {
    const method = methodOfPreflight(request)
    if (method === undefined) return undefined
    const reply = emptyReply(204)
    this.addHeaders(request, reply.headers)
    allowLowerCase(reply, method)
    return reply
  }

  /**
   * Returns the sender of a request, from headers that only browsers set; `crossOrigin` for a page
   * that is not allowed. Programs send none of these headers. A request of another site without an
   * `Origin` (an image, a link, `no-cors`) has an unknown origin, so it is `crossOrigin` unless all
   * origins are allowed. @param isOwnHost whether the Host header certainly names this server: only
   * then does an origin with that host count as its own.
   */
  senderOf(request: RequestHead, isOwnHost: boolean): SocketSender | 'crossOrigin' {
    const origin = headerOf(request, 'origin')
    const site = headerOf(request, 'sec-fetch-site')
    if (origin === undefined) {
      if (site !== 'cross-site') return 'own'
      if (this.#origins.has('*')) return 'allowedOrigin'
      return 'crossOrigin'
    }
    const host = isOwnHost ? headerOf(request, 'host')?.toLowerCase() : undefined
    const isOfHost = origin.toLowerCase().replace(/^https?:\/\//, '') === host
    if (site === 'same-origin' || isLoopbackOrigin(origin) || isOfHost) return 'own'
    if (this.#isAllowed(origin)) return 'allowedOrigin'
    return 'crossOrigin'
  }

  /**
   * For cookies too: then `*` would be a name. The reply's own headers win, whatever the case of
   * their letters, and its lists are added to.
   */
  addHeaders(request: RequestHead, headers: Record<string, string>): void {
    const origin = headerOf(request, 'origin')
    if (origin === undefined) return
    addToList(headers, 'Vary', ['Origin'])
    if (!this.#isAllowed(origin)) return
    const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
    const add = (name: string, value: string | undefined) => {
      if (value !== undefined && !own.has(name.toLowerCase())) headers[name] = value
    }
    add('Access-Control-Allow-Origin', origin)
    add('Access-Control-Allow-Credentials', 'true')
    if (methodOfPreflight(request) === undefined)
      return addToList(headers, exposeHeaders, namesToExpose(headers))
    add('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
    add('Access-Control-Allow-Headers', headerOf(request, 'access-control-request-headers'))
    // Private Network Access: a page asks whether it may reach this machine. Its successor asks the
    // user instead.
    if (headerOf(request, 'access-control-request-private-network') === 'true')
      add('Access-Control-Allow-Private-Network', 'true')
    add('Access-Control-Max-Age', '600')
  }

  /**
   * Lets an allowed page read headers that a scenario added to a finished reply, unless it changed
   * the list of names, too.
   */
  exposeAdded(request: RequestHead, before: Reply['headers'], after: Reply['headers']): void {
    const origin = headerOf(request, 'origin')
    if (origin === undefined || !this.#isAllowed(origin)) return
    const names = replyHeader(before, exposeHeaders)
    if (names !== undefined && names === replyHeader(after, exposeHeaders))
      addToList(after, exposeHeaders, namesToExpose(after))
  }

  #isAllowed(origin: string): boolean {
    return isLoopbackOrigin(origin) || this.#origins.has(origin) || this.#origins.has('*')
  }
}

/**
 * Allows a page to send `patch` for PATCH: the browser would block it, and only the reply to it can
 * say what is wrong.
 */
function allowLowerCase({ headers }: Reply, method: string): void {
  const allowed = headers['Access-Control-Allow-Methods']?.split(', ') ?? []
  if (!allowed.includes(method) && allowed.includes(method.toUpperCase()))
    headers['Access-Control-Allow-Methods'] += `, ${method}`
}

function namesToExpose(headers: Reply['headers']): string[] {
  return Object.keys(headers).filter((name) => !unlisted.test(name))
}

/** Adds to a header that is a list, if it lacks the items. `*` has all. */
function addToList(headers: Reply['headers'], name: string, items: readonly string[]): void {
  const found = Object.entries(headers).find(([one]) => one.toLowerCase() === name.toLowerCase())
  if (!found) return void (headers[name] = items.join(', '))
  const [written, before] = found
  const own = before.split(',').map((item) => item.trim().toLowerCase())
  const missing = items.filter((item) => !own.includes(item.toLowerCase()))
  if (own.includes('*') || missing.length === 0) return
  headers[written] = (before.trim() === '' ? missing : [before, ...missing]).join(', ')
}

/** Returns the method that a page asks for; `undefined` if the request is no preflight. */
function methodOfPreflight(request: RequestHead): string | undefined {
  if (request.method !== 'OPTIONS') return undefined
  return headerOf(request, 'access-control-request-method')
}
