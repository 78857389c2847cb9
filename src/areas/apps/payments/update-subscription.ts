import { accounts } from '../../../core/accounts.ts'
import { defineOperation } from '../../../core/operation.ts'
import { subscriptionChangesSchema, subscriptionSchema, type Subscription } from './schemas.ts'
import { currentPlan, showSubscription, storeSubscription, subscriptionOf } from './subscription.ts'

/** Changes the plan at once, up or down, so that the next request has its limits; a cancellation is taken back by it. A period begins where a paid plan follows the free one. */
export const updateSubscription = defineOperation({
  id: 'subscription.update',
  method: 'PUT',
  path: '/subscription',
  title: 'Change the plan',
  source: 'ours',
  scope: 'payments:write',
  body: subscriptionChangesSchema,
  result: subscriptionSchema,
  writes: true,
  async handle(exchange, { body: { plan } }) {
    const before = currentPlan(exchange)
    const subscription = subscriptionOf(exchange, before)
    if (plan === before && subscription.status === 'active') return { status: 200, body: showSubscription(exchange, subscription, plan) }
    const { account, anchor } = subscription
    const isNew = before === 'free' && plan !== 'free'
    const next: Subscription = { account, status: 'active', anchor: isNew ? exchange.now : anchor }
    await exchange.world.collection(accounts).update(account, { plan })
    await storeSubscription(exchange, next)
    const shown = showSubscription(exchange, next, plan)
    exchange.emit('subscription.updated', null, shown)
    return { status: 200, body: shown }
  },
})
