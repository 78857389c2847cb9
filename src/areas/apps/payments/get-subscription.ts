import { defineOperation } from '../../../core/operation.ts'
import { subscriptionSchema } from './schemas.ts'
import { currentPlan, showSubscription, subscriptionOf } from './subscription.ts'

export const getSubscription = defineOperation({
  id: 'subscription.get',
  method: 'GET',
  path: '/subscription',
  title: 'Get the subscription',
  source: 'ours',
  scope: 'payments:read',
  result: subscriptionSchema,
  writes: false,
  handle(exchange) {
    const plan = currentPlan(exchange)
    return { status: 200, body: showSubscription(exchange, subscriptionOf(exchange, plan), plan) }
  },
})
