import { ApiError, invalidRequest, printFailure, Rejection, toReason } from '../contract/errors.ts'
import { briefMessage } from '../text/messages.ts'
import { describeBrokenRule } from '../contract/json-schema.ts'
import { toCanonicalJson } from '../http/json.ts'
import type { Outcome, Reply } from '../http/reply.ts'
import { headerOf, type ServiceRequest } from '../http/request.ts'
import type { JournalRecord } from '../journal/journal-record.ts'
import { isKnown } from '../secrets/known-secrets.ts'
import { withoutWorld } from '../text/world-key.ts'
import type { RequestValidator } from '../journal/violation.ts'
import { DataMemoryError } from '../store/memory.ts'
import { transact } from '../store/records.ts'
import { monotonicNow } from '../time/clock.ts'
import type { OperationDecision } from '../world/idempotency.ts'
import { authenticate, requireScope } from './authenticate.ts'
import { spendQuota } from './quota.ts'
import type { Exchange } from './exchange.ts'
import type { AuthenticatedExchange, Input, Operation } from './operation.ts'
import { explainMissing, findNearMisses } from './explain-not-found.ts'
import { idempotencyKeySchema, readInput } from './input.ts'
import { type Match, matchPath, type Router } from './router.ts'
import { matchEffects } from './scenario-runner.ts'
import type { Service } from './service.ts'
import { openExchange, reject } from './open-exchange.ts'
import {
  toReply,
  addHeaders,
  addDateOutside,
  applyReplyEffects,
  addLengthAndCors,
  settleEffects,
} from './finish-reply.ts'

/**
 * Whatever happens, it returns a reply: in the area's error shape, or the control API's without a
 * world.
 */
export function dispatch(service: Service, request: ServiceRequest): Reply | Promise<Reply> {
  const startedAt = monotonicNow()
  // A browser asks first whether a page may send its request. That concerns no world.
  const preflight = service.cors.preflight(request)
  if (preflight) {
    service.count('preflight')
    allowLowerCase(preflight, headerOf(request, 'access-control-request-method') ?? '')
    return addDateOutside(service, preflight)
  }
  // The request names its world, and a header may add scenarios. A wrong name ends here.
  const opened = openExchange(service, request)
  if (!('exchange' in opened))
    return addLengthAndCors(
      service,
      request,
      addDateOutside(service, reject(service, request, opened)),
    )

  const { exchange, router } = opened
  const { clock } = exchange.world
  // Work that fell due before the request happens before it.
  if (clock.isBehind) exchange.world.catchUp()
  // A Greenhouse in front of a real service forwards the request, unless the mock shall answer it.
  const fromService = service.front?.(service, exchange, router, startedAt)
  if (fromService !== undefined) return fromService
  // The world's clock stands still, so that all of the request happens at one time.
  clock.hold(exchange.now)
  service.onRequest?.(exchange)
  let finished: Reply
  let record: JournalRecord | undefined
  try {
    finished = answerWithEffects(service, exchange, router)
    record = exchange.world.journal.write(exchange, finished, startedAt)
  } finally {
    clock.release()
  }
  // A scenario holds the reply back. The work is done and recorded already.
  if (exchange.delay > 0)
    return clock.wait(exchange.delay, request.signal).then(() => attachRecord(finished, record))
  return attachRecord(finished, record)
}

/**
 * Allows a page to send `patch` for PATCH: the browser would block it, and only the reply to it can
 * say what is wrong.
 */
function allowLowerCase({ headers }: Reply, method: string): void {
  const allowed = headers['Access-Control-Allow-Methods']?.split(', ') ?? []
  if (!allowed.includes(method) && allowed.includes(method.toUpperCase()))
    headers['Access-Control-Allow-Methods'] += `, ${method}`
}

/**
 * Answers a request, adds the headers, and lets scenarios change the reply. @param answerIt what
 * answers; a proxy gives the reply of its service.
 */
export function answerWithEffects(
  service: Service,
  exchange: Exchange,
  router: Router,
  answerIt = answer,
): Reply {
  let finished: Reply
  try {
    const reply = answerOrReject(service, exchange, router, answerIt)
    // Every reply gets the date and its request id; most get the quota.
    addHeaders(service, exchange, reply)
    // Scenarios change the finished reply last, as something between service and client would.
    finished = applyReplyEffects(
      service,
      exchange,
      addLengthAndCors(service, exchange.request, reply),
    )
  } catch (error) {
    finished = addLengthAndCors(
      service,
      exchange.request,
      toErrorReply(exchange, unexpected(error)),
    )
  }
  settleEffects(exchange)
  return finished
}

function answerOrReject(
  service: Service,
  exchange: Exchange,
  router: Router,
  answerIt: typeof answer,
): Reply {
  try {
    return answerIt(service, exchange, router)
  } catch (error) {
    const rejection = error instanceof ApiError ? error : unexpected(error)
    const reply = toErrorReply(exchange, rejection)
    if (!exchange.operation) addNearMisses(service, exchange, rejection)
    return reply
  }
}

/** Gives a reply its journal entry, which is completed when the reply was sent. */
export function attachRecord(reply: Reply, record: JournalRecord | undefined): Reply {
  if (!record) return reply
  if (reply.wire) record.answeredAt = monotonicNow()
  reply.record = record
  return reply
}

/** The order of these lines is the order of the API's rules. */
function answer(service: Service, exchange: Exchange, router: Router): Reply {
  // The method and the path name the operation.
  const match = matchOperation(exchange, router)
  // From now on, scenarios know whether they act: their counters and random draws go on here.
  if (!exchange.areEffectsMatched) matchEffects(exchange, match.operation)
  // A scenario may answer at once: nobody checks the key, and no operation runs.
  const scripted = respond(exchange, match.operation === undefined)
  if (scripted) return scripted
  // A path that no operation has is a 404, by default before anyone looks at the key.
  const { operation, params } = requireOperation(exchange, match)
  // The key must be valid, have requests left, and permit the operation.
  const known = identify(exchange)
  requireScope(known, known.caller, operation.scope)
  // In strict mode, a mistake is refused that the API itself would overlook.
  if (service.strict) rejectViolations(exchange, service.strict)
  // The query and the body are checked by their schemas: one reply names all mistakes.
  const input = readInput(exchange, operation, params)
  // The operation checks and writes in one step. If it throws, nothing has changed.
  const outcome = perform(known, operation, input)
  // Scenarios may still change the result, before it is written.
  return toReply(exchange, outcome)
}

type IdentifiedExchange = Exchange & AuthenticatedExchange

function identify(exchange: Exchange): IdentifiedExchange {
  const caller = authenticate(exchange)
  exchange.caller = caller
  spendQuota(exchange, caller)
  return exchange as IdentifiedExchange
}

function perform(
  exchange: IdentifiedExchange,
  operation: Operation,
  input: Input<unknown>,
): Outcome {
  const { area, request } = exchange
  // An operation that only reads needs no transaction.
  if (!operation.writes) return operation.handle(exchange, input)
  let key: string | undefined
  if (area.hasIdempotencyKeys && request.method === 'POST')
    key = headerOf(request, 'idempotency-key')
  if (!key) return transact(() => operation.handle(exchange, input))
  const wrong = describeBrokenRule('Idempotency-Key', key, idempotencyKeySchema)
  if (wrong !== undefined) throw invalidRequest(wrong)
  return performOnce(exchange, operation, input, key)
}

function performOnce(
  exchange: IdentifiedExchange,
  operation: Operation,
  input: Input<unknown>,
  key: string,
): Outcome {
  const { world, request, now } = exchange
  // An allowed page of another origin may see less, so callers share no outcomes with it. Requests
  // under a scenario that replaces records share none either: what they write is not in the world.
  const owned = JSON.stringify([
    exchange.caller.account.id,
    key,
    request.sender === 'allowedOrigin',
    ...exchange.effects.for('collection').map(({ scenario }) => scenario),
  ])
  // The first such request decides: later ones with its key get its decision, or an error if they differ.
  const sent = toCanonicalJson([operation.id, input.params, input.sent])
  const { decision, isReplay } = world.idempotency.once(owned, sent, now, () =>
    decide(exchange, operation, input),
  )
  if (isReplay) exchange.markAsReplay(decision.requestId)
  else world.updateSize()
  if (decision.rejection) throw decision.rejection
  return decision.outcome
}

/**
 * Runs an operation, and returns its result or its `ApiError`, which the key keeps. Throws what it
 * must not keep: internal errors, and refusals under a scenario's plan, as the same request may
 * succeed on the account's own plan.
 */
function decide(
  exchange: IdentifiedExchange,
  operation: Operation,
  input: Input<unknown>,
): OperationDecision {
  try {
    return { outcome: transact(() => operation.handle(exchange, input)) }
  } catch (error) {
    if (!(error instanceof ApiError) || exchange.effects.for('plan').length > 0) throw error
    return { rejection: error, requestId: exchange.requestId }
  }
}

function matchOperation(exchange: Exchange, router: Router): Match {
  const { method } = exchange.request
  // TRACE would send the request's headers back, the key among them.
  if (method === 'TRACE') throw invalidRequest('The method TRACE is not supported.')
  return matchPath(router, method, exchange.path, exchange)
}

function requireOperation(exchange: Exchange, match: Match): Match & { operation: Operation } {
  const { method } = exchange.request
  if (match.operation) return match as Match & { operation: Operation }
  if (exchange.assume('http.unknown-path') === 'checked') identify(exchange)
  if (match.methods.length === 0) throw new ApiError('not_found', 'The path does not exist.')
  const known = match.methods.join(', ')
  throw new ApiError(
    'method_not_allowed',
    `The path does not have the method ${method}, only ${known}.`,
    405,
    {
      Allow: known,
    },
  )
}

/**
 * Lets the scenario that was switched on last respond. @param isUnknown whether no operation has
 * the path and method
 */
export function respond(exchange: Exchange, isUnknown = false): Reply | undefined {
  const effects = exchange.effects.for('respond')
  // Nothing is allocated for the requests that no scenario answers.
  if (effects.length === 0) return undefined
  for (const effect of effects.toReversed()) {
    if (isUnknown && !effect.isForAnyPath) continue
    const reply = effect.respond(exchange)
    if (!reply) continue
    exchange.fire(effect)
    return reply
  }
  return undefined
}

/**
 * Computed only when the journal is read. The closure keeps alive nothing but the method and the
 * path.
 */
function addNearMisses({ areas }: Service, exchange: Exchange, { code }: ApiError): void {
  const { method } = exchange.request
  const path = exchange.area.base + exchange.path
  const find = () => findNearMisses(method, path, areas)
  exchange.nearMisses = find
  if (code === 'not_found') exchange.explanation = explainMissing(path, find)
}

export function toErrorReply(exchange: Exchange, error: ApiError): Reply {
  exchange.explanation = error.explanation
  const reply = exchange.toErrorReply(error)
  if (reply.status !== error.status) return reply
  return { ...reply, headers: { ...reply.headers, ...error.headers } }
}

/**
 * Converts an unexpected error, a bug in Greenhouse. The log gets the details; the client must not.
 */
function unexpected(error: unknown): ApiError {
  if (error instanceof DataMemoryError) return new ApiError('internal_error', error.message, 507)
  printFailure('Greenhouse failed to answer a request:', error)
  return new ApiError('internal_error').because(
    briefMessage(`Greenhouse itself failed: ${toReason(error)}`),
  )
}

export function rejectViolations(exchange: Exchange, validator: RequestValidator): void {
  const { request, world, effectiveSettings } = exchange
  const { method, path, search, headers, body } = request
  const violations = validator({
    method,
    path,
    search,
    headers,
    body: body?.length === 0 ? null : body,
    assumptions: effectiveSettings.assumptions,
    hasSucceeded: false,
    isSecret: (text) => isKnown(world.secretFinders(), withoutWorld(text)),
  })
  const rejection = new Rejection()
  for (const { rule, message } of violations) rejection.add(() => `${rule}: ${message}`)
  rejection.throwIfAny()
}
