import { codedError } from '../core/text/error-codes.ts'
import { prefixOfWorld } from '../core/http/address.ts'
import type { AreaName } from '../areas/event-types.ts'
import { toPairs, type Reply } from '../core/http/reply.ts'
import { withoutTrailingSlashes, type ServiceRequest } from '../core/http/request.ts'
import type { JournalRecord } from '../core/journal/journal-record.ts'
import type { Service } from '../core/pipeline/service.ts'
import type { Exchange } from '../core/pipeline/exchange.ts'

/** A real service, and what of it is used. */
export interface ProxyOptions {
  /** The base URL of its Area A. Without it, the mock answers there. */
  plants?: string | undefined
  /** The base URL of its Area B, with the version. Without it, the mock answers there. */
  apps?: string | undefined
  /**
   * Operations to forward, by id or glob: `'plants.*'`. The mock answers the others. All by
   * default.
   */
  only?: string | readonly string[] | undefined
  /**
   * `mock`: what the service does not have, or what it cannot be reached for, is answered by the
   * mock.
   */
  fallback?: 'mock' | undefined
  /** A file with certificates of authorities to trust, in PEM. */
  ca?: string | undefined
  /** True to accept any certificate of the service. False by default. */
  insecure?: boolean | undefined
  /** How long the service may take to begin a reply, in milliseconds. 30,000 by default. */
  timeout?: number | undefined
  /**
   * A folder for the replies, as a scenario, and for the records that they show. Only on a server.
   */
  record?: string | undefined
}

/**
 * A reply of the real service. A body that is not complete yet comes in pieces; all as they are on
 * the wire.
 */
export interface Forwarded {
  readonly status: number
  readonly phrase: string
  /** Names and values in turn, without those of the connection. */
  readonly raw: readonly string[]
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | null
  /** How long the body says that it is, in bytes. */
  readonly size?: number
  /** Ends a body that still comes, in the place of a reader. */
  readonly cancel?: () => void
}

/** Why the real service did not answer, as the end of a sentence. */
export class TargetFailure extends Error {
  readonly status: 501 | 502 | 504 | 508
  readonly isUnreachable: boolean

  constructor(status: 501 | 502 | 504 | 508, reason: string, isUnreachable = false) {
    super(reason)
    this.status = status
    this.isUnreachable = isUnreachable
  }
}

export const tooLate = (timeout: number) => `did not begin its reply within ${timeout} ms`

export const endedEarly = (length: number, size: number) =>
  `ended its reply after ${length} of ${size} bytes`

export const tooLarge = () =>
  new TargetFailure(502, 'did not get the body of the request, which is too large')

/** An area of the service. */
export interface Base {
  readonly area: AreaName
  readonly url: URL
  readonly origin: string
  /** The reason in the journal of all its replies: one text for all. */
  readonly reason: string
  /** The path of its URL, without a slash at the end. */
  readonly path: string
  /** The path of the area on this server. */
  readonly mount: '' | '/v1'
}

/** @throws RangeError for options without a service */
export function toTargetBases({ plants, apps }: ProxyOptions): Base[] {
  const toBase = (area: AreaName, mount: Base['mount'], given: string | undefined): Base[] => {
    if (given === undefined) return []
    const url = new URL(given)
    const { origin, pathname } = url
    return [
      {
        area,
        mount,
        url,
        origin,
        reason: `answered by ${origin}`,
        path: withoutTrailingSlashes(pathname),
      },
    ]
  }
  const bases = [...toBase('plants', '', plants), ...toBase('apps', '/v1', apps)]
  if (bases.length > 0) return bases
  throw codedError(
    'GREENHOUSE_INVALID_VALUE',
    'Failed to forward: the option "proxy" names no service, such as { plants: "https://api.test" }.',
  )
}

/**
 * Returns the path at the service, as it was written, and the prefix of the world that it had here.
 */
export function toTargetPath(
  { path, mount }: Base,
  asked: string,
): {
  world: string
  path: string
} {
  const world = prefixOfWorld(asked)
  const own = asked.slice(world.length)
  // A mount can also be written `/%761`.
  return {
    world,
    path: path + (mount === '' ? own : own.replace(/^\/[^/]*/, '')) || '/',
  }
}

/** A request as the service and this server got it. */
interface AskedService {
  readonly bases: readonly Base[]
  readonly base: Base
  /** The path that was asked of the service. */
  readonly path: string
  /** This server, as the client named it. */
  readonly origin: string
  readonly world: string
}

/** Returns a Location on the service as one on this server; others stay. */
export function toOwnLocation(
  value: string,
  { bases, base, path: from, origin, world }: AskedService,
) {
  if (!URL.canParse(value, base.origin + from)) return value
  const to = new URL(value, base.origin + from)
  const at = [base, ...bases].find(
    (one) => one.origin === to.origin && `${to.pathname}/`.startsWith(`${one.path}/`),
  )
  if (!at) return value
  const path = `${world}${at.mount}${to.pathname.slice(at.path.length)}` || '/'
  // Alone, a path that begins with two slashes would name another host.
  const isWhole = path.startsWith('//') || /^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(value)
  return `${isWhole ? origin : ''}${path}${to.search}${to.hash}`
}

/**
 * Headers of one connection, which end here (RFC 9110, 7.6.1), apart from those that `Connection`
 * names.
 */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
])

interface Framing {
  readonly connection?: string
  readonly 'transfer-encoding'?: string
}

/**
 * Returns the headers that go on. @param change gets names in lower case, and returns `undefined`
 * for one that ends here too
 */
export function passedOn(
  raw: readonly string[],
  { connection, 'transfer-encoding': chunked }: Framing,
  change: (name: string, value: string) => string | undefined,
): string[] {
  // Trailers are passed on, so `TE` is, too. Without the last two, what follows a body would be
  // taken for the next request.
  const isUsual = connection === undefined || /^(?:keep-alive|close)$/i.test(connection)
  const named = isUsual
    ? []
    : connection
        .toLowerCase()
        .split(/[\s,]+/)
        .filter((name) => !['te', 'host', 'content-length'].includes(name))
  const passed: string[] = []
  for (const [written, sent] of toPairs(raw)) {
    const name = written.toLowerCase()
    // Node refuses to announce trailers of a message that cannot have them.
    const isIdle = name === 'trailer' && chunked === undefined
    if (isIdle || ofConnection.has(name) || named.includes(name)) continue
    const value = change(name, sent)
    if (value !== undefined) passed.push(written, value)
  }
  return passed
}

/**
 * True if a request with this method only reads: the conditions of another one guard what it would
 * change.
 */
export const isRead = (method: string) => method === 'GET' || method === 'HEAD'

/** Ask for a part of a body, or for none if the client has it already. */
const conditional = /^(?:if-.*|range)$/

/**
 * What the service gets of a request: neither this server's name, nor what is for Greenhouse alone.
 * @param isWhole whether no part of a body would do
 */
export function toTargetHeaders(
  raw: readonly string[],
  framing: Framing,
  host: string,
  isWhole: boolean,
): string[] {
  return passedOn(raw, framing, (name, value) => {
    if (isWhole && conditional.test(name)) return undefined
    if (name === 'host') return host
    if (name === 'authorization') return value.replace(/@[\w.-]{1,64}$/, '')
    if (name.startsWith('x-greenhouse')) return undefined
    return value
  })
}

/** The sender of requests to the real service. */
export interface Target {
  /**
   * Sends a request as it came. @param isWhole whether a part of the reply, or none, would not do
   * @throws TargetFailure
   */
  send(request: ServiceRequest, base: Base, isWhole: boolean): Promise<Forwarded>
  /**
   * Takes the codings of Content-Encoding off a body. @throws Error for a body that has not that
   * form, or is too large
   */
  decode(body: Uint8Array, encoding: string): Promise<Uint8Array>
  readonly recorder?: Recorder
}

/** A reply as the service gave it. */
export interface ServiceReply {
  readonly status: number
  readonly phrase: string
  /** Names and values in turn. */
  readonly raw: readonly string[]
  /** The body, without its codings if they can be read here. */
  readonly body: Uint8Array
  /** The pieces of a body whose length the service did not say. */
  readonly pieces?: readonly Uint8Array[]
}

/** The keeper of the service's replies. */
export interface Recorder {
  add(exchange: Exchange, reply: ServiceReply): void
  leaveOut(why: string): void
}

/** The facts that the service has shown so far. */
export interface Shown {
  /** The keys that it accepted, each with the id of its account at the mock. */
  readonly accepted: Map<string, string>
  /** The operations that have succeeded. */
  readonly has: Set<string>
}

/** A request on its way to a service, and what it needs there. */
export interface Context {
  readonly target: Target
  readonly shown: Shown
  /** How much of a body is judged, recorded and changed, in bytes. */
  readonly limit: number
  readonly fallsBack: boolean
  /** How long a reply that must be read as a whole may take, in milliseconds. */
  readonly patience: number
  readonly service: Service
  readonly exchange: Exchange
  readonly base: Base
}

export interface ProxyAnswer {
  readonly reply: Reply
  /** The reply to record, if it is not the one that is sent: readable if that is compressed. */
  readonly shown?: Reply
  readonly passed?: Passed
}

/** A body that is passed on in pieces; its entry is complete at its end. */
export interface Passed {
  readonly source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  record: JournalRecord | undefined
  /** True until its reason says that nobody judges it. */
  readonly isJudged: boolean
  /**
   * What the recorder gets at the end; `undefined` if it has the reply already, or if there is
   * none.
   */
  readonly came: (ServiceReply & { readonly size?: number }) | undefined
}
