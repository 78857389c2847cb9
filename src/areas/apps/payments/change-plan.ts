import type { PlanName } from '../../../core/accounts/plans.ts'
import type { World } from '../../../core/world/world.ts'
import { toSubscriptionEvent } from './events.ts'
import { followRenewal } from './renewal.ts'
import { periodKindOf, storedStanding, storeStanding, toChanged } from './standing.ts'

/** Changes an account's plan without a charge, and sends the event, as if its owner had changed the subscription. */
export function changePlan(world: World, account: string, plan: PlanName): void {
  const now = world.clock.now()
  const next = toChanged(storedStanding(world, account), plan, now)
  if (!next) return
  storeStanding(world, next)
  followRenewal(world, account)
  const data = toSubscriptionEvent(periodKindOf(world), next, now)
  world.emit({ type: 'subscription.updated', at: now, account, app: null, data })
}
