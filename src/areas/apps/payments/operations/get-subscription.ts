import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { subscriptionSchema } from '../schemas.ts'
import { periodKindOfRequest, visibleSubscriptionState, presentState } from '../subscription-state.ts'

export const getSubscription = declareOperation({
  id: 'subscription.get',
  method: 'GET',
  path: '/subscription',
  title: 'Get the subscription',
  scope: 'payments:read',
  result: subscriptionSchema,
  handle: (exchange) => ({
    status: 200,
    body: presentState(periodKindOfRequest(exchange), visibleSubscriptionState(exchange), exchange.now),
  }),
})
