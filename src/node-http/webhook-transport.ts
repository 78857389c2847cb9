import { lookup as resolveHost, type LookupAddress, type LookupOptions } from 'node:dns'
import { Agent as HttpAgent, request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import {
  allowedHosts,
  answerLimit,
  assertNoControlUrl,
  assertResolvable,
  blockedHost,
  type WebhookAnswer,
  type WebhookTransport,
} from '../core/http/webhook-transport.ts'
import { isLoopbackAddress } from '../core/http/loopback.ts'

/** Finds the addresses of a name, as `dns.lookup` does. */
export type ResolveHost = (
  host: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Creates the transport of a server: to loopback addresses of this machine, and to hosts allowed by name. It checks
 * addresses when it connects, so DNS rebinding does not work. Each request has its own connection, and no proxy.
 */
export function createNodeTransport(
  allow: readonly string[] = [],
  resolve: ResolveHost = resolveHost,
): WebhookTransport & { close(): void } {
  const isAllowed = allowedHosts(allow)
  const underWay = new Set<ClientRequest>()
  // No keep-alive. A new agent for each request would cost more than the request.
  const agents = {
    http: new HttpAgent({ keepAlive: false }),
    https: new HttpsAgent({ keepAlive: false, maxCachedSessions: 0 }),
  }
  let isClosed = false
  return {
    send: ({ url, headers, body }, signal) =>
      new Promise<WebhookAnswer>((answer, refuse) => {
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
          agent: protocol === 'https:' ? agents.https : agents.http,
          lookup: toLookup(resolve, (address) => isOpen || isLoopbackAddress(address)),
        })
        underWay.add(request)
        const abort = () => request.destroy(new Error('aborted'))
        // Cheaper than the option `signal`, which also adds stream listeners.
        signal.addEventListener('abort', abort)
        let isAnswered = false
        request.on('response', (response) => {
          isAnswered = true
          answer(readAnswer(response, signal))
        })
        request.on('error', (error) => refuse(signal.aborted ? signal.reason : toReason(error)))
        request.on('close', () => {
          underWay.delete(request)
          signal.removeEventListener('abort', abort)
          if (!isAnswered) refuse(new Error('The connection was closed before an answer.'))
        })
        request.end(body)
      }),
    close() {
      isClosed = true
      for (const request of underWay) request.destroy(new Error(closing))
    },
  }
}

const closing = 'The server was closed.'

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

/** Reads the body up to the limit, or until `signal` aborts: the status has arrived, and that is an answer. */
function readAnswer(response: IncomingMessage, signal: AbortSignal): Promise<WebhookAnswer> {
  return new Promise((answer, refuse) => {
    const chunks: Buffer[] = []
    let length = 0
    const finish = () =>
      answer({
        status: response.statusCode!,
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
      else refuse(new Error(`The answer was cut off: ${error.message}`, { cause: error }))
    })
  })
}

/** For a host with several addresses, joins the errors of all. */
function toReason(error: Error): Error {
  const errors = (error as AggregateError).errors as Error[] | undefined
  return errors?.length ? new Error(errors.map(({ message }) => message).join('; '), { cause: error }) : error
}
