import { lookup as resolveHost, type LookupAddress, type LookupOptions } from 'node:dns'
import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import {
  allowedHosts,
  answerLimit,
  assertNoControlUrl,
  assertResolvable,
  blockedHost,
  type WebhookAnswer,
  type WebhookRequest,
  type WebhookTransport,
} from '../core/http/webhook-transport.ts'
import { isLoopbackAddress } from '../core/http/urls.ts'

export type ResolveHost = (
  host: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Creates the transport of a server: to loopback addresses of this machine, and to hosts allowed by
 * name. It checks addresses when it connects, so DNS rebinding does not work. It uses no proxy.
 *
 * A connection is used again, for at most a second, if its receiver promises to keep it open:
 * `Keep-Alive: timeout=5`. If it ends before any byte of the answer, the request is sent once more
 * on a new one: the receiver may just have closed it.
 */
export function createNodeTransport(
  allow: readonly string[] = [],
  resolve: ResolveHost = resolveHost,
): NodeTransport {
  return new NodeTransport(allow, resolve)
}

class NodeTransport implements WebhookTransport {
  readonly #isAllowed: (host: string) => boolean
  readonly #resolve: ResolveHost
  readonly #underWay = new Set<ClientRequest>()
  readonly #agents = {
    http: new HttpAgent({
      keepAlive: true,
      timeout: longestIdle,
    }),
    https: new HttpsAgent({
      keepAlive: true,
      timeout: longestIdle,
      maxCachedSessions: 0,
    }),
  }
  #isClosed = false

  constructor(allow: readonly string[], resolve: ResolveHost) {
    this.#isAllowed = allowedHosts(allow)
    this.#resolve = resolve
  }

  close(): void {
    this.#isClosed = true
    for (const request of this.#underWay) request.destroy(new Error(closing))
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }

  send(sent: WebhookRequest, signal: AbortSignal, isRepeated = false): Promise<WebhookAnswer> {
    return new Promise((answer, reject) => {
      if (this.#isClosed) throw new Error(closing)
      const request = this.#open(sent, isRepeated)
      this.#underWay.add(request)
      const abort = () => request.destroy(new Error('aborted'))
      // Cheaper than the option `signal`, which also adds stream listeners.
      signal.addEventListener('abort', abort)
      let bytesBefore = 0
      request.on('socket', (socket) => (bytesBefore = socket.bytesRead))
      let isAnswered = false
      request.on('response', (response) => {
        isAnswered = true
        if (!staysOpen(response)) request.shouldKeepAlive = false
        answer(readAnswer(response, signal))
      })
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (signal.aborted) return reject(signal.reason)
        const isStale = request.reusedSocket && request.socket?.bytesRead === bytesBefore
        if (isStale && lostConnection.has(error.code)) answer(this.send(sent, signal, true))
        else reject(firstErrorOf(error))
      })
      request.on('close', () => {
        this.#underWay.delete(request)
        signal.removeEventListener('abort', abort)
        if (!isAnswered) reject(new Error('The connection was closed before an answer.'))
      })
      request.end(sent.body)
    })
  }

  /** @throws Error for a host that no delivery may reach. */
  #open({ url, headers, body }: WebhookRequest, isRepeated: boolean): ClientRequest {
    const { protocol, hostname, port, pathname, search } = new URL(url)
    assertNoControlUrl(pathname)
    assertResolvable(hostname)
    const host = hostname.replace(/^\[|\]$/g, '')
    const isOpen = this.#isAllowed(hostname)
    if (!isOpen && isIP(host) && !isLoopbackAddress(host)) throw blockedHost(hostname)
    const { http, https } = this.#agents
    const [request, agent] = protocol === 'https:' ? [requestHttps, https] : [requestHttp, http]
    return request({
      method: 'POST',
      protocol,
      host,
      port,
      path: pathname + search,
      headers: {
        ...headers,
        'Content-Length': Buffer.byteLength(body),
      },
      agent: !isRepeated && agent,
      lookup: toLookup(this.#resolve, (address) => isOpen || isLoopbackAddress(address)),
    })
  }
}

const closing = 'The server was closed.'

const lostConnection = new Set<string | undefined>(['ECONNRESET', 'EPIPE'])

const longestIdle = 1_000

function staysOpen({ headers }: IncomingMessage): boolean {
  const [, seconds] = /^timeout=(\d+)/i.exec(String(headers['keep-alive'])) ?? []
  return seconds !== undefined && Number(seconds) * 1_000 > longestIdle
}

/** Resolves a name only if all its addresses are allowed. */
function toLookup(resolve: ResolveHost, isReachable: (address: string) => boolean): LookupFunction {
  return (host, options, callback) =>
    resolve(
      host,
      {
        ...options,
        all: true,
      },
      (error, addresses = []) => {
        const foreign = addresses.find(({ address }) => !isReachable(address))
        const [first] = addresses
        if (error) callback(error, '', 0)
        else if (foreign) callback(blockedHost(host, foreign.address), '', 0)
        else if (!first) callback(new Error(`The host name ${host} has no address.`), '', 0)
        else if (options.all) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
    )
}

function readAnswer(response: IncomingMessage, signal: AbortSignal): Promise<WebhookAnswer> {
  return new Promise((answer, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const finish = () =>
      answer({
        status: response.statusCode ?? 0,
        body: Buffer.concat(chunks).toString('utf8', 0, Math.min(length, answerLimit)),
      })
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length < answerLimit) return
      finish()
      response.destroy()
    })
    response.on('end', finish)
    response.on('error', (error) => {
      if (signal.aborted) finish()
      else reject(new Error(`The answer was cut off: ${error.message}`, { cause: error }))
    })
  })
}

function firstErrorOf(error: Error): Error {
  const errors = (error as AggregateError).errors as Error[] | undefined
  if (!errors?.length) return error
  return new Error(errors.map(({ message }) => message).join('; '), { cause: error })
}
