import { toCanonicalJson } from '../http/canonical-json.ts'
import { ApiError } from '../definitions/errors.ts'
import type { Exchange } from './exchange.ts'
import type { Decision } from '../world/idempotency.ts'
import type { Input, Operation, Outcome } from './operation.ts'
import { headerOf } from '../http/request.ts'

/** As long as Stripe's. */
const longestKey = 255

/** Does what an operation does: alone in its world when it writes, and once an `Idempotency-Key` where the area has them. */
export function perform(exchange: Exchange, operation: Operation, input: Input<unknown>): Outcome | Promise<Outcome> {
  const { world, area, request } = exchange
  if (!operation.writes) return operation.handle(exchange, input)
  const key = area.hasIdempotencyKeys && request.method === 'POST' ? headerOf(request, 'idempotency-key') : undefined
  if (!key) return world.exclusively(() => operation.handle(exchange, input))
  if (key.length > longestKey) throw new ApiError('invalid_request', `Idempotency-Key must have at most ${longestKey} characters.`)
  return performOnce(exchange, operation, input, key)
}

/** What was decided about the first request with the key: as the reply of another one where this is a repetition. */
async function performOnce(exchange: Exchange, operation: Operation, input: Input<unknown>, key: string): Promise<Outcome> {
  const { world, request, now } = exchange
  // A guest may be shown less: it shares no outcome with others. What was done to records of a scenario's is not done to the world's.
  const owned = JSON.stringify([exchange.caller!.account.id, key, request.sender === 'guest', ...exchange.due.at('collection').map(({ scenario }) => scenario)])
  const sent = toCanonicalJson([operation.id, input.params, input.sent])
  const { decision, isReplay } = await world.exclusively(() => world.idempotency.once(owned, sent, now, () => decide(exchange, operation, input)))
  if (isReplay) exchange.repeats('requestId' in decision ? decision.requestId : undefined)
  if ('refusal' in decision) throw decision.refusal
  return decision.outcome
}

/** What an operation decides. An error of ours is no decision, and neither is what a pretended plan does not permit: they are thrown on. */
async function decide(exchange: Exchange, operation: Operation, input: Input<unknown>): Promise<Decision> {
  try {
    return { outcome: await operation.handle(exchange, input) }
  } catch (error) {
    if (!(error instanceof ApiError) || exchange.due.at('plan').length > 0) throw error
    return { refusal: error, requestId: exchange.requestId }
  }
}
