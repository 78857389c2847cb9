import { withoutTrailingSlashes } from './request.ts'

const ipv4 = /^(::ffff:)?127(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/

/**
 * Returns whether an IP address, as in a URL's host or from a resolver, is this machine:
 * 127.0.0.0/8 (also mapped to IPv6) or ::1.
 */
export function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  return plain === '::1' || ipv4.test(plain) || /^::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}$/.test(plain)
}

export function isLoopbackHost(host: string): boolean {
  return host.toLowerCase() === 'localhost' || isLoopbackAddress(host)
}

export function isLoopbackOrigin(origin: string): boolean {
  const [scheme, rest = ''] = origin.toLowerCase().split('://', 2)
  if (scheme !== 'http' && scheme !== 'https') return false
  const [, host = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/.exec(rest) ?? []
  return isLoopbackHost(host)
}

/**
 * Returns whether a text is a host as `URL` writes it, without a port. Another spelling
 * (`2130706433`, `ex%61mple`) would never match a URL.
 */
export function isWrittenHost(text: string): boolean {
  const plain = text.toLowerCase()
  const written = plain.includes(':') && !plain.startsWith('[') ? `[${plain}]` : plain
  if (!/^[^/?#@\\*\s]+$/.test(plain) || !URL.canParse(`http://${written}/`)) return false
  const { hostname, port } = new URL(`http://${written}/`)
  return hostname === written && port === ''
}

export function isHostName(text: string): boolean {
  const labels = text.replace(/^\./, '').split('.')
  return labels.every((label) => label.length <= 63 && /^[\w-]+$/.test(label))
}

/**
 * Returns whether a text is an origin exactly as browsers send it: `http://localhost:5173`. No
 * path, no default port, no upper case.
 */
export function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\\*\s]+$/.test(text) || !URL.canParse(text)) return false
  // For schemes outside the web, such as an app's, URL has no origin.
  const { host, protocol } = new URL(text)
  return `${protocol}//${host}` === text
}

export function isControlTarget(target: string): boolean {
  // Fast path: the second character decides for nearly every request.
  if (target[0] === '/' && target[1] !== '_') return false
  return /^([A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*)?\/__greenhouse([/?#]|$)/.test(target)
}

/**
 * Below any prefix, in any case, percent-encoded any number of times, because a proxy may decode
 * it.
 */
export function mayLeadToControl(pathname: string): boolean {
  let path = pathname
  for (let decoded = decodeOnce(path); decoded !== path; decoded = decodeOnce(path)) path = decoded
  return /[/\\]__greenhouse(?![\w.-])/i.test(path)
}

function decodeOnce(path: string): string {
  return path.replace(/%([0-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

export interface ClientBases {
  readonly plants: string
  /** The version included: `http://127.0.0.1:4010/v1`. */
  readonly apps: string
}

export function toServerBases(server: string, world = 'default'): ClientBases {
  const plants = world === 'default' ? server : `${server}/~${world}`
  return {
    plants,
    apps: `${plants}/v1`,
  }
}

export function toClientUrl(bases: ClientBases): (path: string) => string {
  const plants = splitBase(bases.plants)
  const apps = splitBase(bases.apps)
  return (path) => {
    const [, world = '', rest = path] = /^(\/~[^/]+)?(\/.*)$/.exec(path) ?? []
    const [{ origin, folder }, below] = /^\/v1(?![^/?])/.test(rest)
      ? [apps, rest.slice(3)]
      : [plants, rest]
    return `${origin}${world}${folder}${below}`
  }
}

function splitBase(base: string) {
  const { origin } = new URL(base)
  return {
    origin,
    folder: withoutTrailingSlashes(base).slice(origin.length),
  }
}

export const worldName = /^[A-Za-z0-9._-]{1,64}$/

export const worldNameRule = '1 to 64 of the characters A-Z a-z 0-9 . _ -'

/**
 * Returns the base URL of a service without a slash at its end; nothing for one with more than a
 * path.
 */
export function readTarget(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { origin, pathname, search, hash, username, password } = new URL(text)
  if (search !== '' || hash !== '' || username !== '' || password !== '' || text.endsWith('?'))
    return undefined
  return origin + pathname.replace(/\/$/, '')
}
