import { planOf, plans, type Plan } from '../../core/accounts/plans.ts'
import { ApiError } from '../../core/contract/errors.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import type { CoreWorld } from '../../core/world/world.ts'

export function plansByPrice(world: CoreWorld): Readonly<Plan>[] {
  return world
    .collection(plans)
    .all()
    .sort((one, other) => one.price - other.price)
}

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
