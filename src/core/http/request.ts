/**
 * The sender of a request over a socket. `own`: a program, or a page of this machine or this
 * server. `allowedOrigin`: an allowed page of another origin.
 */
export type SocketSender = 'own' | 'allowedOrigin'

export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

export interface RequestHead {
  readonly method: string
  /** The path from the service's root (`/plants/1`, `/v1/apps`), percent-encoded as it was sent. */
  readonly path: string
  readonly headers: RequestHeaders
}

export interface ServiceRequest extends RequestHead {
  readonly search: string
  /**
   * The body's bytes; `null` when there is none, `'too-large'` when the adapter stopped reading at
   * the limit.
   */
  readonly body: Uint8Array | null | 'too-large'
  /**
   * The sender, for requests over a socket, which any page could send; absent within one process.
   */
  readonly sender?: SocketSender
  readonly signal?: AbortSignal
}

export function headerOf(
  { headers }: { readonly headers: RequestHeaders },
  name: string,
): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Returns the key of an `Authorization` header. */
export function toSecret(header: string | undefined): string | undefined {
  if (header === undefined || !/^bearer /i.test(header)) return undefined
  return header.slice('bearer '.length).trim() || undefined
}

/** Returns all values of a header, with a comma between two. */
export function headerText(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name]
  if (typeof value === 'object') return value.join(', ')
  return value
}

export function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

export function joinTarget(path: string, search: string): string {
  return search === '' ? path : `${path}?${search}`
}

export function splitTarget(target: string): [path: string, search: string] {
  const mark = target.indexOf('?')
  if (mark < 0) return [target, '']
  return [target.slice(0, mark), target.slice(mark + 1)]
}

const unreserved = /%(?:2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dAE])/gi

/**
 * Decodes unreserved characters: `/v1/%61pps` is the same path as `/v1/apps` (RFC 3986, 6.2.2.2).
 */
export function decodeUnreserved(path: string): string {
  // Each request passes here, and nearly none has an escape: the search costs a twentieth of it.
  if (!path.includes('%')) return path
  return path.replace(unreserved, (encoded) => String.fromCharCode(parseInt(encoded.slice(1), 16)))
}
