import { ApiError, invalidRequest, toControlError } from '../contract/errors.ts'
import { type Reply, type Outcome, jsonReply } from '../http/reply.ts'
import { type ServiceRequest, headerOf } from '../http/request.ts'
import type { JournalRecord } from '../journal/journal-record.ts'
import { monotonicNow } from '../time/clock.ts'
import { authenticate, requireScope } from './authenticate.ts'
import { addNearMisses, answerWithError, toApiError } from './error-reply.ts'
import { Exchange } from './exchange.ts'
import { readInput, idempotencyKeySchema } from './input.ts'
import type { Operation, AuthenticatedExchange, Input } from './operation.ts'
import { spendQuota } from './quota.ts'
import { type Match, matchPath, findArea } from './router.ts'
import { matchEffects, respond } from './scenario-runner.ts'
import type { Service } from './service.ts'
import { rejectViolations } from './validate/index.ts'
import {
  addDateOutside,
  addLengthAndCors,
  finishReply,
  settleEffects,
  toReply,
  finishOutside,
} from './finish-reply.ts'
import { describeBrokenRule } from '../contract/json-schema.ts'
import { toCanonicalJson } from '../http/json.ts'
import { transact } from '../store/records.ts'
import type { OperationDecision } from '../world/idempotency.ts'
import { worldName, worldNameRule } from '../http/urls.ts'
import { briefMessage, quote } from '../text/messages.ts'
import { UnsupportedFaultError } from '../world/effective-settings.ts'
import { TooManyScenariosError } from '../world/scenario-choice.ts'
import type { LiveWorld } from '../world/live-world.ts'
import { ClosedError, SecretNameError } from '../world/worlds.ts'
import { readAddress } from '../http/address.ts'
import { traceHeader } from './trace.ts'

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
    return addDateOutside(service, preflight)
  }
  // The request names its world, and a header may add scenarios. A wrong name ends here.
  const exchange = openExchange(service, request)
  if (!(exchange instanceof Exchange)) return reject(service, request, exchange)

  const { clock } = exchange.world
  // Work that fell due before the request happens before it.
  exchange.world.catchUp()
  // A Greenhouse in front of a real service forwards the request, unless the mock shall answer it.
  const fromService = service.front?.(service, exchange, startedAt)
  if (fromService !== undefined) return fromService
  // The world's clock stands still, so that all of the request happens at one time.
  clock.hold(exchange.now)
  service.onRequest?.(exchange)
  let finished: Reply
  let record: JournalRecord
  try {
    finished = answerWithEffects(service, exchange)
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
 * Answers a request, adds the headers, and lets scenarios change the reply. @param answerIt what
 * answers; a proxy gives the reply of its service.
 */
export function answerWithEffects(service: Service, exchange: Exchange, answerIt = answer): Reply {
  let finished: Reply
  try {
    finished = finishReply(service, exchange, answerOrExplain(service, exchange, answerIt))
  } catch (error) {
    // A scenario failed to change the reply.
    const failed = answerWithError(exchange, toApiError(error))
    finished = addLengthAndCors(service, exchange.request, failed)
  }
  settleEffects(exchange)
  return finished
}

function answerOrExplain(service: Service, exchange: Exchange, answerIt: typeof answer): Reply {
  try {
    return answerIt(service, exchange)
  } catch (thrown) {
    const error = toApiError(thrown)
    const reply = answerWithError(exchange, error)
    if (!exchange.operation) addNearMisses(service, exchange, error)
    return reply
  }
}

/** Gives a reply its journal entry, which is completed when the reply was sent. */
export function attachRecord(reply: Reply, record: JournalRecord): Reply {
  if (reply.wire) record.answeredAt = monotonicNow()
  reply.record = record
  return reply
}

/** The order of these lines is the order of the API's rules. */
function answer(service: Service, exchange: Exchange): Reply {
  // The method and the path name the operation.
  const match = matchOperation(exchange)
  // From now on, scenarios know whether they act: their counters and random draws go on here. For a
  // request that was forwarded, the proxy has done so before.
  if (!exchange.areEffectsMatched) matchEffects(exchange, match.operation)
  // A scenario may answer at once: nobody checks the key, and no operation runs.
  const scripted = respond(exchange)
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

function identify(exchange: Exchange): IdentifiedExchange {
  const caller = authenticate(exchange)
  exchange.caller = caller
  spendQuota(exchange, caller)
  return exchange as IdentifiedExchange
}

function matchOperation(exchange: Exchange): Match {
  const { method } = exchange.request
  // TRACE would send the request's headers back, the key among them.
  if (method === 'TRACE') throw invalidRequest('The method TRACE is not supported.')
  return matchPath(exchange.router, method, exchange.path, exchange)
}

function requireOperation(exchange: Exchange, match: Match): Match & { operation: Operation } {
  const { method } = exchange.request
  if (match.operation) return match as Match & { operation: Operation }
  if (exchange.assume('http.unknown-path') === 'checked') identify(exchange)
  if (match.methods.length === 0) throw new ApiError('not_found', 'The path does not exist.')
  const known = match.methods.join(', ')
  const message = `The path does not have the method ${method}, only ${known}.`
  throw new ApiError('method_not_allowed', message, 405, { Allow: known })
}

type IdentifiedExchange = Exchange & AuthenticatedExchange

function perform(
  exchange: IdentifiedExchange,
  operation: Operation,
  input: Input<unknown>,
): Outcome {
  // An operation that only reads needs no transaction.
  if (!operation.writes) return operation.handle(exchange, input)
  const key = idempotencyKeyOf(exchange)
  if (!key) return transact(() => operation.handle(exchange, input))
  return performOnce(exchange, operation, input, key)
}

function idempotencyKeyOf({ area, request }: Exchange): string | undefined {
  if (!area.hasIdempotencyKeys || request.method !== 'POST') return undefined
  const key = headerOf(request, 'idempotency-key')
  const wrong = key && describeBrokenRule('Idempotency-Key', key, idempotencyKeySchema)
  if (wrong) throw invalidRequest(wrong)
  return key
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
  const ownedKey = JSON.stringify([
    exchange.caller.account.id,
    key,
    request.sender === 'allowedOrigin',
    ...exchange.effects.for('replaceCollection').map(({ scenario }) => scenario),
  ])
  // The first such request decides: later ones with its key get its decision, or an error if they differ.
  const sent = toCanonicalJson([operation.id, input.params, input.sent])
  const { decision, isReplay } = world.state.idempotency.once(ownedKey, sent, now, () =>
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
    if (!(error instanceof ApiError) || exchange.effects.for('changePlan').length > 0) throw error
    return {
      rejection: error,
      requestId: exchange.requestId,
    }
  }
}

/**
 * Returns the exchange of a request with its world, its scenarios and its area, or why there is
 * none.
 */
function openExchange(service: Service, request: ServiceRequest): Exchange | RejectedOpening {
  // The world is named by the path, by a header, or by the end of the key.
  const { world: named, path, secret } = readAddress(request)
  if (named === undefined && service.onWorldless) {
    service.onWorldless(request)
    return rejected(
      400,
      'world_required',
      'Failed to find a world: the request names none. Name one in the base URL (/~WORLD/…), in the header X-Greenhouse-World, or in the key (key_pro@WORLD).',
    )
  }
  if (named !== undefined && !worldName.test(named))
    return rejected(
      400,
      'invalid_world',
      `Failed to find the world ${quote(named)}: a name is ${worldNameRule}`,
    )
  const absent = service.explainMissingArea(path)
  if (absent !== undefined) return rejected(404, 'missing_area', absent)
  // A name that is used for the first time creates its world.
  let world: LiveWorld
  try {
    world = service.worlds.get(named ?? 'default')
  } catch (error) {
    const { message } = error as Error
    if (error instanceof ClosedError) return rejected(503, 'greenhouse_closed', message)
    if (error instanceof SecretNameError) return rejected(400, 'invalid_world', message)
    return rejected(409, 'world_dropped', message)
  }
  // The world's scenarios apply, and for this request those of its header.
  let effectiveSettings = world.effectiveSettings
  const wanted = headerOf(request, 'x-greenhouse-scenario')
  if (wanted !== undefined) {
    try {
      effectiveSettings = world.scenarios.settingsUnder(wanted)
    } catch (error) {
      return rejected(400, toScenarioCode(error), (error as Error).message, world.name)
    }
  }
  // The area is the one whose base begins the path.
  const { area, router } = findArea(service.areas, path)
  const target = {
    area,
    router,
    path: path.slice(area.base.length),
    secret,
  }
  return new Exchange(world, request, target, effectiveSettings)
}

function toScenarioCode(error: unknown): string {
  if (error instanceof UnsupportedFaultError) return 'unsupported_fault'
  if (error instanceof TooManyScenariosError) return 'too_many_scenarios'
  return 'unknown_scenario'
}

/** Why a request has no exchange. */
interface RejectedOpening {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly world: string | undefined
}

function rejected(status: number, code: string, message: string, world?: string): RejectedOpening {
  return {
    status,
    code,
    message,
    world,
  }
}

/** Refuses a request, and reports it to the log: no journal records it. */
function reject(
  service: Service,
  request: ServiceRequest,
  { status, code, message, world }: RejectedOpening,
): Reply {
  const reason = briefMessage(message)
  service.notify({
    event: 'refused',
    code,
    request,
    status,
    reason,
  })
  const reply = jsonReply(status, toControlError(code, service.redact(message)))
  if (world !== undefined && service.trace) reply.headers[traceHeader] = `world=${world}`
  return finishOutside(service, request, reply)
}
