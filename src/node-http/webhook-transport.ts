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
): WebhookTransport & { close(): void } {
  const isAllowed = allowedHosts(allow)
  const underWay = new Set<ClientRequest>()
  const agents = {
    http: new HttpAgent({ keepAlive: true, timeout: longestIdle }),
    https: new HttpsAgent({
      keepAlive: true,
      timeout: longestIdle,
      maxCachedSessions: 0,
    }),
  }
  let isClosed = false
  const send = ({ url, headers, body }: WebhookRequest, signal: AbortSignal, isRepeated = false) =>
    new Promise<WebhookAnswer>((answer, reject) => {
      if (isClosed) throw new Error(closing)
      const { protocol, hostname, port, pathname, search } = new URL(url)
      assertNoControlUrl(pathname)
      assertResolvable(hostname)
      const host = hostname.replace(/^\[|\]$/g, '')
      const isOpen = isAllowed(hostname)
      if (!isOpen && isIP(host) && !isLoopbackAddress(host)) throw blockedHost(hostname)
      const request = (protocol === 'https:' ? requestHttps : requestHttp)({
        method: 'POST',
        protocol,
        host,
        port,
        path: pathname + search,
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        agent: !isRepeated && (protocol === 'https:' ? agents.https : agents.http),
        lookup: toLookup(resolve, (address) => isOpen || isLoopbackAddress(address)),
      })
      underWay.add(request)
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
        if (isStale && lostConnection.has(error.code))
          answer(send({ url, headers, body }, signal, true))
        else reject(toReason(error))
      })
      request.on('close', () => {
        underWay.delete(request)
        signal.removeEventListener('abort', abort)
        if (!isAnswered) reject(new Error('The connection was closed before an answer.'))
      })
      request.end(body)
    })
  return {
    send,
    close() {
      isClosed = true
      for (const request of underWay) request.destroy(new Error(closing))
      for (const agent of Object.values(agents)) agent.destroy()
    },
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
    resolve(host, { ...options, all: true }, (error, addresses = []) => {
      const foreign = addresses.find(({ address }) => !isReachable(address))
      const [first] = addresses
      const failure = error ?? (foreign ? blockedHost(host, foreign.address) : null)
      if (failure) callback(failure, '', 0)
      else if (!first) callback(new Error(`The host name ${host} has no address.`), '', 0)
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
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

function toReason(error: Error): Error {
  const errors = (error as AggregateError).errors as Error[] | undefined
  return errors?.length
    ? new Error(errors.map(({ message }) => message).join('; '), { cause: error })
    : error
}
