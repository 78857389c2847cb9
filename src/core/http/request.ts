/** Who sends a request over a socket: `own`, a program, or a page of this machine or this server; `guest`, a page of another origin that was let in. */
export type Sender = 'own' | 'guest'

/** What is known of a request before its body. */
export type RequestHead = Pick<ServiceRequest, 'method' | 'path' | 'headers'>

/** A request as every adapter hands it to the core. */
export interface ServiceRequest {
  /** Upper case. */
  readonly method: string
  /** From the service's root (`/plants/1`, `/v1/apps`), percent-encoded as it was sent. */
  readonly path: string
  /** What follows the `?`, as it was sent; empty when there is nothing. */
  readonly search: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body's bytes; `null` when there is none, `'too-large'` when the adapter stopped reading at the limit. */
  readonly body: Uint8Array | null | 'too-large'
  /** The sender, for requests over a socket, which any page could send; absent within one process. */
  readonly sender?: Sender | undefined
  /** Aborts once the client no longer waits for the reply. */
  readonly signal?: AbortSignal | undefined
}

/** The value of a header that is expected once; of several the first. */
export function headerOf(request: Pick<ServiceRequest, 'headers'>, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** A path without the slashes that it ends in. */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

/** Splits a URL's path from its query: `/plants?limit=2` → `['/plants', 'limit=2']`. */
export function splitTarget(target: string): [path: string, search: string] {
  const mark = target.indexOf('?')
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)]
}

/** The letters, digits and `-._~` that need no percent-encoding. */
const unreserved = /%(?:2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dAE])/gi

/** Decodes what need not have been encoded: `/v1/%61pps` is the same path as `/v1/apps` (RFC 3986, 6.2.2.2). */
export function decodeUnreserved(path: string): string {
  if (!path.includes('%')) return path
  return path.replace(unreserved, (encoded) => String.fromCharCode(parseInt(encoded.slice(1), 16)))
}
