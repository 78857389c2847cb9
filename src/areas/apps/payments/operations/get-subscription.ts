import { declareGet } from '../../declare.ts'
import { subscriptionSchema } from '../schemas.ts'
import { periodKindOfRequest, visibleSubscriptionState, presentState } from '../subscription-state.ts'

export const getSubscription = declareGet({
  id: 'subscription.get',
  path: '/subscription',
  title: 'Get the subscription',
  scope: 'payments:read',
  result: subscriptionSchema,
  read: (exchange) => presentState(periodKindOfRequest(exchange), visibleSubscriptionState(exchange), exchange.now),
})
