import type { IncomingMessage, ServerResponse } from 'node:http'
import type { LoggedRequest } from '../core/journal/log-events.ts'
import { splitTarget, type SocketSender, type ServiceRequest } from '../core/http/request.ts'
import type { ParsedHeaders } from './shared-headers.ts'
import { whenClosed } from './when-closed.ts'

export class NodeRequest implements ServiceRequest {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly headers: ParsedHeaders
  body: ServiceRequest['body'] = null
  sender: SocketSender | undefined = undefined
  readonly #response: ServerResponse
  #signal: AbortSignal | undefined

  /** @param target from the service's root, or a whole URL as proxies get it. */
  constructor(request: IncomingMessage, response: ServerResponse, target: string, headers: ParsedHeaders) {
    const [path, search] = splitTarget(target.startsWith('/') ? target : toOriginForm(target))
    this.method = request.method!
    this.path = path
    this.search = search
    this.headers = headers
    this.#response = response
  }

  get signal(): AbortSignal {
    return (this.#signal ??= abortedWhenClosed(this.#response))
  }
}

/** Returns what a log message has of a request that is refused. */
export function toLoggedRequest({ method, url, headers }: IncomingMessage): LoggedRequest {
  const [path, search] = splitTarget(url!)
  return { method: method!, path, search, headers }
}

/** A shared reason: otherwise each abort creates an error with a stack. */
const gone = 'The client no longer waits.'

/**
 * Returns a signal that aborts when the client is gone. Watches the socket too: with pipelining, a response gets its
 * `close` event only in its turn.
 */
function abortedWhenClosed(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  if (response.destroyed) controller.abort(gone)
  else {
    const forget = whenClosed(response.req.socket, () => controller.abort(gone))
    response.once('close', () => {
      forget()
      controller.abort(gone)
    })
  }
  return controller.signal
}

function toOriginForm(target: string): string {
  return target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/'
}
