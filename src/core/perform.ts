import { ApiError } from './errors.ts'
import type { Exchange } from './exchange.ts'
import type { Input, Operation, Outcome } from './operation.ts'
import { headerOf } from './request.ts'

/** As long as Stripe's. */
const longestKey = 255

/** Does what an operation does: alone in its world when it writes, and once an `Idempotency-Key` where the area has them. */
export function perform(exchange: Exchange, operation: Operation, input: Input<unknown>): Outcome | Promise<Outcome> {
  const { world, area, request, now } = exchange
  if (!operation.writes) return operation.handle(exchange, input)
  const key = area.hasIdempotencyKeys && request.method === 'POST' ? headerOf(request, 'idempotency-key') : undefined
  if (!key) return world.exclusively(() => operation.handle(exchange, input))
  if (key.length > longestKey) throw new ApiError('invalid_request', `Idempotency-Key: expected at most ${longestKey} characters.`)
  // A guest may be shown less: it shares no outcome with others.
  const owned = JSON.stringify([exchange.caller!.account.id, key, request.sender === 'guest'])
  const fingerprint = JSON.stringify([operation.id, input.params, input.sent], (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return world.exclusively(() => world.idempotency.once(owned, fingerprint, now, () => operation.handle(exchange, input)))
}
