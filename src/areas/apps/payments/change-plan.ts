import type { PlanName } from '../../../core/accounts/plans.ts'
import type { CoreWorld } from '../../../core/world/world.ts'
import { toSubscriptionEvent } from './events.ts'
import { followRenewal } from './renewal.ts'
import { periodKindOf, storedSubscriptionState, storeSubscriptionState, toChanged } from './subscription-state.ts'

/** Changes an account's plan without a charge, and sends the event, as if its owner had changed the subscription. */
export function changePlan(world: CoreWorld, account: string, plan: PlanName): void {
  const now = world.clock.now()
  const next = toChanged(storedSubscriptionState(world, account), plan, now)
  if (!next) return
  storeSubscriptionState(world, next)
  followRenewal(world, account)
  const data = toSubscriptionEvent(periodKindOf(world), next, now)
  world.emit({ type: 'subscription.updated', at: now, account, app: null, data })
}
