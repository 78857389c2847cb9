import type { AreaName } from '../areas/event-types.ts'
import { ApiError, type ErrorCode, type Explanation } from '../core/contract/errors.ts'
import { parseJson } from '../core/http/json.ts'
import { inEvents, isEventStream, noReply, type Reply, replyHeader, toText } from '../core/http/reply.ts'
import type { ServiceRequest } from '../core/http/request.ts'
import { bodyCap } from '../core/journal/journal-record.ts'
import { copied } from '../core/text/values.ts'
import { monotonicNow } from '../core/time/clock.ts'
import {
  applyReplyEffects,
  finishExchange,
  type Front,
  leave,
  rejectViolations,
  respond,
  type Service,
  toErrorReply,
  traceHeader,
} from '../core/pipeline/dispatch.ts'
import { addQuotaHeaders, rejectByScenario } from '../core/pipeline/authenticate.ts'
import { type Exchange, toTrace } from '../core/pipeline/exchange.ts'
import { matchPath, type Router } from '../core/pipeline/router.ts'
import { readHeaders } from './raw-headers.ts'
import { findReplyViolations } from './reply-violations.ts'

/** A reply of the real service. A body that is not complete yet comes in pieces; all as they are on the wire. */
export interface Forwarded {
  readonly status: number
  readonly phrase: string
  /** Names and values in turn, without those of the connection. */
  readonly raw: readonly string[]
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | null
}

/** Why the real service did not answer, as the end of a sentence. */
export class TargetFailure extends Error {
  readonly status: 502 | 504 | 508
  readonly isUnreachable: boolean

  constructor(status: 502 | 504 | 508, reason: string, isUnreachable = false) {
    super(reason)
    this.status = status
    this.isUnreachable = isUnreachable
  }
}

export interface Target {
  /** The origin of the service that has an area. */
  readonly origins: Readonly<Record<string, string>>
  /** Which operations are forwarded; the mock answers the others. Requests without an operation are `undefined`. */
  readonly isForwarded: (operation: string | undefined) => boolean
  /** Whether the mock answers what the service does not have. */
  readonly fallsBack: boolean
  /** How much of a body is judged, recorded and changed, in bytes. */
  readonly limit: number
  /** @throws TargetFailure */
  send(request: ServiceRequest, area: AreaName): Promise<Forwarded>
  /** Takes the codings of Content-Encoding off a body. @throws Error for a body that has not that form, or is too large */
  decode(body: Uint8Array, encoding: string): Promise<Uint8Array>
  learn?(exchange: Exchange, reply: LearnedReply): void
}

export interface LearnedReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly violations: readonly string[]
}

/** Answers requests from a real service. Scenarios speak first, and change what comes back, as they do with the mock's own replies. */
export function createFront(target: Target): Front {
  return (service, exchange, router, startedAt) => {
    const { method } = exchange.request
    const { operation } = matchPath(router, method, exchange.path, exchange)
    if (target.origins[exchange.area.name] === undefined || !target.isForwarded(operation?.id)) return undefined
    service.onRequest?.(exchange)
    exchange.arrive(operation, service.runner)
    return new ForwardedExchange(target, service, exchange, router).answer(startedAt)
  }
}

class ForwardedExchange {
  readonly #target: Target
  readonly #service: Service
  readonly #exchange: Exchange
  readonly #router: Router
  readonly #origin: string
  /** The reply to record, if it is not the one that is sent: readable if that is compressed. */
  #shown: Reply | undefined
  #passed: PassedBody | undefined

  constructor(target: Target, service: Service, exchange: Exchange, router: Router) {
    this.#target = target
    this.#service = service
    this.#exchange = exchange
    this.#router = router
    this.#origin = target.origins[exchange.area.name]!
  }

  async answer(startedAt: number): Promise<Reply> {
    const { world, request, delay } = this.#exchange
    const finished = await (this.#speakFirst() ?? this.#forward())
    const shown = this.#shown && { ...this.#shown, status: finished.status, headers: finished.headers }
    const record = world.journal.write(this.#exchange, shown ?? finished, startedAt)
    if (this.#passed) this.#passed.record = record
    if (delay > 0) await world.clock.wait(delay, request.signal)
    return leave(finished, record)
  }

  /** Answers if a scenario does, or if the request breaks the contract and the service is strict. */
  #speakFirst(): Reply | undefined {
    try {
      const scripted = respond(this.#exchange)
      if (scripted) return this.#finish(() => scripted)
      rejectByScenario(this.#exchange)
      if (this.#service.strict) rejectViolations(this.#exchange, this.#service.strict)
      return undefined
    } catch (error) {
      return this.#fail(error)
    }
  }

  #finish(answerIt?: () => Reply): Reply {
    const { clock } = this.#exchange.world
    clock.hold(clock.now())
    try {
      return finishExchange(this.#service, this.#exchange, this.#router, answerIt)
    } finally {
      clock.release()
    }
  }

  #fail(error: unknown): Reply {
    return this.#finish(() => {
      throw error
    })
  }

  async #forward(): Promise<Reply> {
    const { request, area } = this.#exchange
    try {
      const came = await this.#target.send(request, area.name as AreaName)
      const missing = this.#target.fallsBack ? await this.#findMissing(came) : came
      return typeof missing === 'string' ? this.#mock(missing) : await this.#pass(missing)
    } catch (error) {
      if (!(error instanceof TargetFailure)) return this.#fail(error)
      if (request.signal?.aborted) return noReply('network-error')
      if (this.#target.fallsBack && error.isUnreachable) return this.#mock(`${this.#origin} ${error.message}`)
      return this.#finish(() => this.#toFailure(error))
    }
  }

  #toFailure({ status, message }: TargetFailure): Reply {
    const code = { 502: 'bad_gateway', 504: 'gateway_timeout', 508: 'loop_detected' }[status] as ErrorCode
    const error = new ApiError(code, `The service ${this.#origin} ${message}.`, status)
    return { ...toErrorReply(this.#exchange, error), bypassesService: true }
  }

  /** The scenarios have counted the request already. */
  #mock(why: string): Reply {
    const exchange = this.#exchange
    exchange.arrive = () => undefined
    const reply = this.#finish()
    exchange.explanation = join(`answered by the mock: ${why}`, exchange.explanation)
    return reply
  }

  /** Returns why the mock answers: the service does not have the path or the method. Otherwise the reply, of which the body may be read. */
  async #findMissing(came: Forwarded): Promise<Forwarded | string> {
    const { operation, area } = this.#exchange
    const { status } = came
    if (!operation || ![404, 405, 501].includes(status)) return came
    const whole = await this.#read(came)
    // A 404 in the area's own shape, of a path with ids, is about the record.
    const isOfRecord =
      operation.path.includes('{') && findReplyViolations(area, operation, this.#toFound(whole)).length === 0
    return status === 404 && isOfRecord ? whole : `${this.#origin} does not have ${operation.id} (${status})`
  }

  #toFound({ status, raw, body }: Forwarded) {
    const { assumptions } = this.#exchange.effectiveSettings
    const { headers } = readHeaders(raw)
    return { status, headers, text: body instanceof Uint8Array ? toText(body) : '', assumptions }
  }

  async #pass(forwarded: Forwarded): Promise<Reply> {
    const exchange = this.#exchange
    const { effects } = exchange
    const malforms = effects.for('malform').length > 0
    const isRead = malforms || effects.for('transformReply').some(({ kind }) => !passesPieces.has(kind ?? ''))
    const came = isRead ? await this.#read(forwarded) : forwarded
    const isTooLarge = exchange.request.body === 'too-large' ? `; ${tooLarge('request', this.#target.limit)}` : ''
    exchange.explanation = `answered by ${this.#origin}${isTooLarge}`
    const { status, phrase, raw, body } = came
    const { headers, toRaw } = readHeaders(raw)
    const wire: Reply = { status, headers, body: null, received: { phrase, toRaw } }
    if (body === null) {
      if (exchange.request.method !== 'HEAD' && status !== 304) this.#judge({ ...wire, body: new Uint8Array() })
      return this.#change(wire)
    }
    if (!(body instanceof Uint8Array)) {
      if (isRead) exchange.explanation += `; ${tooLarge('reply', this.#target.limit)}`
      const passed = (this.#passed = new PassedBody(this.#target, exchange, this.#origin, wire, body))
      const inPieces = {
        ...wire,
        body: new Uint8Array(),
        wire: { pieces: (_: Uint8Array, signal?: AbortSignal) => passed.pieces(signal) },
      }
      return this.#change(inPieces)
    }
    const whole = { ...wire, body, length: body.length }
    const readable = isCoded(headers) ? await toReadable(this.#target, whole) : whole
    this.#judge(readable)
    if (isRead) return this.#changeText(readable, whole)
    if (readable !== whole) this.#shown = readable
    return this.#change(whole)
  }

  /** Lets scenarios read and change a body. Its bytes stay as they came if they do not. */
  #changeText(readable: Reply, whole: Reply): Reply {
    const { clock } = this.#exchange.world
    const body = isTextual(readable) ? toText(readable.body as Uint8Array) : readable.body!
    const { 'Content-Length': _, ...headers } = readable.headers
    const events = isEventStream({ ...readable, wire: inEvents(clock) }) ? inEvents(clock) : undefined
    const plain: Reply = { ...readable, headers, body, wire: events }
    const before = this.#malform(plain)
    if (!events) headers['Content-Length'] = String(before.length)
    const changed = this.#change(before)
    if (changed.body !== body || changed.wire !== events) return changed
    this.#shown = changed
    for (const name of framing) delete changed.headers[name]
    for (const name in whole.headers) if (framing.includes(name)) changed.headers[name] = whole.headers[name]!
    return { ...changed, body: whole.body, length: whole.length, wire: undefined }
  }

  #judge({ status, headers, body }: Reply): void {
    const text = body as Uint8Array
    noteViolations(this.#target, this.#exchange, this.#exchange, { status, headers, body: text })
  }

  #malform(reply: Reply): Reply {
    const malforming = this.#exchange.effects.for('malform')
    const { status, body: text } = reply
    if (malforming.length === 0 || status >= 300 || typeof text !== 'string' || !isJson(reply)) return reply
    try {
      const malformed = this.#service.runner!.malform(this.#exchange, { status, body: parseJson(text), text })
      for (const index of malformed.changedBy) this.#exchange.fire(malforming[index]!)
      return malformed.changedBy.length === 0 ? reply : { ...reply, body: malformed.text, length: malformed.length }
    } catch {
      // The journal says that it is no JSON.
      return reply
    }
  }

  /** Adds our headers, and lets scenarios change the reply. */
  #change(reply: Reply): Reply {
    const exchange = this.#exchange
    const { headers } = reply
    if (exchange.effects.for('limiter').length > 0) addQuotaHeaders(exchange, reply.status, headers)
    if (this.#service.trace) headers[traceHeader] = exchange.trace = toTrace(exchange)
    this.#addCors(headers)
    const changed = applyReplyEffects(this.#service, exchange, reply)
    if (exchange.effects.all.length > 0) this.#service.runner!.explain(exchange)
    if (exchange.effectiveSettings.effects.length > 0) exchange.world.updateSize()
    return changed
  }

  /** The page that asks is allowed here, whatever the service says of it. */
  #addCors(headers: Record<string, string>): void {
    const { request } = this.#exchange
    if (request.headers['origin'] === undefined) return
    const ours: Record<string, string> = {}
    this.#service.cors.addHeaders(request, ours)
    for (const name in ours) {
      if (!name.startsWith('Access-Control-Allow')) continue
      for (const other in headers) if (other.toLowerCase() === name.toLowerCase()) delete headers[other]
      headers[name] = ours[name]!
    }
    const { Vary: vary } = headers
    if (vary === undefined) headers['Vary'] = 'Origin'
    else if (vary !== '*' && !/\borigin\b/i.test(vary)) headers['Vary'] = `${vary}, Origin`
  }

  /** Reads a body up to the limit; what is larger, or does not end, stays in pieces. */
  async #read(came: Forwarded): Promise<Forwarded> {
    if (came.body === null || came.body instanceof Uint8Array) return came
    const source = came.body[Symbol.asyncIterator]()
    const pieces: Uint8Array[] = []
    let length = 0
    const endsAt = monotonicNow() + longestRead
    while (length <= this.#target.limit && monotonicNow() < endsAt) {
      const { done, value } = await source.next()
      if (done) return { ...came, body: concat(pieces, length) }
      pieces.push(value)
      length += value.length
    }
    return { ...came, body: chain(pieces, source) }
  }
}

/** A body that is passed on in pieces, and of which the beginning is kept for the journal. */
class PassedBody {
  record: ReturnType<Exchange['world']['journal']['write']> | undefined
  readonly #target: Target
  readonly #exchange: Exchange
  readonly #origin: string
  readonly #reply: Reply
  readonly #source: AsyncIterable<Uint8Array>

  constructor(target: Target, exchange: Exchange, origin: string, reply: Reply, source: AsyncIterable<Uint8Array>) {
    this.#target = target
    this.#exchange = exchange
    this.#origin = origin
    this.#reply = reply
    this.#source = source
  }

  async *pieces(signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const { limit } = this.#target
    const kept: Uint8Array[] = []
    let length = 0
    let why: string | undefined
    const source = this.#source[Symbol.asyncIterator]()
    const stop = () => void source.return?.()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      for (;;) {
        const { done, value } = await source.next()
        if (done) break
        length += value.length
        if (length <= limit) kept.push(value)
        yield value
      }
      if (length > limit) why = tooLarge('reply', limit)
    } catch (error) {
      if (!signal?.aborted) why = `${this.#origin} ${(error as Error).message} after ${length} bytes`
      throw error
    } finally {
      signal?.removeEventListener('abort', stop)
      stop()
      await this.#complete(concat(kept), length, why)
    }
  }

  async #complete(body: Uint8Array, length: number, why: string | undefined): Promise<void> {
    const { record } = this
    if (!record) return
    const { status, headers } = this.#reply
    const late = { length, explanation: join(record.explanation, why), replyViolations: record.replyViolations }
    const readable = why === undefined ? await toReadable(this.#target, { ...this.#reply, body, length }) : undefined
    const text = readable?.body as Uint8Array | undefined
    if (text) noteViolations(this.#target, this.#exchange, late, { status, headers, body: text })
    record.journal.complete(record, text ?? body, late)
  }
}

/** Judges a reply when its entry is read; at once if the entry has only its beginning, or to learn from it. */
function noteViolations(
  { learn }: Target,
  exchange: Exchange,
  into: { replyViolations: (() => readonly string[]) | undefined },
  { status, headers, body }: { readonly status: number; readonly headers: Reply['headers']; readonly body: Uint8Array },
): void {
  const { area, operation, effectiveSettings } = exchange
  const { assumptions } = effectiveSettings
  let found: readonly string[] | undefined
  const find = () =>
    (found ??= findReplyViolations(area, operation, { status, headers, text: toText(body), assumptions }))
  into.replyViolations = find
  if (body.length <= bodyCap && !learn) return
  const violations = find()
  into.replyViolations = () => violations
  learn?.(exchange, { status, headers, text: toText(body), violations })
}

/** How long a scenario that reads the whole body waits for its end, in milliseconds. */
const longestRead = 10_000

/** The kinds of faults that take a body in pieces. */
const passesPieces = new Set([
  'delay',
  'drip',
  'headers',
  'timeout',
  'network-error',
  'reset',
  'empty-reply',
  'garbage',
])

const framing = ['Content-Length', 'Content-Encoding', 'content-encoding']

function tooLarge(what: string, limit: number): string {
  return `the body of the ${what}, of more than ${limit} bytes or without an end, passed through unjudged`
}

function join(first: Explanation | undefined, then: Explanation | undefined): Explanation | undefined {
  if (first === undefined || then === undefined) return first ?? then
  if (typeof first === 'string' && typeof then === 'string') return copied(`${first}; ${then}`)
  return (show) => [first, then].map((one) => (typeof one === 'string' ? show(one) : one(show))).join('; ')
}

function isJson({ headers }: Pick<Reply, 'headers'>): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(headers['Content-Type'] ?? '')
}

function isTextual(reply: Reply): boolean {
  return isJson(reply) || /^text\//i.test(reply.headers['Content-Type'] ?? '')
}

function isCoded(headers: Reply['headers']): boolean {
  return replyHeader(headers, 'Content-Encoding') !== undefined
}

/** Returns a reply without its Content-Encoding; itself if it has none, or if its body is not what that says. */
async function toReadable({ decode }: Target, reply: Reply): Promise<Reply> {
  const name = Object.keys(reply.headers).find((one) => one.toLowerCase() === 'content-encoding')
  if (name === undefined || !(reply.body instanceof Uint8Array)) return reply
  try {
    const body = await decode(reply.body, reply.headers[name]!)
    const { [name]: _, ...headers } = reply.headers
    return { ...reply, headers, body, length: body.length }
  } catch {
    return reply
  }
}

export function concat(
  pieces: readonly Uint8Array[],
  length = pieces.reduce((sum, piece) => sum + piece.length, 0),
): Uint8Array {
  const all = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

async function* chain(pieces: readonly Uint8Array[], source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
  } finally {
    await source.return?.()
  }
}
