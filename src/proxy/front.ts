import { codedError } from '../core/text/error-codes.ts'
import { ApiError, type ErrorCode, type Explanation } from '../core/contract/errors.ts'
import { parseForeignJson } from '../core/http/json.ts'
import {
  concatBytes,
  inEvents,
  isEventStream,
  noReply,
  type Reply,
  toAscii,
  toBytes,
  toPairs,
  toText,
} from '../core/http/reply.ts'
import type { ServiceRequest } from '../core/http/request.ts'
import { bodyCap, type JournalRecord } from '../core/journal/journal-record.ts'
import { addQuotaHeaders, rejectByScenario } from '../core/pipeline/authenticate.ts'
import {
  addTrace,
  applyReplyEffects,
  explainEffects,
  finishExchange,
  type Front,
  leave,
  malform,
  rejectViolations,
  respond,
  type Service,
  toErrorReply,
} from '../core/pipeline/dispatch.ts'
import type { Exchange } from '../core/pipeline/exchange.ts'
import { findContractBreaches } from '../core/pipeline/reply-contract.ts'
import { matchPath, type Router } from '../core/pipeline/router.ts'
import { knownFilter } from '../core/text/messages.ts'
import { copied } from '../core/text/values.ts'
import { after } from '../core/time/clock.ts'
import {
  type Base,
  endedEarly,
  type Forwarded,
  type ProxyOptions,
  TargetFailure,
} from './message.ts'
import { MissingPaths } from './missing.ts'
import { readHeaders } from '../core/http/raw-headers.ts'

/** A Greenhouse that has the option `proxy`. */
export interface Fronting {
  readonly options: { readonly proxy?: ProxyOptions | undefined }
  readonly bodyLimit: number
  operations(): readonly { readonly id: string; readonly path: string }[]
  answerThrough(front: Front, origins: readonly string[]): () => void
}

/** What sends requests to the real service. */
export interface Target {
  /**
   * Sends a request as it came, or another one on its behalf. @param isWhole whether a part of the
   * reply, or none, would not do
   * @throws TargetFailure
   */
  send(
    request: ServiceRequest,
    base: Base,
    isWhole: boolean,
    instead?: ServiceRequest,
  ): Promise<Forwarded>
  /**
   * Takes the codings of Content-Encoding off a body. @throws Error for a body that has not that
   * form, or is too large
   */
  decode(body: Uint8Array, encoding: string): Promise<Uint8Array>
  readonly recorder?: Recorder | undefined
}

/** A reply as the service gave it. */
export interface ServiceReply {
  readonly status: number
  readonly phrase: string
  /** Names and values in turn. */
  readonly raw: readonly string[]
  /** The body, without its codings if they can be read here. */
  readonly body: Uint8Array
  /** The pieces of a body whose length the service did not say. */
  readonly pieces?: readonly Uint8Array[] | undefined
}

/** What keeps the replies of the service. */
export interface Recorder {
  add(exchange: Exchange, reply: ServiceReply): void
  leaveOut(why: string): void
}

/** What the service has shown so far. */
interface Shown {
  /** The keys that it accepted, each with the id of its account at the mock. */
  readonly accepted: Map<string, string>
  /** The operations that have succeeded. */
  readonly has: Set<string>
  readonly missing: MissingPaths
}

/** How many accepted keys are known. */
const maxAccepted = 10_000

interface Context {
  readonly target: Target
  readonly shown: Shown
  /** How much of a body is judged, recorded and changed, in bytes. */
  readonly limit: number
  readonly fallsBack: boolean
  /** How long a reply that must be read as a whole may take, in milliseconds. */
  readonly patience: number
  readonly service: Service
  readonly exchange: Exchange
  readonly router: Router
  readonly base: Base
}

/** Lets a Greenhouse answer from a real service. Returns a function that ends this. */
export function attach(greenhouse: Fronting, bases: readonly Base[], target: Target): () => void {
  const { only, fallback, plants, apps, timeout = longestRead } = greenhouse.options.proxy!
  if (only?.length === 0)
    throw codedError(
      'GREENHOUSE_INVALID_VALUE',
      'Failed to forward: the option "proxy.only" names no operation.',
    )
  const mounts = bases.map(({ mount }) => mount)
  const forwarded = greenhouse
    .operations()
    .filter(({ path }) => mounts.includes(path.startsWith('/v1/') ? '/v1' : ''))
  const ids = forwarded.map(({ id }) => id)
  const isWanted = only === undefined ? undefined : knownFilter('operation', only, ids)
  const patience = Math.min(timeout, longestRead)
  const shown: Shown = { accepted: new Map(), has: new Set(), missing: new MissingPaths() }
  const known = {
    target,
    shown,
    limit: greenhouse.bodyLimit,
    fallsBack: fallback === 'mock',
    patience,
  }
  const front: Front = (service, exchange, router, startedAt) => {
    const { operation } = matchPath(router, exchange.request.method, exchange.path, exchange)
    const base = bases.find(({ area }) => area === exchange.area.name)
    if (!base || (isWanted && !(operation && isWanted(operation.id)))) {
      acceptKey(exchange, shown)
      return undefined
    }
    service.onRequest?.(exchange)
    exchange.arrive(operation, service.runner)
    return answer({ ...known, service, exchange, router, base }, startedAt)
  }
  const isWhole =
    only === undefined && fallback === undefined && plants !== undefined && apps !== undefined
  return greenhouse.answerThrough(front, isWhole ? bases.map(({ origin }) => origin) : [])
}

/** The mock accepts what the service accepted. */
function acceptKey(exchange: Exchange, { accepted }: Shown): void {
  const { secret } = exchange
  const account = secret === undefined ? undefined : accepted.get(secret)
  if (account !== undefined) exchange.accepted = { secret: secret!, account }
}

function remember({ exchange, shown }: Context, { status }: Forwarded): void {
  if (status < 200 || status > 299) return
  const { secret, operation } = exchange
  if (operation) shown.has.add(operation.id)
  const { accepted } = shown
  if (secret !== undefined && !accepted.has(secret) && accepted.size < maxAccepted)
    accepted.set(secret, `acct_service_${accepted.size + 1}`)
}

interface Answer {
  readonly reply: Reply
  /** The reply to record, if it is not the one that is sent: readable if that is compressed. */
  readonly shown?: Reply | undefined
  readonly passed?: Passed | undefined
}

/** A body that is passed on in pieces; its entry is complete at its end. */
interface Passed {
  record: JournalRecord | undefined
  /** Whether its reason does not say yet that nobody judges it. */
  readonly isJudged: boolean
  /**
   * What the recorder gets at the end; `undefined` if it has the reply already, or if there is
   * none.
   */
  readonly came: (ServiceReply & Pick<Forwarded, 'size'>) | undefined
}

async function answer(context: Context, startedAt: number): Promise<Reply> {
  const { exchange } = context
  const { world, request } = exchange
  const made = await forward(context).catch((error: unknown): Answer => {
    const fail = () => {
      throw error
    }
    return { reply: finish(context, fail) }
  })
  const { reply, shown = reply, passed } = made
  const { status, headers } = reply
  const record = world.journal.write(
    exchange,
    shown === reply ? reply : { ...shown, status, headers },
    startedAt,
  )
  if (passed) passed.record = record
  if (exchange.delay > 0) await world.clock.wait(exchange.delay, request.signal)
  return leave(reply, record)
}

function finish({ service, exchange, router }: Context, answerIt?: () => Reply): Reply {
  const { clock } = exchange.world
  clock.hold(clock.now())
  try {
    return finishExchange(service, exchange, router, answerIt)
  } finally {
    clock.release()
  }
}

const failures: Readonly<Record<TargetFailure['status'], string>> = {
  501: 'not_implemented',
  502: 'bad_gateway',
  504: 'gateway_timeout',
  508: 'loop_detected',
}

/** Scenarios speak first, and change what comes back, as they do with the mock's own replies. */
async function forward(context: Context): Promise<Answer> {
  const { target, service, exchange, base, fallsBack } = context
  const { origin } = base
  const scripted = respond(exchange)
  if (scripted) return { reply: finish(context, () => scripted) }
  rejectByScenario(exchange)
  if (service.strict) rejectViolations(exchange, service.strict)
  try {
    assertNoUpgrade(exchange.request)
    const came = await target.send(exchange.request, base, changesBody(exchange))
    remember(context, came)
    const found = fallsBack ? await findMissing(context, came) : came
    return typeof found === 'string' ? mock(context, found) : await pass(context, found)
  } catch (error) {
    if (!(error instanceof TargetFailure)) throw error
    const { status, message, isUnreachable } = error
    if (exchange.request.signal?.aborted) return { reply: noReply('network-error') }
    if (fallsBack && isUnreachable) return mock(context, `${origin} ${message}`)
    const failure = new ApiError(
      failures[status] as ErrorCode,
      `The service ${origin} ${message}.`,
      status,
    )
    return {
      reply: finish(context, () => ({ ...toErrorReply(exchange, failure), bypassesService: true })),
    }
  }
}

/**
 * Protocols to which a client may offer to switch, and that a server may ignore (RFC 9110, 7.8).
 */
const ignoredProtocols = /^(?:\s*(?:h2c|http|tls)\b[^,]*(?:,|$))+$/i

/** As a plain request, it would ask the service for something else. */
function assertNoUpgrade({ headers }: ServiceRequest): void {
  const protocol = String(headers['upgrade'] ?? '')
  if (
    protocol === '' ||
    ignoredProtocols.test(protocol) ||
    !/\bupgrade\b/i.test(String(headers['connection']))
  )
    return
  throw new TargetFailure(
    501,
    `was not asked to switch to ${protocol}: this proxy passes on no upgrades`,
  )
}

/** Whether a scenario may change the body of the reply, for which it needs all of it. */
function changesBody({ effects }: Exchange): boolean {
  return (
    effects.for('malform').length > 0 ||
    effects.for('transformReply').some(({ kind }) => !inPieces.has(kind ?? ''))
  )
}

/** The scenarios have counted the request already. */
function mock(context: Context, why: string): Answer {
  const { exchange } = context
  acceptKey(exchange, context.shown)
  exchange.arrive = () => undefined
  const reply = finish(context)
  exchange.explanation = join(`answered by the mock: ${why}`, exchange.explanation)
  return { reply }
}

/**
 * Returns why the mock answers: the service does not have the path or the method. Otherwise the
 * reply, of which the body may be read.
 */
async function findMissing(context: Context, came: Forwarded): Promise<Forwarded | string> {
  const { exchange, base, target, shown } = context
  const { operation, request, path } = exchange
  const { method, search, headers } = request
  const { status } = came
  if (!operation || ![404, 405, 501].includes(status) || shown.has.has(operation.id)) return came
  const why = `${base.origin} does not have ${operation.id} (${status})`
  if (status !== 404) return why
  const whole = await readWhole(came, context.limit, context.patience)
  const ask = async (question: ServiceRequest) =>
    toPlain(
      context,
      await readWhole(
        await target.send(request, base, true, question),
        context.limit,
        context.patience,
      ),
    )
  const asked = { method, path: base.mount + path, search, headers, body: null }
  const isMissing = await shown.missing.lacks(
    base,
    asked,
    base.mount,
    await toPlain(context, whole),
    ask,
  )
  return isMissing ? why : whole
}

/** Returns a reply whose body, if it is complete, can be read as text. */
async function toPlain({ target }: Context, whole: Forwarded): Promise<Forwarded> {
  const { status, body } = whole
  if (!(body instanceof Uint8Array)) return whole
  const readable = await toReadable(target, {
    status,
    headers: readHeaders(whole.raw).headers,
    body,
  })
  return { ...whole, body: (readable?.body as Uint8Array | undefined) ?? null }
}

async function pass(context: Context, forwarded: Forwarded): Promise<Answer> {
  const { exchange, target, base, limit, patience } = context
  const { request } = exchange
  const isRead = changesBody(exchange)
  const { status, phrase, raw, body, size } = isRead
    ? await readWhole(forwarded, limit, patience)
    : forwarded
  const came: ServiceReply = { status, phrase, raw, body: new Uint8Array() }
  exchange.explanation = base.reason
  exchange.answeredBy = base.origin
  if (request.body === 'too-large') exchange.explanation += `; ${unjudged('request', limit)}`
  const { headers, toRaw } = readHeaders(raw)
  const reply: Reply = { status, headers, body: null, received: { phrase, toRaw } }
  if (body === null) {
    target.recorder?.add(exchange, came)
    if (request.method !== 'HEAD' && status !== 304)
      exchange.replyViolations = judge(exchange, reply)
    return { reply: change(context, reply) }
  }
  const whole = body instanceof Uint8Array ? { ...reply, body, length: body.length } : undefined
  const readable = whole && (await toReadable(target, whole))
  if (whole) target.recorder?.add(exchange, toRecorded(came, readable ?? whole))
  if (!whole || !readable) {
    const source = whole ? [whole.body] : (body as AsyncIterable<Uint8Array>)
    const why = whole ? undecoded(reply) : isRead ? unjudged('reply', limit) : undefined
    if (why !== undefined) exchange.explanation += `; ${why}`
    const isRecorded = !whole && target.recorder !== undefined
    const passed: Passed = {
      record: undefined,
      isJudged: why === undefined,
      came: isRecorded ? { ...came, size } : undefined,
    }
    const pieces = (_: Uint8Array, signal?: AbortSignal) =>
      watch(context, reply, source, passed, signal)
    return {
      reply: change(context, { ...reply, body: new Uint8Array(), wire: { pieces } }),
      passed,
    }
  }
  exchange.replyViolations = judge(exchange, readable)
  if (isRead) return changeText(context, readable, whole)
  if (readable !== whole) return { reply: change(context, whole), shown: readable }
  // Clients repeat requests, and the journal keeps one of two equal texts.
  return { reply: change(context, { ...whole, body: toAscii(whole.body) ?? whole.body }) }
}

/** Returns a reply with the body that can be read, and without the coding that it came in. */
function toRecorded(came: ServiceReply, { headers, body }: Reply): ServiceReply {
  const isDecoded = headers['Content-Encoding'] === undefined
  const pairs = toPairs(came.raw).filter(
    ([name]) => !isDecoded || name.toLowerCase() !== 'content-encoding',
  )
  return { ...came, raw: pairs.flat(), body: toBytes(body ?? '') }
}

/** Lets scenarios read and change a body. Its bytes stay as they came if they do not. */
function changeText(context: Context, readable: Reply, whole: Reply): Answer {
  const { service, exchange } = context
  const { 'Content-Length': _, Trailer: __, ...headers } = readable.headers
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(headers['Content-Type'] ?? '')
  const isText = isJson || /^text\//i.test(headers['Content-Type'] ?? '')
  const body = isText ? toText(readable.body as Uint8Array) : readable.body!
  const streamed = { ...readable, headers, body, wire: inEvents(exchange.world.clock) }
  const plain = isEventStream(streamed) ? streamed : { ...streamed, wire: undefined }
  const text =
    isJson && plain.status < 300 ? tryMalform(service, exchange, body as string) : undefined
  if (!plain.wire) headers['Content-Length'] = String(text?.length ?? readable.length)
  const changed = change(context, text ? { ...plain, body: text.text, length: text.length } : plain)
  if (changed.body !== body) dropValidators(changed.headers, whole.headers)
  if (changed.body !== body || changed.wire !== plain.wire) return { reply: changed }
  for (const name of framing)
    if (whole.headers[name] === undefined) delete changed.headers[name]
    else changed.headers[name] = whole.headers[name]
  const { length } = whole
  return { reply: { ...changed, body: whole.body, length, wire: undefined }, shown: changed }
}

/** What names a version of a body, or sums it up. */
const validators = /^(?:etag|last-modified|content-md5|(?:content-|repr-)?digest)$/i

/**
 * Those of the service are of the body as it was: with them, a cache would take the changed one for
 * it.
 */
function dropValidators(headers: Reply['headers'], before: Reply['headers']): void {
  for (const name in headers)
    if (validators.test(name) && headers[name] === before[name]) delete headers[name]
}

function tryMalform(service: Service, exchange: Exchange, text: string) {
  try {
    return malform(service, exchange, { status: 200, body: parseForeignJson(text), text })
  } catch {
    // The journal says that it is no JSON.
    return undefined
  }
}

/** Adds our headers, and lets scenarios change the reply. */
function change(context: Context, reply: Reply): Reply {
  const { service, exchange } = context
  if (exchange.effects.for('limiter').length > 0)
    addQuotaHeaders(exchange, reply.status, reply.headers)
  addTrace(service, exchange, reply.headers)
  addCors(context, reply.headers)
  const changed = applyReplyEffects(service, exchange, reply)
  explainEffects(service, exchange)
  return changed
}

/** The page that asks is allowed here, whatever the service says of it. */
function addCors({ service, exchange: { request } }: Context, headers: Reply['headers']): void {
  if (request.headers['origin'] === undefined) return
  for (const name in headers) if (/^access-control-allow-/i.test(name)) delete headers[name]
  service.cors.addHeaders(request, headers)
}

/**
 * Reads a body up to the limit; what is larger, or has not ended after the wait, stays in pieces.
 */
async function readWhole(came: Forwarded, limit: number, wait: number): Promise<Forwarded> {
  const { body, size } = came
  if (body === null || body instanceof Uint8Array) return came
  const source = body[Symbol.asyncIterator]()
  const pieces: Uint8Array[] = []
  let length = 0
  let stopWaiting = () => {}
  const late = new Promise<undefined>(
    (resolve) => (stopWaiting = after(wait, () => resolve(undefined))),
  )
  try {
    for (;;) {
      const next = source.next()
      const part = length > limit ? undefined : await Promise.race([next, late])
      if (!part) {
        next.catch(() => undefined)
        return { ...came, body: chain(pieces, next, source) }
      }
      if (part.done) return { ...came, body: concatBytes(pieces) }
      pieces.push(part.value)
      length += part.value.length
    }
  } catch (error) {
    throw new TargetFailure(502, size === undefined ? brokeOff(error) : endedEarly(length, size))
  } finally {
    stopWaiting()
  }
}

/** @param next what was asked for and has not come */
async function* chain(
  pieces: readonly Uint8Array[],
  next: Promise<IteratorResult<Uint8Array>>,
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces
    for (let part = await next; !part.done; part = await source.next()) yield part.value
  } finally {
    void source.return?.()
  }
}

const brokeOff = (error: unknown) => `broke off: ${(error as Error).message}`

/** Passes a body on, and completes its entry with it. */
async function* watch(
  { target, exchange, base, limit }: Context,
  reply: Reply,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  passed: Passed,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const kept: Uint8Array[] = []
  let length = 0
  let isWhole = false
  // Until its end, a reply counts as one that the client did not wait for.
  let lost: string | undefined = 'the client left before the end'
  let why: string | undefined
  try {
    for await (const piece of source) {
      length += piece.length
      if (length <= limit) kept.push(piece)
      yield piece
    }
    lost = length <= limit ? undefined : `a body of more than ${limit} bytes`
    if (length <= limit) isWhole = passed.isJudged
    else if (passed.isJudged) why = unjudged('reply', limit)
  } catch (error) {
    if (!signal?.aborted) {
      why = `${base.origin} ${brokeOff(error)} after ${length} bytes`
      lost = 'the reply broke off'
    }
    throw error
  } finally {
    const { record, came } = passed
    if (came && lost !== undefined) target.recorder?.leaveOut(lost)
    if (record) {
      const all = { ...reply, body: concatBytes(kept), length }
      const readable = isWhole ? await toReadable(target, all) : undefined
      if (isWhole && !readable) why = undecoded(reply)
      const late = { length, explanation: join(record.explanation, why) }
      if (came && lost === undefined) {
        const hasPieces = came.size === undefined && readable === all
        target.recorder?.add(exchange, {
          ...toRecorded(came, readable ?? all),
          pieces: hasPieces ? kept : undefined,
        })
      }
      const isKept = record.journal.complete(record, (readable ?? all).body as Uint8Array, late)
      if (readable) record.replyViolations = judge(exchange, readable, isKept)
    }
  }
}

/**
 * Returns what judges a reply when its entry is read. It is judged at once if the entry may have
 * another body.
 */
function judge(
  exchange: Exchange,
  { status, headers, body }: Reply,
  isKept = true,
): Exchange['replyViolations'] {
  const { area, operation, effects, effectiveSettings } = exchange
  const { assumptions } = effectiveSettings
  let found: readonly string[] | undefined
  const find = (text: string) =>
    (found ??= findContractBreaches(area, operation, { status, headers, text }, assumptions))
  if (isKept && effects.all.length === 0 && (body?.length ?? 0) <= bodyCap)
    return ({ reply }) => find(textOf(reply))
  const text = textOf({ body })
  const violations = find(text)
  return () => violations
}

function textOf({ body }: Pick<Reply, 'body'>): string {
  return typeof body === 'string' ? body : toText(body ?? new Uint8Array())
}

/** How long a scenario that reads the whole body waits for its end, in milliseconds. */
const longestRead = 10_000

/** The kinds of faults that take a body in pieces. */
const inPieces = new Set([
  'delay',
  'drip',
  'headers',
  'timeout',
  'network-error',
  'reset',
  'empty-reply',
  'garbage',
])

const framing = ['Content-Length', 'Content-Encoding', 'Trailer']

function unjudged(what: string, limit: number): string {
  return `the body of the ${what}, of more than ${limit} bytes or without an end, passed through unjudged`
}

function undecoded({ headers: { 'Content-Encoding': coding } }: Reply): string {
  return `the body of the reply, which is not ${coding} that can be read here, passed through unjudged`
}

function join(
  first: Explanation | undefined,
  then: Explanation | undefined,
): Explanation | undefined {
  if (first === undefined || then === undefined) return first ?? then
  if (typeof first === 'string' && typeof then === 'string') return copied(`${first}; ${then}`)
  return (show) =>
    [first, then].map((one) => (typeof one === 'string' ? show(one) : one(show))).join('; ')
}

/**
 * Returns a reply without its Content-Encoding; itself if it has none, nothing if its body is not
 * what that says.
 */
async function toReadable({ decode }: Target, reply: Reply): Promise<Reply | undefined> {
  if (reply.headers['Content-Encoding'] === undefined) return reply
  const { 'Content-Encoding': encoding, ...headers } = reply.headers
  try {
    const body = await decode(reply.body as Uint8Array, encoding)
    return { ...reply, headers, body, length: body.length }
  } catch {
    return undefined
  }
}
