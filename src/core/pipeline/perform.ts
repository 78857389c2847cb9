import { ApiError, invalidRequest } from '../contract/errors.ts'
import { describeBrokenRule } from '../contract/json-schema.ts'
import { toCanonicalJson } from '../http/json.ts'
import type { Outcome } from '../http/reply.ts'
import { headerOf } from '../http/request.ts'
import { transact } from '../store/records.ts'
import type { OperationDecision } from '../world/idempotency.ts'
import type { Exchange } from './exchange.ts'
import { idempotencyKeySchema } from './input.ts'
import type { AuthenticatedExchange, Input, Operation } from './operation.ts'

export type IdentifiedExchange = Exchange & AuthenticatedExchange

export function perform(
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
