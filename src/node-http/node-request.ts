import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ServiceRequest, type SocketSender, splitTarget } from '../core/http/request.ts'
import { whenGone } from './watch-connection.ts'

export type ParsedHeaders = IncomingMessage['headers']

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
  constructor(request: IncomingMessage, response: ServerResponse, target: string) {
    const own = target.startsWith('/')
      ? target
      : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/'
    const [path, search] = splitTarget(own)
    this.method = request.method!
    this.path = path
    this.search = search
    this.headers = request.headers
    this.#response = response
  }

  get response(): ServerResponse {
    return this.#response
  }

  get message(): IncomingMessage {
    return this.#response.req
  }

  get signal(): AbortSignal {
    return (this.#signal ??= abortedWhenClosed(this.#response))
  }
}

/** A shared reason: otherwise each abort creates an error with a stack. */
const gone = 'The client no longer waits.'

function abortedWhenClosed(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(gone)
  if (response.destroyed) abort()
  else whenGone(response, abort)
  return controller.signal
}
