import { parseForeignJson } from '../core/http/json.ts'
import { readHeaders } from '../core/http/raw-headers.ts'
import {
  concatBytes,
  inEvents,
  isEventStream,
  type Reply,
  toAscii,
  toBytes,
  toPairs,
  toText,
} from '../core/http/reply.ts'
import type { Explanation } from '../core/contract/errors.ts'
import { bodyCap, type JournalRecord } from '../core/journal/journal-record.ts'
import { addQuotaHeaders } from '../core/pipeline/quota.ts'
import {
  addTrace,
  applyReplyEffects,
  settleEffects,
  malformResult,
} from '../core/pipeline/finish-reply.ts'
import type { Exchange } from '../core/pipeline/exchange.ts'
import { findContractBreaches } from '../core/pipeline/reply-contract.ts'
import { copied } from '../core/text/values.ts'
import { brokeOff, readWhole, toReadable } from './body.ts'
import type { ProxyAnswer, Context, Passed, ServiceReply, Forwarded } from './message.ts'

/** Returns whether a scenario may change the body of the reply, for which it needs all of it. */
export function changesBody({ effects }: Exchange): boolean {
  return (
    effects.for('malform').length > 0 ||
    effects.for('transformReply').some(({ kind }) => !inPieces.has(kind ?? ''))
  )
}

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

/** Passes on what the service answered, as scenarios change it. */
export async function pass(context: Context, forwarded: Forwarded): Promise<ProxyAnswer> {
  const { exchange, target, base, limit } = context
  const { request } = exchange
  const isRead = changesBody(exchange)
  const came = isRead ? await readWhole(context, forwarded) : forwarded
  const { status, phrase, raw, body } = came
  exchange.explanation = base.reason
  exchange.answeredBy = base.origin
  if (request.body === 'too-large') exchange.explanation += `; ${unjudged('request', limit)}`
  const { headers, toRaw } = readHeaders(raw)
  const reply: Reply = {
    status,
    headers,
    body: null,
    received: { phrase, toRaw },
  }
  if (body === null) return passBodiless(context, came, reply)
  if (!(body instanceof Uint8Array)) {
    const why = isRead ? unjudged('reply', limit) : undefined
    const isRecorded = target.recorder !== undefined
    const toRecord = isRecorded
      ? {
          ...came,
          body: new Uint8Array(),
        }
      : undefined
    return passInPieces(context, reply, body, {
      why,
      came: toRecord,
    })
  }
  const whole = {
    ...reply,
    body,
    length: body.length,
  }
  const readable = await toReadable(target, whole)
  target.recorder?.add(exchange, toRecorded({ ...came, body }, readable ?? whole))
  if (!readable)
    return passInPieces(context, reply, [body], {
      why: undecoded(reply),
      came: undefined,
    })
  exchange.replyViolations = judge(exchange, readable)
  if (isRead) return changeText(context, readable, whole)
  if (readable !== whole)
    return {
      reply: changeReply(context, whole),
      shown: readable,
    }
  // Clients repeat requests, and the journal keeps one of two equal texts.
  return {
    reply: changeReply(context, {
      ...whole,
      body: toAscii(body) ?? body,
    }),
  }
}

function passBodiless(context: Context, came: Forwarded, reply: Reply): ProxyAnswer {
  const { exchange, target } = context
  target.recorder?.add(exchange, {
    ...came,
    body: new Uint8Array(),
  })
  if (exchange.request.method !== 'HEAD' && reply.status !== 304)
    exchange.replyViolations = judge(exchange, reply)
  return { reply: changeReply(context, reply) }
}

/** @param why why nobody judges the body */
function passInPieces(
  context: Context,
  reply: Reply,
  source: Passed['source'],
  {
    why,
    came,
  }: {
    readonly why: string | undefined
    readonly came: Passed['came']
  },
): ProxyAnswer {
  if (why !== undefined) context.exchange.explanation += `; ${why}`
  const passed: Passed = {
    source,
    record: undefined,
    isJudged: why === undefined,
    came,
  }
  const pieces = (_: Uint8Array, signal?: AbortSignal) => watchBody(context, reply, passed, signal)
  return {
    reply: changeReply(context, {
      ...reply,
      body: new Uint8Array(),
      wire: { pieces },
    }),
    passed,
  }
}

/** Returns a reply with the body that can be read, and without the coding that it came in. */
function toRecorded(came: ServiceReply, { headers, body }: Reply): ServiceReply {
  const isDecoded = headers['Content-Encoding'] === undefined
  const pairs = toPairs(came.raw).filter(
    ([name]) => !isDecoded || name.toLowerCase() !== 'content-encoding',
  )
  return {
    ...came,
    raw: pairs.flat(),
    body: toBytes(body ?? ''),
  }
}

/** Lets scenarios read and change a body. Its bytes stay as they came if they do not. */
function changeText(context: Context, readable: Reply, whole: Reply): ProxyAnswer {
  const plain = withoutFraming(context, readable)
  const text = malformReply(context, plain)
  const { headers } = plain
  if (!plain.wire) headers['Content-Length'] = String(text?.length ?? readable.length)
  const malformed = text && {
    ...plain,
    body: text.text,
    length: text.length,
  }
  const changed = changeReply(context, malformed ?? plain)
  if (changed.body !== plain.body) dropValidators(changed.headers, whole.headers)
  if (changed.body !== plain.body || changed.wire !== plain.wire) return { reply: changed }
  for (const name of framing)
    if (whole.headers[name] === undefined) delete changed.headers[name]
    else changed.headers[name] = whole.headers[name]
  const { length } = whole
  return {
    reply: {
      ...changed,
      body: whole.body,
      length,
      wire: undefined,
    },
    shown: changed,
  }
}

/** Returns a reply as scenarios change it: a text as such, and events one after the other. */
function withoutFraming({ exchange }: Context, readable: Reply): Reply {
  const { 'Content-Length': _, Trailer: __, ...headers } = readable.headers
  const isText = isJson(readable) || /^text\//i.test(headers['Content-Type'] ?? '')
  const body = isText ? toText(readable.body as Uint8Array) : readable.body
  const streamed = {
    ...readable,
    headers,
    body,
    wire: inEvents(exchange.world.clock),
  }
  if (isEventStream(streamed)) return streamed
  return {
    ...streamed,
    wire: undefined,
  }
}

function isJson({ headers }: Reply): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(headers['Content-Type'] ?? '')
}

function malformReply({ exchange }: Context, reply: Reply) {
  if (!isJson(reply) || reply.status >= 300) return undefined
  const text = reply.body as string
  try {
    return malformResult(exchange, {
      status: 200,
      body: parseForeignJson(text),
      text,
    })
  } catch {
    // The journal says that it is no JSON.
    return undefined
  }
}

/** The headers that name a version of a body, or sum it up. */
const validators = /^(?:etag|last-modified|content-md5|(?:content-|repr-)?digest)$/i

/**
 * Those of the service are of the body as it was: with them, a cache would take the changed one for
 * it.
 */
function dropValidators(headers: Reply['headers'], before: Reply['headers']) {
  for (const name in headers)
    if (validators.test(name) && headers[name] === before[name]) delete headers[name]
}

/** Adds our headers, and lets scenarios change the reply. */
function changeReply(context: Context, reply: Reply): Reply {
  const { service, exchange } = context
  if (exchange.effects.for('quota').length > 0)
    addQuotaHeaders(exchange, reply.status, reply.headers)
  addTrace(service, exchange, reply.headers)
  addCors(context, reply.headers)
  const changed = applyReplyEffects(service, exchange, reply)
  settleEffects(exchange)
  return changed
}

/** The page that asks is allowed here, whatever the service says of it. */
function addCors({ service, exchange: { request } }: Context, headers: Reply['headers']) {
  if (request.headers['origin'] === undefined) return
  for (const name in headers) if (/^access-control-allow-/i.test(name)) delete headers[name]
  service.cors.addHeaders(request, headers)
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
    (found ??= findContractBreaches(
      area,
      operation,
      {
        status,
        headers,
        text,
      },
      assumptions,
    ))
  if (isKept && effects.all.length === 0 && (body?.length ?? 0) <= bodyCap)
    return ({ replyBody }) => find(bodyText(replyBody))
  const text = bodyText(body)
  const violations = find(text)
  return () => violations
}

function bodyText(body: Reply['body']): string {
  if (typeof body === 'string') return body
  return toText(body ?? new Uint8Array())
}

const framing = ['Content-Length', 'Content-Encoding', 'Trailer']

function unjudged(what: string, limit: number): string {
  return `the body of the ${what}, of more than ${limit} bytes or without an end, passed through unjudged`
}

function undecoded({ headers: { 'Content-Encoding': coding } }: Reply): string {
  return `the body of the reply, which is not ${coding} that can be read here, passed through unjudged`
}

/** Why a recording lacks a reply that the client did not wait for. */
export const clientLeft = 'the client left before the end'

/** Passes a body on, and completes its entry with it. */
async function* watchBody(
  context: Context,
  reply: Reply,
  passed: Passed,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const { limit, base } = context
  const kept: Uint8Array[] = []
  let length = 0
  // Until its end, a reply counts as one that the client did not wait for.
  let lost: string | undefined = clientLeft
  let why: string | undefined
  try {
    for await (const piece of passed.source) {
      length += piece.length
      if (length <= limit) kept.push(piece)
      yield piece
    }
    const isTooLong = length > limit
    lost = isTooLong ? `a body of more than ${limit} bytes` : undefined
    if (isTooLong && passed.isJudged) why = unjudged('reply', limit)
  } catch (error) {
    if (!signal?.aborted) {
      why = `${base.origin} ${brokeOff(error)} after ${length} bytes`
      lost = 'the reply broke off'
    }
    throw error
  } finally {
    if (passed.came && lost !== undefined) context.target.recorder?.leaveOut(lost)
    if (passed.record)
      await complete(context, { ...reply, length }, passed.record, { passed, kept, lost, why })
  }
}

/** How a body ended that was passed on. */
interface PassOutcome {
  readonly passed: Passed
  readonly kept: readonly Uint8Array[]
  /** Why it is not whole. */
  readonly lost: string | undefined
  /** The words of its entry about that. */
  readonly why: string | undefined
}

async function complete(
  { exchange, target }: Context,
  reply: Reply,
  record: JournalRecord,
  { passed, kept, lost, why }: PassOutcome,
) {
  const all = {
    ...reply,
    body: concatBytes(kept),
  }
  const isWhole = passed.isJudged && lost === undefined
  const readable = isWhole ? await toReadable(target, all) : undefined
  const reason = isWhole && !readable ? undecoded(reply) : why
  const late = {
    length: reply.length!,
    explanation: joinExplanations(record.explanation, reason),
  }
  if (passed.came && lost === undefined) {
    const hasPieces = passed.came.size === undefined && readable === all
    const recorded = toRecorded(passed.came, readable ?? all)
    target.recorder?.add(exchange, {
      ...recorded,
      pieces: hasPieces ? kept : undefined,
    })
  }
  const isKept = record.journal.complete(record, (readable ?? all).body as Uint8Array, late)
  if (readable) record.replyViolations = judge(exchange, readable, isKept)
}

export function joinExplanations(
  first: Explanation | undefined,
  then: Explanation | undefined,
): Explanation | undefined {
  if (first === undefined || then === undefined) return first ?? then
  if (typeof first === 'string' && typeof then === 'string') return copied(`${first}; ${then}`)
  return (show) =>
    [first, then]
      .map((one) => {
        if (typeof one === 'string') return show(one)
        return one(show)
      })
      .join('; ')
}
