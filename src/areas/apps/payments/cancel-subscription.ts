import { accounts } from '../../../core/accounts.ts'
import { ApiError } from '../../../core/errors.ts'
import type { Exchange } from '../../../core/exchange.ts'
import { defineOperation } from '../../../core/operation.ts'
import { presentSubscription } from './present.ts'
import { subscriptions, subscriptionSchema, type Subscription } from './schemas.ts'
import { currentPlan, periodOf, showSubscription, storeSubscription, subscriptionOf } from './subscription.ts'

/** Lets the plan end with the period, on the world's clock; until then it stays. Doing it twice changes nothing. */
export const cancelSubscription = defineOperation({
  id: 'subscription.cancel',
  method: 'DELETE',
  path: '/subscription',
  title: 'Cancel the subscription',
  source: 'ours',
  scope: 'payments:write',
  result: subscriptionSchema,
  writes: true,
  async handle(exchange) {
    const plan = currentPlan(exchange)
    if (plan === 'free') throw new ApiError('invalid_request', 'The free plan has nothing to cancel.')
    const subscription = subscriptionOf(exchange, plan)
    if (subscription.status === 'canceling') return { status: 200, body: showSubscription(exchange, subscription, plan) }
    const next: Subscription = { ...subscription, status: 'canceling', ending: periodOf(exchange, subscription), canceled_at: exchange.now }
    await storeSubscription(exchange, next)
    endWithPeriod(exchange, next.account, next.ending!.end)
    const shown = showSubscription(exchange, next, plan)
    exchange.emit('subscription.updated', null, shown)
    return { status: 200, body: shown }
  },
})

/** Ends the plan when the period does, unless the cancellation was taken back by then. */
function endWithPeriod(exchange: Exchange, account: string, end: number): void {
  const { world } = exchange
  const stored = exchange.collection(subscriptions)
  world.schedule(end, async (at) => {
    const current = stored.get(account)
    const former_plan = world.collection(accounts).get(account)?.plan
    if (current?.status !== 'canceling' || current.ending?.end !== end || former_plan === undefined) return
    await world.collection(accounts).update(account, { plan: 'free' })
    const ended = await stored.update(account, { status: 'canceled', former_plan })
    world.emit({ type: 'subscription.canceled', at, account, app: null, data: presentSubscription(ended!, 'free', current.ending) })
  })
}
