import { ApiError } from '../../../../core/contract/errors.ts'
import { awaitRecord } from '../../../../core/world/pending.ts'
import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { pendingCancellations } from '../renewal.ts'
import {
  afterSubscriptionEnd,
  type PeriodKind,
  periodKindOfRequest,
  periodOf,
  presentState,
  storedSubscriptionState,
  storeSubscriptionState,
  type SubscriptionState,
  visibleSubscriptionState,
} from '../subscription-state.ts'
import { subscriptionSchema } from '../schemas.ts'

/** Cancels the subscription at the end of its period on the world's clock; immediately if it is unpaid. A second call changes nothing. */
export const cancelSubscription = declareOperation({
  id: 'subscription.cancel',
  method: 'DELETE',
  path: '/subscription',
  title: 'Cancel the subscription',
  scope: 'payments:write',
  result: subscriptionSchema,
  handle(exchange) {
    const { world, now, caller } = exchange
    const kind = periodKindOfRequest(exchange)
    const seen = visibleSubscriptionState(exchange)
    if (seen.plan === 'free') throw new ApiError('invalid_request', 'The free plan has nothing to cancel.')
    const next = canceled(kind, storedSubscriptionState(world, caller!.account.id, exchange), now)
    if (next) {
      storeSubscriptionState(world, next, exchange)
      const { status } = next.subscription
      awaitRecord(world, pendingCancellations, next.subscription)
      exchange.emit(
        status === 'canceling' ? 'subscription.updated' : 'subscription.canceled',
        null,
        presentState(kind, next, now),
      )
    }
    return { status: 200, body: presentState(kind, canceled(kind, seen, now) ?? seen, now) }
  },
})

function canceled(kind: PeriodKind, state: SubscriptionState, now: number): SubscriptionState | undefined {
  const { plan, subscription } = state
  if (plan === 'free' || subscription.status === 'canceling') return undefined
  const ending = periodOf(kind, subscription, now)
  if (subscription.status === 'past_due') return afterSubscriptionEnd(state, ending, now)
  return { plan, subscription: { ...subscription, status: 'canceling', ending, canceled_at: now } }
}
