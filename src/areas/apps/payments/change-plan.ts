import type { PlanName } from '../../../core/accounts/plans.ts'
import type { CoreWorld } from '../../../core/world/world.ts'
import { emitForAccount } from './events.ts'
import { scheduleRenewal } from './renewal.ts'
import {
  periodKindOf,
  presentState,
  storedSubscriptionState,
  storeSubscriptionState,
  afterPlanChange,
} from './subscription-state.ts'

/** Changes an account's plan without a charge, and sends the event, as if its owner had changed the subscription. */
export function changePlan(world: CoreWorld, account: string, plan: PlanName): void {
  const now = world.clock.now()
  const next = afterPlanChange(storedSubscriptionState(world, account), plan, now)
  if (!next) return
  storeSubscriptionState(world, next)
  scheduleRenewal(world, account)
  emitForAccount(world, 'subscription.updated', account, now, presentState(periodKindOf(world), next, now))
}
