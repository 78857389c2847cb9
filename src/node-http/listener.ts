import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Greenhouse } from '../api/greenhouse.ts'
import { printFailure, toControlError } from '../core/contract/errors.ts'
import { monotonicNow } from '../core/time/clock.ts'
import { collectBody, hasBody, readBody } from './body.ts'
import { NodeRequest } from './node-request.ts'
import { ReplyBatch } from './send.ts'

export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void

export interface Arrived {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: string
  readonly body: Uint8Array | 'too-large' | null
  /** Adds what lets a page read a reply with the given headers. */
  readonly addCors: (headers: Record<string, string>) => void
}

/**
 * Gets a request and its body before Greenhouse does. Resolves to `true` if it answered, to `false`
 * if it leaves the request to Greenhouse, and to a message if it failed and answered that. Must not
 * reject.
 */
export type BeforeHandler = (arrived: Arrived) => Promise<boolean | string>

export type HostCheck = (header: string | undefined) => boolean

interface AnswerOptions {
  /** May answer any request instead of Greenhouse, which answers what it leaves. */
  readonly answerFirst?: BeforeHandler
  /** May answer a request for `/` instead of Greenhouse. Returns whether it did. */
  readonly answerRoot?: (request: IncomingMessage, response: ServerResponse) => boolean
  /** True if a Host names the server; without it, the host application checks. */
  readonly isOwnHost?: HostCheck
}

/**
 * Creates the function that answers requests of one host. A request whose client disconnects in
 * mid-body is never answered.
 */
export function createAnswer(
  greenhouse: Greenhouse,
  options: AnswerOptions = {},
): (request: IncomingMessage, response: ServerResponse, target?: string) => void {
  const answerer = new Answerer(greenhouse, options)
  return (message, response, target) => answerer.receive(message, response, target)
}

/**
 * Answers requests, each in four steps: its head is admitted, its body is read, `answerFirst` may
 * answer it, and Greenhouse answers what is left. Without `answerFirst`, no step needs a promise.
 */
class Answerer {
  readonly #greenhouse: Greenhouse
  readonly #options: AnswerOptions
  readonly #batch = new ReplyBatch()

  constructor(greenhouse: Greenhouse, options: AnswerOptions) {
    this.#greenhouse = greenhouse
    this.#options = options
  }

  receive(message: IncomingMessage, response: ServerResponse, target = message.url ?? '/'): void {
    const { answerFirst, isOwnHost } = this.#options
    try {
      const request = new NodeRequest(message, response, target)
      // A page of another site is refused before its body is read; Node drops the body.
      const admitted = this.#greenhouse.admit(request, isOwnHost?.(request.headers.host))
      // A reply refuses the request. Otherwise it says who sent it.
      if (typeof admitted === 'object') return this.#batch.send(response, admitted)
      request.sender = admitted
      if (answerFirst) void this.#answerAfter(answerFirst, request, target)
      else if (hasBody(request)) this.#answerWithBody(request)
      else this.#answer(request)
    } catch (error) {
      fail(response, error)
    }
  }

  #answerWithBody(request: NodeRequest) {
    const { message, response } = request
    const { bodyLimit, options } = this.#greenhouse
    collectBody(message, bodyLimit, options.proxy !== undefined, (body) => {
      request.body = body
      // Node drops the rest of a body only if nobody has begun to read it.
      if (body === 'too-large')
        response.once('finish', () => {
          if (message.listenerCount('data') === 0) message.resume()
        })
      this.#answer(request)
    })
  }

  /** Lets `answerFirst` see the whole request, and answers it if that does not. Never rejects. */
  async #answerAfter(answerFirst: BeforeHandler, request: NodeRequest, target: string) {
    const { bodyLimit, service, requests } = this.#greenhouse
    const { message, response } = request
    try {
      if (hasBody(request)) request.body = await readBody(message, bodyLimit)
      // The wait for a slow client is not part of the time that the log shows.
      const startedAt = monotonicNow()
      const outcome = await answerFirst({
        request: message,
        response,
        target,
        body: request.body,
        addCors: (headers) => service.cors.addHeaders(request, headers),
      })
      // Greenhouse logs what it answers itself.
      if (outcome === false) return this.#answer(request)
      const failure = typeof outcome === 'string' ? outcome : undefined
      requests.log({
        event: 'handled',
        request,
        status: response.headersSent ? response.statusCode : 0,
        aborted: !response.writableEnded,
        reason: failure,
        ms: monotonicNow() - startedAt,
      })
    } catch (error) {
      fail(response, error)
    }
  }

  /**
   * Answers in the turn in which the request is complete, without a promise, unless a scenario
   * delays the reply.
   */
  #answer(request: NodeRequest) {
    const { answerRoot } = this.#options
    const { message, response } = request
    // Its client is gone already: what it asked for is not done.
    if (message.socket.destroyed) return
    try {
      if (request.path === '/' && answerRoot?.(message, response)) return
      const reply = this.#greenhouse.handle(request)
      if (!(reply instanceof Promise)) return this.#batch.send(response, reply)
      void reply
        .then((late) => this.#batch.send(response, late))
        .catch((error: unknown) => fail(response, error))
    } catch (error) {
      fail(response, error)
    }
  }
}

function fail(response: ServerResponse, error: unknown) {
  printFailure('Greenhouse failed to answer a request:', error)
  if (response.headersSent || response.destroyed) return void response.destroy()
  const text = JSON.stringify(
    toControlError('internal_error', 'Something went wrong in Greenhouse.'),
  )
  response
    .writeHead(500, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    })
    .end(text)
}
