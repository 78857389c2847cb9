import { planOf, plans, type Plan } from '../../core/accounts/plans.ts'
import { ApiError } from '../../core/definitions/errors.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import type { CoreWorld } from '../../core/world/world.ts'

/** Returns a world's plans, the cheapest first. */
export function plansByPrice(world: CoreWorld): Readonly<Plan>[] {
  return world
    .collection(plans)
    .all()
    .sort((one, other) => one.price - other.price)
}

/** @throws ApiError 403 if the caller's plan lacks a feature. */
export function requirePlan(exchange: Exchange, feature: 'custom_domains' | 'white_label', what: string): void {
  const { world, caller } = exchange
  if (planOf(world, caller!.plan)[feature]) return
  const names = plansByPrice(world)
    .filter((plan) => plan[feature])
    .map(({ name }) => name)
  throw new ApiError(
    'insufficient_permissions',
    names.length > 0 ? `${what} needs the plan ${names.join(' or ')}.` : `${what} is in no plan.`,
  )
}
