import { assumptionValue } from '../contract/assumptions.ts'
import {
  bodiless,
  byteLength,
  emptyReply,
  eventStreamReply,
  jsonReply,
  type Outcome,
  type Reply,
} from '../http/reply.ts'
import type { RequestHead } from '../http/request.ts'
import { systemNow } from '../time/clock.ts'
import { toHttpDate } from '../time/time-text.ts'
import type { EffectiveSettings } from '../world/effective-settings.ts'
import type { LiveWorld } from '../world/live-world.ts'
import { addQuotaHeaders } from './quota.ts'
import type { Exchange } from './exchange.ts'
import {
  explainScenarios,
  type MalformedResult,
  malformCached,
  transformReply,
} from './scenario-runner.ts'
import { toTrace, traceHeader } from './trace.ts'
import type { Service } from './service.ts'

/** Writes the result of an operation, as scenarios left it. */
export function toReply(exchange: Exchange, outcome: Outcome): Reply {
  const { status, body, events } = outcome
  if (events) return eventStreamReply(status, events, exchange.world.clock)
  if (body === undefined) return emptyReply(status)
  const { text, length } = malformResult(exchange, outcome) ?? outcome
  return jsonReply(status, body, text, length)
}

/** Lets scenarios change a result. Returns `undefined` if no active effect could. */
export function malformResult(exchange: Exchange, outcome: Outcome): MalformedResult | undefined {
  const malformEffects = exchange.effects.for('malform')
  if (malformEffects.length === 0) return undefined
  const malformed = malformCached(exchange, outcome)
  for (const [index, effect] of malformEffects.entries())
    if (malformed.changedBy.includes(index)) exchange.fire(effect)
  return malformed
}

/** Adds the headers, and lets scenarios change the reply. */
export function finishReply(service: Service, exchange: Exchange, reply: Reply): Reply {
  // Every reply gets the date and its request id; most get the quota.
  addHeaders(service, exchange, reply)
  const complete = addLengthAndCors(service, exchange.request, reply)
  // Scenarios change the finished reply last, as something between service and client would.
  return applyReplyEffects(service, exchange, complete)
}

/** Adds the headers that the service itself gives each reply, and ours. */
function addHeaders(
  service: Service,
  exchange: Exchange,
  { status, headers, bypassesService }: Reply,
): void {
  // Status 0: the connection ends without a reply.
  if (status === 0) return
  addDate(exchange.world, exchange.effectiveSettings, headers)
  if (!bypassesService) {
    addQuotaHeaders(exchange, status, headers)
    if (exchange.area.hasRequestId(exchange)) headers['X-Request-Id'] = exchange.requestId
    if (exchange.isReplay) headers['Idempotent-Replayed'] = 'true'
  }
  addTrace(service, exchange, headers)
}

/** Adds the header X-Greenhouse, which sums up for the developer what answered. */
export function addTrace(service: Service, exchange: Exchange, headers: Reply['headers']): void {
  if (!service.trace) return
  exchange.trace = toTrace(exchange)
  headers[traceHeader] = exchange.trace
}

/**
 * Adds the header Date (assumption `http.date`), unless a scenario has set a date. Adapters do not
 * add one.
 */
function addDate(
  { clock }: LiveWorld,
  effectiveSettings: EffectiveSettings,
  headers: Reply['headers'],
): void {
  // Does not call `exchange.assume`: this assumption shapes every reply, so every journal entry
  // would list it.
  const choice = assumptionValue(effectiveSettings, 'http.date')
  if (choice === 'absent' || hasDate(headers)) return
  headers['Date'] = toHttpDate(choice === 'machine' ? systemNow() : clock.now())
}

/**
 * Adds the header Date to a reply that comes from no world: with the time of the world `default`
 * or, without it, the machine's.
 */
export function addDateOutside({ worlds }: Service, reply: Reply): Reply {
  const world = worlds.peek('default')
  if (world) addDate(world, world.effectiveSettings, reply.headers)
  else reply.headers['Date'] = toHttpDate(systemNow())
  return reply
}

function hasDate(headers: Reply['headers']): boolean {
  // Every reply asks: lengths are compared in a fifth of the time of texts.
  for (const name in headers) if (name.length === 4 && name.toLowerCase() === 'date') return true
  return false
}

/** Lets scenarios change the finished reply. */
export function applyReplyEffects(service: Service, exchange: Exchange, reply: Reply): Reply {
  const { effects, verdicts, trace } = exchange
  // Most requests meet no scenario.
  if (effects.all.length === 0) return reply
  const firedBefore = verdicts.firedCount
  const changed = transformReply(exchange, reply)
  if (verdicts.firedCount === firedBefore) return changed
  const { headers } = changed
  // Pages of other origins may read the headers that the scenarios added.
  service.cors.exposeAdded(exchange.request, reply.headers, headers)
  // The trace names the scenarios that acted, so it is written again, unless they replaced it.
  if (trace !== undefined && headers[traceHeader] === trace)
    headers[traceHeader] = toTrace(exchange)
  return changed
}

/** Completes a reply that comes from no world. */
export function finishOutside(service: Service, request: RequestHead, reply: Reply): Reply {
  return addLengthAndCors(service, request, addDateOutside(service, reply))
}

/** Completes the headers when the body is final, and leaves the body out of a reply to HEAD. */
export function addLengthAndCors(service: Service, request: RequestHead, reply: Reply): Reply {
  if (reply.status === 0) return reply
  if (reply.body === null) {
    if (!bodiless.has(reply.status)) reply.headers['Content-Length'] = '0'
  } else if (!reply.wire?.pieces) {
    reply.length ??= byteLength(reply.body)
    reply.headers['Content-Length'] = String(reply.length)
  }
  service.cors.addHeaders(request, reply.headers)
  if (request.method !== 'HEAD') return reply
  return {
    ...reply,
    body: null,
  }
}

/** Explains what scenarios did, and counts the memory of what their effects keep. */
export function settleEffects(exchange: Exchange): void {
  if (exchange.effects.all.length > 0) explainScenarios(exchange)
  if (exchange.effectiveSettings.effects.length > 0) exchange.world.updateSize()
}
