import type { Exchange } from '../../../../core/pipeline/exchange.ts'
import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { planOf, type PlanName } from '../../../../core/accounts/accounts.ts'
import { chargeFor } from '../charge.ts'
import { scheduleRenewal } from '../renewal.ts'
import { subscriptionChangesSchema, subscriptionSchema } from '../schemas.ts'
import {
  periodKindOfRequest,
  visibleSubscriptionState,
  presentState,
  storedSubscriptionState,
  storeSubscriptionState,
  afterPlanChange,
  type SubscriptionState,
} from '../subscription-state.ts'

/**
 * Changes the plan immediately, up or down: its limits apply from the next request. Undoes a cancellation, and pays an
 * unpaid period. A change from the free plan to a paid one starts a new period. A declined payment changes nothing.
 */
export const updateSubscription = declareOperation({
  id: 'subscription.update',
  method: 'PUT',
  path: '/subscription',
  title: 'Change the plan',
  scope: 'payments:write',
  body: subscriptionChangesSchema,
  example: { plan: 'pro_plus' },
  result: subscriptionSchema,
  errors: () => ['payment_declined'],
  handle(exchange, { body: { plan } }) {
    const { world, now, caller } = exchange
    const kind = periodKindOfRequest(exchange)
    const seen = visibleSubscriptionState(exchange)
    pay(exchange, seen, plan)
    const next = afterPlanChange(storedSubscriptionState(world, caller!.account.id, exchange), plan, now)
    if (next) {
      storeSubscriptionState(world, next, exchange)
      scheduleRenewal(world, next.subscription.account)
      exchange.emit('subscription.updated', null, presentState(kind, next, now))
    }
    return { status: 200, body: presentState(kind, afterPlanChange(seen, plan, now) ?? seen, now) }
  },
})

function pay(exchange: Exchange, { plan: before, subscription: { status } }: SubscriptionState, plan: PlanName): void {
  const isCharged =
    planOf(exchange.world, plan).price > planOf(exchange.world, before).price ||
    (status === 'past_due' && plan !== 'free')
  if (isCharged) chargeFor(exchange, 'upgrade')
}
