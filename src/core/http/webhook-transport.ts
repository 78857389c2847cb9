import { isLoopbackHost, mayLeadToControl } from './urls.ts'
import type { Texts } from '../text/values.ts'

export interface WebhookRequest {
  readonly delivery?: string
  readonly url: string
  readonly headers: Texts
  readonly body: string
}

export interface WebhookAnswer {
  readonly status: number
  readonly body: string
  /** How long it took, in milliseconds, if it is repeated from a record. */
  readonly latency?: number
}

/**
 * Sends deliveries. It follows no redirects, adds no headers, and reads no more of an answer than
 * it returns.
 */
export interface WebhookTransport {
  send(request: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer>
}

class BlockedUrlError extends Error {
  override name = 'BlockedUrlError'
}

export class TransportClosedError extends Error {
  override name = 'TransportClosedError'

  constructor(what: 'Not sent' | 'No answer') {
    super(`${what}: the server was closed.`)
  }
}

export const closedTransport: WebhookTransport = {
  send: () => Promise.reject(new TransportClosedError('Not sent')),
}

export const answerLimit = 1_024

export function blockedHost(host: string, address?: string): BlockedUrlError {
  const where = address === undefined ? host : `${host} (${address})`
  return new BlockedUrlError(
    `Blocked: ${where} is not this machine. Webhooks go to loopback addresses only; allow the host with --webhook-allow ${host}, or webhooks: { allow: ['${host}'] } in code.`,
  )
}

/** Every transport calls this before it sends, and the control API rejects deliveries too. */
export function assertNoControlUrl(pathname: string): void {
  if (mayLeadToControl(pathname))
    throw new BlockedUrlError('Blocked: the control API of a Greenhouse does not accept webhooks.')
}

/**
 * Such a name never has an address. Every transport calls this, so that attempts fail alike
 * everywhere.
 */
export function assertResolvable(hostname: string): void {
  if (/\.invalid\.?$/.test(hostname)) throw new Error(`getaddrinfo ENOTFOUND ${hostname}`)
}

export function allowedHosts(allow: readonly string[]): (host: string) => boolean {
  const plain = (host: string) => host.toLowerCase().replace(/\.$/, '')
  const known = new Set(allow.map(plain))
  return (host) => known.has(plain(host)) || known.has(plain(host).replace(/^\[|\]$/g, ''))
}

/**
 * For pages, and for MSW. @param isOpen whether any host may be called, because MSW catches
 * requests.
 */
export function createFetchTransport(
  allow: readonly string[],
  isOpen: () => boolean,
): WebhookTransport {
  const isAllowed = allowedHosts(allow)
  return {
    async send({ url, headers, body }, signal) {
      const { hostname, pathname } = new URL(url)
      assertNoControlUrl(pathname)
      assertResolvable(hostname)
      if (!isOpen() && !isAllowed(hostname) && !isLoopbackHost(hostname))
        throw blockedHost(hostname)
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body,
        signal,
        redirect: 'manual',
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
      }).catch((error: Error) => {
        throw signal.aborted ? signal.reason : new Error(failureReasonOf(error), { cause: error })
      })
      if (response.type === 'opaqueredirect')
        throw new Error('The receiver answered with a redirect, which is not followed.')
      return {
        status: response.status,
        body: await readBeginning(response, signal),
      }
    },
  }
}

/** Returns the message of the cause: `fetch` itself says only "fetch failed". */
function failureReasonOf(error: Error): string {
  const cause = error.cause as
    | {
        message?: string
        code?: string
      }
    | undefined
  return cause?.message || cause?.code || error.message
}

/**
 * Reads the body up to the limit, or until `signal` aborts: the status has arrived, and that is an
 * answer.
 */
async function readBeginning(response: Response, signal: AbortSignal): Promise<string> {
  if (!response.body) return ''
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let left = answerLimit
  while (left > 0) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      if (signal.aborted)
        return {
          done: true,
          value: undefined,
        } as const
      throw error
    })
    if (done) return text + decoder.decode()
    text += decoder.decode(value.subarray(0, left), { stream: true })
    left -= value.length
  }
  reader.cancel().catch(() => undefined)
  return text
}
