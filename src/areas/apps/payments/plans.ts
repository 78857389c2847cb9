import { type Plan, planOf, plans } from '../../../core/accounts/accounts.ts'
import { ApiError } from '../../../core/contract/errors.ts'
import type { AuthenticatedExchange } from '../../../core/pipeline/operation.ts'
import { explainNotFound } from '../../../core/pipeline/explain-not-found.ts'
import { quote } from '../../../core/text/messages.ts'
import type { LiveWorld } from '../../../core/world/live-world.ts'
import type { Texts } from '../../../core/text/values.ts'

export function knownPlan(exchange: AuthenticatedExchange, params: Texts): Readonly<Plan> {
  const id = params['plan_id'] ?? ''
  const plan = exchange.world.collection(plans).get(id)
  if (plan) return plan
  throw new ApiError('not_found', `There is no plan with the id ${quote(id)}.`).because(
    explainNotFound(exchange, plans, id),
  )
}

export function plansByPrice(world: LiveWorld): Readonly<Plan>[] {
  return world
    .collection(plans)
    .all()
    .sort((one, other) => one.price - other.price)
}

export function requirePlan(
  exchange: AuthenticatedExchange,
  feature: 'custom_domains' | 'white_label',
  what: string,
): void {
  const { world, caller } = exchange
  if (planOf(world, caller.plan)[feature]) return
  const names = plansByPrice(world)
    .filter((plan) => plan[feature])
    .map(({ name }) => name)
  throw new ApiError(
    'insufficient_permissions',
    names.length > 0 ? `${what} needs the plan ${names.join(' or ')}.` : `${what} is in no plan.`,
  )
}
