import { codedError } from '../core/text/error-codes.ts'
import { Agent, request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { Agent as SecureAgent, request as requestHttps } from 'node:https'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { connect, type ConnectionOptions } from 'node:tls'
import { getProxyForUrl } from 'proxy-from-env'
import type { ServiceRequest } from '../core/http/request.ts'
import { isLoopbackHost } from '../core/http/urls.ts'
import type { Base, ProxyOptions } from './message.ts'

/** A request of a Node server. */
export interface ForwardedRequest extends ServiceRequest {
  readonly message: IncomingMessage
  readonly response: ServerResponse
}

/** How long a reply that has begun may pause, in milliseconds. */
export const longestPause = 300_000

const limits = {
  keepAlive: true,
  maxSockets: 256,
  maxFreeSockets: 64,
  timeout: longestPause,
}

export const toHost = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')
export const toPort = ({ port, protocol }: URL) =>
  Number(port || (protocol === 'https:' ? 443 : 80))

/** The parts that all routes of a server share. */
interface Forwarder {
  readonly bases: readonly Base[]
  readonly options: ProxyOptions
  /** The largest body to keep, in bytes. */
  readonly bodyLimit: number
  /** The name in Via by which a request is recognized that comes back to this server. */
  readonly pseudonym: string
  readonly ended: AbortSignal
}

export type ServiceRoute = ReturnType<typeof toRoute>

export function toRoute(base: Base, { bases, options, bodyLimit, pseudonym, ended }: Forwarder) {
  const { ca, insecure, timeout = 30_000 } = options
  const { url } = base
  const name = toHost(url)
  const isSecure = url.protocol === 'https:'
  const through = proxyFor(url, name)
  const to = through && !isSecure ? through : url
  let agent = new Agent(limits)
  if (isSecure) {
    const secure = new SecureAgent({
      ...limits,
      ca: ca === undefined ? undefined : readCertificates(ca),
      rejectUnauthorized: !insecure,
      servername: isIP(name) ? '' : name,
    })
    agent = through ? withTunnels(secure, through, timeout, ended) : secure
  }
  return {
    ...base,
    bases,
    request: isSecure ? requestHttps : requestHttp,
    options: {
      host: toHost(to),
      port: toPort(to),
      servername: '',
      agent,
    },
    /**
     * What begins the target of each request to a proxy of the environment, and what that proxy
     * wants to know.
     */
    prefix: to === url ? '' : url.origin,
    proxyHeaders: to === url ? [] : credentialsOf(to),
    /** The header Host that the service gets. */
    host: url.host,
    pseudonym,
    timeout,
    /** The largest reply to wait for as a whole if no scenario reads it, in bytes. */
    maxWhole: Math.min(65_536, bodyLimit),
  }
}

/** Returns the proxy that the environment names for a service; never for this machine. */
function proxyFor(url: URL, host: string): URL | undefined {
  const proxy = isLoopbackHost(host) ? '' : getProxyForUrl(url.href)
  if (proxy === '') return undefined
  // `https:` is what a proxy without a scheme gets here; both are spoken to without TLS.
  if (URL.canParse(proxy) && /^https?:/i.test(proxy)) return new URL(proxy)
  throw codedError(
    'GREENHOUSE_FAILED_FORWARDING',
    `Failed to forward to ${url.origin}: the proxy of the environment is no http: URL.`,
  )
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
  if (username === '') return []
  return ['Proxy-Authorization', `Basic ${Buffer.from(text).toString('base64')}`]
}

/**
 * Opens TLS connections through a proxy of the environment. Node has such an agent from 22.21 on.
 */
function withTunnels(agent: SecureAgent, proxy: URL, timeout: number, signal: AbortSignal): Agent {
  const { hostname: host, port } = proxy
  agent.createConnection = (options, done = () => {}) => {
    const name = options.host ?? ''
    const path = `${name.includes(':') ? `[${name}]` : name}:${options.port}`
    const headers = ['Host', path, ...credentialsOf(proxy)]
    const how = {
      method: 'CONNECT',
      agent: false,
      timeout,
      signal,
    } as const
    const asked = requestHttp({
      host,
      port: port || 80,
      path,
      headers,
      ...how,
    })
    asked
      .on('timeout', () => asked.destroy(new Error(`the proxy ${host} did not answer to CONNECT`)))
      .on('connect', ({ statusCode }, socket) => {
        if (statusCode === 200)
          return done(null, connect({ ...(options as ConnectionOptions), socket }))
        socket.destroy()
        return done(new Error(`the proxy ${host} answered ${statusCode} to CONNECT`), socket)
      })
      .on('error', (error) => done(error, undefined as never))
      .end()
    return undefined
  }
  return agent
}
