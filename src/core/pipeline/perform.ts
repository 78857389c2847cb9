import { toCanonicalJson } from '../http/json.ts'
import { ApiError } from '../contract/errors.ts'
import type { Exchange, Input } from './exchange.ts'
import type { OperationDecision } from '../world/idempotency.ts'
import type { Operation } from './operation.ts'
import type { Outcome } from '../http/reply.ts'
import { headerOf } from '../http/request.ts'
import { transact } from '../store/transaction.ts'

/** The longest `Idempotency-Key`, as in Stripe's API. */
export const longestIdempotencyKey = 255

export function perform(exchange: Exchange, operation: Operation, input: Input<unknown>): Outcome {
  const { area, request } = exchange
  if (!operation.writes) return operation.handle(exchange, input)
  const key = area.hasIdempotencyKeys && request.method === 'POST' ? headerOf(request, 'idempotency-key') : undefined
  if (!key) return transact(() => operation.handle(exchange, input))
  if (key.length > longestIdempotencyKey)
    throw new ApiError('invalid_request', `Idempotency-Key must have at most ${longestIdempotencyKey} characters.`)
  return performOnce(exchange, operation, input, key)
}

function performOnce(exchange: Exchange, operation: Operation, input: Input<unknown>, key: string): Outcome {
  const { world, request, now } = exchange
  // An allowed page of another origin may see less, so callers share no outcomes with it. Requests under a scenario that
  // replaces records share none either: what they write is not in the world.
  const owned = JSON.stringify([
    exchange.caller!.account.id,
    key,
    request.sender === 'allowedOrigin',
    ...exchange.effects.for('collection').map(({ scenario }) => scenario),
  ])
  const sent = toCanonicalJson([operation.id, input.params, input.sent])
  const { decision, isReplay } = world.idempotency.once(owned, sent, now, () => decide(exchange, operation, input))
  if (isReplay) exchange.repeats('requestId' in decision ? decision.requestId : undefined)
  if ('rejection' in decision) throw decision.rejection
  return decision.outcome
}

/** Runs an operation, and returns its result or its `ApiError`. Throws internal errors, and all errors if a scenario sets the plan. */
function decide(exchange: Exchange, operation: Operation, input: Input<unknown>): OperationDecision {
  try {
    return { outcome: transact(() => operation.handle(exchange, input)) }
  } catch (error) {
    if (!(error instanceof ApiError) || exchange.effects.for('plan').length > 0) throw error
    return { rejection: error, requestId: exchange.requestId }
  }
}
