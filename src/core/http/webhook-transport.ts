import { isLoopbackHost } from './loopback.ts'
import { mayLeadToControl } from './control-target.ts'

/** What is sent to a webhook: always a POST. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What a receiver answered: its status, and the beginning of its body as text. */
export interface WebhookAnswer {
  readonly status: number
  readonly body: string
}

/** How deliveries leave. It follows no redirect, sends nothing but what it is given, and reads no more of an answer than it returns. */
export interface WebhookTransport {
  /** Sends one request. @throws Error that says why nothing was answered; also when `signal` is aborted. */
  send(request: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer>
}

/** A webhook's URL leads to where deliveries may not go. */
export class BlockedUrlError extends Error {
  override name = 'BlockedUrlError'
}

/** What carried deliveries has closed: nothing is sent any more, and nothing takes its place. */
export class TransportClosedError extends Error {
  override name = 'TransportClosedError'

  constructor(what: 'Not sent' | 'No answer') {
    super(`${what}: the server was closed.`)
  }
}

/** Sends nothing: it stands where a server has carried deliveries and closed. */
export const closedTransport: WebhookTransport = { send: () => Promise.reject(new TransportClosedError('Not sent')) }

/** How much of an answer is kept, in bytes. */
export const answerLimit = 1_024

/** The error of a host that is not this machine and was not allowed. */
export function blockedHost(host: string, address?: string): BlockedUrlError {
  const where = address === undefined ? host : `${host} (${address})`
  return new BlockedUrlError(
    `Blocked: ${where} is not this machine. Webhooks go to loopback addresses only; allow the host with --webhook-allow ${host}, or webhooks: { allow: ['${host}'] } in code.`,
  )
}

/** Every transport asks this before it sends; the control API refuses deliveries besides. @throws BlockedUrlError for the path of a control API. */
export function assertNoControlUrl(pathname: string): void {
  if (mayLeadToControl(pathname))
    throw new BlockedUrlError('Blocked: the control API of a Greenhouse does not accept webhooks.')
}

/** Every transport asks this too. @throws Error for a name below `.invalid`, which is reserved to have no address: an attempt fails in the same way wherever it is made. */
export function assertResolvable(hostname: string): void {
  if (/\.invalid\.?$/.test(hostname)) throw new Error(`getaddrinfo ENOTFOUND ${hostname}`)
}

/** Makes the question whether a host was allowed by name; the case and a final dot don't count. */
export function allowedHosts(allow: readonly string[]): (host: string) => boolean {
  const plain = (host: string) => host.toLowerCase().replace(/\.$/, '')
  const known = new Set(allow.map(plain))
  return (host) => known.has(plain(host)) || known.has(plain(host).replace(/^\[|\]$/g, ''))
}

/**
 * Makes what sends through the global `fetch`, where nothing better is at hand: in pages, and where MSW answers, whose
 * handlers then see the deliveries.
 * @param isOpen whether any host may be reached, since something in between catches requests.
 */
export function createFetchTransport(allow: readonly string[], isOpen: () => boolean): WebhookTransport {
  const isAllowed = allowedHosts(allow)
  return {
    async send({ url, headers, body }, signal) {
      const { hostname, pathname } = new URL(url)
      assertNoControlUrl(pathname)
      assertResolvable(hostname)
      if (!isOpen() && !isAllowed(hostname) && !isLoopbackHost(hostname)) throw blockedHost(hostname)
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
        throw signal.aborted ? signal.reason : new Error(reasonOf(error), { cause: error })
      })
      if (response.type === 'opaqueredirect')
        throw new Error('The receiver answered with a redirect, which is not followed.')
      return { status: response.status, body: await readBeginning(response, signal) }
    },
  }
}

/** `fetch` says no more than "fetch failed"; why it did is in the cause. */
function reasonOf(error: Error): string {
  const cause = error.cause as { message?: string; code?: string } | undefined
  return cause?.message || cause?.code || error.message
}

/** As much as comes until the limit, or until `signal` is aborted: the status has arrived, and that is an answer. */
async function readBeginning(response: Response, signal: AbortSignal): Promise<string> {
  if (!response.body) return ''
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let left = answerLimit
  while (left > 0) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      if (signal.aborted) return { done: true, value: undefined } as const
      throw error
    })
    if (done) return text + decoder.decode()
    text += decoder.decode(value.subarray(0, left), { stream: true })
    left -= value.length
  }
  reader.cancel().catch(() => undefined)
  return text
}
